/**
 * Reads a repository's history from its own files, without starting git: which commits it names,
 * and whether it has a given one. Reads single entries of pack indexes, so that a clone of any size
 * costs a fraction of a millisecond.
 */
import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import type { History } from "#domain";
import { boundedText, kindOf, realPath } from "./files.ts";
import { findRepository, mainFolder, type Repository } from "./git.ts";

/** The commits taken from each file that names some: from its beginning and from its end. */
const namedMax = 8;
/** Pack indexes that are looked into; a fresh clone has one. */
const packsMax = 8;
/** Lookups in pack indexes together, some twenty microseconds each. */
const lookupsMax = 64;

/** Null where there is no repository, or where the folder only points at one that does not know of it. */
export function historyAt(folder: string): History | null {
  const real = realPath(folder);
  const repository = real === null ? null : findRepository(real);
  if (repository === null || !isItsOwn(repository)) return null;
  return {
    mainRoot: mainFolder(repository),
    commits: commitsOf(repository),
    hasAny: (ids) => hasAny(join(repository.commonDir, "objects"), ids),
  };
}

/**
 * Tells a folder after a rename by its file number, together with when it was made, since numbers are used
 * again. Null when there is no folder; empty when the disk does not tell.
 */
export function folderMark(folder: string): string | null {
  try {
    const stat = statSync(folder, { bigint: true });
    if (!stat.isDirectory()) return null;
    return stat.birthtimeNs > 0n ? `folder:${stat.ino}-${stat.birthtimeNs}` : "";
  } catch {
    return null;
  }
}

/**
 * A `.git` that is a file or a link can point at any repository: it counts when that one names this folder too,
 * as git notes it for worktrees and submodules.
 */
function isItsOwn({ top, gitDir, commonDir }: Repository): boolean {
  const dotGit = join(top, ".git");
  if (realPath(dotGit) === dotGit && kindOf(dotGit) === "dir") return true;
  const back =
    commonDir === gitDir
      ? worktreeLine.exec(boundedText(join(gitDir, "config")) ?? "")?.[1]
      : boundedText(join(gitDir, "gitdir"))?.trim();
  if (back === undefined || back === "") return false;
  const named = realPath(resolve(gitDir, back));
  return named !== null && named === (commonDir === gitDir ? top : realPath(dotGit));
}

const worktreeLine = /^\s*worktree\s*=\s*"?(.+?)"?\s*$/m;
const commitId = /(?<![0-9a-f])(?:[0-9a-f]{40}|[0-9a-f]{64})(?![0-9a-f])/g;

/** Commits that the repository's own files name. A link that leads out of it is not followed. */
function commitsOf({ gitDir, commonDir }: Repository): readonly string[] {
  const ids = new Set<string>();
  const text = (dir: string, name: string): string => {
    const path = join(dir, name);
    const inside = realPath(path)?.startsWith(`${realPath(dir) ?? dir}${sep}`);
    return inside === true ? (boundedText(path) ?? "") : "";
  };
  const head = text(gitDir, "HEAD");
  const branch = /^ref:\s*(refs\/[^\s]+)$/m.exec(head)?.[1];
  const texts = [
    head,
    branch === undefined || branch.includes("..") ? "" : text(commonDir, branch),
    ...["HEAD", "main", "master"].map((name) => text(commonDir, `refs/remotes/origin/${name}`)),
    text(gitDir, "logs/HEAD"),
    text(commonDir, "packed-refs"),
    text(gitDir, "ORIG_HEAD"),
    text(commonDir, "FETCH_HEAD"),
  ];
  for (const one of texts) {
    const named = (one.slice(0, 8_192) + "\n" + one.slice(-8_192)).match(commitId) ?? [];
    for (const id of [...named.slice(0, namedMax), ...named.slice(-namedMax)])
      if (!/^0+$/.test(id)) ids.add(id);
  }
  return [...ids];
}

function hasAny(objects: string, ids: readonly string[]): boolean {
  // Objects that lie elsewhere are another repository's.
  if (ids.length === 0 || realPath(objects) !== objects) return false;
  if (ids.some((id) => kindOf(join(objects, id.slice(0, 2), id.slice(2))) === "file")) return true;
  const packs = packIndexes(join(objects, "pack"));
  let left = lookupsMax;
  for (const path of packs) {
    const share = ids.slice(0, Math.ceil(left / packs.length) || 1);
    if (left <= 0) return false;
    left -= share.length;
    if (isInPack(path, share)) return true;
  }
  return false;
}

function packIndexes(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".idx"))
      .slice(0, packsMax)
      .map((name) => join(folder, name));
  } catch {
    return []; // No packs.
  }
}

const headBytes = 8;
const fanBytes = 256 * 4;

/** Looks ids up in a pack index of version 2: a table of 256 counts, then the sorted ids. */
function isInPack(path: string, ids: readonly string[]): boolean {
  let file: number;
  try {
    if (kindOf(path) !== "file") return false;
    file = openSync(path, "r");
  } catch {
    return false; // Not ours to read.
  }
  try {
    const head = readAt(file, 0, headBytes + fanBytes);
    if (head === null || head.readUInt32BE(0) !== 0xff744f63 || head.readUInt32BE(4) !== 2)
      return false;
    const size = fstatSync(file).size;
    return ids.some((id) => isListed({ file, head, size }, Buffer.from(id, "hex")));
  } catch {
    return false; // Cut short or changed while it was read.
  } finally {
    closeSync(file);
  }
}

interface Index {
  readonly file: number;
  readonly head: Buffer;
  readonly size: number;
}

function isListed({ file, head, size }: Index, id: Buffer): boolean {
  const first = id[0] ?? 0;
  const countTo = (byte: number): number =>
    byte < 0 ? 0 : head.readUInt32BE(headBytes + byte * 4);
  let [low, high] = [countTo(first - 1), countTo(first)];
  if (headBytes + fanBytes + high * id.length > size) return false;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const entry = readAt(file, headBytes + fanBytes + middle * id.length, id.length);
    if (entry === null) return false;
    const order = Buffer.compare(entry, id);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}

function readAt(file: number, at: number, bytes: number): Buffer | null {
  const buffer = Buffer.alloc(bytes);
  return readSync(file, buffer, 0, bytes, at) === bytes ? buffer : null;
}
