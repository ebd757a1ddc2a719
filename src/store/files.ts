/** Files that somebody names, before they are opened, and files that only their owner can read. */
import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Only regular files: a pipe would wait for ever, and a link may lead anywhere. Null = it is one. */
export function notAFile(path: string): string | null {
  try {
    const facts = lstatSync(path);
    if (facts.isSymbolicLink()) return `${path} is a symbolic link; name the file that it leads to`;
    if (facts.isDirectory()) return `${path} is a folder`;
    return facts.isFile() ? null : `${path} is no regular file`;
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return isMissing ? `there is no ${path}` : `${path} cannot be read`;
  }
}

/** Makes the folder (0700) and an empty file (0600) unless they exist; takes the rights of others from the file. */
export function createPrivately(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, "a", 0o600));
  if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
}
