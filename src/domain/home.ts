/** Locates the files of the home folder (docs/design/operations.md, "Files"). Pure: nothing here touches the disk. */
import { sha256 } from "#kit";

export interface HomePaths {
  readonly root: string;
  readonly database: string;
  readonly config: string;
  readonly token: string;
  /** The page that leads a browser to the viewer, while a link is open. */
  readonly viewerLink: string;
  readonly daemonJson: string;
  readonly lock: string;
  /** The default socket; daemon.json may name another when this path is too long for the system. */
  readonly socket: string;
  /** Approved guards, for the hook; absent while there is none. */
  readonly guards: string;
  readonly spool: string;
  readonly backups: string;
  readonly sync: string;
  readonly archive: string;
  /** The vectors of the embedded model, unpacked by the daemon. */
  readonly model: string;
  readonly logs: string;
}

export const homePaths = (root: string): HomePaths => ({
  root,
  database: `${root}/continuity.db`,
  config: `${root}/config.toml`,
  token: `${root}/token`,
  viewerLink: `${root}/viewer-link.html`,
  daemonJson: `${root}/daemon.json`,
  lock: `${root}/daemon.lock`,
  socket: `${root}/daemon.sock`,
  guards: `${root}/guards.json`,
  spool: `${root}/spool`,
  backups: `${root}/backups`,
  sync: `${root}/sync`,
  archive: `${root}/archive`,
  model: `${root}/model`,
  logs: `${root}/logs`,
});

type Env = Readonly<Record<string, string | undefined>>;

/** A path that means the same in every folder. */
const isAbsolute = (path: string): boolean => /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path);

/** The user's home folder as the environment names it; null when it names none, or one relative to the project. */
export function userHome(env: Env): string | null {
  for (const path of [env["HOME"], env["USERPROFILE"]])
    if (path !== undefined && isAbsolute(path)) return path;
  return null;
}

/**
 * `$CONTINUITY_HOME`, else `~/.continuity`; symlinks are resolved where it is opened. Null when that is no absolute
 * path: a relative one would be another folder in every project, and part of its repository.
 */
export function homeRoot(env: Env): string | null {
  const named = env["CONTINUITY_HOME"];
  if (named !== undefined && named !== "") return isAbsolute(named) ? named : null;
  const user = userHome(env);
  return user === null ? null : `${user.replace(/[/\\]+$/, "")}/.continuity`;
}

/** The error where `homeRoot` finds none. */
export const homelessLine = (env: Env): string =>
  env["CONTINUITY_HOME"]
    ? `CONTINUITY_HOME must be an absolute path, not "${env["CONTINUITY_HOME"]}"`
    : "no home folder is known: set HOME or CONTINUITY_HOME to an absolute path";

/** The running daemon's description of itself in daemon.json. */
export interface DaemonRecord {
  readonly pid: number;
  /** Process start time as the system tells it, to recognise a recycled pid. */
  readonly startedAt: string;
  readonly version: string;
  /** TCP port for people; null when none of ten was free. */
  readonly port: number | null;
  readonly socket: string;
}

// One spelling for each folder. Transcripts of one user name a folder as Windows does (`C:\x`, `c:/x`), as WSL does
// (`/mnt/c/x`), as Cygwin does, or as Windows sees WSL (`\\wsl$\Ubuntu\mnt\c\x`, `\\wsl.localhost\…`).

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

/** At the folder or below it. */
export const isWithin = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`);

/** True for a program that a package manager for Node put in its place. */
export const isInPackage = (program: string): boolean => /[/\\]node_modules[/\\]/.test(program);
