/**
 * Reads the dialects of knowledge graphs: what one JSON value says as entities, notes and relations. Whatever it holds
 * comes out as one of them or as a reason why not. Pure.
 */
import { isRecord, type Json, parseJson } from "#kit";
import { storedTime } from "../source.ts";

type Note = { readonly text: string; readonly atMs: number | null } | Wrong;

interface Wrong {
  readonly type: "wrong";
  readonly reason: string;
}

export type Graph =
  | {
      readonly type: "entity";
      readonly name: string;
      readonly entityType: string;
      readonly atMs: number | null;
      readonly notes: readonly Note[];
    }
  /** Notes of an entity that is said elsewhere. */
  | { readonly type: "notes"; readonly name: string; readonly notes: readonly Note[] }
  | {
      readonly type: "relation";
      readonly from: string;
      readonly to: string;
      readonly relation: string;
      readonly atMs: number | null;
    }
  | Wrong;

const namesMax = 1_000;
const notesMax = 10_000;
/** Levels of lists and objects around the records of a document. */
const depthMax = 4;

/** Names that the dialects give to one thing, the usual one first. */
const fields = {
  recordType: ["type", "_type", "kind", "recordType"],
  name: ["name", "entityName", "entity_name", "title"],
  entityType: ["entityType", "entity_type"],
  notes: ["observations", "observation", "contents"],
  from: ["from", "from_entity", "fromEntity", "source"],
  to: ["to", "to_entity", "toEntity", "target"],
  relation: ["relationType", "relation_type", "relation", "predicate", "label"],
  text: "text content contents observation value note description fact statement summary message body".split(
    " ",
  ),
  time: ["timestamp", "createdAt", "created_at", "date", "time", "updatedAt", "updated_at"],
} as const;

const entityLists = new Set(["entities", "nodes"]);
const relationLists: ReadonlySet<string> = new Set(["relations", "edges"]);

const wrong = (reason: string): Wrong => ({ type: "wrong", reason });

type Expected = "entity" | "relation" | "any";

/** Returns all records of one top-level value: a record, or a document with lists of them. */
export function recordsIn(value: unknown, expected: Expected = "any", depth = 0): readonly Graph[] {
  if (!isRecord(value)) return [wrong("not an entity or a relation")];
  const record = recordOf(value, expected);
  if (record !== null) return [record];
  const lists = Object.entries(value).flatMap(([name, inner]): readonly Graph[] => {
    const kind = kindOfList(name);
    if (depth >= depthMax || (kind === "any" && !isRecord(inner))) return [];
    if (kind === "any")
      return recordsIn(inner, "any", depth + 1).filter(({ type }) => type !== "wrong");
    return listOf(inner).flatMap((element) => recordsIn(element, kind, depth + 1));
  });
  const isDocument = Object.keys(value).some((name) => kindOfList(name) !== "any");
  return lists.length > 0 || isDocument ? lists : [wrong("not an entity or a relation")];
}

function kindOfList(name: string): Expected {
  if (entityLists.has(name)) return "entity";
  return relationLists.has(name) ? "relation" : "any";
}

/** A list, or an object that holds each element under its name. */
function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return value === null || value === undefined ? [] : [value];
  return Object.entries(value).map(([name, element]) =>
    isRecord(element) ? Object.assign({ name }, element) : element,
  );
}

type Kind = "entity" | "relation" | "notes";

/** Kinds by the names that records give themselves; every other type is the entity's or the relation's own. */
const kindsByName: ReadonlyMap<string, Kind> = new Map([
  ["entity", "entity"],
  ["node", "entity"],
  ["relation", "relation"],
  ["relationship", "relation"],
  ["edge", "relation"],
  ["observation", "notes"],
]);

/** Null when the object is no record by itself. */
function recordOf(value: Json, expected: Expected): Graph | null {
  const type = textIn(value, fields.recordType);
  const named = kindsByName.get(type.toLowerCase());
  const ownType = named === undefined ? type : "";
  switch (named ?? kindByFields(value, expected, type === "")) {
    case "entity":
      return entityOf(value, ownType);
    case "relation":
      return relationOf(value, ownType);
    case "notes":
      return notesOf(value);
    case null:
      return null;
  }
}

function kindByFields(value: Json, expected: Expected, isUntyped: boolean): Kind | null {
  const has = (names: readonly string[]): boolean => names.some((name) => name in value);
  if (expected === "relation" || (has(fields.from) && has(fields.to))) return "relation";
  if (has(["entityName", "entity_name"]) && !has(fields.entityType)) return "notes";
  if (expected === "entity" || has(fields.entityType)) return "entity";
  return "name" in value && (isUntyped || has(fields.notes)) ? "entity" : null;
}

function entityOf(record: Json, otherType: string): Graph {
  const name = textIn(record, fields.name);
  if (name === "") return wrong("an entity without a name");
  const entityType = textIn(record, fields.entityType) || otherType;
  return { type: "entity", name, entityType, atMs: timeIn(record), notes: notesIn(record) };
}

function notesOf(record: Json): Graph {
  const name = textIn(record, ["entityName", "entity_name", "entity", "name"]);
  if (name === "") return wrong("an observation without an entity");
  const notes = notesIn(record);
  return { type: "notes", name, notes: notes.length === 0 ? [noteOf(record, null)] : notes };
}

function relationOf(record: Json, otherType: string): Graph {
  const [from, to] = [textIn(record, fields.from), textIn(record, fields.to)];
  if (from === "" || to === "") return wrong("a relation without both ends");
  const relation = textIn(record, fields.relation) || otherType || "is related to";
  return { type: "relation", from, to, relation, atMs: timeIn(record) };
}

function notesIn(record: Json): readonly Note[] {
  const notes = fields.notes.flatMap((name) => flatNotes(record[name] ?? [], null));
  return notes.length <= notesMax
    ? notes
    : [
        ...notes.slice(0, notesMax),
        ...notes.slice(notesMax).map(() => wrong("more than 10,000 observations of one entity")),
      ];
}

function flatNotes(value: unknown, atMs: number | null, depth = 0): readonly Note[] {
  if (Array.isArray(value) && depth < depthMax)
    return value.flatMap((one: unknown) => flatNotes(one, atMs, depth + 1));
  const inner = isRecord(value)
    ? fields.text.map((name) => value[name]).find(Array.isArray)
    : undefined;
  return inner === undefined || !isRecord(value)
    ? [noteOf(value, atMs)]
    : flatNotes(inner, timeIn(value), depth + 1);
}

/** Plain words, a number, or an object with its words in one field. */
function noteOf(value: unknown, atMs: number | null): Note {
  if (typeof value === "string") return { text: value, atMs };
  if (typeof value === "number" || typeof value === "boolean") return { text: String(value), atMs };
  if (isRecord(value)) {
    const text = textIn(value, fields.text, Infinity);
    if (text !== "") return { text, atMs: timeIn(value) };
  }
  return wrong("an observation without text");
}

/** The first of some fields that holds text, or a number. */
function textIn(record: Json, names: readonly string[], charsMax = namesMax): string {
  for (const name of names) {
    const given = record[name];
    const text = typeof given === "number" ? String(given) : given;
    if (typeof text === "string" && text.trim() !== "") return text.trim().slice(0, charsMax);
  }
  return "";
}

/** Epoch ms; null when no field holds a time. */
function timeIn(record: Json): number | null {
  for (const name of fields.time) {
    const ms = storedTime(record[name]);
    if (ms !== null) return ms;
  }
  return null;
}

// Finds JSON objects in a text: one a line, several in a line, one over many lines, or elements of a list. A broken
// object costs itself only: complete objects on lines of their own behind it are still found. Pure.

/** One top-level value, or the reason why a stretch of text is none. */
type Found = { readonly value: unknown } | { readonly wrong: string };

export const notText = "not UTF-8 text";
/** Stands for a line that is not text. */
export const brokenLine = "\0";

/** Objects whose end is looked for in vain; behind them only lines that are whole are read. */
const openMax = 100;

export function* valuesIn(text: string): Iterable<Found> {
  let opened = 0;
  // Inside an object that never ends: its rest was reported with its beginning.
  let isLost = false;
  for (let at = 0, lineEnd = 0; at < text.length;) {
    // A line is looked at as a whole once, however many objects it holds.
    const isWhole = at >= lineEnd;
    if (isWhole) lineEnd = text.indexOf("\n", at) + 1 || text.length;
    const mayGoOn = opened <= openMax;
    const whole = isWhole ? readLine(text.slice(at, lineEnd), lineEnd) : null;
    const read = whole ?? readObject(text, at, lineEnd, mayGoOn);
    const { found, end, isBroken = false } = read;
    if (found.some((one) => "value" in one)) isLost = false;
    if (!isLost || (isBroken && text[at] === "{")) yield* found;
    opened += Number(isBroken);
    isLost ||= isBroken;
    at = end;
  }
}

interface Read {
  readonly found: readonly Found[];
  /** Index behind what was read. */
  readonly end: number;
  /** An object begins here, and cannot be read. */
  readonly isBroken?: boolean;
}

/** Reads a line that is a value, or that is not text; null for another one. */
function readLine(text: string, end: number): Read | null {
  const line = text.replaceAll(/^\uFEFF|,?\s*$/g, "");
  const value = parseJson(line);
  if (value !== undefined)
    return { found: (Array.isArray(value) ? value : [value]).map((one) => ({ value: one })), end };
  return line === brokenLine ? { found: [{ wrong: notText }], end } : null;
}

const betweenObjects = (text: string): readonly Found[] =>
  /[^\s,[\]\uFEFF]/.test(text) ? [{ wrong: "text between the objects" }] : [];

/** Reads an object that begins in a line, behind what stands before it. */
function readObject(text: string, at: number, end: number, mayGoOn: boolean): Read {
  const rest = text.slice(at, end);
  if (!rest.includes("{")) return { found: betweenObjects(rest), end };
  const start = text.indexOf("{", at);
  const close = mayGoOn ? endOfObject(text, start) : null;
  if (close === null && end === text.length)
    return { found: [{ wrong: "the last line is cut off" }], end, isBroken: true };
  const inner = parseJson(text.slice(start, close ?? end));
  return close === null || inner === undefined
    ? { found: [{ wrong: "not JSON" }], end, isBroken: true }
    : { found: [...betweenObjects(text.slice(at, start)), { value: inner }], end: close };
}

/** Index behind the object that starts at an index; null when it does not end. */
function endOfObject(text: string, start: number): number | null {
  // Whole texts, the quote of one that does not end in its line, and braces.
  const tokens = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"|["{}]/g;
  tokens.lastIndex = start;
  let depth = 0;
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
    if (found[0] === '"') return null;
    if (found[0] === "{") depth += 1;
    else if (found[0] === "}") depth -= 1;
    if (depth === 0) return tokens.lastIndex;
  }
  return null;
}
