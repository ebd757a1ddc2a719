/** Reads the notes that an agent keeps in Markdown files: one a file with front matter, or one a line. Pure. */
import { oneLine } from "#kit";

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

export interface ListLine {
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
