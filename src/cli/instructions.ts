/** What `promote` asks of this machine: the instruction files that Claude Code loads. */
import type { Result } from "#kit";
import type { CliError } from "./failure.ts";

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
  /** What would change, as a unified diff; empty = nothing. */
  readonly diff: string;
  /** What else is to be known; empty = nothing. */
  readonly note: string;
  /** Writes the file whole or not at all, unless it was changed since. */
  readonly write: () => Result<null, CliError>;
}

export interface InstructionsPort {
  readonly plan: (ask: InstructionsAsk) => Result<InstructionsChange, CliError>;
}
