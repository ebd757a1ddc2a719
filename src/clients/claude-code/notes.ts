/**
 * The instruction files that Claude Code loads for a folder by itself: CLAUDE.md and CLAUDE.local.md from the folder
 * up, .claude/CLAUDE.md, the user's own, what they import with `@path`, and the index of the client's memory.
 * Reads regular files only, inside the folder that they belong to, and few of them.
 */
import { readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";

export interface NotesFile {
  readonly path: string;
  readonly text: string;
  readonly atMs: number;
}

const fileBytesMax = 256 * 1_024;
const allBytesMax = 1_024 * 1_024;
const filesMax = 48;
const foldersMax = 24;
const importDepthMax = 5;
const keptMax = 256;
/** The client loads no more of its index. */
const indexLinesMax = 200;

export interface NotesReader {
  /** The same array as long as no file changed. Empty for a session of another agent. */
  readonly filesFor: (place: {
    readonly cwd: string;
    readonly transcriptPath: string;
  }) => readonly NotesFile[];
}

/** Remembers files by their time and size. */
export function createNotesReader(): NotesReader {
  const files = new Map<string, { readonly stamp: string; readonly file: NotesFile | null }>();
  const lists = new Map<string, { readonly stamp: string; readonly files: readonly NotesFile[] }>();
  const read: Read = (path, inside) => {
    const facts = factsOf(path, inside);
    if (facts === null) return null;
    const stamp = `${facts.mtimeMs} ${facts.ctimeMs} ${facts.size}`;
    const known = files.get(path);
    if (known?.stamp === stamp) return known.file;
    if (files.size >= keptMax) files.clear();
    const text = textAt(path);
    const file = text === null ? null : { path, text, atMs: Math.round(facts.mtimeMs) };
    files.set(path, { stamp, file });
    return file;
  };
  return {
    filesFor: ({ cwd, transcriptPath }) => {
      const client = clientOf(transcriptPath);
      if (client === null || !isAbsolute(cwd)) return [];
      const found = filesOf(read, { client, cwd, transcriptPath });
      const stamp = found.map(({ path, atMs, text }) => `${path}\0${atMs}\0${text.length}`).join();
      const key = `${cwd}\0${dirname(transcriptPath)}`;
      const known = lists.get(key);
      if (known?.stamp === stamp) return known.files;
      if (lists.size >= keptMax) lists.clear();
      lists.set(key, { stamp, files: found });
      return found;
    },
  };
}

/** Null for what is no regular file inside `inside`, links followed, or too large. */
type Read = (path: string, inside: string) => NotesFile | null;

interface Place {
  /** The client's folder. */
  readonly client: string;
  readonly cwd: string;
  readonly transcriptPath: string;
}

/** `<client>/projects/<folder>/<session>.jsonl`; other agents keep their sessions elsewhere. */
function clientOf(transcriptPath: string): string | null {
  const projects = dirname(dirname(transcriptPath));
  return isAbsolute(transcriptPath) && basename(projects) === "projects" ? dirname(projects) : null;
}

function filesOf(read: Read, place: Place): readonly NotesFile[] {
  const found = new Map<string, NotesFile>();
  let left = allBytesMax;
  const add = (path: string, inside: string, depth: number): void => {
    if (found.has(path) || found.size >= filesMax) return;
    const file = read(path, inside);
    if (file === null || file.text.length > left) return;
    left -= file.text.length;
    found.set(path, file);
    if (depth >= importDepthMax) return;
    for (const name of importsIn(file.text)) add(resolve(dirname(path), name), inside, depth + 1);
  };
  add(join(place.client, "CLAUDE.md"), place.client, 0);
  for (const folder of foldersUp(place.cwd))
    for (const name of ["CLAUDE.md", "CLAUDE.local.md", join(".claude", "CLAUDE.md")])
      add(join(folder, name), folder, 0);
  const folder = join(dirname(place.transcriptPath), "memory");
  const index = hasOwnMemory(read, place) ? read(join(folder, "MEMORY.md"), folder) : null;
  if (index !== null) found.set(index.path, shortened(index));
  return [...found.values()];
}

const shortened = (file: NotesFile): NotesFile => ({
  ...file,
  text: file.text.split("\n", indexLinesMax).join("\n"),
});

function foldersUp(cwd: string): readonly string[] {
  const found: string[] = [];
  for (let folder = resolve(cwd); found.length < foldersMax; folder = dirname(folder)) {
    found.push(folder);
    if (dirname(folder) === folder) break;
  }
  return found;
}

/** `@rules.md` outside code; relative to the file. What lies outside its folder needs a leave that is not known. */
const importsIn = (text: string): readonly string[] =>
  [
    ...text
      .replaceAll(/^(\s*(?:`{3,}|~{3,}))[\s\S]*?^\1/gmu, "")
      .replaceAll(/`[^`\n]*`/gu, "")
      .matchAll(/(?<=^|\s)@((?:\.{0,2}\/)?[\w.-][\w./-]{0,200})/gmu),
  ].map(([, name = ""]) => name.replace(/[.,;:]+$/u, ""));

/** The client's own memory can be switched off in the settings. */
function hasOwnMemory(read: Read, { client, cwd }: Place): boolean {
  const own = join(cwd, ".claude");
  const places: readonly (readonly [string, string])[] = [
    [own, "settings.local.json"],
    [own, "settings.json"],
    [client, "settings.json"],
  ];
  for (const [folder, name] of places) {
    const text = read(join(folder, name), folder)?.text ?? "";
    const found = /"autoMemoryEnabled"\s*:\s*(true|false)/u.exec(text)?.[1];
    if (found !== undefined) return found === "true";
  }
  return true;
}

interface Facts {
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly size: number;
}

function factsOf(path: string, inside: string): Facts | null {
  try {
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts === undefined || !facts.isFile()) return null;
    if (facts.size === 0 || facts.size > fileBytesMax) return null;
    const root = realpathSync.native(inside);
    const within = root.endsWith(sep) ? root : `${root}${sep}`;
    return realpathSync.native(path).startsWith(within) ? facts : null;
  } catch {
    return null; // No permission, or it went away.
  }
}

/** Null for what is no text. */
function textAt(path: string): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
    return text.includes("\0") ? null : text;
  } catch {
    return null; // No permission, or not UTF-8.
  }
}
