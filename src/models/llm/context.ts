/** The surroundings of every way to a model; its functions take them whole. */
import type { Clock, Random } from "#kit";
import type { Fetch } from "./http.ts";

export interface ModelContext {
  /** $CONTINUITY_HOME: key files and the folder that the Claude CLI runs in. */
  readonly home: string;
  /** The daemon's own environment, which a hook cannot extend. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly random: Random;
  readonly fetch?: Fetch;
}
