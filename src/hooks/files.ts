/**
 * The few questions that project identity asks of the disk. A folder may be hostile: only regular files of bounded
 * size are opened, so a pipe named HEAD or a link to an endless device cannot hold a hook.
 */
import { readFileSync, realpathSync, statSync } from "node:fs";

const fileBytesMax = 1_048_576;

/** Null for a file that is absent, not ours to read, or too large. */
export function boundedText(path: string): string | null {
  try {
    const stat = statSync(path);
    return stat.isFile() && stat.size <= fileBytesMax ? readFileSync(path, "utf8") : null;
  } catch {
    return null;
  }
}

export function kindOf(path: string): "file" | "dir" | null {
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) return "dir";
    return stat.isFile() ? "file" : null;
  } catch {
    return null;
  }
}

/** The path without symlinks, or null when it does not exist. */
export function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}
