/**
 * The folder `.continuity` of a repository, read as what it is: an attacker's text. Bounded, without following links,
 * and nothing of it leaves this room before its bytes are trusted.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  opendirSync,
  readSync,
} from "node:fs";
import { join } from "node:path";
import { sha256, stripInvisible, type Result, err, ok } from "#kit";
import { parseFile, type TeamFile } from "./markdown.ts";

const folderName = ".continuity";

const entriesMax = 1_000;
const fileBytesMax = 32_768;
const totalBytesMax = 4_194_304;
/** `README.md` and the like are listed as left out; other files are none of ours. */
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,119}\.md$/;

export interface FoundFile {
  readonly name: string;
  /** SHA-256 of its bytes. */
  readonly hash: string;
  /** What it says, or why it is left out. */
  readonly read: Result<TeamFile, string>;
}

export interface Folder {
  /** In the order of their names. */
  readonly files: readonly FoundFile[];
  /** Of all names and bytes. */
  readonly digest: string;
  /** Why the folder is not read at all; null = it is, or there is none. */
  readonly fault: string | null;
}

const empty = (fault: string | null): Folder => ({ files: [], digest: "", fault });

/** Never throws for what lies there. */
export function readFolder(root: string): Folder {
  const folder = join(root, folderName);
  const kind = lstatSync(folder, { throwIfNoEntry: false });
  if (kind === undefined) return empty(null);
  if (!kind.isDirectory()) return empty(`${folderName} is no folder, or a link to one`);
  try {
    const names = namesIn(folder);
    if (names === null) return empty(`${folderName} holds more than ${entriesMax} entries`);
    const files: FoundFile[] = [];
    let left = totalBytesMax;
    for (const name of names) {
      const bytes = bytesOf(join(folder, name), Math.min(left, fileBytesMax));
      left -= bytes.ok ? bytes.value.length : 0;
      files.push(
        bytes.ok
          ? { name, hash: sha256Bytes(bytes.value), read: readBytes(bytes.value) }
          : { name, hash: "", read: bytes },
      );
    }
    const digest = sha256(JSON.stringify(files.map(({ name, hash }) => [name, hash])));
    return { files, digest, fault: null };
  } catch {
    return empty(`${folderName} could not be read`);
  }
}

/** Null when there are too many. */
function namesIn(folder: string): readonly string[] | null {
  const names: string[] = [];
  const entries = opendirSync(folder);
  try {
    let count = 0;
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
      count += 1;
      if (count > entriesMax) return null;
      if (namePattern.test(entry.name)) names.push(entry.name);
    }
  } finally {
    entries.closeSync();
  }
  return names.toSorted((a, b) => (a < b ? -1 : 1));
}

function bytesOf(path: string, most: number): Result<Buffer, string> {
  // A link is not followed, and a pipe is not waited for.
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  if (!(lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false))
    return err("not a plain file");
  let file: number;
  try {
    file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    return err("cannot be read");
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return err("not a plain file");
    if (stat.size > most) return err("too large");
    const buffer = Buffer.alloc(most + 1);
    const read = readSync(file, buffer, 0, most + 1, 0);
    return read > most ? err("too large") : ok(buffer.subarray(0, read));
  } catch {
    return err("cannot be read");
  } finally {
    closeSync(file);
  }
}

const sha256Bytes = (bytes: Buffer): string =>
  new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

function readBytes(bytes: Buffer): Result<TeamFile, string> {
  let source: string;
  try {
    source = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return err("not UTF-8");
  }
  // A person is to see all that they trust.
  if (
    stripInvisible(source) !== source ||
    /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/u.test(source)
  )
    return err("has letters that are not shown");
  return parseFile(source);
}
