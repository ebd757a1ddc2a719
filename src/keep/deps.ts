/** What the upkeep of files needs, and how it fails. */
import type { HomePaths, Settings } from "#domain";
import type { ClockDep, LogDep, Random } from "#kit";

export interface KeepDeps extends ClockDep, LogDep {
  readonly paths: HomePaths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly random: Random;
  readonly settings: { readonly current: () => Settings };
  /** The program and its first arguments; absent where nothing is started in the background. */
  readonly command?: readonly string[];
}

export interface ArchiveDeps extends KeepDeps {
  /** True when a prompt orders that nothing of its turn is remembered. */
  readonly leavesNoRecord: (prompt: string) => boolean;
}

/** A failure that a person reads. */
export interface KeepError {
  readonly type: string;
  readonly message: string;
  /** What to do about it. */
  readonly next?: string;
}
