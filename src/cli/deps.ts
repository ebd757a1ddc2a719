/**
 * Declares the ports of the command line. Everything arrives as a function, so that a test can run
 * any command without a process, a terminal or a daemon.
 */
import type { ImportReport, ImportSource, NamedProject, ProjectIdentity } from "#domain";
import type { Clock, Result } from "#kit";
import type { CliError } from "./failure.ts";
import type { KeepPort } from "./keep.ts";

/** A way to the API: through the daemon's socket, or in this process on a read-only store. */
export interface Connection {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly mode: "daemon" | "direct";
}

export interface Io {
  /** Standard output, as it is: callers add line ends. Throws `OutputFailure` when it takes no more. */
  readonly out: (text: string) => void;
  /** Standard error, likewise; never throws. */
  readonly err: (text: string) => void;
  /** Everything on standard input, for `remember -`. */
  readonly readInput: () => Promise<string>;
  /** Is standard output a terminal? */
  readonly isTerminal: boolean;
  /** Columns to stay within; null = as wide as it needs to be. */
  readonly columns: number | null;
  /** Asks a person and resolves to the answer's line, or to null at Ctrl-C; null when standard input is no terminal. */
  readonly ask: ((question: string) => Promise<string | null>) | null;
  /** Waits; rejects or resolves early when the user interrupts. */
  readonly sleep: (ms: number) => Promise<void>;
  /** True once the user has interrupted (Ctrl-C). */
  readonly isInterrupted: () => boolean;
}

export interface SetupOptions {
  /** One agent or `all`; null = Claude Code for an install, all for an uninstall. */
  readonly agent: string | null;
  readonly dryRun: boolean;
  /** Into the project's settings instead of the user's. */
  readonly project: boolean;
}

export interface InstallOptions extends SetupOptions {
  /** As a plugin instead of hooks in the settings. */
  readonly plugin: boolean;
  /** Ours in the status line, unless another one is there. */
  readonly statusLine: boolean;
}

export interface SetupReport {
  readonly failed: boolean;
  readonly steps: readonly {
    /** `would`: in a dry run. */
    readonly state: "done" | "unchanged" | "would" | "failed" | "note";
    readonly text: string;
  }[];
}

export interface InstallReport extends SetupReport {
  /** Memory of other tools that could be taken over: the name after `import --from`, and what it is. */
  readonly importable: readonly { readonly from: ImportSource; readonly what: string }[];
}

/** The findings of doctor, link by link. Times are epoch milliseconds. */
export interface DoctorReport {
  /** False when something is red. */
  readonly ok: boolean;
  readonly version: string;
  readonly checks: readonly {
    readonly id: string;
    readonly state: "ok" | "warning" | "failed" | "skipped";
    readonly detail: string;
    readonly fix: string | null;
    /** Null when `--fix` leaves it to a person. */
    readonly remedy: { readonly type: string } | null;
  }[];
  readonly hooks: readonly {
    readonly hook: string;
    readonly last_at: number;
    readonly count: number;
    readonly in_last_session: number;
    readonly last_ms: number | null;
    readonly median_ms: number | null;
    readonly p95_ms: number | null;
  }[];
  readonly self_test: readonly {
    readonly event: string;
    readonly ms: number;
    readonly fault: string | null;
  }[];
  /** The repairs that `--fix` made. */
  readonly fixed: readonly string[];
}

export interface FlushReport {
  readonly done: boolean;
  /** Jobs that are due or at work, and events that wait for the daemon. */
  readonly left: number;
}

export interface ConfigEntry {
  readonly key: string;
  /** As TOML would write it. */
  readonly value: string;
  /** `default`, `file` or the name of the environment variable. */
  readonly source: string;
}

export interface ConfigPort {
  readonly path: () => string;
  /** One key, or all of them (null). */
  readonly get: (key: string | null) => Result<readonly ConfigEntry[], CliError>;
  readonly set: (key: string, value: string) => Result<ConfigEntry, CliError>;
  /** Opens the user's editor and checks the file afterwards. */
  readonly edit: () => Promise<Result<null, CliError>>;
}

export interface ImportAsk {
  readonly source: ImportSource;
  /** Null = where the program keeps it; `-` = standard input. */
  readonly path: string | null;
  /** Names, keys or folders; empty = all. */
  readonly projects: readonly string[];
  readonly dryRun: boolean;
}

export interface ImportProgress {
  readonly done: number;
  /** Null when it is not known beforehand. */
  readonly total: number | null;
  readonly unit: "bytes" | "records";
  readonly elapsedMs: number;
  readonly isLast: boolean;
}

/** Fields of `import --json`. */
export interface ImportResult extends ImportReport {
  /** Settings that were taken over. */
  readonly settings: readonly string[];
}

export interface McpOptions {
  readonly readOnly: boolean;
  /** The project's; null = as the environment says, else the working folder. */
  readonly folder: string | null;
}

interface ServiceChange {
  readonly path: string;
  readonly changed: boolean;
  /** The command that starts or stops it; null when there is nothing to stop. */
  readonly next: string | null;
}

export interface CliDeps {
  readonly clock: Clock;
  /** Arguments after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly io: Io;
  readonly version: string;
  /** `write` starts a daemon when none runs. */
  readonly connect: (need: "read" | "write") => Promise<Result<Connection, CliError>>;
  /** The project of the working folder; null outside projects. */
  readonly project: () => ProjectIdentity | null;
  /** A folder without symlinks, as far as it exists, and its project; null where it is gone. */
  readonly folderAt: (path: string) => {
    readonly folder: string;
    readonly project: ProjectIdentity | null;
  };
  /** End of the time that words name ("until friday"), by the local clock; null when they name none. */
  readonly saidEnd: (text: string, nowMs: number) => Promise<number | null>;
  readonly config: ConfigPort;
  readonly setup: {
    readonly install: (options: InstallOptions) => Promise<InstallReport>;
    readonly uninstall: (options: SetupOptions) => Promise<SetupReport>;
    /** Agents' own clients that could answer as a language model here, as `llm.provider` calls them. */
    readonly ownClients: () => Promise<readonly string[]>;
  };
  readonly doctor: (options: {
    readonly fix: boolean;
    /** Drive the installed hooks too. */
    readonly selfTest: boolean;
  }) => Promise<DoctorReport>;
  /** Runs until told to stop. Null = as configured. */
  readonly serve: (options: {
    readonly port: number | null;
    /** Minutes; `never` = stays. */
    readonly idleExitMinutes: number | "never" | null;
  }) => Promise<number>;
  /** Opens an address in the user's browser; false when there is none. */
  readonly openBrowser: (url: string) => boolean;
  readonly hook: (args: readonly string[]) => Promise<number>;
  readonly statusLine: () => Promise<number>;
  /** Speaks MCP on standard input and output until the client leaves. */
  readonly mcp: (options: McpOptions) => Promise<number>;
  /** Reads another program's records and hands them to the daemon. */
  readonly importFrom: (
    ask: ImportAsk,
    onProgress: (progress: ImportProgress) => void,
  ) => Promise<Result<ImportResult, CliError>>;
  readonly keep: KeepPort;
  readonly sync: SyncPort;
  readonly teamHub: () => Promise<TeamHubPort>;
  readonly team: TeamPort;
  readonly instructions: () => Promise<InstructionsPort>;
  /** The daemon as a service of the user's own. */
  readonly service: {
    readonly print: () => Result<string, CliError>;
    readonly install: () => Result<ServiceChange, CliError>;
    readonly uninstall: () => Result<ServiceChange, CliError>;
  };
  readonly flush: (timeoutMs: number) => Promise<Result<FlushReport, CliError>>;
  readonly runDemo: () => Promise<number>;
}

// The port through which `promote` reads and writes on this machine: the instruction files that Claude Code loads.

export interface InstructionsAsk {
  /** The memory in one line. */
  readonly l0: string;
  /** Top of the project; null = the user's own file, for all projects. */
  readonly root: string | null;
  /** Relative to the project, or to the client's folder; null = CLAUDE.md. */
  readonly file: string | null;
  /** Take it out again. */
  readonly back: boolean;
}

export interface InstructionsChange {
  readonly path: string;
  /** The change as a unified diff; empty = nothing. */
  readonly diff: string;
  /** A remark for the person; empty = nothing. */
  readonly note: string;
  /** Writes the file whole or not at all, unless it was changed since. */
  readonly write: () => Result<null, CliError>;
}

export interface InstructionsPort {
  readonly plan: (ask: InstructionsAsk) => Result<InstructionsChange, CliError>;
}

// Declares the port of `sync` to this machine; the daemon answers for the memories.

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
