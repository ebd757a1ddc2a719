/**
 * Where the socket goes. In the home folder, unless that path is longer than a socket's may be; then in a folder of
 * mode 0700 under XDG_RUNTIME_DIR or the temp folder, which daemon.json records.
 */
import { lstatSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import type { HomePaths } from "#domain";
import { fitsSocketPath, socketFolderName } from "#capture";

/** A path that can be bound; null when no place is private enough. Creates the folder it needs. */
export function chooseSocketPath(
  paths: HomePaths,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  if (fitsSocketPath(paths.socket)) return paths.socket;
  for (const base of [env["XDG_RUNTIME_DIR"], tmpdir(), "/tmp"]) {
    if (base === undefined || base === "") continue;
    const folder = privateFolder(`${base}/${socketFolderName(paths)}`);
    if (folder !== null && fitsSocketPath(`${folder}/daemon.sock`)) return `${folder}/daemon.sock`;
  }
  return null;
}

/** The folder itself when it is ours alone; a random sibling when another program took the name first. */
function privateFolder(wanted: string): string | null {
  if (!fitsSocketPath(`${wanted}-123456/daemon.sock`)) return null;
  try {
    mkdirSync(wanted, { recursive: true, mode: 0o700 });
    const stat = lstatSync(wanted);
    const isPrivate = stat.isDirectory() && (stat.mode & 0o077) === 0;
    const isOurs = process.getuid === undefined || stat.uid === process.getuid();
    return isPrivate && isOurs ? wanted : mkdtempSync(`${wanted}-`);
  } catch {
    return null; // Not writable: the next place may be.
  }
}
