/**
 * One spelling for each folder. Transcripts of one user name a folder as Windows does (`C:\x`, `c:/x`), as WSL does
 * (`/mnt/c/x`), as Cygwin does, or as Windows sees WSL (`\\wsl$\Ubuntu\mnt\c\x`, `\\wsl.localhost\…`).
 */
import { sha256 } from "#kit";

/** `\\?\C:\x` and `\\?\UNC\server\share` say the same without what stands before. */
const device = /^[/\\]{2}[?.][/\\](?:(UNC[/\\])|(?=[A-Za-z]:))/iu;
const wsl = /^[/\\]{2}wsl(?:\$|\.localhost)[/\\]+[^/\\]+/iu;
const windows = /^(?:[A-Za-z]:(?:[/\\]|$)|\\\\)/u;
const drive = /^(?:\/(?:mnt|cygdrive)\/([A-Za-z])|([A-Za-z]):)(?=\/|$)/u;

/** A folder as Linux writes it, with the drives where WSL has them; a share as Windows writes it. */
export function canonicalFolder(given: string): string {
  const folder = given.replace(device, (_, unc?: string) => (unc === undefined ? "" : "\\\\"));
  const inWsl = wsl.test(folder);
  const own = folder.replace(wsl, "");
  const isWindows = inWsl || windows.test(folder);
  const parts = (isWindows ? own.replaceAll("\\", "/") : folder)
    .replace(/\/(?:\.?\/)+/gu, "/")
    .replace(/(?<=.)\/\.?$/u, "")
    .replace(
      drive,
      (_, mounted = "", letter = "") => `/mnt/${`${mounted}${letter}`.toLowerCase()}`,
    );
  if (!inWsl && folder.startsWith("\\\\")) return `\\${parts.replaceAll("/", "\\")}`;
  return parts === "" ? "/" : parts;
}

/** Key of the project that a folder without a remote is. Drives and shares of Windows know no case. */
export function folderKey(folder: string): string {
  const one = canonicalFolder(folder);
  return `dir:${sha256(/^\/mnt\/[a-z](?:\/|$)|^\\\\/u.test(one) ? one.toLowerCase() : one)}`;
}
