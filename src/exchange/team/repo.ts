/** Memories in the repository: what of the folder is trusted is in force, everything else is only shown for trust. */
import type { TeamItem, TeamRow, TeamTrust } from "#domain";
import { sha256, stripInvisible, type Result, err, ok } from "#kit";
import { cleanName, hashOf, parseFile, type TeamContext, type TeamFile } from "./text.ts";
import { repoPrefix, takeAll, withdrawRows, type Arriving } from "./inbox.ts";
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

/** What a person reads before they trust it. */
export interface FolderFile {
  readonly name: string;
  readonly state: "changed" | "gone" | "left out" | "new" | "trusted";
  /** Why it is left out; else empty. */
  readonly fault: string;
  readonly author: string;
  /** What it would say, and what of this file is in force now; empty = nothing. */
  readonly after: string;
  readonly before: string;
}

export interface FolderView {
  readonly project: string;
  readonly root: string;
  /** To be handed back with trust: only what was shown is trusted. */
  readonly digest: string;
  readonly fault: string | null;
  readonly files: readonly FolderFile[];
}

const itemOf = (name: string): string => sha256(`file ${name}`, 32);

const isTrusted = (
  trusted: readonly TeamTrust[],
  { name, hash }: FoundFile,
): TeamTrust | undefined => trusted.find((one) => one.name === name && one.hash === hash);

const rowsOf = ({ store }: TeamContext, project: string): readonly TeamRow[] =>
  store.team
    .items(project)
    .filter(({ member, hash }) => member.startsWith(repoPrefix) && hash !== "");

/** What lies in the folder beside what is trusted of it; null outside projects. */
export function viewFolder(deps: TeamContext, cwd: string): FolderView | null {
  const place = deps.projectOf(cwd);
  if (place === null) return null;
  const { key: project, root } = place;
  const folder = readFolder(root);
  const trusted = deps.store.team.trusted(project);
  const rows = rowsOf(deps, project);
  const now = (name: string): string => {
    const row = rows.find(({ item }) => item === itemOf(name));
    const node =
      row === undefined || row.nodeId === null ? null : deps.store.nodes.byId(row.nodeId);
    return node === null ? "" : bodyOf(node);
  };
  const files = folder.files.map((file): FolderFile => {
    const before = now(file.name);
    const { name, read } = file;
    if (!read.ok)
      return { name, state: "left out", fault: read.error, author: "", after: "", before };
    const { author, text } = read.value;
    const isNew = before === "";
    const state = isTrusted(trusted, file) ? "trusted" : isNew ? "new" : "changed";
    return { name, state, fault: "", author: cleanName(author), after: bodyOf(text), before };
  });
  const names = new Set(folder.files.map(({ name }) => name));
  const gone = [...new Set(trusted.map(({ name }) => name))]
    .filter((name) => !names.has(name) && now(name) !== "")
    .map((name): FolderFile => ({
      name,
      state: "gone",
      fault: "",
      author: "",
      after: "",
      before: now(name),
    }));
  return { project, root, digest: folder.digest, fault: folder.fault, files: [...files, ...gone] };
}

const bodyOf = ({ l0, l1 }: { readonly l0: string; readonly l1: string | null }): string =>
  l1 === null ? l0 : `${l0}\n${l1}`;

/** Trusts what was shown, and takes it in. Null = the folder is another one by now, and nothing was done. */
export function trustFolder(
  deps: TeamContext,
  ask: {
    readonly root: string;
    readonly digest: string;
    readonly authors: Readonly<Record<string, string>>;
  },
): { readonly taken: number } | null {
  const place = deps.projectOf(ask.root);
  if (place === null) return null;
  const folder = readFolder(place.root);
  if (folder.fault !== null || folder.digest !== ask.digest || ask.digest === "") return null;
  deps.store.team.trust(
    place.key,
    folder.files
      .filter(({ read }) => read.ok)
      .map(({ name, hash }) => ({ name, hash, author: ask.authors[name] ?? null })),
  );
  return takeFolder(deps, place.key, folder);
}

/** Nothing of the repository is in force any more, and nothing is read before it is trusted anew. */
export function distrustFolder(deps: TeamContext, cwd: string): boolean {
  const place = deps.projectOf(cwd);
  if (place === null) return false;
  deps.store.team.distrust(place.key);
  withdrawRows(deps, rowsOf(deps, place.key));
  return true;
}

/** Brings what is in force in step with the folder. A project of which nothing is trusted is not looked at. */
export function refreshFolder(deps: TeamContext, cwd: string): void {
  const place = deps.projectOf(cwd);
  if (place === null || !deps.store.team.trusting().includes(place.key)) return;
  takeFolder(deps, place.key, readFolder(place.root));
}

function takeFolder(
  deps: TeamContext,
  project: string,
  folder: Folder,
): { readonly taken: number } {
  const trusted = deps.store.team.trusted(project);
  const wanted = folder.files.flatMap((file) => {
    const trust = isTrusted(trusted, file);
    return trust !== undefined && file.read.ok ? [arrivingOf(deps, project, { file, trust })] : [];
  });
  const isWanted = new Set(wanted.map(({ from, item }) => `${from.member} ${item.id}`));
  withdrawRows(
    deps,
    rowsOf(deps, project).filter(({ member, item }) => !isWanted.has(`${member} ${item}`)),
  );
  takeAll(deps, wanted);
  return { taken: wanted.length };
}

function arrivingOf(
  { store }: TeamContext,
  project: string,
  { file, trust }: { readonly file: FoundFile; readonly trust: TeamTrust },
): Arriving {
  if (!file.read.ok) throw new Error("a file that says nothing is not taken");
  const { author, text } = file.read.value;
  const name = cleanName(author);
  const isVerified = trust.author !== null && cleanName(trust.author) === name;
  const member = `${repoPrefix}${sha256(name.toLowerCase(), 16)}`;
  const id = itemOf(file.name);
  const before = store.team.item({ project, member, item: id });
  const isSame = before !== null && before.hash === hashOf(text);
  const clock = (before?.clock ?? 0) + (isSame ? 0 : 1);
  const item: TeamItem = { v: 1, id, clock, text };
  return { from: { member, name }, project, item, isUnverified: !isVerified };
}

// The folder `.continuity` of a repository, read as what it is: an attacker's text. Bounded, without following links,
// and nothing of it leaves this room before its bytes are trusted.

const folderName = ".continuity";

const entriesMax = 1_000;
const fileBytesMax = 32_768;
const totalBytesMax = 4_194_304;
/** `README.md` and the like are listed as left out; other files are none of ours. */
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,119}\.md$/;

interface FoundFile {
  readonly name: string;
  /** SHA-256 of its bytes. */
  readonly hash: string;
  /** Its text, or the reason why it is left out. */
  readonly read: Result<TeamFile, string>;
}

interface Folder {
  /** In the order of their names. */
  readonly files: readonly FoundFile[];
  /** Hash of all names and bytes. */
  readonly digest: string;
  /** Why the folder is not read at all; null = it is, or there is none. */
  readonly fault: string | null;
}

const empty = (fault: string | null): Folder => ({ files: [], digest: "", fault });

/** Never throws for what lies there. */
function readFolder(root: string): Folder {
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
