/** One observation of claude-mem (a "memory" until version 3) as an item. Pure but for the gate. */
import type { ForeignRow, PrivacyGate } from "#domain";
import { cutToTokens, isoDate, oneLine, sha256 } from "#kit";
import { categoryOfWords, limits } from "#memory";
import {
  bounded,
  gatedPaths,
  type ImportedCheckpoint,
  type ImportedMemory,
  type ItemOf,
  memoryOf,
} from "../items.ts";
import { storedTime } from "../source.ts";

export interface NotePlace {
  readonly sessionId: string;
  readonly turn: number;
  readonly project: string | null;
  /** For people, and at the head of the line. */
  readonly projectName: string;
  readonly atMs: number;
}

type Category = ImportedMemory["category"];

/** Types of notes that say more than what was seen on the way: the others are the archive's. */
const telling: ReadonlySet<string> = new Set(["bugfix", "decision", "preference"]);

/** docs/design/operations.md, "Import"; null = by its words, an entity or an event. */
const categoryByType: Readonly<Record<string, Category | null>> = {
  decision: "events",
  conversation: "events",
  insight: "patterns",
  discovery: "patterns",
  pattern: "patterns",
  fact: null,
  project: null,
  feature: null,
  refactor: null,
  change: "events",
  bugfix: "cases",
  preference: "preferences",
};

/** Words of something that was done and is over. */
const isDone = new RegExp(
  String.raw`\b(?:added|adds|built|changed|cleaned|completed|converted|created|deployed|dropped|extracted|fixed` +
    String.raw`|implemented|introduced|merged|migrated|moved|refactored|released|removed|renamed|replaced|rewritten` +
    String.raw`|shipped|split|switched|updated|upgraded)\b`,
  "i",
);

/** A file that was opened, and nothing more to say of it. */
const isRoutine =
  /^(?:read|viewed|opened|listed|looked at|searched|checked|inspected)\s+\S+(?:\s+(?:file|files|directory|folder))?$/i;

export type Note =
  | { readonly type: "item"; readonly item: ItemOf<"memory"> }
  | { readonly type: "left"; readonly outcome: "skipped" | "refused"; readonly reason: string };

const skip = (reason: string): Note => ({ type: "left", outcome: "skipped", reason });

export function noteOf(
  { gate }: { readonly gate: PrivacyGate },
  row: ForeignRow,
  place: NotePlace,
): Note {
  const whole = ["title", "subtitle", "narrative", "text"].map((column) => textOf(row, column));
  if (whole.every((text) => text === "")) return skip("holds no text");
  const words = wordsOf({ gate }, row, whole);
  if (words === null) return skip("private as a whole");
  const isBare = words.facts.length === 0 && words.narrative === "";
  if (isBare && isRoutine.test(words.headline)) return skip("routine");
  const type = textOf(row, "type").toLowerCase();
  const memory = memoryFor({ gate }, row, { place, words, type });
  if (memory === null) return skip("holds no words");
  const content = [place.sessionId, place.atMs, ...whole, row["facts"] ?? null];
  const seen = telling.has(type) ? {} : { isSentence: true };
  const key = `note:${sha256(JSON.stringify(content))}`;
  return { type: "item", item: { kind: "memory", key, memory, links: [], ...seen } };
}

/** What is left of the texts behind the gate; null when that is nothing. */
function wordsOf(
  { gate }: { readonly gate: PrivacyGate },
  row: ForeignRow,
  whole: readonly string[],
): Words | null {
  const clean = (text: string): string => gate.clean(text).text.trim();
  const [title = "", subtitle = "", narrative = "", text = ""] = whole.map(clean);
  const body = text || narrative || subtitle;
  if (title === "" && body === "") return null;
  const headline = title === "" ? firstSentence(body) : oneLine(title);
  const facts = bounded(listOf(row, "facts").map(clean), 20);
  return { headline, subtitle, narrative, text, facts };
}

interface Words {
  readonly headline: string;
  readonly subtitle: string;
  readonly narrative: string;
  readonly text: string;
  readonly facts: readonly string[];
}

interface Saying {
  readonly place: NotePlace;
  readonly words: Words;
  readonly type: string;
}

function memoryFor(
  { gate }: { readonly gate: PrivacyGate },
  row: ForeignRow,
  { place, words, type }: Saying,
): ImportedMemory | null {
  const concepts = bounded([...listOf(row, "concepts"), ...listOf(row, "keywords")], 20);
  const files = ["files_modified", "files_touched", "files_read"].flatMap((column) =>
    gatedPaths(gate, listOf(row, column)),
  );
  const { headline, subtitle, narrative, text, facts } = words;
  const line = subtitle === "" ? headline : `${headline.replace(/\.$/, "")}. ${subtitle}`;
  const overview = [narrative, ...facts.map((fact) => `- ${fact}`)].filter((part) => part !== "");
  return memoryOf({
    category: categoryOf(type, `${line} ${narrative || text}`),
    line: place.projectName === "" ? line : `${place.projectName}: ${line}`,
    overview: overview.join("\n"),
    full: text === "" || text === headline ? null : text,
    importance: 3,
    tags: [type, ...concepts],
    files: bounded(files),
    project: place.project,
    atMs: place.atMs,
    sessionId: place.sessionId,
    turn: place.turn === 0 ? null : place.turn,
  });
}

function categoryOf(type: string, text: string): Category {
  const known = Object.hasOwn(categoryByType, type) ? categoryByType[type] : undefined;
  if (known !== undefined && known !== null) return known;
  if (known === null) return isDone.test(text) ? "events" : "entities";
  const heard = categoryOfWords(text);
  return heard === "sessions" ? "entities" : heard;
}

const firstSentence = (text: string): string =>
  oneLine(/^[\s\S]{1,400}?(?:[.!?](?=\s)|\n|$)/.exec(text.trim())?.[0] ?? text.slice(0, 400));

// A session summary of claude-mem (an "overview" until version 3) as a checkpoint. Pure but for the gate.

const fieldCharsMax = 10_000;

/** Null when nothing of it may be kept, or nothing is there. */
export function summaryOf(
  { gate }: { readonly gate: PrivacyGate },
  row: ForeignRow,
  place: NotePlace,
): ImportedCheckpoint | null {
  const field = (column: string): string =>
    gate.clean(textOf(row, column)).text.trim().slice(0, fieldCharsMax);
  const [request, investigated, learned, completed, nextSteps, notes, content] = [
    field("request"),
    field("investigated"),
    field("learned"),
    field("completed"),
    field("next_steps"),
    field("notes"),
    field("content"),
  ];
  const told = [completed, learned, request, content, investigated, notes, nextSteps].find(
    (text) => text !== "",
  );
  if (told === undefined) return null;
  const name = place.projectName === "" ? "" : `${place.projectName}, `;
  return {
    l0: cutToTokens(`${name}${isoDate(place.atMs)}: ${oneLine(told)}`, limits.l0TokensMax),
    fields: {
      request,
      investigated,
      learned,
      completed: completed === "" ? content : completed,
      nextSteps,
      notes,
      currentTask: "",
      filesRead: gatedPaths(gate, listOf(row, "files_read")),
      filesEdited: gatedPaths(gate, listOf(row, "files_edited")),
      filesInHand: [],
      uncommitted: [],
      thrash: [],
    },
  };
}

// claude-mem's tables in one shape, whatever its version called the columns. Until 3 it kept sessions, memories and
// overviews; since 4 observations, summaries and prompts of `sdk_sessions`, whose two ids (the client's and the
// observer's) have had three pairs of names. Pure.

export const sessionColumns = [
  "content_session_id",
  "claude_session_id",
  "session_id",
  "memory_session_id",
  "sdk_session_id",
  "project",
  "user_prompt",
  "title",
  "status",
  "started_at_epoch",
  "created_at_epoch",
  "completed_at_epoch",
] as const;

export const promptColumns = [
  "content_session_id",
  "claude_session_id",
  "prompt_number",
  "prompt_text",
  "created_at_epoch",
  "created_at",
] as const;

export const noteColumns = [
  "memory_session_id",
  "sdk_session_id",
  "session_id",
  "project",
  "merged_into_project",
  "text",
  "type",
  "title",
  "subtitle",
  "narrative",
  "facts",
  "concepts",
  "keywords",
  "files_read",
  "files_modified",
  "files_touched",
  "prompt_number",
  "created_at_epoch",
  "created_at",
] as const;

export const summaryColumns = [
  "memory_session_id",
  "sdk_session_id",
  "session_id",
  "project",
  "merged_into_project",
  "request",
  "investigated",
  "learned",
  "completed",
  "next_steps",
  "notes",
  "content",
  "files_read",
  "files_edited",
  "created_at_epoch",
  "created_at",
] as const;

/** The first of some columns that holds text. */
export function textOf(row: ForeignRow, ...columns: readonly string[]): string {
  for (const column of columns) {
    const value = row[column];
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return "";
}

export function numberOf(row: ForeignRow, column: string): number | null {
  const value = row[column];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/**
 * Epoch milliseconds: of a number (seconds in some old rows) or of the ISO text beside it; null when neither makes
 * sense.
 */
export function timeOf(row: ForeignRow, ...columns: readonly string[]): number | null {
  for (const column of columns) {
    const ms = storedTime(row[column]);
    if (ms !== null) return ms;
  }
  return null;
}

/** A JSON list in a text column; a comma-separated one in old rows. */
function listOf(row: ForeignRow, column: string): readonly string[] {
  const value = row[column];
  if (typeof value !== "string" || value === "") return [];
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed.filter((entry) => typeof entry === "string") : [];
  } catch {
    return value.split(",").map((entry) => entry.trim()); // JSON.parse is what throws here.
  }
}
