/** Pairs memories that a later reading proposes with those that were kept of the same words at once. Pure. */
import type { Candidate, Evidence, MemoryNode } from "#domain";
import { contentWords, denies, jaccard, sharedCount, tellsChange, wordsOf } from "#language";
import { addedBy } from "../typed/words.ts";

/** Half of the shorter quote's words: a reader may take the clause where another took the sentence. */
const overlapMin = 0.5;

/**
 * Pairs candidates with memories of the same session and turn whose evidence says the same, each with one at most, the
 * surest pairs first. Returns the memory for each candidate that has one.
 */
export function confirmed(
  candidates: readonly Candidate[],
  nodes: readonly MemoryNode[],
): ReadonlyMap<Candidate, MemoryNode> {
  const pairs = candidates
    .flatMap((candidate) =>
      nodes.map((node) => ({ candidate, node, likeness: likenessOf(candidate, node) })),
    )
    .filter(({ likeness }) => likeness > 0)
    .toSorted((a, b) => b.likeness - a.likeness);
  const found = new Map<Candidate, MemoryNode>();
  const taken = new Set<number>();
  for (const { candidate, node } of pairs) {
    if (found.has(candidate) || taken.has(node.id)) continue;
    found.set(candidate, node);
    taken.add(node.id);
  }
  return found;
}

/** 0 = not the same words; else how alike the quotes are, and then the statements, which may share a quote. */
function likenessOf(candidate: Candidate, node: MemoryNode): number {
  const overlap = Math.max(
    0,
    ...node.evidence
      .filter(isOfTurn(candidate))
      .map(({ quote }) => quoteOverlap(quote, candidate.evidence.quote)),
  );
  return overlap < overlapMin ? 0 : overlap + jaccard(wordSet(candidate.l0), wordSet(node.l0));
}

/** True when a worded memory says all that a raw quote says: each of its words, and no denial more or less. */
export function covers(
  { l0, evidence }: Pick<Candidate, "evidence" | "l0">,
  raw: Pick<MemoryNode, "l0">,
): boolean {
  return denies(l0) === denies(raw.l0) && holdsAll(`${l0}\n${evidence.quote}`, raw.l0);
}

/**
 * True for a line that is of the memory's value, or that tells of no change and says what the memory does: each of its
 * names and values, and most of its words.
 */
export const mayStandBeside = (
  { l0, value }: { readonly l0: string; readonly value: string },
  old: Pick<MemoryNode, "l0">,
): boolean =>
  denies(l0) === denies(old.l0) &&
  (tellsValue(old.l0, value) ||
    (!tellsChange(l0) && addedBy(old.l0, l0) === null && quoteOverlap(l0, old.l0) >= saidShareMin));
/** Share of the words of the shorter text. */
const saidShareMin = 0.7;

/** True for a text with all words of a value. */
export const tellsValue = (text: string, value: string): boolean =>
  value !== "" && holdsAll(text, value);

function holdsAll(text: string, part: string): boolean {
  const said = wordSet(text);
  return [...wordSet(part)].every((word) => said.has(word));
}

const isOfTurn =
  ({ evidence }: Candidate) =>
  ({ sessionId, turn }: Evidence): boolean =>
    sessionId === evidence.sessionId && turn === evidence.turn;

/** Share of the shorter quote's words that the other has too, 0 to 1. */
export function quoteOverlap(a: string, b: string): number {
  const one = wordSet(a);
  const other = wordSet(b);
  const least = Math.min(one.size, other.size);
  return least === 0 ? 0 : sharedCount(one, other) / least;
}

/** Content words; a quote without any ("do it now") is compared by all its words. */
const wordSet = (text: string): ReadonlySet<string> => {
  const content = contentWords(text);
  return new Set(content.length > 0 ? content : wordsOf(text));
};
