/**
 * The notes that an agent keeps in files, and the statements of an instruction file in Markdown: list items and
 * sentences of prose, each with its line. Code, quotations, tables and comments say nothing, nor does what stands
 * below "Never do this:". Pure.
 */
import { denies } from "#language";
import type { NoteLine } from "#domain";
import { oneLine } from "#kit";
import { saySame } from "../merge/statement.ts";

const linesMax = 2_000;
const statementsMax = 600;
const statementCharsMax = 500;

export interface NoteStatement {
  /** From 1: where it begins. */
  readonly line: number;
  readonly text: string;
}

const heading = /^(#{1,6})\s+(.*)$/u;
const item = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/u;
/** Titles under which no rule of today stands. */
const noRules = new RegExp(
  String.raw`(?<!\p{L})(?:examples?|deprecated|obsolete|outdated|old|history|changelog|before|wrong|bad|beispiele?|` +
    String.raw`veraltet|exemples?|ejemplos?|exemplos?|примеры?)(?!\p{L})|例`,
  "iu",
);

const isNoRule = (text: string): boolean => denies(text) || noRules.test(text);

/** At most 600 statements of the first 2,000 lines. */
export function noteStatements(text: string): readonly NoteStatement[] {
  const found: Open[] = [];
  // The heading that takes all below it away, and whether the list below a line that ends with a colon is skipped.
  const state: State = { depth: null, isListLeft: false, open: null };
  for (const [at, line] of proseOf(text).split("\n", linesMax).entries()) {
    const title = heading.exec(line);
    if (title === null) readLine(state, found, line, at + 1);
    else enter(state, title[1]?.length ?? 1, title[2] ?? "");
  }
  return found
    .map((one) => ({ line: one.line, text: plain(one.text).slice(0, statementCharsMax) }))
    .filter((one) => /[\p{L}\p{N}]/u.test(one.text))
    .slice(0, statementsMax);
}

interface Open {
  readonly line: number;
  text: string;
}

interface State {
  depth: number | null;
  isListLeft: boolean;
  open: Open | null;
}

function enter(state: State, depth: number, title: string): void {
  state.open = null;
  state.isListLeft = false;
  if (state.depth === null || depth <= state.depth) state.depth = isNoRule(title) ? depth : null;
}

function readLine(state: State, found: Open[], line: string, at: number): void {
  if (line.trim() === "") {
    state.open = null;
    return;
  }
  const said = item.exec(line)?.[1];
  if (said === undefined && state.open === null) state.isListLeft = false;
  if (state.depth !== null || (said !== undefined && state.isListLeft)) return;
  if (said === undefined && state.open !== null) state.open.text += ` ${line.trim()}`;
  else {
    state.open = { line: at, text: (said ?? line).trim() };
    found.push(state.open);
  }
  if (!state.open.text.endsWith(":")) return;
  // "Never:" and "When releasing:" say what the list below is about, and nothing by themselves.
  found.pop();
  state.open = null;
  state.isListLeft = true;
}

/** The text with empty lines in place of front matter, code, comments, quotations and tables. */
function proseOf(text: string): string {
  const blank = (part: string): string => part.replaceAll(/[^\n]+/gu, "");
  return text
    .replace(/^\ufeff/u, "")
    .replaceAll(/\r\n?/gu, "\n")
    .replace(/^---[ \t]*\n[\s\S]*?\n---[ \t]*(?=\n|$)/u, blank)
    .replaceAll(
      /^[ \t]*(`{3,12}|~{3,12})[^\n]*\n[\s\S]*?(?:\n[ \t]*\1[^\n]*|$(?![\s\S]))/gmu,
      blank,
    )
    .replaceAll(/<!--[\s\S]*?(?:-->|$(?![\s\S]))/gu, blank)
    .replaceAll(/^[ \t]*[>|].*$/gmu, "");
}

/** Without markup; of `[Title](file.md): what it says` what it says. */
const plain = (text: string): string =>
  text
    .replace(/^\[[^\]]{1,200}\]\([^)]{1,300}\)\s*[—–:-]\s*(?=\S)/u, "")
    .replaceAll(/!?\[([^\]]{0,200})\]\([^)]{0,300}\)/gu, "$1")
    .replaceAll(/[*_]{2}|`/gu, "")
    .trim();

// Finds the line of the instruction files that says what a memory says. Only the same words count: a repeated line
// costs little, and one that is wrongly silent is lost. Pure.

/** Lines of the instruction files as statements, and the name of the project, which is no part of a statement. */
interface Notes {
  readonly lines: readonly NoteLine[];
  readonly name: string | null;
}

/** Returns the line that says the same; where each sentence of the memory has its own line, the first of them. */
export function saidIn(l0: string, { lines, name }: Notes): NoteLine | null {
  const lineOf = (text: string): NoteLine | null =>
    lines.find((line) => saySame(line.text, text)) ?? null;
  const [whole, ...sentences] = statementsIn(l0, name);
  const found = whole === undefined ? null : lineOf(whole);
  if (found !== null || sentences.length === 0) return found;
  const each = sentences.map(lineOf);
  return each.includes(null) ? null : (each[0] ?? null);
}

/** The whole text without the name of its project in front, then its sentences where it has several. */
function statementsIn(text: string, name: string | null): readonly string[] {
  const head = name === null ? "" : `${name}: `;
  const isLabelled = head !== "" && text.toLowerCase().startsWith(head.toLowerCase());
  const said = (isLabelled ? text.slice(head.length) : text).replace(/[`*]/gu, "").trim();
  const sentences = said
    .split(/(?<=[.!?])\s+|;\s+|(?<=[。！？；])/u)
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
  return sentences.length > 1 ? [said, ...sentences] : [said];
}

// Reads the notes that an agent keeps in Markdown files: one a file with front matter, or one a line. Pure.

export interface AgentNote {
  /** Line of the file on which it begins, from 1. */
  readonly line: number;
  readonly text: string;
  /** The whole text; null when `text` is all of it. */
  readonly full: string | null;
  /** `type` of the front matter; empty without one. */
  readonly type: string;
}

const notesMax = 400;

/** One note of a whole file: its description, or its heading and first sentence; null when it holds no words. */
export function topicNoteIn(whole: string): AgentNote | null {
  const { fields, body } = frontMatter(whole);
  const heading = /^#+\s+(.+)$/m.exec(body)?.[1] ?? "";
  const said = fields.get("description") ?? "";
  const first = firstSentence(body);
  const line =
    said !== "" ? said : heading !== "" && first !== heading ? `${heading}: ${first}` : first;
  const text = unmarked(line);
  if (!/[\p{L}\p{N}]/u.test(text)) return null;
  const full = body.trim();
  return { line: 1, text, full: full === line ? null : full, type: fields.get("type") ?? "" };
}

interface ListLine {
  readonly note: AgentNote;
  /** File that the line points to. */
  readonly linked: string | null;
}

/** The lines of a list that hold words, below their heading. */
export function listLinesIn(whole: string): readonly ListLine[] {
  const { body } = frontMatter(whole);
  const skipped = whole.slice(0, whole.length - body.length).split("\n").length - 1;
  const found: ListLine[] = [];
  let section = "";
  for (const [at, given] of body.split("\n").entries()) {
    const text = given.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, "").trim();
    const heading = /^#+\s+(.+)$/.exec(text)?.[1];
    if (heading !== undefined) section = heading;
    if (heading !== undefined || !/[\p{L}\p{N}]/u.test(text) || found.length >= notesMax) continue;
    const named = section === "" || isOfMemory(section) ? text : `${section}: ${text}`;
    const note = { line: skipped + at + 1, text: unmarked(named), full: null, type: "" };
    found.push({ note, linked: /\]\(\.?\/?([^)#]+\.md)\)/.exec(text)?.[1] ?? null });
  }
  return found;
}

const isOfMemory = (section: string): boolean =>
  /^(?:memory|user (?:profile|preferences)|general tips|gemini added memories)\b/i.test(section);

/** Only what Gemini added to an instruction file by itself; all other lines are blank. */
export function addedByGemini(whole: string): string {
  let isAdded = false;
  return whole
    .split("\n")
    .map((line) => {
      if (/^#{1,6}\s/.test(line)) isAdded = /^#+\s+Gemini Added Memories\s*$/i.test(line);
      return isAdded ? line : "";
    })
    .join("\n");
}

const unmarked = (text: string): string =>
  oneLine(text.replace(/[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/g, ""));

/** `key: value` lines between two rules at the top; a file without them is all body. */
function frontMatter(text: string): {
  readonly fields: ReadonlyMap<string, string>;
  readonly body: string;
} {
  const found = /^\uFEFF?---\r?\n([\s\S]{0,8000}?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  if (found === null) return { fields: new Map(), body: text };
  const fields = (found[1] ?? "").split("\n").flatMap((given): readonly [string, string][] => {
    const field = /^\s*([\w-]{1,40}):\s*(.*)$/.exec(given);
    return field === null
      ? []
      : [[(field[1] ?? "").toLowerCase(), (field[2] ?? "").trim().replace(/^(["'])(.*)\1$/, "$2")]];
  });
  return { fields: new Map(fields), body: text.slice(found[0].length) };
}

const firstSentence = (body: string): string => {
  const plain = body
    .split("\n")
    .map((given) => given.replace(/^\s*(?:#+|[-*+>]|\d+[.)])\s+/, "").trim())
    .find((given) => given !== "");
  return oneLine(
    /^.{1,400}?(?:[.!?](?=\s|$)|$)/u.exec(plain ?? "")?.[0] ?? (plain ?? "").slice(0, 400),
  );
};
