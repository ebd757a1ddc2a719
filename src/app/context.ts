/** The contracts between the composition roots and what they put together. */
import type { DaemonControl, PrivateWords, Worker } from "#daemon";
import type { Finder } from "#memory";
import type { Embedder, HomePaths, OpenError, PrivacyGate, Store, VectorIndex } from "#domain";
import type { Clock } from "#kit";
import type { Trial } from "#api/server";
import type { ModelSource } from "./model-source.ts";

export type AppError = OpenError | { readonly type: "embed.failed"; readonly detail: string };

/** Everything that reads: shared by the daemon and by commands that run without one. */
export interface Reader {
  readonly store: Store;
  readonly embedder: Embedder;
  readonly vectors: VectorIndex;
  readonly finder: Finder;
  readonly gate: PrivacyGate;
  readonly privateWords: PrivateWords;
}

/** The context that only the daemon has. */
export interface Daemon {
  readonly worker: Worker;
  readonly control: DaemonControl;
  readonly model: ModelSource;
  /** Asks the model one question by hand. */
  readonly tryModel: () => Promise<Trial>;
}

export interface CommandLine {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** The program and its first arguments, to start itself with. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly hook: (args: readonly string[]) => Promise<number>;
  readonly statusLine: () => Promise<number>;
}

export interface Place extends CommandLine {
  readonly paths: HomePaths;
  readonly clock: Clock;
}

/** The place of an installation, and its program. */
export interface SetupPlace {
  readonly paths: HomePaths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly version: string;
  /** Absolute path of the program as hooks call it; null when it runs from source. */
  readonly binary: string | null;
  /** Absolute path of the running program: another one where a package manager installed it. */
  readonly program: string | null;
  /** TCP port as configured. */
  readonly port: () => number;
}
