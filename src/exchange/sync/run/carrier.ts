/**
 * Declares the carrier of segments: a flat space of names whose objects are written once. Learns
 * names, sizes and times.
 */
import { errorCode, sha256 } from "#kit";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Carrier extends AsyncDisposable {
  /** Names that begin with `prefix` and come after `after`, in order; at most `namesMax`. */
  readonly list: (prefix: string, after: string) => Promise<readonly string[]>;
  /** Null when there is none (yet). */
  readonly get: (name: string) => Promise<Uint8Array | null>;
  /** Whole or not at all, and never over another one. */
  readonly put: (name: string, bytes: Uint8Array) => Promise<"created" | "exists">;
  /**
   * Lists many objects in one answer, where the store can: what comes after these names in their
   * folders, in order, in parts.
   */
  readonly ahead?: (after: readonly string[]) => Promise<readonly Found[]>;
}

interface Found {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Names in one answer of `list`. */
export const namesMax = 1_000;
/** A larger object is none of ours. */
export const objectBytesMax = 64 * 1_048_576;

/** Names are ours: letters, digits, dots and hyphens, in folders. */
export const isObjectName = (name: string): boolean =>
  /^(?:[a-z0-9][a-z0-9.-]*\/)*[a-z0-9][a-z0-9.-]*$/.test(name) && name.length <= 200;

/** The carrier cannot be used now: one line for a person, and what to do. */
export class CarrierFailure extends Error {
  readonly next: string;
  /** True when other credentials could help. */
  readonly isRefused: boolean;

  constructor(message: string, next: string, isRefused = false) {
    super(message);
    this.next = next;
    this.isRefused = isRefused;
  }
}

const requestMs = 60_000;

/** Gives up what takes too long: `late` says so. */
export async function inTime<Value>(
  work: () => PromiseLike<Value>,
  late: () => CarrierFailure,
): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), requestMs);
  });
  try {
    return await Promise.race([work(), end]);
  } finally {
    clearTimeout(timer);
  }
}

/** A part of an address as it was meant; as it stands where it is not encoded well. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** All names of a prefix behind another, page by page. */
export async function* namesIn(
  carrier: Carrier,
  prefix: string,
  after = "",
): AsyncGenerator<string, void> {
  for (let last = after; ;) {
    const names = await carrier.list(prefix, last);
    yield* names;
    const end = names.at(-1);
    if (end === undefined || names.length < namesMax) return;
    last = end;
  }
}

// Name of a space where the carrier tells its machines of a write.

/** Only who knows the space knows the name, and hears of it. */
export const channelOf = (space: string): string => `continuity_${sha256(`continuity ${space}`)}`;

// `file:///…`: a folder that something else carries (Syncthing, Dropbox, NFS). No locks; names appear whole.

/** The folder must be there: one that is made in the place of an unmounted disk would be filled for nobody. */
export function openFolder(url: string): Carrier {
  const root = folderOf(url);
  if (!existsSync(root) || !statSync(root).isDirectory())
    throw new CarrierFailure(
      `the sync folder ${root} does not exist`,
      "create it, or mount the disk that it is on",
    );
  return {
    list: async (prefix, after) =>
      explained(root, () =>
        namesUnder(root, prefix)
          .filter((name) => name > after)
          .toSorted()
          .slice(0, namesMax),
      ),
    get: async (name) => explained(root, () => read(join(root, name))),
    put: async (name, bytes) => explained(root, () => write(join(root, name), bytes)),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

export function folderOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    throw new CarrierFailure(`${url} names no folder`, "write file:///path/of/the/folder");
  }
}

/** Folders of the prefix and below; copies and temporary files of other programs have other names. */
function namesUnder(root: string, prefix: string): readonly string[] {
  const start = prefix.slice(0, prefix.lastIndexOf("/") + 1);
  const found: string[] = [];
  const walk = (folder: string): void => {
    if (!existsSync(join(root, folder))) return;
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const name = `${folder}${entry.name}`;
      if (!isObjectName(name)) continue;
      if (entry.isDirectory()) walk(`${name}/`);
      else if (name.startsWith(prefix)) found.push(name);
    }
  };
  walk(start);
  return found;
}

function read(path: string): Uint8Array | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile() || stat.size > objectBytesMax) return null;
  return readFileSync(path);
}

/** Written beside, then linked to its name: the link fails when the name is taken. */
function write(path: string, bytes: Uint8Array): "created" | "exists" {
  if (existsSync(path)) return "exists";
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${dirname(path)}/.${process.pid}-${performance.now()}.tmp`;
  const file = openSync(temporary, "wx", 0o600);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    fsyncSync(file);
    return named(temporary, path);
  } finally {
    closeSync(file);
    rmSync(temporary, { force: true });
  }
}

function named(temporary: string, path: string): "created" | "exists" {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (errorCode(error) === "EEXIST") return "exists";
    // Some file systems know no hard links; only this device writes names of this kind.
    renameSync(temporary, path);
  }
  return "created";
}

function explained<Value>(root: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOSPC" || code === "EDQUOT")
      throw new CarrierFailure(
        `the disk of the sync folder ${root} is full`,
        "free some space; nothing is lost, and sync goes on then",
      );
    if (code === "EACCES" || code === "EPERM" || code === "EROFS")
      throw new CarrierFailure(
        `the sync folder ${root} cannot be written: ${message}`,
        "give yourself the right to write it",
      );
    throw new CarrierFailure(`the sync folder ${root} failed: ${message}`, "see the folder");
  }
}
