/** Files that somebody names, before they are opened, and files that only their owner can read. */
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  statfsSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { constants as sqlite, Database } from "bun:sqlite";
import type { OpenError } from "#domain";
import { errorCode, errorMessage } from "#kit";

/** Only regular files: a pipe would wait for ever, and a link may lead anywhere. Null = it is one. */
export function notAFile(path: string): string | null {
  try {
    const facts = lstatSync(path);
    if (facts.isSymbolicLink()) return `${path} is a symbolic link; name the file that it leads to`;
    if (facts.isDirectory()) return `${path} is a folder`;
    return facts.isFile() ? null : `${path} is no regular file`;
  } catch (error) {
    return errorCode(error) === "ENOENT" ? `there is no ${path}` : `${path} cannot be read`;
  }
}

/** First bytes of every SQLite database. */
export const databaseMark = "SQLite format 3\0";

/** The first bytes of a file; fewer where it has fewer. */
export function headOf(path: string, bytes: number): Buffer {
  const file = openSync(path, "r");
  try {
    const head = Buffer.alloc(bytes);
    return head.subarray(0, readSync(file, head, 0, bytes, 0));
  } finally {
    closeSync(file);
  }
}

/** Makes the folder (0700) and an empty file (0600) unless they exist; takes the rights of others from the file. */
export function createPrivately(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, "a", 0o600));
  if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
}

// Connections that never write a byte of a database.

/** Waiting for another process's lock: far longer than any of our transactions takes. */
export const busyTimeoutMs = 10_000;

/** Opens a file for reading, also on a disk that takes no writes. Throws what SQLite throws. */
export function openToRead(path: string): Database {
  const db = isSealed(path) ? openUnchanging(path) : new Database(path, { readonly: true });
  db.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  db.run("PRAGMA temp_store = MEMORY");
  return db;
}

/** Nothing is written here: the folder forbids it, and no writer has left anything to be merged. */
function isSealed(path: string): boolean {
  if (existsSync(`${path}-wal`)) return false;
  try {
    accessSync(dirname(path), constants.W_OK);
    return false;
  } catch {
    return true;
  }
}

/** In WAL mode SQLite makes files beside the database even for reading, unless told that nothing can change. */
export const openUnchanging = (path: string): Database =>
  new Database(
    `file:${path.split("/").map(encodeURIComponent).join("/")}?immutable=1`,
    sqlite.SQLITE_OPEN_READONLY | sqlite.SQLITE_OPEN_URI,
  );

// Translates what SQLite throws.

type StorageFailure = Extract<OpenError, { readonly type: "store.corrupt" | "store.unavailable" }>;

/** `store.corrupt` for a damaged file; `store.unavailable` for everything else (rights, disk full, locked). */
export function sqliteFailure(path: string, error: unknown): StorageFailure {
  const code = errorCode(error);
  const isOther = code.startsWith("SQLITE_NOTADB");
  const detail = isOther ? "not a SQLite database" : errorMessage(error);
  const isCorrupt =
    isOther || code.startsWith("SQLITE_CORRUPT") || code === "SQLITE_IOERR_SHORT_READ";
  return { type: isCorrupt ? "store.corrupt" : "store.unavailable", path, detail };
}

const storageCodes = /^SQLITE_(?:CORRUPT|NOTADB|FULL|IOERR|READONLY|CANTOPEN)/;

/** The same for a database in use: null when the fault is ours and not that of file or disk. */
export const storageFailure = (path: string, error: unknown): StorageFailure | null =>
  storageCodes.test(errorCode(error)) ? sqliteFailure(path, error) : null;

export const isBusy = (error: unknown): boolean => errorCode(error).startsWith("SQLITE_BUSY");

// Recognises network file systems, where SQLite's locks and shared memory cannot be trusted. Knows Linux only:
// elsewhere the type numbers mean other things, and the answer is "local".

/** `f_type` of statfs(2), from linux/magic.h and the file systems' own headers. */
const networkTypes: Readonly<Record<number, string>> = {
  0x6969: "nfs",
  0x517b: "smb",
  0xff534d42: "cifs",
  0xfe534d42: "smb2",
  0x01021997: "9p",
  0x564c: "ncp",
  0x5346414f: "afs",
  0x6b414653: "afs",
  0x73757245: "coda",
  0x00c36400: "ceph",
  0x0bd00bd0: "lustre",
  0x47504653: "gpfs",
};

/** FUSE is one number for local and remote alike; its mount type tells them apart. */
const fuseType = 0x65735546;
const remoteFuse =
  /^fuse\.(sshfs|rclone|s3fs|goofys|gcsfuse|davfs2?|glusterfs|ceph(-fuse)?|smbnetfs|curlftpfs|blobfuse2?|juicefs)$/;

/** The name of the network file system behind a type number; null for a local one. Pure. */
export function networkName(type: number, mountType: () => string | null): string | null {
  // Some platforms sign-extend the 32-bit number.
  const unsigned = type >>> 0;
  const known = networkTypes[unsigned];
  if (known !== undefined) return known;
  if (unsigned !== fuseType) return null;
  const fuse = mountType();
  return fuse !== null && remoteFuse.test(fuse) ? fuse : null;
}

/**
 * `networkFileSystemAt` names the network file system of a folder; null when local, unknown or not
 * on Linux. Never throws.
 */
export function networkFileSystemAt(folder: string): string | null {
  if (process.platform !== "linux") return null;
  try {
    return networkName(statfsSync(folder).type, () => mountTypeOf(folder));
  } catch {
    return null; // A folder that cannot be asked about fails with a better reason when it is opened.
  }
}

/** The type of the longest mount point above a folder, from /proc/self/mountinfo; null when unreadable. */
function mountTypeOf(folder: string): string | null {
  try {
    return mountTypeIn(readFileSync("/proc/self/mountinfo", "utf8"), realpathSync(folder));
  } catch {
    return null;
  }
}

/** `36 35 98:0 / /mnt rw - fuse.sshfs host: rw`: mount point is the fifth field, the type follows the dash. Pure. */
export function mountTypeIn(mountinfo: string, folder: string): string | null {
  let best: Mount | null = null;
  for (const mount of mountinfo.split("\n").map(readMount)) {
    if (mount === null || !isAbove(mount.point, folder)) continue;
    if (best === null || mount.point.length >= best.point.length) best = mount;
  }
  return best?.type ?? null;
}

interface Mount {
  readonly point: string;
  readonly type: string;
}

function readMount(line: string): Mount | null {
  const [before = "", after = ""] = line.split(" - ");
  const point = unescapeMount(before.split(" ")[4] ?? "");
  const type = after.split(" ")[0] ?? "";
  return point === "" || type === "" ? null : { point, type };
}

const isAbove = (point: string, folder: string): boolean =>
  point === "/" || folder === point || folder.startsWith(`${point}/`);

/** Spaces and tabs in mount points are octal escapes. */
const unescapeMount = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
