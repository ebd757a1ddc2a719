/** Files named by a user, before they are opened. */
import { lstatSync } from "node:fs";

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
