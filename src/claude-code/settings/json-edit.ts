/**
 * Edits of a JSON text that leave all other bytes alone.
 *
 * Own code, not `jsonc-parser`: that one formats what surrounds an edit, and what is appended here must come out
 * again exactly. Every function takes a text with its parsed form and returns the new text; parse again before the
 * next edit. Knows nothing of settings.
 */
import { assert } from "#kit";
import { bare, commentMarks } from "./comments.ts";
import type { JsonChild, JsonText } from "./json-text.ts";

/** The member of that name; of two with one name the last, as every reader of JSON takes it. */
export const memberOf = (object: JsonText, key: string): JsonText | null =>
  object.children.findLast((child) => child.key === key)?.value ?? null;

/** The value itself, parsed. */
export const valueOf = (text: string, node: JsonText): unknown =>
  JSON.parse(bare(text.slice(node.start, node.end)));

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
  const gap = bare(text.slice(before, last.start)).replace(/^\s*,/, "");
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
  const comments = text.slice(container.start + 1, container.end - 1).match(commentMarks) ?? [];
  return splice(text, container.start + 1, container.end - 1, comments.join(" ") + inside);
}

const nameOf = (key: string | null, colon: string): string =>
  key === null ? "" : JSON.stringify(key) + colon;

/** What stands between a member's name and its value. */
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
const unitOf = (text: string): string => /\{[^\S\n]*\n([ \t]+)"/.exec(bare(text))?.[1] ?? "  ";

/** White space at the start of the line that holds the offset. */
const indentationAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))?.[0] ?? "";
