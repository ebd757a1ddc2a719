/**
 * Reads small files whose absence is an answer, and writes them whole or not at all. Not for the hook path: it loads
 * node:fs.
 */
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { errorCode, errorMessage } from "./result.ts";
import { shellWord } from "./text.ts";

/** A file's text; null when it is not there or cannot be read. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null; // Absent or unreadable: for every caller the same as not being there.
  }
}

/** Names in a folder; none when it is not there or cannot be read. */
export function fileNamesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Writes a file for its user alone (0600), in one step. Throws when the folder takes nothing. */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const next = `${path}.${process.pid}.new`;
  try {
    writeFileSync(next, content, { mode: 0o600 });
    renameSync(next, path);
  } finally {
    rmSync(next, { force: true }); // Still there when the disk was full.
  }
}

/** Reason why a file cannot be written, and what its user can do. */
export interface WriteFault {
  /** The file or folder, or the nearest folder above it that exists. */
  readonly place: string;
  readonly why: string;
  readonly next: string;
}

/** Checks whether a file can be made in `folder`, or the folder itself where it is missing; null when it can. */
export function folderFault(folder: string): WriteFault | null {
  const place = existingFolder(folder);
  try {
    if (!statSync(place).isDirectory()) return { place, ...notAFolder };
    accessSync(place, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return writeFaultIn(place, error);
  }
}

/** Words what the system said when `path`, or a file in it, was written. */
export function writeFaultIn(path: string, error: unknown): WriteFault {
  const place = existingFolder(path);
  switch (errorCode(error)) {
    case "EACCES":
    case "EPERM":
      return { place, why: "permission denied", next: allowing(place) };
    case "EROFS":
      return { place, why: "its file system is read-only", next: "make it writable" };
    case "ENOSPC":
    case "EDQUOT":
      return { place, why: "the disk is full", next: "free some disk space" };
    case "ENOTDIR":
    case "EEXIST":
      return { place, ...notAFolder };
    default:
      return { place, why: errorMessage(error), next: "check this folder" };
  }
}

const notAFolder = { why: "it is a file and not a folder", next: "move that file away" };

/** The folder itself, or the nearest above it that exists. */
export function existingFolder(path: string): string {
  let place = path;
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
  return place;
}

/** A folder of another user, as `sudo` leaves it, is taken over; never one that may be the system's. */
function allowing(folder: string): string {
  const place = shellWord(folder);
  if (statSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.())
    return `run \`chmod u+rwX ${place}\``;
  return basename(folder).startsWith(".")
    ? `run \`sudo chown -R "$(id -un)" ${place}\``
    : "use a folder of your own (HOME, CONTINUITY_HOME)";
}
