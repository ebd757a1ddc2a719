/**
 * Commands of a program that a package manager installed. Hooks call the copy in the home, which an upgrade by the
 * package manager does not touch: the first command of a newer program puts it there.
 */
import { stopDaemon } from "#daemon";
import { isOlderVersion } from "#hooks";
import { isSameFile, settledPath, settledVersion, settleProgram } from "#keep";
import type { Place } from "./context.ts";

/** They place or remove the copy themselves. */
const setupCommands: ReadonlySet<string | undefined> = new Set(["install", "uninstall"]);

/**
 * Returns the place with the copy in the home as its program, so that a daemon started from here outlives the package.
 * Unchanged where nothing is installed, where the copy is of another version, and for `install` and `uninstall`.
 */
export async function withSettledProgram(
  place: Place,
  say: (line: string) => void,
): Promise<Place> {
  const [program, ...args] = place.command;
  if (program === undefined || args.length > 0) return place;
  const path = settledPath(program, place.paths.root);
  if (path === program || setupCommands.has(place.argv[0])) return place;
  const installed = settledVersion(path);
  if (installed === null) return place;
  const settled = { ...place, command: [path] };
  if (installed === place.version || isSameFile(program, path)) return settled;
  if (!isOlderVersion(installed, place.version)) return place;
  try {
    settleProgram(program, path);
  } catch {
    return place; // `continuity doctor` names both versions.
  }
  await stopDaemon(place.paths);
  say(`continuity: upgraded from ${installed} to ${place.version}; hooks use it from now on\n`);
  return settled;
}
