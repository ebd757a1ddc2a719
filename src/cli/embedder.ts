/** What `embedder` asks for: models that can be installed, and which one embeds. */
import type { Result } from "#kit";
import type { CliError } from "./failure.ts";

export interface EmbedderEntry {
  /** `builtin` is the one in the program. */
  readonly name: string;
  readonly installed: boolean;
  readonly used: boolean;
  readonly dimension: number;
  /** Of its files; 0 for the one in the program. */
  readonly bytes: number;
  readonly licence: string;
  /** Where it comes from; empty for the one in the program. */
  readonly source: string;
}

/** A model before it is fetched. */
interface OfferedModel extends EmbedderEntry {
  /** Where it will lie. */
  readonly folder: string;
  readonly fetch: (
    onProgress: (done: number, total: number) => void,
  ) => Promise<Result<null, CliError>>;
}

export interface EmbedderPort {
  readonly list: () => readonly EmbedderEntry[];
  /** Asks the source about a name that is not known here; fetches no model. */
  readonly offer: (name: string) => Promise<Result<OfferedModel, CliError>>;
  /** Chooses it in the settings; a daemon that runs is started again. */
  readonly use: (name: string) => Promise<Result<null, CliError>>;
  readonly remove: (name: string) => Result<{ readonly bytes: number }, CliError>;
}
