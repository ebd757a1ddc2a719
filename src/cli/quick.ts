/**
 * The light part of the command line: commands that the daemon answers, or that others start and wait for. What it does
 * not name is not loaded (test/loads.test.ts).
 */
import { versionCommand } from "./commands/config.ts";
import { findCommand } from "./commands/find.ts";
import { listCommand } from "./commands/list.ts";
import { mcpCommand, serveCommand } from "./commands/plumbing.ts";
import { rememberCommand } from "./commands/remember.ts";
import { showCommand } from "./commands/show.ts";
import { statusCommand } from "./commands/status.ts";
import type { CliDeps } from "./deps.ts";
import { asksForHelp, runTable } from "./run.ts";
import type { CommandSpec } from "./spec.ts";

const commands: readonly CommandSpec[] = [
  findCommand,
  listCommand,
  showCommand,
  rememberCommand,
  statusCommand,
  versionCommand,
  mcpCommand,
  serveCommand,
];

/** Is this one of them? Their help is not: it says the forms of answers, which take long to load. */
export const isQuick = (argv: readonly string[]): boolean =>
  commands.some(({ name }) => name === argv[0]) && !asksForHelp(argv);

/** As `runCli`, for these alone. They use no port but `connect`, `project`, `isInstalled`, `mcp` and `serve`. */
export const runQuick = (deps: CliDeps): Promise<number> =>
  runTable({ commands, forms: null }, deps);
