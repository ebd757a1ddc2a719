/**
 * The path by which hooks call the program. A program that a package manager installed lies in a folder whose name may
 * change with each version, or in a cache that may be emptied (`npx`): hooks then get a copy in the home.
 */
import {
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isInPackage } from "#domain";

/** Milliseconds that a copy has to say its version. */
const versionMs = 5_000;

/** Path for hooks, the MCP server and services: `program` itself, or its copy's in the home. */
export const settledPath = (program: string, homeRoot: string): string =>
  isInPackage(program) ? join(homeRoot, "bin", basename(program)) : program;

export const isCopy = (program: string, homeRoot: string): boolean =>
  dirname(program) === join(homeRoot, "bin");

/**
 * Puts `program` at `path`, replacing an older one in one step; false when it is there already. A hard link where the
 * file system allows one, so that it takes no space twice. Throws when the folder cannot be written.
 */
export function settleProgram(program: string, path: string): boolean {
  if (isSameFile(program, path)) return false;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}`;
  try {
    try {
      linkSync(program, temporary);
    } catch {
      copyFileSync(program, temporary, constants.COPYFILE_FICLONE);
    }
    renameSync(temporary, path);
    return true;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Version of the copy at `path`, as it says itself; null where there is none that starts. */
export function settledVersion(path: string): string | null {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return null;
  const asked = Bun.spawnSync([path, "version"], { timeout: versionMs });
  return asked.success ? asked.stdout.toString().trim() : null;
}

/** Removes the copy, and its folder when nothing else lies there. */
export function unsettleProgram(path: string): void {
  rmSync(path, { force: true });
  try {
    rmdirSync(dirname(path));
  } catch {
    // Missing, or somebody's own files are in it.
  }
}

/** True when both paths name one file, as a hard link does. */
export function isSameFile(one: string, other: string): boolean {
  const a = statSync(one);
  const b = statSync(other, { throwIfNoEntry: false });
  return b !== undefined && a.ino === b.ino && a.dev === b.dev;
}
