/** What `sync` asks of this machine; the work is done in this process, the daemon answers for the memories. */
import type { Result } from "#kit";
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
  /** When it last ended well, epoch ms; null = never. */
  readonly last_sync: number | null;
  /** Why the last try failed; null = it did not. */
  readonly failure: string | null;
  /** What happened here and was not sent yet. */
  readonly waiting: number;
  /** The recovery key was not shown yet. */
  readonly key_unseen: boolean;
}

export interface SyncDevice {
  readonly device: string;
  readonly name: string;
  readonly this: boolean;
  readonly removed: boolean;
  /** When it joined, epoch ms. */
  readonly joined: number;
  /** How many of its segments were read here. */
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
