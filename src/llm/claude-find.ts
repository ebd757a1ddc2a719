/**
 * Finds the `claude` that a call runs: the one that the user's configuration names, else the first on the PATH. The
 * daemon's PATH is that of the hook that started it, and a project can put its own folders there; so only absolute
 * folders count, none within `node_modules`, and only programs that no other user may change.
 */
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { err, ok } from "#kit";
import type { Result } from "#kit";

export interface ClaudePlace {
  /** From the configuration; empty = look for it. */
  readonly path: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Path of the program, or in words why there is none. */
export function findClaude(place: ClaudePlace): Result<string, string> {
  if (place.path !== "")
    return isAbsolute(place.path) && isSafeProgram(place.path)
      ? ok(place.path)
      : err(`llm.claude-cli.path: ${place.path} is no program that only you may change`);
  return findProgram("claude", place.env);
}

/** The same for a program that no setting names. */
export function findProgram(program: string, env: ClaudePlace["env"]): Result<string, string> {
  for (const folder of foldersOf(env)) {
    for (const name of namesOf(program)) {
      const file = join(folder, name);
      if (isSafeProgram(file)) return ok(file);
    }
  }
  return err(`there is no \`${program}\` on the PATH`);
}

/** Where the clients' own installers put them, for a daemon whose PATH is shorter than its user's. */
const usualFolders: readonly string[] = [
  ".local/bin",
  ".claude/local",
  ".bun/bin",
  ".opencode/bin",
  ".npm-global/bin",
];

function foldersOf(env: ClaudePlace["env"]): readonly string[] {
  const home = env["HOME"] ?? env["USERPROFILE"] ?? "";
  const usual = isAbsolute(home) ? usualFolders.map((folder) => join(home, folder)) : [];
  return [...(env["PATH"] ?? "").split(delimiter), ...usual].filter(
    (folder) => isAbsolute(folder) && !/[\\/]node_modules(?:[\\/]|$)/.test(folder),
  );
}

const namesOf = (program: string): readonly string[] =>
  process.platform === "win32" ? [`${program}.exe`, `${program}.cmd`] : [program];

const othersMayWrite = 0o002;

/** A plain file that may be run and that belongs to this user or to the system. */
function isSafeProgram(file: string): boolean {
  try {
    const real = realpathSync(file);
    accessSync(real, constants.X_OK);
    const found = statSync(real);
    if (process.getuid === undefined) return found.isFile();
    const isOwn = found.uid === process.getuid() || found.uid === 0;
    return found.isFile() && isOwn && (found.mode & othersMayWrite) === 0;
  } catch {
    return false; // Not there, or not ours to run.
  }
}
