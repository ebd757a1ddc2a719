/** What a home keeps of a team, and the ports to what is shared in it. */
import type { SyncHead } from "#domain";
import type { Team } from "./hub-members.ts";

export interface TeamProject {
  readonly key: string;
  readonly name: string;
}

/** What this home keeps of a team, in a file of its own (0600). */
export interface TeamState extends Team {
  readonly v: 1;
  readonly url: string;
  readonly access: Readonly<Record<string, string>>;
  readonly project: TeamProject;
  /** Of the invitation: reads keys that were made before the others knew this member's own. */
  readonly guest: string;
  /** A password that may be set already, after a crash. */
  readonly nextPassword: string | null;
  readonly heads: readonly SyncHead[];
  /** How far the outbox was written. */
  readonly cursor: number;
  /** Members of whom the inbox knows that they are gone. */
  readonly withdrawn: readonly string[];
}

/** The local half: what is shared, and what arrives. */
export interface TeamPort {
  readonly since: (
    project: string,
    cursor: number,
    limit: number,
  ) => Promise<{
    readonly items: readonly unknown[];
    readonly cursor: number;
    /** Without items: not everything was looked at yet. */
    readonly more: boolean;
  }>;
  readonly accept: (
    from: { readonly member: string; readonly name: string },
    project: string,
    items: readonly unknown[],
  ) => Promise<void>;
  readonly withdraw: (member: string, project: string) => Promise<void>;
}
