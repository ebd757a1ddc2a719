/**
 * Reads the dialects of knowledge graphs: what one JSON value says as entities, notes and relations. Whatever it holds
 * comes out as one of them or as a reason why not. Pure.
 */
import { storedTime } from "../source.ts";

export type Note = { readonly text: string; readonly atMs: number | null } | Wrong;

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
  text: [
    "text",
    "content",
    "contents",
    "observation",
    "value",
    "note",
    "description",
    "fact",
    "statement",
    "summary",
    "message",
    "body",
  ],
  time: ["timestamp", "createdAt", "created_at", "date", "time", "updatedAt", "updated_at"],
} as const;

const entityLists = new Set(["entities", "nodes"]);
const relationLists: ReadonlySet<string> = new Set(["relations", "edges"]);

const wrong = (reason: string): Wrong => ({ type: "wrong", reason });

type Expected = "entity" | "relation" | "any";

/** Returns all records of one top-level value: a record, or a document with lists of them. */
export function graphsIn(value: unknown, expected: Expected = "any", depth = 0): readonly Graph[] {
  if (!isObject(value)) return [wrong("not an entity or a relation")];
  const record = recordOf(value, expected);
  if (record !== null) return [record];
  const lists = Object.entries(value).flatMap(([name, inner]): readonly Graph[] => {
    const kind = kindOfList(name);
    if (depth >= depthMax || (kind === "any" && !isObject(inner))) return [];
    if (kind === "any")
      return graphsIn(inner, "any", depth + 1).filter(({ type }) => type !== "wrong");
    return listOf(inner).flatMap((element) => graphsIn(element, kind, depth + 1));
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
  if (!isObject(value)) return value === null || value === undefined ? [] : [value];
  return Object.entries(value).map(([name, element]) =>
    isObject(element) ? Object.assign({ name }, element) : element,
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
  const inner = isObject(value)
    ? fields.text.map((name) => value[name]).find(Array.isArray)
    : undefined;
  return inner === undefined || !isObject(value)
    ? [noteOf(value, atMs)]
    : flatNotes(inner, timeIn(value), depth + 1);
}

/** Plain words, a number, or an object with its words in one field. */
function noteOf(value: unknown, atMs: number | null): Note {
  if (typeof value === "string") return { text: value, atMs };
  if (typeof value === "number" || typeof value === "boolean") return { text: String(value), atMs };
  if (isObject(value)) {
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

// Finds JSON objects in lines of text: one a line, several in a line, one over many lines, or elements of a list. A
// broken object costs itself only: complete objects on lines of their own behind it are still found. Pure.

type Json = Readonly<Record<string, unknown>>;

/** One top-level value, or the reason why a stretch of text is none. */
export type Found = { readonly value: unknown } | { readonly wrong: string };

/** Characters of an object over several lines. */
const objectCharsMax = 64 * 1_024 * 1_024;

const cutOff = "the last line is cut off";

/** Whole texts, the quote of one that does not end, and braces. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|["{}]/g;

interface ObjectScanner {
  /** Takes one line; `isCut` says that the file ended in it. */
  readonly push: (line: string, isCut?: boolean) => readonly Found[];
  /** Takes a line that is not text. */
  readonly pushBroken: () => readonly Found[];
  /** Ends the file. */
  readonly end: () => readonly Found[];
}

export function createObjectScanner(): ObjectScanner {
  const open = createOpenObject();
  const scan = (line: string, isCut: boolean): readonly Found[] => {
    const found: Found[] = [];
    let [start, end] = [0, 0];
    let outside = "";
    for (const { 0: token, index } of line.matchAll(tokens)) {
      const isOutside = open.depth === 0;
      if (token === "{") {
        if (isOutside) [start, outside] = [index, outside + line.slice(end, index)];
        open.depth += 1;
      } else if (isOutside || token.length > 1) continue;
      // A text cannot go on in the next line.
      else if (token === '"') return [...found, ...open.giveUp(isCut ? cutOff : "not JSON")];
      else if (open.depth > 1) open.depth -= 1;
      else {
        end = index + 1;
        found.push(...open.complete(line.slice(start, end)));
      }
    }
    if (open.depth === 0) outside += line.slice(end);
    if (/[^\s,[\]\uFEFF]/.test(outside)) found.push({ wrong: "text between the objects" });
    if (open.depth > 0) found.push(...open.hold(line.slice(start)));
    return found;
  };
  return {
    push: (line, isCut = false) => {
      const value = /^[{[\uFEFF]/.test(line)
        ? parsed(line.replace(/^\uFEFF|,\s*$/g, ""))
        : undefined;
      if (open.depth === 0 && value !== undefined) return elementsOf(value);
      if (value !== undefined && isObject(value)) open.inner.push(value);
      return scan(line, isCut);
    },
    pushBroken: () => (open.depth === 0 ? [{ wrong: notText }] : open.giveUp(notText)),
    end: () => (open.depth === 0 ? [] : open.giveUp(open.inner.length === 0 ? cutOff : "not JSON")),
  };
}

interface OpenObject {
  /** Braces that are open; 0 = no object is. */
  depth: number;
  /** Whole objects on lines of their own inside it: records by themselves should it never close. */
  readonly inner: Json[];
  readonly hold: (text: string) => readonly Found[];
  readonly complete: (end: string) => readonly Found[];
  readonly giveUp: (reason: string) => readonly Found[];
}

/** The object over several lines that is being read. */
function createOpenObject(): OpenObject {
  let lines: string[] = [];
  let chars = 0;
  const close = (): void => {
    lines = [];
    chars = 0;
    open.inner.length = 0;
    open.depth = 0;
  };
  const giveUp = (reason: string): readonly Found[] => {
    const found: readonly Found[] = [{ wrong: reason }, ...open.inner.map((value) => ({ value }))];
    close();
    return found;
  };
  const open: OpenObject = {
    depth: 0,
    inner: [],
    hold: (text) => {
      lines.push(text);
      chars += text.length;
      return chars > objectCharsMax ? giveUp("an object of more than 64 MB") : [];
    },
    complete: (end) => {
      const value = parsed([...lines, end].join("\n"));
      if (value === undefined) return giveUp("not JSON");
      close();
      return [{ value }];
    },
    giveUp,
  };
  return open;
}

export const notText = "not UTF-8 text";

const elementsOf = (value: unknown): readonly Found[] =>
  Array.isArray(value) ? value.map((element: unknown) => ({ value: element })) : [{ value }];

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // JSON.parse is the only thing here that throws.
  }
}
