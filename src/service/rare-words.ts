/**
 * Rare words of what is forgotten: words that hardly any other record holds. Each has an address (`mem://words/…`);
 * forgetting that takes every record that holds the word.
 */
import { documentKinds, type StoreDep } from "#domain";
import type { ModelDep } from "./deps.ts";

type Deps = ModelDep & StoreDep;

const wordUri = /^mem:\/\/words\/([\p{L}\p{M}\p{N}]+)$/u;
/**
 * Records that may hold a rare word: so many, or this share of them. A name is no word that people use; a word with a
 * digit is hardly ever common.
 */
const limits = {
  plain: { charsMin: 6, count: 3, share: 0.01 },
  name: { charsMin: 5, count: 12, share: 0.01 },
  hard: { charsMin: 4, count: 20, share: 0.02 },
} as const;
/** A home of fewer records does not know yet which words are common: there, plain ones have to be this long. */
const young = { documents: 200, charsMin: 10 } as const;
/** Offered at most. */
const wordsMax = 10;

export interface RareWord {
  readonly word: string;
  readonly uri: string;
  /** Number of prompts, exchanges, memories and other indexed records that hold it. */
  readonly held: number;
}

/** The word that an address names; null when it names none, or one that is no rare word here. */
export function rareWordAt(deps: Deps, uri: string): string | null {
  const [, word] = wordUri.exec(uri) ?? [];
  return word === undefined || !isRare(deps, word) ? null : word;
}

/** The rare words of these texts that records still hold. */
export function rareWordsIn(deps: Deps, texts: readonly string[]): readonly RareWord[] {
  const words = new Set(texts.flatMap(wordsOf));
  return [...words]
    .filter((word) => isRare(deps, word))
    .map((word) => ({
      word,
      uri: `mem://words/${word}`,
      held: Math.max(heldBy(deps, word).held, deps.store.nodes.isSaid(word) ? 1 : 0),
    }))
    .filter(({ held }) => held > 0)
    .toSorted((a, b) => b.word.length - a.word.length)
    .slice(0, wordsMax);
}

/** Splits a path, a host or a name with hyphens into its parts, as the records are searched. */
const wordsOf = (text: string): readonly string[] =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u);

function isRare(deps: Deps, word: string): boolean {
  const sort = sortOf(deps, word);
  const { charsMin, count, share } = limits[sort];
  if (word.length < charsMin) return false;
  const { held, documents } = heldBy(deps, word);
  if (sort === "plain" && documents < young.documents && word.length < young.charsMin) return false;
  return held <= Math.max(count, documents * share);
}

function sortOf({ models }: Deps, word: string): keyof typeof limits {
  if (/\d/.test(word)) return "hard";
  const bare = word.normalize("NFKD").replace(/\p{M}+/gu, "");
  return models.isWord?.(bare) === false ? "name" : "plain";
}

function heldBy(
  { store }: StoreDep,
  word: string,
): { readonly held: number; readonly documents: number } {
  const known = documentKinds.map((kind) => store.lexical.frequencies(kind, [word], null));
  return {
    held: Math.max(...known.map(({ byTerm }) => byTerm.get(word) ?? 0)),
    documents: Math.max(...known.map(({ documents }) => documents)),
  };
}
