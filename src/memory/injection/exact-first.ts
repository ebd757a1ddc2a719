/**
 * Exactness at a prompt: POL-359 is never given for POL-358. But of one thing a newer value is given to who asks by the
 * old one. Pure.
 */
import { stemsOf } from "../exchange/traits.ts";
import {
  type Exactness,
  exactScores,
  type Held,
  heldIn,
  mistakenNames,
} from "../retrieval/exact.ts";
import type { PromptCandidate, Sentence } from "./prompt-types.ts";

/** Names in a prompt, with the stems of its words. */
export interface NamedPrompt {
  readonly exact: Exactness;
  readonly stems: ReadonlySet<string>;
}

/** Share of their other words from which two texts that differ in a name are about the same thing. */
const sameFrom = 0.6;

/** Without what is about another thing than the prompt; what has its names stands above what has not. */
export function exactFirst(
  named: NamedPrompt | null,
  candidates: readonly PromptCandidate[],
): readonly PromptCandidate[] {
  if (named === null) return candidates;
  const all = candidates.map((candidate) => ({
    candidate,
    score: candidate.score,
    held: heldBy(named.exact, candidate),
    text: candidate.sentences.map(({ text }) => text).join(" "),
  }));
  const kept = all.filter((one) =>
    mistakenNames(named.exact, one.held).every(({ at, isCode }) => {
      const bearers = all.filter(({ held }) => (held.levels[at] ?? 0) > 0);
      return bearers.length === 0
        ? !isCode
        : bearers.some(({ text }) => isSameThing(text, one.text, named.stems));
    }),
  );
  const scores = exactScores(named.exact, kept);
  return kept.map(({ candidate, score }, at) =>
    Object.assign(candidate, { score: scores[at] ?? score }),
  );
}

/** True when the later text is about another thing than the one that the prompt names. */
export function isOfAnotherThing(
  named: NamedPrompt | null,
  later: readonly Sentence[],
  { sentences }: Pick<PromptCandidate, "sentences">,
): boolean {
  if (named === null) return false;
  const [said, shown] = [later, sentences].map((all) => all.map(({ text }) => text).join(" "));
  return (
    mistakenNames(named.exact, heldIn(named.exact, said ?? "")).length > 0 &&
    !isSameThing(shown ?? "", said ?? "", named.stems)
  );
}

const heldBy = (exact: Exactness, { document: { node } }: PromptCandidate): Held =>
  heldIn(exact, [node.l0, node.l1, ...node.aliases, ...node.files].join(" "));

/** Compares what two texts say beyond the words of the prompt. */
function isSameThing(one: string, other: string, asked: ReadonlySet<string>): boolean {
  const [mine, theirs] = [one, other].map((text) =>
    [...stemsOf(text)].filter((stem) => !asked.has(stem) && !/\p{N}/u.test(stem)),
  );
  if (mine === undefined || theirs === undefined) return false;
  const shared = mine.filter((stem) => theirs.includes(stem)).length;
  return shared >= sameFrom * Math.min(mine.length, theirs.length);
}
