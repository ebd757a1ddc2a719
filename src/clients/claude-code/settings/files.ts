/** The few file operations that setup needs. Synchronous: one short command. */
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { errorCode } from "#kit";

export const setupFiles = {
  /** Null when there is no such file. Throws on anything else, such as missing permission or a folder. */
  read: (path: string): Uint8Array | null => {
    try {
      return readFileSync(path);
    } catch (error) {
      if (errorCode(error) === "ENOENT") return null;
      throw error;
    }
  },
  /**
   * Gives the file that writing to `path` changes: symlinks of every part followed, also where the
   * target does not exist yet.
   */
  target: (path: string): string => finalTarget(resolve(path), 0),
  /**
   * Replaces the file as a whole or not at all (temporary file beside it, fsync, rename); missing folders are made.
   * An existing file keeps its mode and, where the system allows it, its owner; a new one gets `newMode`.
   */
  replace: (path: string, bytes: Uint8Array, newMode: number): void => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const before = statSync(path, { throwIfNoEntry: false });
    const temporary = join(dirname(path), `.continuity-${process.pid}-${Bun.nanoseconds()}.tmp`);
    try {
      writeWhole(temporary, bytes);
      chmodSync(temporary, before === undefined ? newMode : before.mode & 0o7777);
      if (before !== undefined) keepOwner(temporary, before);
      renameSync(temporary, path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  },
  /** True when the file is read-only for its owner too: it is meant to stay as it is. */
  isReadOnly: (path: string): boolean => (statSync(path).mode & 0o222) === 0,
  /** Removes a file; one that is gone already is fine. */
  remove: (path: string): void => rmSync(path, { force: true }),
  /** Notes a file as it is now; the returned function puts it back. */
  note: (path: string): (() => void) => {
    const bytes = setupFiles.read(path);
    const folders = setupFiles.missingFolders(path);
    return () => {
      const now = setupFiles.read(path);
      if (bytes !== null && now !== null && Buffer.compare(bytes, now) === 0) return;
      if (bytes !== null) return setupFiles.replace(path, bytes, 0o600);
      setupFiles.remove(path);
      setupFiles.removeEmpty(folders);
    };
  },
  /** Folders that writing the file would make, the deepest first. */
  missingFolders: (path: string): readonly string[] => {
    const missing: string[] = [];
    for (let folder = dirname(path); !existsSync(folder); folder = dirname(folder))
      missing.push(folder);
    return missing;
  },
  /** Removes those of the folders that are empty. */
  removeEmpty: (folders: readonly string[]): void => {
    for (const folder of folders) {
      try {
        rmdirSync(folder);
      } catch {
        // Not empty, or gone.
      }
    }
  },
};

function writeWhole(path: string, bytes: Uint8Array): void {
  const handle = openSync(path, "wx", 0o600);
  try {
    let written = 0;
    while (written < bytes.length) written += writeSync(handle, bytes, written);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Matters when root edits a user's file; anyone else may not change owners, and then the owner is right already. */
function keepOwner(path: string, owner: { readonly uid: number; readonly gid: number }): void {
  try {
    chownSync(path, owner.uid, owner.gid);
  } catch {
    // chown is the only call here; the file belongs to the current user.
  }
}

/** More links in a row than any system follows. */
const linksMax = 40;

function finalTarget(path: string, links: number): string {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts?.isSymbolicLink() === true && links < linksMax) {
    return finalTarget(resolve(dirname(path), readlinkSync(path)), links + 1);
  }
  if (facts !== undefined) return realpathSync(path);
  const folder = dirname(path);
  // Not there yet: its folder may be a link all the same.
  return folder === path ? path : join(finalTarget(folder, links), basename(path));
}

// A unified diff of two short texts, for `--dry-run`. Pure.

const contextLines = 3;
/** Settings files have tens of lines; beyond this the diff shows one block instead of taking quadratic time. */
const linesMax = 2_000;

/** Lines with `+`, `-` or a space in front, in hunks under `@@ line`. Empty when the texts are equal. */
export function lineDiff(before: string, after: string): string {
  if (before === after) return "";
  const edits = editsOf(toLines(before), toLines(after));
  const shown = new Set<number>();
  edits.forEach((edit, index) => {
    if (edit.sign === " ") return;
    const from = Math.max(0, index - contextLines);
    for (let near = from; near <= index + contextLines; near += 1) shown.add(near);
  });
  const out: string[] = [];
  let line = 1;
  edits.forEach((edit, index) => {
    if (shown.has(index)) {
      if (!shown.has(index - 1)) out.push(`@@ line ${line} @@`);
      out.push(edit.sign + edit.text);
    }
    if (edit.sign !== "+") line += 1;
  });
  return out.join("\n");
}

interface Edit {
  readonly sign: " " | "+" | "-";
  readonly text: string;
}

const toLines = (text: string): readonly string[] =>
  text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);

function editsOf(before: readonly string[], after: readonly string[]): readonly Edit[] {
  const isTooLong = before.length > linesMax || after.length > linesMax;
  const common = isTooLong ? [] : commonLengths(before, after);
  const edits: Edit[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const old = before[i];
    const fresh = after[j];
    if (old !== undefined && old === fresh) {
      edits.push({ sign: " ", text: old });
      i += 1;
      j += 1;
    } else if (
      old !== undefined &&
      (fresh === undefined || at(common, i + 1, j) >= at(common, i, j + 1))
    ) {
      edits.push({ sign: "-", text: old });
      i += 1;
    } else {
      edits.push({ sign: "+", text: fresh ?? "" });
      j += 1;
    }
  }
  return edits;
}

const at = (table: readonly Uint16Array[], i: number, j: number): number => table[i]?.[j] ?? 0;

/** For each pair of tails, the length of their longest common subsequence. */
function commonLengths(
  before: readonly string[],
  after: readonly string[],
): readonly Uint16Array[] {
  const table = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const longest =
        before[i] === after[j]
          ? at(table, i + 1, j + 1) + 1
          : Math.max(at(table, i + 1, j), at(table, i, j + 1));
      table[i]?.fill(longest, j, j + 1);
    }
  }
  return table;
}
