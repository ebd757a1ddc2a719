/**
 * Declares the port of `sync` to this machine; the work is done in this process, the daemon answers
 * for the memories.
 */
import type { Result } from "#kit";
import type { NamedProject } from "#domain";
import type { CliError } from "./failure.ts";

export interface SyncDone {
  readonly received: number;
  readonly sent: number;
  /** Segments that could not be used. */
  readonly problems: readonly string[];
}

export interface SyncStarted extends SyncDone {
  /** The address without its password. */
  readonly url: string;
  readonly device: string;
  readonly name: string;
  /** Made here; false = joined. */
  readonly is_new: boolean;
}

interface SyncStatus {
  readonly url: string;
  readonly device: string;
  readonly name: string;
  readonly devices: number;
  /** The time of the last successful sync, epoch ms; null = never. */
  readonly last_sync: number | null;
  /** The reason why the last try failed; null = it did not. */
  readonly failure: string | null;
  /** The number of local changes that were not sent yet. */
  readonly waiting: number;
  /** The recovery key was not shown yet. */
  readonly key_unseen: boolean;
}

export interface SyncDevice {
  readonly device: string;
  readonly name: string;
  readonly this: boolean;
  readonly removed: boolean;
  /** The time at which it joined, epoch ms. */
  readonly joined: number;
  /** The number of its segments that were read here. */
  readonly segments: number;
}

interface SyncVerified {
  readonly segments: number;
  readonly bytes: number;
  readonly problems: readonly string[];
}

export interface SyncPort {
  /** `key` null: a new space where there is none yet. */
  readonly init: (ask: {
    readonly url: string;
    readonly key: string | null;
    readonly name: string | null;
  }) => Promise<Result<SyncStarted, CliError>>;
  readonly now: () => Promise<Result<SyncDone, CliError>>;
  readonly status: () => Promise<Result<SyncStatus, CliError>>;
  readonly devices: () => Promise<Result<readonly SyncDevice[], CliError>>;
  /** By id or name. */
  readonly remove: (device: string) => Promise<Result<SyncDevice, CliError>>;
  readonly verify: () => Promise<Result<SyncVerified, CliError>>;
  /** The recovery key, once. */
  readonly key: () => Promise<Result<string, CliError>>;
  /** Ends sync on this device; memories stay, and so does what was written. */
  readonly off: () => Promise<Result<null, CliError>>;
}

// Declares the port of `team` to the hub that carries what members give each other; the work is done in this process.

export interface HubMember {
  readonly member: string;
  readonly name: string;
  readonly state: "here" | "invited" | "left" | "removed";
  /** The time at which he joined, epoch ms; null = not yet. */
  readonly joined: number | null;
  readonly this: boolean;
}

type Answer<Value> = Promise<Result<Value, CliError>>;

export interface TeamHubPort {
  readonly create: (ask: {
    readonly url: string;
    readonly name: string;
    readonly project: NamedProject;
  }) => Answer<{ readonly url: string }>;
  /** A secret string, which is kept nowhere. */
  readonly invite: (project: NamedProject, name: string) => Answer<string>;
  readonly join: (secret: string) => Answer<{ readonly project: NamedProject }>;
  readonly leave: (project: NamedProject) => Answer<null>;
  readonly members: (project: NamedProject) => Answer<readonly HubMember[]>;
  /** By id or name; the name. */
  readonly remove: (project: NamedProject, member: string) => Answer<string>;
}

// Declares the port of the team commands to this machine: the repository's folder, and what git tells of it.

export interface TeamPort {
  /** `user.name` of git in this folder; null = not set. */
  readonly userName: (root: string) => string | null;
  /** The last committer of each unchanged file of `.continuity`; empty = git does not tell. */
  readonly authors: (root: string) => Readonly<Record<string, string>>;
  /** Writes a file of `.continuity` whole or not at all. The path that was written. */
  readonly write: (file: {
    readonly root: string;
    readonly name: string;
    readonly text: string;
  }) => Result<string, CliError>;
}
