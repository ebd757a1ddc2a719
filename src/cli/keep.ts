/**
 * Declares the ports of `export`, `backup`, `restore` and `archive` to the home folder; the work is
 * done in this process.
 */
import type { Result } from "#kit";
import type { CliError } from "./failure.ts";

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
  readonly exportTo: (
    folder: string,
    format: ExportReport["format"],
  ) => Result<ExportReport, CliError>;
  /** As JSON lines, piece by piece. */
  readonly exportLines: (write: (text: string) => void) => Result<number, CliError>;
  /** Null = into the folder of backups. */
  readonly backup: (path: string | null) => Result<BackupEntry, CliError>;
  /** The newest first. */
  readonly backups: () => readonly BackupEntry[];
  /** The backup a word or path means (`latest`), after reading all of it. */
  readonly chooseBackup: (given: string) => Result<BackupEntry, CliError>;
  /** Stops the daemon, puts the backup in place, and starts the daemon again for what waits in the spool. */
  readonly restore: (path: string) => Promise<Result<RestoreReport, CliError>>;
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
  ) => Result<CleanReport, CliError>;
  /** Archived transcripts, the latest first. */
  readonly archived: () => readonly ArchiveEntry[];
  /**
   * Writes an archived transcript out. `given` is a session's id or the beginning of one. Gives the path, empty for
   * lines.
   */
  readonly unarchive: (given: string, to: UnarchiveTarget) => Promise<Result<string, CliError>>;
}
