/**
 * Vectors of a daemon that nobody asks, in a file without a name: it goes with the process, however that ends. Linux
 * and macOS: on Windows a file that is open keeps its name.
 */
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { HomePaths, VectorShelf } from "#domain";
import { fullDisk } from "#keep";

/** Fewer are not worth a file: so many bytes are the vectors of 16,000 memories. */
const bytesMin = 4_000_000;

export function createVectorShelf(
  { root }: Pick<HomePaths, "root">,
  stored: VectorShelf["stored"],
): VectorShelf {
  let file: number | null = null;
  const clear = (): void => {
    if (file !== null) closeSync(file);
    file = null;
  };
  return {
    stored,
    put: (bytes) => {
      if (bytes.length < bytesMin || process.platform === "win32") return false;
      try {
        if (fullDisk(root) !== null) return false;
        file = openUnnamed(join(root, "vectors.resting"));
        for (let at = 0; at < bytes.length;)
          at += writeSync(file, bytes, at, bytes.length - at, at);
        return true;
      } catch {
        clear(); // No room, or not to be written: they stay in memory.
        return false;
      }
    },
    take: (into) => {
      try {
        return file !== null && readWhole(file, into);
      } catch {
        return false; // They are read from the database instead.
      } finally {
        clear();
      }
    },
  };
}

function readWhole(file: number, into: Uint8Array): boolean {
  for (let at = 0; at < into.length;) {
    const count = readSync(file, into, at, into.length - at, at);
    if (count === 0) return false;
    at += count;
  }
  return true;
}

/** What an earlier process left under that name, killed between two calls, goes first. */
function openUnnamed(path: string): number {
  rmSync(path, { force: true });
  const file = openSync(path, "wx+", 0o600);
  rmSync(path);
  return file;
}
