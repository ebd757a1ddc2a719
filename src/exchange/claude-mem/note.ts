/** Rows of claude-mem as items: observations ("memories" until version 3) and summaries. Pure but for the gate. */
import type { ForeignRow, NamedProject, PrivacyGate } from "#domain";
import { cutToTokens, isoDate, oneLine, sha256 } from "#kit";
import { limits } from "#memory";
import {
  bounded,
  gatedPaths,
  heardCategory,
  type ImportedCheckpoint,
  type ImportedMemory,
  memoryOf,
} from "../items.ts";
import { itemStep, left, type ReadStep, storedTime } from "../source.ts";

export interface NotePlace {
  readonly sessionId: string;
  readonly turn: number;
  /** Its name stands at the head of the line. */
  readonly project: NamedProject | null;
  readonly atMs: number;
}

type Category = ImportedMemory["category"];

/** Types of notes that say more than what was seen on the way: the others are the archive's. */
const telling: ReadonlySet<string> = new Set(["bugfix", "decision", "preference"]);

/** docs/design/operations.md, "Import"; null = by its words, an entity or an event. */
const categoryByType: ReadonlyMap<string, Category | null> = new Map([
  ["decision", "events"],
  ["conversation", "events"],
  ["insight", "patterns"],
  ["discovery", "patterns"],
  ["pattern", "patterns"],
  ["fact", null],
  ["project", null],
  ["feature", null],
  ["refactor", null],
  ["change", "events"],
  ["bugfix", "cases"],
  ["preference", "preferences"],
]);

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

export function noteStep(gate: PrivacyGate, row: ForeignRow, place: NotePlace): ReadStep {
  const whole = ["title", "subtitle", "narrative", "text"].map((column) => textOf(row, column));
  if (whole.every((text) => text === "")) return left("skipped", "holds no text");
  const words = wordsIn(gate, row, whole);
  if (words === null) return left("skipped", "private as a whole");
  const isBare = words.facts.length === 0 && words.narrative === "";
  if (isBare && isRoutine.test(words.headline)) return left("skipped", "routine");
  const type = textOf(row, "type").toLowerCase();
  const concepts = bounded([...listOf(row, "concepts"), ...listOf(row, "keywords")], 20);
  const memory = memoryOf({
    ...memoryWords(words, type, place),
    tags: [type, ...concepts],
    files: ["files_modified", "files_touched", "files_read"].flatMap((column) =>
      gatedPaths(gate, listOf(row, column)),
    ),
  });
  if (memory === null) return left("skipped", "holds no words");
  const content = [place.sessionId, place.atMs, ...whole, row["facts"] ?? null];
  const key = `note:${sha256(JSON.stringify(content))}`;
  const seen = telling.has(type) ? {} : { isSentence: true };
  return itemStep({ kind: "memory", key, memory, links: [], ...seen });
}

/** The texts behind the gate; null when nothing is left of them. */
function wordsIn(gate: PrivacyGate, row: ForeignRow, whole: readonly string[]) {
  const clean = (text: string): string => gate.clean(text).text.trim();
  const [title = "", subtitle = "", narrative = "", text = ""] = whole.map(clean);
  const body = text || narrative || subtitle;
  if (title === "" && body === "") return null;
  const headline = title === "" ? firstSentence(body) : oneLine(title);
  const facts = bounded(listOf(row, "facts").map(clean), 20);
  return { headline, subtitle, narrative, text, facts };
}

function memoryWords(
  { headline, subtitle, narrative, text, facts }: NonNullable<ReturnType<typeof wordsIn>>,
  type: string,
  { project, atMs, sessionId, turn }: NotePlace,
) {
  const line = subtitle === "" ? headline : `${headline.replace(/\.$/, "")}. ${subtitle}`;
  const overview = [narrative, ...facts.map((fact) => `- ${fact}`)].filter((part) => part !== "");
  return {
    category: categoryOf(type, `${line} ${narrative || text}`),
    line: project === null ? line : `${project.name}: ${line}`,
    overview: overview.join("\n"),
    full: text === "" || text === headline ? null : text,
    project: project?.key ?? null,
    atMs,
    sessionId,
    turn: turn === 0 ? null : turn,
  };
}

function categoryOf(type: string, text: string): Category {
  const known = categoryByType.get(type);
  if (known === null) return isDone.test(text) ? "events" : "entities";
  return known ?? heardCategory(text);
}

const firstSentence = (text: string): string =>
  oneLine(/^[\s\S]{1,400}?(?:[.!?](?=\s)|\n|$)/.exec(text.trim())?.[0] ?? text.slice(0, 400));

const fieldCharsMax = 10_000;

/** A summary (an "overview" until version 3) as a checkpoint; null when nothing is there, or nothing may be kept. */
export function summaryOf(
  gate: PrivacyGate,
  row: ForeignRow,
  place: NotePlace,
): ImportedCheckpoint | null {
  const field = (column: string): string =>
    gate.clean(textOf(row, column)).text.trim().slice(0, fieldCharsMax);
  const [done, content] = [field("completed"), field("content")];
  const fields = {
    request: field("request"),
    investigated: field("investigated"),
    learned: field("learned"),
    completed: done || content,
    nextSteps: field("next_steps"),
    notes: field("notes"),
  };
  const { request, investigated, learned, nextSteps, notes } = fields;
  const line = done || learned || request || content || investigated || notes || nextSteps;
  if (line === "") return null;
  const name = place.project === null ? "" : `${place.project.name}, `;
  return {
    l0: cutToTokens(`${name}${isoDate(place.atMs)}: ${oneLine(line)}`, limits.l0TokensMax),
    fields: {
      ...fields,
      currentTask: "",
      filesRead: gatedPaths(gate, listOf(row, "files_read")),
      filesEdited: gatedPaths(gate, listOf(row, "files_edited")),
      filesInHand: [],
      uncommitted: [],
      thrash: [],
    },
  };
}

/** The first of some columns that holds text. */
export function textOf(row: ForeignRow, ...columns: readonly string[]): string {
  const texts = columns.map((column) => row[column]);
  return texts.find((value) => typeof value === "string" && value.trim() !== "")?.toString() ?? "";
}

/** Epoch milliseconds of the first column that holds a time: a number, or the ISO text beside it; else null. */
export function timeOf(row: ForeignRow, ...columns: readonly string[]): number | null {
  return columns.map((column) => storedTime(row[column])).find((ms) => ms !== null) ?? null;
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
