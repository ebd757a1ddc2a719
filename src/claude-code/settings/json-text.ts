/**
 * JSON with its text: where every value stands.
 *
 * Strict JSON with one byte order mark allowed, which is what Claude Code reads (it ignores a whole settings file that
 * holds a comment or a trailing comma). What stands for a comment of another agent's file (`comments.ts`) is white
 * space. Knows nothing of settings.
 */
import { commentMarks } from "./comments.ts";

export interface JsonText {
  readonly kind: "object" | "array" | "scalar";
  /** First character of the value and the one behind it. */
  readonly start: number;
  readonly end: number;
  readonly children: readonly JsonChild[];
}

export interface JsonChild {
  /** Member name; null in arrays. */
  readonly key: string | null;
  /** Where the child begins: at its key, or at its value in arrays. */
  readonly start: number;
  readonly value: JsonText;
}

/** Why a text is no JSON, and where. */
export class JsonFault extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Deeper nesting than any settings file has; keeps hostile input off the stack. */
const depthMax = 200;

/** Parses a whole document. Throws JsonFault. */
export function parseJsonText(text: string): JsonText {
  const cursor: Cursor = { text, at: text.startsWith("\ufeff") ? 1 : 0 };
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
  at: number;
}

function fault(cursor: Cursor, message: string): never {
  throw new JsonFault(message, cursor.at);
}

const spaces = new RegExp(`[ \\t\\n\\r]*(?:${commentMarks.source}[ \\t\\n\\r]*)*`, "y");

function skipSpace(cursor: Cursor): void {
  matchAt(cursor, spaces);
}

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
  while (cursor.text.charAt(cursor.at) !== close) {
    if (children.length > 0) expect(cursor, ",");
    children.push(isObject ? member(cursor, depth) : element(cursor, depth));
    skipSpace(cursor);
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
