/** Texts of other programs as memories in our form: gated, bounded, self-contained. Pure. */
import type { PrivacyGate } from "#domain";
import { cutAtWord, cutToTokens, oneLine } from "#kit";
import { aliasesOf, limits, slugOf } from "#memory";
import type { ImportedMemory } from "./items.ts";

const listMax = 50;
const entryCharsMax = 1_000;

export interface MemoryWords {
  readonly category: ImportedMemory["category"];
  /** One line; cut to what L0 may hold. */
  readonly line: string;
  readonly overview: string | null;
  readonly full: string | null;
  readonly importance: number;
  readonly tags: readonly string[];
  readonly files: readonly string[];
  readonly project: string | null;
  readonly atMs: number;
  readonly sessionId: string;
  readonly turn: number | null;
}

/** `words` have passed the gate. Null when nothing is left to say. */
export function memoryOf(words: MemoryWords): ImportedMemory | null {
  const line = oneLine(words.line);
  if (!/[\p{L}\p{N}]/u.test(line)) return null;
  const l0 = cutToTokens(line, limits.l0TokensMax);
  const overview = words.overview === null ? null : words.overview.trim();
  const full = words.full ?? (l0 === line ? null : line);
  return {
    category: words.category,
    uriHint: slugOf(line),
    l0,
    l1: overview === null || overview === "" ? null : cutToTokens(overview, limits.l1TokensMax),
    l2: full === null || full.trim() === "" ? null : cutAtWord(full, limits.l2CharsMax),
    importance: words.importance,
    tags: bounded(words.tags),
    files: bounded(words.files),
    aliases: bounded(aliasesOf(line)),
    project: words.category === "profile" ? null : words.project,
    branch: null,
    atMs: words.atMs,
    evidence: {
      sessionId: words.sessionId.slice(0, 128),
      turn: words.turn,
      line: null,
      quote: cutAtWord(line, limits.quoteCharsMax),
    },
  };
}

/** Distinct entries that are not empty, as many and as long as an item may hold. */
export const bounded = (entries: readonly string[], max = listMax): string[] =>
  [...new Set(entries.map((entry) => entry.trim().slice(0, entryCharsMax)))]
    .filter((entry) => entry !== "")
    .slice(0, max);

/** The text without what is private; null when all of it was. */
export function gated(gate: PrivacyGate, text: string): string | null {
  const clean = gate.clean(text);
  return clean.whollyPrivate ? null : clean.text;
}

/** Paths as they are; one that the gate would change names nothing any more. */
export const gatedPaths = (gate: PrivacyGate, paths: readonly string[]): string[] =>
  bounded(paths.filter((path) => gate.clean(path).text === path));
