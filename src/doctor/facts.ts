/**
 * What is looked at, before it is judged: plain data. Facts that need an open store are gathered by the application.
 */

import type { FutureDates } from "#domain";

/** One hook of ours as it stands in a file of the client. */
export interface InstalledHook {
  /** The client's event. */
  readonly event: string;
  readonly command: string;
  /** Null = a shell runs `command` (the plugin's hooks look for the program by themselves). */
  readonly args: readonly string[] | null;
  /** Seconds; null = none is given. */
  readonly timeout: number | null;
}

/** A file of the client that may hold our hooks. */
export interface InstallPlace {
  readonly kind: "user" | "project" | "local" | "plugin";
  /** It lies in a project, or is named by one. */
  readonly isOfProject: boolean;
  readonly path: string;
  readonly hooks: readonly InstalledHook[];
  /** Why it cannot be read, with line and column; null when it can, or is not there. */
  readonly problem: string | null;
}

/** A program that hooks would run. */
export interface ProgramFacts {
  readonly path: string;
  /** False for what only a project names, which may come from anywhere: it is not run. */
  readonly isTrusted: boolean;
  readonly exists: boolean;
  readonly isExecutable: boolean;
  /** What it says of itself; null when it does not answer. */
  readonly version: string | null;
}

export interface InstallFacts {
  readonly places: readonly InstallPlace[];
  readonly programs: readonly ProgramFacts[];
  /** Switches that keep hooks from running, each with the file that sets it. */
  readonly switches: readonly { readonly name: string; readonly path: string }[];
  /** CONTINUITY_OFF is set here. */
  readonly isOffHere: boolean;
  /** The client's server list names ours. */
  readonly hasServer: boolean;
  /** The client's program; null = none found. */
  readonly client: { readonly path: string; readonly version: string | null } | null;
}

export interface HomeFacts {
  readonly root: string;
  /** Why the home cannot be written; null when it can. */
  readonly unwritable: string | null;
  /** Files and folders that others may read or own. */
  readonly loose: readonly {
    readonly path: string;
    readonly mode: number;
    readonly isOwn: boolean;
  }[];
  /** Free bytes for this user; null = the system does not tell. */
  readonly freeBytes: number | null;
  /** Name of the network file system it lies on, or null. */
  readonly network: string | null;
  readonly spool: {
    readonly files: number;
    readonly oldestMs: number | null;
    /** Events that were set aside since they could not be read or applied. */
    readonly aside: number;
  };
  /** What could be kept nowhere, when and why; null when nothing was lost lately. */
  readonly lost: string | null;
  /** Warnings and errors about config.toml. */
  readonly config: readonly string[];
  /** Paused until then; `isPaused` with null = until resumed. */
  readonly isPaused: boolean;
}

export interface DaemonFacts {
  /** `hung`: a process holds the lock or the socket and does not answer. */
  readonly state: "running" | "away" | "hung" | "foreign";
  readonly pid: number | null;
  readonly version: string | null;
  /** How long it took to answer, in ms. */
  readonly answeredMs: number | null;
  readonly port: number | null;
  readonly wantedPort: number;
  /** Another program listens on the wanted port. */
  readonly isPortTaken: boolean;
}

export interface HookFacts {
  readonly hook: string;
  readonly lastMs: number;
  readonly count: number;
  /** Newest first, in ms, from the process's start to the commit. */
  readonly latenciesMs: readonly number[];
}

export interface StoreFacts {
  /** `unusable`: `problem` and `next` say why and what to do. */
  readonly state: "missing" | "open" | "unusable";
  readonly problem: string;
  readonly next: string;
  readonly bytes: number;
  readonly schema: number;
  readonly hooks: readonly HookFacts[];
  /** The session with the latest event. */
  readonly lastSession: {
    readonly id: string;
    readonly lastEventMs: number;
    readonly isEnded: boolean;
    readonly fired: ReadonlyMap<string, number>;
  } | null;
  /** What is dated later than the clock, with some leave. */
  readonly future: FutureDates;
  readonly embedder: {
    readonly id: string;
    /** It comes with the program; else a server answers for it. */
    readonly isEmbedded: boolean;
    /** Why it gives no vectors; null = it does. */
    readonly problem: string | null;
  };
}

export interface ModelFacts {
  readonly provider: string;
  readonly isUsable: boolean;
  readonly reason: string;
  readonly tokensToday: number;
  readonly tokensPerDay: number;
  /** The last question, if this provider did not take it; null = it did, or none was asked. */
  readonly failure: {
    readonly atMs: number;
    readonly model: string;
    readonly outcome: string;
    readonly purpose: string;
  } | null;
  /** Why it does not do its work for now (a rate limit, sessions that were given up), with the next step. */
  readonly fault: { readonly what: string; readonly next: string } | null;
}

export interface Facts {
  readonly nowMs: number;
  readonly version: string;
  readonly install: InstallFacts;
  readonly home: HomeFacts;
  readonly daemon: DaemonFacts;
  readonly store: StoreFacts;
  readonly model: ModelFacts;
}
