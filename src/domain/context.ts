/** Everything that a process of the program has; functions take it whole. Tests build it by test/support/context.ts. */
import type { Clock, Log, Random } from "#kit";
import type { HomePaths } from "./home.ts";
import type { Settings } from "./settings.ts";

/** Settings as they are now: the file is read again when it changed. */
export interface SettingsSource {
  readonly current: () => Settings;
  /** Warnings and errors of the last reading, each with what to do. */
  readonly warnings: () => readonly string[];
  /** False while nothing is captured, since what is excluded cannot be read. */
  readonly isKnown: () => boolean;
}

export interface Context {
  readonly paths: HomePaths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  readonly version: string;
  readonly settings: SettingsSource;
  /** The program and its first arguments; absent where nothing is started in the background. */
  readonly command?: readonly string[];
}
