/**
 * Backfill from Claude Code's own transcripts, the oldest session first, and its memory folders last. What hooks have
 * captured is passed over without being read.
 */
import { lstatSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { KnownSession, NamedProject } from "#domain";
import { fileNamesIn, isTime, sha256 } from "#kit";
import { listLinesIn, topicNoteIn } from "#memory";
import { newSession } from "../apply.ts";
import {
  gated,
  heardCategory,
  type ImportedMemory,
  memoryOf,
  type MemoryWords,
  reasons,
} from "../items.ts";
import {
  itemStep,
  left,
  type LeftStep,
  type ReadContext,
  type ReadPlan,
  type ReadStep,
  SourceFailure,
} from "../source.ts";
import {
  createOwners,
  findTranscripts,
  type Found,
  hasGrown,
  type MemoryFolder,
  type TranscriptFacts,
  whyNotRead,
} from "./files.ts";
import { sessionSteps } from "./session.ts";

export interface ClaudeCodeAsk {
  /** Projects folder, a project's folder or one transcript. */
  readonly path: string;
  /** Names, keys or folders of projects; empty = all. */
  readonly projects: readonly string[];
  readonly known: (sessionIds: readonly string[]) => Promise<readonly KnownSession[]>;
}

/** Sessions asked about at a time. */
const knownMax = 500;

export function planClaudeCode(context: ReadContext, ask: ClaudeCodeAsk): ReadPlan {
  const found = chosen(context, findTranscripts(ask.path), ask.projects);
  const total = found.transcripts.reduce((sum, { bytes }) => sum + bytes, 0);
  return { total, unit: "bytes", steps: steps(context, ask, found), close: () => undefined };
}

/** Only sessions of the wanted projects. Throws when none is: the name is probably wrong. */
function chosen(context: ReadContext, found: Found, wanted: readonly string[]): Found {
  if (wanted.length === 0) return found;
  const isWanted = (cwd: string | null, path: string): boolean => {
    const project = cwd === null ? null : context.projectOf(cwd);
    // The folder's name is the client's own name of the project.
    const folder = basename(dirname(path));
    const names = new Set([project?.key, project?.name, project?.root, cwd, folder]);
    return wanted.some((name) => names.has(name));
  };
  const transcripts = found.transcripts.filter((one) => isWanted(one.cwd, one.path));
  const memories = found.memories.filter(({ cwd, path }) => isWanted(cwd, path));
  if (transcripts.length + memories.length === 0)
    throw new SourceFailure(`no transcript is of a project ${wanted.join(" or ")}`);
  return { transcripts, memories, left: [] };
}

async function* steps(
  context: ReadContext,
  ask: ClaudeCodeAsk,
  found: Found,
): AsyncIterable<ReadStep> {
  yield* found.left;
  const known = new Map<string, KnownSession>();
  for (let at = 0; at < found.transcripts.length; at += knownMax) {
    const ids = found.transcripts.slice(at, at + knownMax).map(({ sessionId }) => sessionId);
    for (const [index, one] of (await ask.known(ids)).entries()) known.set(ids[index] ?? "", one);
  }
  const isKnown = ({ sessionId }: TranscriptFacts): boolean =>
    (known.get(sessionId)?.state ?? "new") !== "new";
  const copiesOf = createOwners(found.transcripts, isKnown);
  for (const facts of found.transcripts) {
    const one = known.get(facts.sessionId) ?? newSession;
    const reason = whyLeft(context, facts, one);
    if (reason === null)
      yield* sessionSteps(context, {
        facts,
        turnsKnown: one.turns,
        isNew: one.state === "new",
        copies: await copiesOf(facts),
      });
    else {
      yield left("skipped", reason, one.turns + 1);
      yield { type: "progress", done: facts.bytes };
    }
  }
  for (const folder of found.memories)
    if (folder.cwd !== null && context.isExcluded(folder.cwd))
      yield left("skipped", reasons.excluded);
    else yield* memoryFolderSteps(context, folder);
}

function whyLeft(
  context: ReadContext,
  facts: TranscriptFacts,
  { state, extent }: KnownSession,
): string | null {
  if (facts.cwd !== null && context.isExcluded(facts.cwd)) return reasons.excluded;
  if (state === "captured") return reasons.elsewhere;
  const isDone = state === "imported" && extent > 0 && !hasGrown(facts, extent);
  return isDone ? reasons.before : null;
}

// Claude Code's own memory: one fact per Markdown file, and an index `MEMORY.md` of links and loose lines. The files
// were written by the model, so they are data like any other text.

const fileBytesMax = 256 * 1_024;
const filesMax = 2_000;
const indexName = "MEMORY.md";

function* memoryFolderSteps(context: ReadContext, folder: MemoryFolder): Iterable<ReadStep> {
  const names = namesIn(folder.path);
  const project = folder.cwd === null ? null : context.projectOf(folder.cwd);
  if (names.length > filesMax)
    yield left("refused", "more than 2,000 memory files", names.length - filesMax);
  for (const name of names.slice(0, filesMax)) {
    const read = textAt(join(folder.path, name));
    if ("reason" in read) {
      yield read;
      continue;
    }
    const whole = gated(context.gate, read.text);
    const place: FilePlace = { folder: folder.path, name, atMs: read.atMs, project };
    if (whole === null) yield left("skipped", reasons.private);
    else if (name === indexName) yield* indexSteps(place, whole, new Set(names));
    else yield fileStep(place, whole);
  }
}

const namesIn = (folder: string): readonly string[] =>
  fileNamesIn(folder)
    .filter((name) => name.toLowerCase().endsWith(".md"))
    .toSorted();

interface FilePlace {
  readonly folder: string;
  readonly name: string;
  readonly atMs: number;
  readonly project: NamedProject | null;
}

function textAt(path: string): { readonly text: string; readonly atMs: number } | LeftStep {
  const why = whyNotRead(path, fileBytesMax, "a memory file of more than 256 KB");
  if (why !== null) return why;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
    const atMs = Math.round(lstatSync(path).mtimeMs);
    if (text.includes("\0")) return left("refused", "not a text file");
    return { text, atMs: isTime(atMs) && atMs > 0 ? atMs : 0 };
  } catch (error) {
    return left("refused", error instanceof TypeError ? "not a text file" : "cannot be read");
  }
}

/** `type` in a topic file's front matter. */
const categoryByType: Readonly<Record<string, ImportedMemory["category"]>> = {
  user: "profile",
  feedback: "preferences",
  reference: "entities",
};

/** One file, one memory: its description is the line, its body the full text. */
function fileStep(place: FilePlace, whole: string): ReadStep {
  const note = topicNoteIn(whole);
  if (note === null) return left("skipped", "holds no words");
  const { text, full, type } = note;
  const heard = heardCategory(`${text} ${full ?? ""}`.slice(0, heardCharsMax));
  return memoryStep(place, { line: text, category: categoryByType[type] ?? heard, full });
}

const heardCharsMax = 400;

/** Lines of the index that are no links to a file beside it: linked files were read themselves. */
function* indexSteps(
  place: FilePlace,
  whole: string,
  names: ReadonlySet<string>,
): Iterable<ReadStep> {
  for (const { note, linked } of listLinesIn(whole))
    if (linked !== null && names.has(basename(linked)))
      yield left("skipped", "a line that points to a file beside it");
    else
      yield memoryStep(place, { line: note.text, category: heardCategory(note.text), full: null });
}

function memoryStep(
  { folder, project, atMs, name }: FilePlace,
  { line, category, full }: Pick<MemoryWords, "category" | "full" | "line">,
): ReadStep {
  const memory = memoryOf({
    category,
    line: project === null || category === "profile" ? line : `${project.name}: ${line}`,
    overview: null,
    full: full === line ? null : full,
    tags: ["claude-memory"],
    files: [],
    project: project?.key ?? null,
    atMs,
    sessionId: "claude-memory",
    turn: null,
  });
  if (memory === null) return left("skipped", "holds no words");
  // By what it says, so that a file that was changed since is news.
  const key = `file:${sha256(JSON.stringify([folder, name, line, full]))}`;
  return itemStep({ kind: "memory", key, memory, links: [] });
}
