/** Memories in the repository: what of the folder is trusted is in force, everything else is only shown for trust. */
import type { TeamFolder, TeamFolderFile, TeamItem, TeamRow, TeamTrust } from "#domain";
import { sha256, stripInvisible, type Result, err, ok } from "#kit";
import { cleanName, hashOf, parseFile, type TeamContext, type TeamFile } from "./text.ts";
import { repoPrefix, takeAll, withdrawRows, type Arriving } from "./inbox.ts";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
} from "node:fs";
import { join } from "node:path";

const itemOf = (name: string): string => sha256(`file ${name}`, 32);

const isTrusted = (
  trusted: readonly TeamTrust[],
  { name, hash }: FoundFile,
): TeamTrust | undefined => trusted.find((one) => one.name === name && one.hash === hash);

const rowsOf = ({ store }: TeamContext, project: string): readonly TeamRow[] =>
  store.team
    .items(project)
    .filter(({ member, hash }) => member.startsWith(repoPrefix) && hash !== "");

/** `viewFolder` shows the folder beside what is trusted of it; null outside projects. */
export function viewFolder(deps: TeamContext, cwd: string): TeamFolder | null {
  const place = deps.projectOf(cwd);
  if (place === null) return null;
  const { key: project, root } = place;
  const { files: found, digest, fault } = readFolder(root);
  const trusted = deps.store.team.trusted(project);
  const rows = rowsOf(deps, project);
  const now = (name: string): string => {
    const nodeId = rows.find(({ item }) => item === itemOf(name))?.nodeId ?? null;
    const node = nodeId === null ? null : deps.store.nodes.byId(nodeId);
    return node === null ? "" : bodyOf(node);
  };
  const none = { fault: "", author: "", after: "" };
  const files = found.map((file): TeamFolderFile => {
    const { name, read } = file;
    const before = now(name);
    if (!read.ok) return { ...none, name, state: "left out", fault: read.error, before };
    const { author, text } = read.value;
    const known = before === "" ? "new" : "changed";
    const state = isTrusted(trusted, file) ? "trusted" : known;
    return { name, state, fault: "", author: cleanName(author), after: bodyOf(text), before };
  });
  const names = new Set(found.map(({ name }) => name));
  const gone = [...new Set(trusted.map(({ name }) => name))]
    .filter((name) => !names.has(name) && now(name) !== "")
    .map((name): TeamFolderFile =>
      Object.assign({ name, state: "gone" as const, before: now(name) }, none),
    );
  return { project, root, digest, fault, files: [...files, ...gone] };
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
  const wanted = folder.files.flatMap((file): readonly Arriving[] => {
    const trust = isTrusted(trusted, file);
    if (trust === undefined || !file.read.ok) return [];
    return [arrivingOf(deps, { project, name: file.name, file: file.read.value, trust })];
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
  of: {
    readonly project: string;
    readonly name: string;
    readonly file: TeamFile;
    readonly trust: TeamTrust;
  },
): Arriving {
  const { project, file, trust } = of;
  const { text } = file;
  const name = cleanName(file.author);
  const isVerified = trust.author !== null && cleanName(trust.author) === name;
  const member = `${repoPrefix}${sha256(name.toLowerCase(), 16)}`;
  const id = itemOf(of.name);
  const before = store.team.item({ project, member, item: id });
  const clock = (before?.clock ?? 0) + (before?.hash === hashOf(text) ? 0 : 1);
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
  /** The reason why the folder is not read at all; null = it is, or there is none. */
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
    const entries = readdirSync(folder);
    if (entries.length > entriesMax)
      return empty(`${folderName} holds more than ${entriesMax} entries`);
    const names = entries.filter((name) => namePattern.test(name));
    let left = totalBytesMax;
    const files = names.toSorted().map((name): FoundFile => {
      const bytes = bytesOf(join(folder, name), Math.min(left, fileBytesMax));
      if (!bytes.ok) return { name, hash: "", read: bytes };
      left -= bytes.value.length;
      return { name, hash: sha256Bytes(bytes.value), read: readBytes(bytes.value) };
    });
    const digest = sha256(JSON.stringify(files.map(({ name, hash }) => [name, hash])));
    return { files, digest, fault: null };
  } catch {
    return empty(`${folderName} could not be read`);
  }
}

function bytesOf(path: string, most: number): Result<Buffer, string> {
  // A link is not followed, and a pipe is not waited for.
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return err("not a plain file");
  try {
    const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      if (!fstatSync(file).isFile()) return err("not a plain file");
      const buffer = Buffer.alloc(most + 1);
      const read = readSync(file, buffer, 0, most + 1, 0);
      return read > most ? err("too large") : ok(buffer.subarray(0, read));
    } finally {
      closeSync(file);
    }
  } catch {
    return err("cannot be read");
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
