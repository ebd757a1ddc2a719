/**
 * The few questions that project identity asks of the disk. A folder may be hostile: only regular files of bounded
 * size are opened, so a pipe named HEAD or a link to an endless device cannot hold a hook.
 */
import { readFileSync, realpathSync, statSync } from "node:fs";

export interface ProjectFiles {
  readonly readText: (path: string) => string | null;
  readonly kindOf: (path: string) => "file" | "dir" | null;
  /** The path without symlinks, or null when it does not exist. */
  readonly realPath: (path: string) => string | null;
}

const fileBytesMax = 1_048_576;

export const diskFiles: ProjectFiles = {
  readText: (path) => {
    try {
      const stat = statSync(path);
      return stat.isFile() && stat.size <= fileBytesMax ? readFileSync(path, "utf8") : null;
    } catch {
      return null; // Absent or not ours to read.
    }
  },
  kindOf: (path) => {
    try {
      const stat = statSync(path);
      if (stat.isDirectory()) return "dir";
      return stat.isFile() ? "file" : null;
    } catch {
      return null;
    }
  },
  realPath: (path) => {
    try {
      return realpathSync.native(path);
    } catch {
      return null;
    }
  },
};
