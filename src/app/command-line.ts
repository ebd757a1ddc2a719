/**
 * The command line's first frame: where and when a command runs, and which table has it. The quick ones are loaded with
 * it; the rest of the table is not.
 */
import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { isStartAwaited } from "#hooks";
import { currentWords, isQuick, runQuick } from "#cli";
import { homelessLine, homePaths, homeRoot, isInPackage, type HomePaths } from "#domain";
import { parseNow, systemClock, type Clock } from "#kit";
import { runIn } from "./command-ports.ts";
import type { CommandLine, Place } from "./context.ts";

/** The exit status of a command that cannot be understood where it stands. */
const misuse = 2;

/** Hooks start the daemon with this flag. */
const autostarted = "--autostarted";

export async function runCommandLine(line: CommandLine): Promise<number> {
  const found = realPaths(line.env);
  if (found !== null) {
    const isAutostarted = line.argv.includes(autostarted);
    if (isAutostarted && !isStartAwaited(found)) return 0;
    const argv = currentWords(line.argv.filter((word) => word !== autostarted));
    const here = { ...line, argv, paths: found, clock: commandClock(line.env) };
    const place = isInPackage(line.command[0] ?? "") ? await settled(here) : here;
    if (isQuick(argv)) return runIn(place, runQuick);
    const { runAny } = await import("./commands.ts");
    return runAny(place);
  }
  process.stderr.write(`error: ${homelessLine(line.env)}\n`);
  return misuse;
}

/** Puts an upgrade by npm, pnpm, yarn or bun where hooks call the program. */
async function settled(place: Place): Promise<Place> {
  const { withSettledProgram } = await import("./settle-newer.ts");
  return withSettledProgram(place, (line) => process.stderr.write(line));
}

/** The home as it really lies; symlinks resolved once it exists. Null when no home folder is known. */
function realPaths(env: CommandLine["env"]): HomePaths | null {
  const named = homeRoot(env);
  if (named === null) return null;
  const root = resolve(named);
  return homePaths(existsSync(root) ? realpathSync(root) : root);
}

/** CONTINUITY_NOW is the clock of one command. */
function commandClock(env: CommandLine["env"]): Clock {
  const nowMs = parseNow(env["CONTINUITY_NOW"]);
  return nowMs === null ? systemClock : { nowMs: () => nowMs };
}
