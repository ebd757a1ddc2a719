/** The whole command line, for what is not quick. Has a copy of its own of what both need: it is bundled apart. */
import { runCli } from "#cli";
import { runIn } from "./command-ports.ts";
import type { Place } from "./context.ts";

export const runAny = (place: Place): Promise<number> => runIn(place, runCli);
