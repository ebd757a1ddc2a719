/**
 * JSON with its text: where every value stands.
 *
 * Strict JSON with one byte order mark allowed, which is what Claude Code reads (it ignores a whole settings file that
 * holds a comment or a trailing comma); other agents' files may hold both. Knows nothing of settings.
 */
import { assert } from "#kit";

/** Ends in one place only, so that no other reading of a text is tried. */
const comment = String.raw`\/\/[^\r\n]*(?=[\r\n]|$)|\/\*(?:[^*]|\*(?!\/))*\*\/`;
const comments = new RegExp(comment, "g");

export interface JsonText {
  readonly kind: "object" | "array" | "scalar";
  /** First character of the value and the one behind it. */
  readonly start: number;
  readonly end: number;
  readonly children: readonly JsonChild[];
}

interface JsonChild {
  /** Member name; null in arrays. */
  readonly key: string | null;
  /** The offset of the child: at its key, or at its value in arrays. */
  readonly start: number;
  readonly value: JsonText;
}

/** Says why a text is no JSON, and where. */
export class JsonFault extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Deeper nesting than any settings file has; keeps hostile input off the stack. */
const depthMax = 200;

/** Parses a whole document. `isCommented` allows comments and trailing commas. Throws JsonFault. */
export function parseJsonText(text: string, isCommented = false): JsonText {
  const cursor: Cursor = { text, isCommented, at: text.startsWith("\ufeff") ? 1 : 0 };
  const root = value(cursor, 0);
  skipSpace(cursor);
  if (cursor.at < text.length) fault(cursor, "unexpected text behind the end");
  return root;
}

/** Line and column of an offset, both from 1. */
export function positionOf(
  text: string,
  offset: number,
): { readonly line: number; readonly column: number } {
  const lines = text.slice(text.startsWith("\ufeff") ? 1 : 0, offset).split("\n");
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

interface Cursor {
  readonly text: string;
  readonly isCommented: boolean;
  at: number;
}

function fault(cursor: Cursor, message: string): never {
  throw new JsonFault(message, cursor.at);
}

const skipSpace = (cursor: Cursor): void =>
  void matchAt(cursor, cursor.isCommented ? spacesAndComments : spaces);

const spaces = /[ \t\n\r]*/y;
const spacesAndComments = new RegExp(`(?:[ \\t\\n\\r]|${comment})*`, "y");

function value(cursor: Cursor, depth: number): JsonText {
  skipSpace(cursor);
  if (depth > depthMax) fault(cursor, "nested too deeply");
  const first = cursor.text.charAt(cursor.at);
  if (first === "{" || first === "[") return container(cursor, depth);
  const start = cursor.at;
  if (first === '"') string(cursor);
  else token(cursor);
  return { kind: "scalar", start, end: cursor.at, children: [] };
}

function container(cursor: Cursor, depth: number): JsonText {
  const start = cursor.at;
  const isObject = cursor.text.charAt(start) === "{";
  const close = isObject ? "}" : "]";
  const children: JsonChild[] = [];
  cursor.at += 1;
  skipSpace(cursor);
  const isEnd = (): boolean => cursor.text.charAt(cursor.at) === close;
  while (!isEnd()) {
    children.push(isObject ? member(cursor, depth) : element(cursor, depth));
    skipSpace(cursor);
    if (isEnd()) break;
    expect(cursor, ",");
    skipSpace(cursor);
    if (isEnd() && !cursor.isCommented) fault(cursor, "expected a value behind the comma");
  }
  cursor.at += 1;
  return { kind: isObject ? "object" : "array", start, end: cursor.at, children };
}

function element(cursor: Cursor, depth: number): JsonChild {
  const inner = value(cursor, depth + 1);
  return { key: null, start: inner.start, value: inner };
}

function member(cursor: Cursor, depth: number): JsonChild {
  skipSpace(cursor);
  const start = cursor.at;
  if (cursor.text.charAt(start) !== '"') fault(cursor, "expected a member name in double quotes");
  const key = string(cursor);
  skipSpace(cursor);
  expect(cursor, ":");
  return { key, start, value: value(cursor, depth + 1) };
}

function expect(cursor: Cursor, character: string): void {
  if (cursor.text.charAt(cursor.at) !== character) fault(cursor, `expected "${character}"`);
  cursor.at += 1;
}

function string(cursor: Cursor): string {
  const pattern =
    /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
  const found = matchAt(cursor, pattern);
  return found === null ? fault(cursor, "broken string") : String(JSON.parse(found));
}

function token(cursor: Cursor): void {
  if (cursor.at >= cursor.text.length) fault(cursor, "unexpected end");
  const found = matchAt(cursor, /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
  if (found === null) {
    fault(cursor, `unexpected ${JSON.stringify(cursor.text.charAt(cursor.at))}`);
  }
}

function matchAt(cursor: Cursor, pattern: RegExp): string | null {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0] ?? null;
  cursor.at += found?.length ?? 0;
  return found;
}

// Edits of a JSON text that leave all other bytes alone. Own code, not `jsonc-parser`: that one formats what
// surrounds an edit, and what is appended here must come out again exactly. Every function takes a text with its
// parsed form and returns the new text; parse again before the next edit. Knows nothing of settings.

/** The member of that name; of two with one name the last, as every reader of JSON takes it. */
export const memberOf = (object: JsonText, key: string): JsonText | null =>
  object.children.findLast((child) => child.key === key)?.value ?? null;

export function valueOf(text: string, { kind, start, end, children }: JsonText): unknown {
  if (kind === "scalar") return JSON.parse(text.slice(start, end));
  return kind === "array"
    ? children.map(({ value: one }) => valueOf(text, one))
    : Object.fromEntries(children.map(({ key, value: one }) => [key, valueOf(text, one)]));
}

/** Appends a child in the manner of its siblings: their line breaks, indentation and spacing. `key` null in arrays. */
export function appendChild(
  text: string,
  container: JsonText,
  child: { readonly key: string | null; readonly value: unknown },
): string {
  assert((child.key === null) === (container.kind === "array"), "members have names, elements not");
  const last = container.children.at(-1);
  return last === undefined
    ? fillEmpty(text, container, child)
    : appendBehind(text, container, last, child);
}

/** Replaces a value by another, laid out for the place where it stands. */
export function replaceValue(text: string, node: JsonText, value: unknown): string {
  const isInline = !text.slice(node.start, node.end).includes("\n");
  const rendered = isInline
    ? JSON.stringify(value)
    : renderLines(text, value, indentationAt(text, node.start));
  return splice(text, node.start, node.end, rendered);
}

/** Removes the child with that index, and the comma and white space that came with it. */
export function removeChild(text: string, container: JsonText, index: number): string {
  const child = container.children[index];
  assert(child !== undefined, "the child to remove exists");
  const before = container.children[index - 1];
  const after = container.children[index + 1];
  if (after !== undefined) return splice(text, child.start, after.start, "");
  if (before !== undefined) return splice(text, before.value.end, child.value.end, "");
  return splice(text, container.start + 1, container.end - 1, "");
}

const splice = (text: string, start: number, end: number, inserted: string): string =>
  text.slice(0, start) + inserted + text.slice(end);

function appendBehind(
  text: string,
  container: JsonText,
  last: JsonChild,
  child: { readonly key: string | null; readonly value: unknown },
): string {
  const before = container.children.at(-2)?.value.end ?? container.start + 1;
  const gap = text.slice(before, last.start).replace(comments, "").replace(/^\s*,/, "");
  const isInline = !gap.includes("\n");
  const indentation = gap.slice(gap.lastIndexOf("\n") + 1);
  const separator = isInline ? gap : `${lineEndOf(text)}${indentation}`;
  const value = isInline
    ? JSON.stringify(child.value)
    : renderLines(text, child.value, indentation);
  const colon = last.key === null ? "" : colonOf(text, last);
  return splice(
    text,
    last.value.end,
    last.value.end,
    `,${separator}${nameOf(child.key, colon)}${value}`,
  );
}

function fillEmpty(
  text: string,
  container: JsonText,
  child: { readonly key: string | null; readonly value: unknown },
): string {
  const isWholeDocument = text.slice(0, container.start).trim() === "";
  const isInline = !text.trim().includes("\n") && !isWholeDocument;
  const outer = indentationAt(text, container.start);
  const inner = outer + unitOf(text);
  const end = lineEndOf(text);
  const inside = isInline
    ? nameOf(child.key, ":") + JSON.stringify(child.value)
    : `${end}${inner}${nameOf(child.key, ": ")}${renderLines(text, child.value, inner)}${end}${outer}`;
  const kept = text.slice(container.start + 1, container.end - 1).match(comments) ?? [];
  return splice(text, container.start + 1, container.end - 1, kept.join(" ") + inside);
}

const nameOf = (key: string | null, colon: string): string =>
  key === null ? "" : JSON.stringify(key) + colon;

/** `colonOf` gives the text between a member's name and its value. */
function colonOf(text: string, child: JsonChild): string {
  const nameLength = JSON.stringify(child.key).length;
  const between = text.slice(child.start + nameLength, child.value.start);
  // A name written with escapes is longer than ours; then the usual colon will do.
  return /^\s*:\s*$/.test(between) ? between : ": ";
}

const renderLines = (text: string, value: unknown, indentation: string): string =>
  JSON.stringify(value, null, unitOf(text)).replaceAll("\n", `${lineEndOf(text)}${indentation}`);

const lineEndOf = (text: string): string => (/\r\n/.test(text) ? "\r\n" : "\n");

/** One step of indentation: that of the document's first member; two spaces when it shows none. */
const unitOf = (text: string): string => firstIndented.exec(text)?.[1] ?? "  ";
const firstIndented = new RegExp(String.raw`\{(?:\s|${comment})*\n([ \t]+)"`);

/** White space at the start of the line that holds the offset. */
const indentationAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))?.[0] ?? "";
