/**
 * The part of a command that is done in its own process: files of this machine, and starting or being a daemon. What
 * fails throws `CliFailure`.
 */
import type {
  DoctorReport,
  ImportReport,
  ImportSource,
  NamedProject,
  SyncReport,
  SyncVerified,
} from "#domain";

export interface Local {
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
  /** Reads another program's records and hands them to the daemon. */
  readonly importFrom: (
    ask: ImportAsk,
    onProgress: (progress: ImportProgress) => void,
  ) => Promise<ImportReport>;
  readonly keep: KeepPort;
  readonly sync: SyncPort;
  readonly teamHub: () => Promise<TeamHubPort>;
  readonly team: TeamPort;
  readonly flush: (timeoutMs: number) => Promise<FlushReport>;
  readonly runDemo: () => Promise<number>;
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
  readonly get: (key: string | null) => readonly ConfigEntry[];
  readonly set: (key: string, value: string) => ConfigEntry;
  /** Opens the user's editor and checks the file afterwards. */
  readonly edit: () => Promise<void>;
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

// `export`, `backup`, `restore` and `archive`.

export interface ExportReport {
  readonly format: "jsonl" | "markdown";
  readonly path: string;
  /** Records, or files of a Markdown export. */
  readonly count: number;
}

export interface BackupEntry {
  readonly path: string;
  /** Epoch ms. */
  readonly at: number;
  readonly bytes: number;
  /** `migration`: made before an upgrade of the schema. */
  readonly cause: "backup" | "migration";
}

export interface RestoreReport {
  readonly restored: string;
  /** The place of the replaced database; null when there was none. */
  readonly replaced: string | null;
  /** Records of a damaged database that were newer than the backup. */
  readonly salvaged: number;
  /** Texts of the backup that had been forgotten since, and were again. */
  readonly forgotten: number;
}

/** A backup that still holds what was forgotten; `unreadable` = damaged, so its texts cannot be checked. */
interface HeldBackup {
  readonly path: string;
  readonly state: "holds" | "unreadable";
}

export interface CleanReport {
  readonly cleaned: readonly string[];
  readonly failed: readonly { readonly path: string; readonly why: string }[];
}

export interface ArchiveEntry {
  readonly session_id: string;
  /** First prompt of the session; null when it is not known any more. */
  readonly title: string | null;
  /** The time of the transcript's last change, epoch ms. */
  readonly at: number;
  readonly bytes: number;
  readonly path: string;
}

/** A file that is not there yet, what takes it line by line, or null = where the client had it. */
export type UnarchiveTarget = string | ((text: string) => void) | null;

export interface KeepPort {
  /** Into a folder, which is replaced when it is an export already. */
  readonly exportTo: (folder: string, format: ExportReport["format"]) => ExportReport;
  /** As JSON lines, piece by piece. */
  readonly exportLines: (write: (text: string) => void) => number;
  /** Null = into the folder of backups. */
  readonly backup: (path: string | null) => BackupEntry;
  /** The newest first. */
  readonly backups: () => readonly BackupEntry[];
  /** The backup a word or path means (`latest`), after reading all of it. */
  readonly chooseBackup: (given: string) => BackupEntry;
  /** Stops the daemon, puts the backup in place, and starts the daemon again for what waits in the spool. */
  readonly restore: (path: string) => Promise<RestoreReport>;
  /** Backups that hold one of these texts or words. */
  readonly backupsHolding: (
    texts: readonly string[],
    words: readonly string[],
  ) => readonly HeldBackup[];
  /** Takes what was forgotten, and these texts, out of these backups; null = out of all. */
  readonly cleanBackups: (
    paths: readonly string[] | null,
    texts: readonly string[],
    words: readonly string[],
  ) => CleanReport;
  /** Archived transcripts, the latest first. */
  readonly archived: () => readonly ArchiveEntry[];
  /**
   * Writes an archived transcript out. `given` is a session's id or the beginning of one. Gives the path, empty for
   * lines.
   */
  readonly unarchive: (given: string, to: UnarchiveTarget) => Promise<string>;
}

// `sync`; the daemon answers for the memories.

export interface SyncStarted extends SyncReport {
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

export interface SyncPort {
  /** `key` null: a new space where there is none yet. */
  readonly init: (ask: {
    readonly url: string;
    readonly key: string | null;
    readonly name: string | null;
  }) => Promise<SyncStarted>;
  readonly now: () => Promise<SyncReport>;
  readonly status: () => Promise<SyncStatus>;
  readonly devices: () => Promise<readonly SyncDevice[]>;
  /** By id or name. */
  readonly remove: (device: string) => Promise<SyncDevice>;
  readonly verify: () => Promise<SyncVerified>;
  /** The recovery key, once. */
  readonly key: () => Promise<string>;
  /** Ends sync on this device; memories stay, and so does what was written. */
  readonly off: () => Promise<void>;
}

// `team`: the hub that carries what members give each other.

export interface HubMember {
  readonly member: string;
  readonly name: string;
  readonly state: "here" | "invited" | "left" | "removed";
  /** The time at which he joined, epoch ms; null = not yet. */
  readonly joined: number | null;
  readonly this: boolean;
}

export interface TeamHubPort {
  readonly create: (ask: {
    readonly url: string;
    readonly name: string;
    readonly project: NamedProject;
  }) => Promise<{ readonly url: string }>;
  /** A secret string, which is kept nowhere. */
  readonly invite: (project: NamedProject, name: string) => Promise<string>;
  readonly join: (secret: string) => Promise<{ readonly project: NamedProject }>;
  readonly leave: (project: NamedProject) => Promise<void>;
  readonly members: (project: NamedProject) => Promise<readonly HubMember[]>;
  /** By id or name; the name. */
  readonly remove: (project: NamedProject, member: string) => Promise<string>;
}

// `team`: the repository's folder, and what git tells of it.

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
  }) => string;
}
