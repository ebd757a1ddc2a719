/**
 * Finds the line of the instruction files that says what a memory says. Only the same words count: a repeated line
 * costs little, and one that is wrongly silent is lost. Pure.
 */
import type { NoteLine } from "#domain";
import { saySame } from "../merge/statement.ts";

/** Lines of the instruction files as statements, and the name of the project, which is no part of a statement. */
export interface Notes {
  readonly lines: readonly NoteLine[];
  readonly name: string | null;
}

export const notesOf = (lines: readonly NoteLine[], name: string | null): Notes => ({
  lines,
  name,
});

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
