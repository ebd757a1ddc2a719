/**
 * Declares the items that readers give to the daemon: one item per record of a source, gated, with its own dates.
 *
 * The vocabulary between the reading process and the daemon, and the check of what comes over the wire. Must not know
 * any source's own format.
 */
import { cutAtWord, cutToTokens, oneLine, wrongValue } from "#kit";
import { z } from "zod";
import {
  type ImportCounts,
  type ImportOutcome,
  memoryCategories,
  type PrivacyGate,
  sessionStatuses,
} from "#domain";
import { categoryOfWords, limits, slugOf } from "#memory";

/** Items of one request. */
export const itemsMax = 500;

const text = (charsMax: number) => z.string().max(charsMax);
const id = text(200);
const keyOfItem = text(200).min(1);
const atMs = z.int().min(0).max(8_640_000_000_000_000);
const texts = z.array(text(2_000)).max(200).readonly();
const count = z.int().min(0);

const project = z.object({ key: text(300).min(1), name: text(300) }).nullable();

const evidence = z.object({
  sessionId: id,
  turn: count.nullable(),
  line: count.nullable(),
  quote: text(400),
});

/** A memory in the form that dedup takes; origin and maker are set where it is applied. */
const importedMemory = z.object({
  category: z.enum(memoryCategories),
  uriHint: text(300),
  l0: text(2_000).min(1),
  l1: text(20_000).nullable(),
  l2: text(40_100).nullable(),
  importance: z.int().min(1).max(5),
  tags: texts,
  files: texts,
  aliases: texts,
  project: text(300).nullable(),
  branch: text(500).nullable(),
  atMs,
  evidence,
});
export type ImportedMemory = z.infer<typeof importedMemory>;

const checkpoint = z.object({
  l0: text(2_000),
  fields: z.object({
    request: text(20_000),
    investigated: text(20_000),
    learned: text(20_000),
    completed: text(20_000),
    nextSteps: text(20_000),
    notes: text(20_000),
    currentTask: text(20_000),
    filesRead: texts,
    filesEdited: texts,
    filesInHand: texts,
    uncommitted: texts,
    thrash: texts,
  }),
});

/** A session begins; its turns follow. */
const sessionItem = z.object({
  kind: z.literal("session"),
  sessionId: id.min(1),
  project,
  branch: text(500).nullable(),
  cwd: text(4_000).nullable(),
  title: text(400).nullable(),
  firstPrompt: text(4_000).nullable(),
  parentSession: id.nullable(),
  startedAt: atMs,
});

/** A tool call with its outcome; of its output, what the user said in it or what went wrong. */
const toolUse = z.object({
  toolUseId: id.nullable(),
  tool: text(200),
  target: text(2_000).nullable(),
  files: texts,
  outcome: z.enum(["ok", "error"]),
  text: text(4_100).nullable(),
});

/** One prompt with what came of it. `prompt` null = private as a whole. */
const turnItem = z.object({
  kind: z.literal("turn"),
  sessionId: id.min(1),
  n: count.min(1),
  promptId: id.nullable(),
  line: count.nullable(),
  /** Absent where it is not known: the session's. */
  branch: text(500).nullable().optional(),
  prompt: text(100_100).nullable(),
  isPrivate: z.boolean().optional(),
  isHeadless: z.boolean().optional(),
  answer: text(40_100).nullable(),
  startedAt: atMs,
  endedAt: atMs,
  interrupted: z.boolean(),
  toolCount: count,
  /** The last of its calls. */
  tools: z.array(toolUse).max(500).readonly(),
  filesRead: texts,
  filesEdited: texts,
  /** Text of the turn, as far as it may matter later. */
  exchange: z
    .object({
      l0: text(2_000).min(1),
      l1: text(4_000),
      l2: text(4_000).nullable(),
      importance: z.int().min(1).max(5),
      tags: texts,
    })
    .nullable(),
  memories: z.array(importedMemory).max(50).readonly(),
});

/** A session is over: its summary, how it ended, and how far its transcript was read. No record of its own. */
const endItem = z.object({
  kind: z.literal("end"),
  sessionId: id.min(1),
  project: text(300).nullable(),
  status: z.enum(sessionStatuses).exclude(["active"]),
  endedAt: atMs,
  checkpoint: checkpoint.nullable(),
  transcript: z.object({ path: text(4_000).nullable(), bytes: count, lines: count }).nullable(),
});

/** A summary that the source itself had made of a session. */
const summaryItem = z.object({
  kind: z.literal("summary"),
  key: keyOfItem,
  sessionId: id.min(1),
  project: text(300).nullable(),
  atMs,
  checkpoint,
});

/** A memory by itself. `links`: items of the same source, by key, that it belongs with. */
const memoryItem = z.object({
  kind: z.literal("memory"),
  key: keyOfItem,
  memory: importedMemory,
  /** Says what was seen on the way, and is no memory: it goes to the archive. */
  isSentence: z.boolean().optional(),
  links: z
    .array(z.object({ key: keyOfItem, relation: z.enum(["related", "elaborates"]) }))
    .max(20)
    .readonly(),
});

/** A record of our own export, as the store wrote it. */
const portableItem = z.object({
  kind: z.literal("portable"),
  record: z.record(z.string(), z.unknown()),
});

const importItem = z.discriminatedUnion("kind", [
  sessionItem,
  turnItem,
  endItem,
  summaryItem,
  memoryItem,
  portableItem,
]);

export type ImportItem = z.infer<typeof importItem>;
export type ItemOf<Kind extends ImportItem["kind"]> = Extract<ImportItem, { kind: Kind }>;
export type ImportedCheckpoint = z.infer<typeof checkpoint>;

const noMemories: ImportCounts = { created: 0, merged: 0, skipped: 0 };

/** Checks one item from the wire; the error names the first field that is wrong. */
export function parseItem(value: unknown): ImportItem | { readonly wrong: string } {
  const parsed = importItem.safeParse(value, { error: wrongValue });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return {
    wrong: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "is not valid"}`.slice(0, 200),
  };
}

// Outcomes of items in few words.

const outcomeOf =
  (outcome: ImportOutcome["outcome"]) =>
  (reason: string): ImportOutcome => ({ outcome, reason, counted: true, memories: noMemories });

export const created: ImportOutcome = outcomeOf("created")("");
export const merged = outcomeOf("merged");
export const skipped = outcomeOf("skipped");
export const refused = outcomeOf("refused");

/** For items that are no records of their own. */
export const uncounted: ImportOutcome = { ...created, counted: false };

export const reasons = {
  before: "imported before",
  elsewhere: "the session is there already",
  excluded: "of a project that is excluded",
  forgotten: "was forgotten",
  known: "already known",
  there: "is there already",
  private: "private as a whole",
} as const;

// Texts of other programs as memories in our form: gated, bounded, self-contained. Pure.

const listMax = 50;
const entryCharsMax = 1_000;

export interface MemoryWords {
  readonly category: ImportedMemory["category"];
  /** One line; cut to what L0 may hold. */
  readonly line: string;
  readonly overview: string | null;
  readonly full: string | null;
  readonly tags: readonly string[];
  readonly files: readonly string[];
  readonly project: string | null;
  readonly atMs: number;
  readonly sessionId: string;
  readonly turn: number | null;
}

/** `words` have passed the gate. Null when nothing is left to say. */
export function memoryOf(words: MemoryWords): ImportedMemory | null {
  const line = oneLine(words.line);
  if (!/[\p{L}\p{N}]/u.test(line)) return null;
  const l0 = cutToTokens(line, limits.l0TokensMax);
  const overview = words.overview?.trim() ?? "";
  const full = words.full ?? (l0 === line ? null : line);
  return {
    category: words.category,
    uriHint: slugOf(line),
    l0,
    l1: overview === "" ? null : cutToTokens(overview, limits.l1TokensMax),
    l2: full === null || full.trim() === "" ? null : cutAtWord(full, limits.l2CharsMax),
    importance: 3,
    tags: bounded(words.tags),
    files: bounded(words.files),
    aliases: [],
    project: words.category === "profile" ? null : words.project,
    branch: null,
    atMs: words.atMs,
    evidence: {
      sessionId: words.sessionId.slice(0, 128),
      turn: words.turn,
      line: null,
      quote: cutAtWord(line, limits.quoteCharsMax),
    },
  };
}

/** Category of a text whose source names none. */
export function heardCategory(text: string): ImportedMemory["category"] {
  const category = categoryOfWords(text);
  return category === "sessions" ? "entities" : category;
}

/** A turn of which nothing but its prompt is known. */
export const emptyTurn = {
  kind: "turn",
  promptId: null,
  line: null,
  answer: null,
  interrupted: false,
  toolCount: 0,
  tools: [],
  filesRead: [],
  filesEdited: [],
  exchange: null,
  memories: [],
} as const;

/** Distinct entries that are not empty, as many and as long as an item may hold. */
export const bounded = (entries: readonly string[], max = listMax): string[] =>
  [...new Set(entries.map((entry) => entry.trim().slice(0, entryCharsMax)))]
    .filter((entry) => entry !== "")
    .slice(0, max);

/** The text without what is private; null when all of it was. */
export function gated(gate: PrivacyGate, text: string): string | null {
  const clean = gate.clean(text);
  return clean.whollyPrivate ? null : clean.text;
}

/** Paths as they are; one that the gate would change names nothing any more. */
export const gatedPaths = (gate: PrivacyGate, paths: readonly string[]): string[] =>
  bounded(paths.filter((path) => gate.clean(path).text === path));
