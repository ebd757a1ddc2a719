/**
 * Backfill from Claude Code's own transcripts, the oldest session first, and its memory folders last. What hooks have
 * captured is passed over without being read.
 */
import type { KnownSession } from "../apply.ts";
import {
  left,
  SourceFailure,
  type ReaderDeps,
  type ReadPlan,
  type ReadStep,
  itemStep,
} from "../source.ts";
import {
  createOwners,
  findTranscripts,
  folderName,
  type Found,
  hasGrown,
  type MemoryFolder,
  type TranscriptFacts,
} from "./files.ts";
import { sessionSteps } from "./session.ts";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isTime, sha256 } from "#kit";
import { categoryOfWords, listLinesIn, topicNoteIn } from "#memory";
import { gated, type ImportedMemory, memoryOf } from "../items.ts";

export interface ClaudeCodeAsk {
  /** Projects folder, a project's folder or one transcript. */
  readonly path: string;
  /** Names, keys or folders of projects; empty = all. */
  readonly projects: readonly string[];
  readonly known: (sessionIds: readonly string[]) => Promise<readonly KnownSession[]>;
}

/** Sessions asked about at a time. */
const knownMax = 500;

export function planClaudeCode(deps: ReaderDeps, ask: ClaudeCodeAsk): ReadPlan {
  const found = chosen(deps, findTranscripts(ask.path), ask.projects);
  const total = found.transcripts.reduce((sum, { bytes }) => sum + bytes, 0);
  return { total, unit: "bytes", steps: steps(deps, ask, found), close: () => undefined };
}

/** Only sessions of the wanted projects. Throws when none is: the name is probably wrong. */
function chosen(deps: ReaderDeps, found: Found, wanted: readonly string[]): Found {
  if (wanted.length === 0) return found;
  const isWanted = (cwd: string | null, folder: string): boolean => {
    const project = cwd === null ? null : deps.projectOf(cwd);
    const names = new Set([project?.key, project?.name, project?.root, cwd, folder]);
    return wanted.some((name) => names.has(name));
  };
  const transcripts = found.transcripts.filter((one) => isWanted(one.cwd, folderName(one)));
  const memories = found.memories.filter(({ cwd, path }) =>
    isWanted(cwd, path.split(/[/\\]/).at(-2) ?? ""),
  );
  if (transcripts.length + memories.length === 0)
    throw new SourceFailure(`no transcript is of a project ${wanted.join(" or ")}`);
  return { transcripts, memories, left: [] };
}

async function* steps(deps: ReaderDeps, ask: ClaudeCodeAsk, found: Found): AsyncIterable<ReadStep> {
  for (const { outcome, reason } of found.left) yield left(outcome, reason);
  const known = new Map<string, KnownSession>();
  for (let at = 0; at < found.transcripts.length; at += knownMax) {
    const ids = found.transcripts.slice(at, at + knownMax).map(({ sessionId }) => sessionId);
    for (const [index, one] of (await ask.known(ids)).entries()) known.set(ids[index] ?? "", one);
  }
  const isKnown = ({ sessionId }: TranscriptFacts): boolean =>
    (known.get(sessionId)?.state ?? "new") !== "new";
  const copiesOf = createOwners(found.transcripts, isKnown);
  for (const facts of found.transcripts)
    yield* oneSession(deps, { facts, known: known.get(facts.sessionId), copiesOf });
  for (const folder of found.memories)
    if (folder.cwd !== null && deps.isExcluded(folder.cwd)) yield left("skipped", excluded);
    else yield* memoryFolderSteps(deps, folder);
}

const excluded = "of a project that is excluded";

interface Given {
  readonly facts: TranscriptFacts;
  readonly known: KnownSession | undefined;
  readonly copiesOf: ReturnType<typeof createOwners>;
}

async function* oneSession(
  deps: ReaderDeps,
  { facts, known, copiesOf }: Given,
): AsyncIterable<ReadStep> {
  const { state, turns, extent } = known ?? { state: "new", turns: 0, extent: 0 };
  const isDone = state === "imported" && extent > 0 && !hasGrown(facts, extent);
  const reason =
    facts.cwd !== null && deps.isExcluded(facts.cwd)
      ? excluded
      : state === "captured"
        ? "the session is there already"
        : isDone
          ? "imported before"
          : null;
  if (reason === null) {
    yield* sessionSteps(deps, {
      facts,
      turnsKnown: state === "imported" ? turns : 0,
      isNew: state === "new",
      copies: await copiesOf(facts),
    });
    return;
  }
  yield left("skipped", reason, turns + 1);
  yield { type: "progress", done: facts.bytes };
}

// Claude Code's own memory: one fact per Markdown file, and an index `MEMORY.md` of links and loose lines. The files
// were written by the model, so they are data like any other text.

const fileBytesMax = 256 * 1_024;
const filesMax = 2_000;
const indexName = "MEMORY.md";

function* memoryFolderSteps(deps: ReaderDeps, folder: MemoryFolder): Iterable<ReadStep> {
  const names = namesIn(folder.path);
  if (names.length > filesMax)
    yield left("refused", "more than 2,000 memory files", names.length - filesMax);
  for (const name of names.slice(0, filesMax)) {
    const path = join(folder.path, name);
    const read = textAt(path);
    if ("reason" in read) {
      yield left(read.outcome, read.reason);
      continue;
    }
    const place: FilePlace = { folder, name, ...read, project: projectOf(deps, folder) };
    if (name === indexName) yield* indexSteps(deps, place, new Set(names));
    else yield fileStep(deps, place);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.toLowerCase().endsWith(".md"))
      .toSorted();
  } catch {
    return []; // No permission.
  }
}

interface FilePlace {
  readonly folder: MemoryFolder;
  readonly name: string;
  readonly text: string;
  readonly atMs: number;
  readonly project: { readonly key: string; readonly name: string } | null;
}

type Left = { readonly outcome: "skipped" | "refused"; readonly reason: string };

function textAt(path: string): { readonly text: string; readonly atMs: number } | Left {
  const refused = (reason: string): Left => ({ outcome: "refused", reason });
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return { outcome: "skipped", reason: "went away" };
  if (facts.isSymbolicLink()) return refused("a symbolic link");
  if (!facts.isFile()) return refused("no regular file");
  if (facts.size === 0) return { outcome: "skipped", reason: "an empty file" };
  if (facts.size > fileBytesMax) return refused("a memory file of more than 256 KB");
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
    const atMs = Math.round(facts.mtimeMs);
    if (text.includes("\0")) return refused("not a text file");
    return { text, atMs: isTime(atMs) && atMs > 0 ? atMs : 0 };
  } catch (error) {
    return refused(error instanceof TypeError ? "not a text file" : "cannot be read");
  }
}

function projectOf(deps: ReaderDeps, { cwd }: MemoryFolder): FilePlace["project"] {
  const project = cwd === null ? null : deps.projectOf(cwd);
  return project === null ? null : { key: project.key, name: project.name };
}

/** `type` in a topic file's front matter. */
const categoryByType: Readonly<Record<string, ImportedMemory["category"]>> = {
  user: "profile",
  feedback: "preferences",
  reference: "entities",
};

/** One file, one memory: its description is the line, its body the full text. */
function fileStep(deps: ReaderDeps, place: FilePlace): ReadStep {
  const whole = gated(deps.gate, place.text);
  if (whole === null) return left("skipped", "private as a whole");
  const note = topicNoteIn(whole);
  if (note === null) return left("skipped", "holds no words");
  const { text, full, type } = note;
  const category = categoryByType[type] ?? heard(`${text} ${full ?? ""}`.slice(0, heardCharsMax));
  return memoryStep(place, { line: text, category, full });
}

const heardCharsMax = 400;

/** Lines of the index that are no links to a file beside it: linked files were read themselves. */
function* indexSteps(
  deps: ReaderDeps,
  place: FilePlace,
  names: ReadonlySet<string>,
): Iterable<ReadStep> {
  const whole = gated(deps.gate, place.text);
  if (whole === null) {
    yield left("skipped", "private as a whole");
    return;
  }
  for (const { note, linked } of listLinesIn(whole))
    if (linked !== null && names.has(basename(linked)))
      yield left("skipped", "a line that points to a file beside it");
    else yield memoryStep(place, { line: note.text, category: heard(note.text), full: null });
}

function memoryStep(
  place: FilePlace,
  words: {
    readonly line: string;
    readonly category: ImportedMemory["category"];
    readonly full: string | null;
  },
): ReadStep {
  const { folder, project, atMs, name } = place;
  const { line } = words;
  const memory = memoryOf({
    category: words.category,
    line: project === null || words.category === "profile" ? line : `${project.name}: ${line}`,
    overview: null,
    full: words.full === line ? null : words.full,
    importance: 3,
    tags: ["claude-memory"],
    files: [],
    project: project?.key ?? null,
    atMs,
    sessionId: "claude-memory",
    turn: null,
  });
  if (memory === null) return left("skipped", "holds no words");
  // By what it says, so that a file that was changed since is news.
  const key = `file:${sha256(JSON.stringify([folder.path, name, line, words.full]))}`;
  return itemStep({ kind: "memory", key, memory, links: [] });
}

function heard(text: string): ImportedMemory["category"] {
  const category = categoryOfWords(text);
  return category === "sessions" ? "entities" : category;
}
