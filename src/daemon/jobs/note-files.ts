/**
 * Finds the notes that agents keep for a session: Claude Code's memory folder, Gemini's memory
 * folder and what it added to its GEMINI.md, Codex's summary and ad hoc notes. Regular files only,
 * few and small; links are not followed.
 */
import { fileNamesIn } from "#kit";
import { lstatSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { type AgentName, agentOf, type NoteLine } from "#domain";
import { createNotesReader, type NotesFile } from "#clients";
import { noteStatements } from "#memory";

const fileBytesMax = 64 * 1_024;
const filesMax = 200;
/** More lines than a file of that size has. */
const linesMax = fileBytesMax;
/** Claude Code loads no more of its index; other agents load all of a file. */
const indexLinesMax = 200;
const indexName = "MEMORY.md";

/** The place of a session, as its client says it. */
export interface AgentNotesPlace {
  readonly sessionId: string;
  readonly cwd: string;
  /** Tells where its client keeps its files. */
  readonly transcriptPath: string;
}

export interface AgentNotesFile {
  readonly path: string;
  /** The path for people: with `~` for the home folder. */
  readonly shown: string;
  readonly agent: AgentName;
  /** `topic`: one note; `list`: one a line; `added`: the section of an instruction file that the agent itself added. */
  readonly form: "added" | "list" | "topic";
  /** True for a file that belongs to no project. */
  readonly isGlobal: boolean;
  /**
   * Key of the places whose sessions have the file loaded by their client; "" = every session of the agent, null =
   * none. Of a list, its first `loadedLines` lines.
   */
  readonly loadedIn: string | null;
  readonly loadedLines: number;
  /** Last change, epoch ms. */
  readonly atMs: number;
  /** Changes when the file does. */
  readonly stamp: string;
}

interface Found {
  readonly files: readonly AgentNotesFile[];
  /** Folders in which a known file that is not among the files was deleted. */
  readonly folders: readonly string[];
}

export type AgentNotesPort = ReturnType<typeof createAgentNotesPort>;

export const createAgentNotesPort = () => ({
  find: (place: AgentNotesPlace): Found => {
    if (!isAbsolute(place.transcriptPath)) return nothing;
    const agent = agentOf(place.sessionId);
    if (agent === "claude") return ofClaude(place);
    if (agent === "gemini") return ofGemini(place);
    return agent === "codex" ? ofCodex(place) : nothing;
  },
  /** Null when it cannot be read as text. */
  read: textAt,
  /** Key of a session's place, as in `loadedIn`. */
  placeOf,
});

/** Note files that were read and hold one of these texts, in any case and spacing. */
export function noteFilesHolding(
  files: readonly { readonly path: string; readonly shown: string }[],
  texts: readonly string[],
): readonly string[] {
  const sought = texts.map(plain).filter(({ length }) => length >= soughtCharsMin);
  return files
    .filter(({ path }) => {
      const text = plain(textAt(path) ?? "");
      return sought.some((one) => text.includes(one));
    })
    .map(({ shown }) => shown);
}

/** Shorter texts stand in many files. */
const soughtCharsMin = 8;
const plain = (text: string): string =>
  text.replaceAll(/[*_`]/gu, "").replaceAll(/\s+/gu, " ").trim().toLowerCase();

const nothing: Found = { files: [], folders: [] };

/** Folder of the client's files about one place of work. */
const placeOf = (sessionId: string, transcriptPath: string): string =>
  agentOf(sessionId) === "gemini" ? dirname(dirname(transcriptPath)) : dirname(transcriptPath);

type Kind = Omit<AgentNotesFile, "path" | "shown" | "atMs" | "stamp">;

function ofClaude(place: AgentNotesPlace): Found {
  const own = dirname(place.transcriptPath);
  const folder = memoryFolderOf(place) ?? join(own, "memory");
  const topic: Kind = {
    agent: "claude",
    form: "topic",
    isGlobal: false,
    loadedIn: null,
    loadedLines: 0,
  };
  const index: Kind = { ...topic, form: "list", loadedIn: own, loadedLines: indexLinesMax };
  return inFolder(folder, (name) => (name === indexName ? index : topic));
}

/** `autoMemoryDirectory` of the user's own settings; a checked-in file of the project may not name one. */
function memoryFolderOf({ cwd, transcriptPath }: AgentNotesPlace): string | null {
  const client = dirname(dirname(dirname(transcriptPath)));
  for (const path of [join(cwd, ".claude", "settings.local.json"), join(client, "settings.json")]) {
    const named = /"autoMemoryDirectory"\s*:\s*"([^"\\]{1,400})"/u.exec(textAt(path) ?? "")?.[1];
    if (named === undefined) continue;
    const folder = named.startsWith("~/") ? join(homedir(), named.slice(2)) : named;
    if (isAbsolute(folder)) return folder;
  }
  return null;
}

/** `<home>/tmp/<project>/chats/<session>.json`. */
function ofGemini(place: AgentNotesPlace): Found {
  const own = placeOf(place.sessionId, place.transcriptPath);
  const topic: Kind = {
    agent: "gemini",
    form: "list",
    isGlobal: false,
    loadedIn: null,
    loadedLines: 0,
  };
  const index: Kind = { ...topic, loadedIn: own, loadedLines: linesMax };
  const found = inFolder(join(own, "memory"), (name) => (name === indexName ? index : topic));
  const added: Kind = { ...index, form: "added", isGlobal: true, loadedIn: "" };
  const home = dirname(dirname(own));
  return and(found, fileAt(join(home, "GEMINI.md"), added), join(home, "GEMINI.md"));
}

/** `<home>/sessions/<year>/<month>/<day>/rollout-….jsonl`. */
function ofCodex({ transcriptPath }: AgentNotesPlace): Found {
  const at = transcriptPath.replaceAll("\\", "/").lastIndexOf("/sessions/");
  if (at < 0) return nothing;
  const home = join(transcriptPath.slice(0, at), "memories");
  const summary: Kind = {
    agent: "codex",
    form: "list",
    isGlobal: true,
    loadedIn: "",
    loadedLines: linesMax,
  };
  const notes = inFolder(join(home, "extensions", "ad_hoc", "notes"), () => ({
    ...summary,
    form: "topic",
    loadedIn: null,
    loadedLines: 0,
  }));
  const path = join(home, "memory_summary.md");
  return and(notes, fileAt(path, summary), path);
}

const and = (found: Found, file: AgentNotesFile | null, place: string): Found => ({
  files: file === null ? found.files : [...found.files, file],
  folders: [...found.folders, place],
});

function inFolder(folder: string, kindOf: (name: string) => Kind): Found {
  const files = namesIn(folder).flatMap((name) => fileAt(join(folder, name), kindOf(name)) ?? []);
  return { files, folders: [join(folder, "/")] };
}

const namesIn = (folder: string): readonly string[] =>
  fileNamesIn(folder)
    .filter((name) => name.toLowerCase().endsWith(".md"))
    .toSorted()
    .slice(0, filesMax);

/** Null for what is no regular file, empty or too large. */
function fileAt(path: string, kind: Kind): AgentNotesFile | null {
  try {
    const facts = lstatSync(path, { throwIfNoEntry: false });
    if (facts === undefined || !facts.isFile() || facts.size > fileBytesMax) return null;
    const atMs = Math.round(facts.mtimeMs);
    const home = homedir();
    const shown = path.startsWith(join(home, "/")) ? `~${path.slice(home.length)}` : path;
    return { path, shown, ...kind, atMs, stamp: `${facts.mtimeMs} ${facts.size}` };
  } catch {
    return null; // No permission.
  }
}

function textAt(path: string): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
    return text.includes("\0") || text.length > fileBytesMax ? null : text;
  } catch {
    return null; // It went away, no permission, or not UTF-8.
  }
}

export type NotesPort = ReturnType<typeof createNotesPort>;

/** Reads the instruction files that Claude Code loads for a folder, statement by statement. */
export function createNotesPort() {
  const reader = createNotesReader();
  // A list of files that did not change is the same list.
  const known = new WeakMap<readonly NotesFile[], readonly NoteLine[]>();
  return {
    /** Gives the lines that the client loads there; the same array as long as no file changes. Reads files, bounded. */
    linesFor: (place: Parameters<typeof reader.filesFor>[0]): readonly NoteLine[] => {
      const files = reader.filesFor(place);
      const before = known.get(files);
      if (before !== undefined) return before;
      const lines = files.flatMap(({ path, text, atMs }) =>
        noteStatements(text).map(({ line, text: said }): NoteLine => ({
          file: path,
          line,
          text: said,
          atMs,
        })),
      );
      known.set(files, lines);
      return lines;
    },
  };
}
