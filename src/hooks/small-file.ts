/** Reading small files whose absence is an answer. Not for the hook path: it loads node:fs. */
import { readFileSync } from "node:fs";

/** A small file's text, or null when it cannot be read. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null; // Absent or unreadable: for every caller the same as not being there.
  }
}
