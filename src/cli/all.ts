/** Every command. */
import { commands } from "./commands/index.ts";
import type { CliDeps } from "./deps.ts";
import { runTable } from "./run.ts";

/** Runs one command line; resolves to the exit status. */
export const runCli = (deps: CliDeps): Promise<number> =>
  runTable({ commands, forms: () => import("#api/forms") }, deps);
