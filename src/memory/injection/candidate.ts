/**
 * One memory or exchange, measured against a prompt: what of it would be shown, and how near it is; and the choice of
 * the few that are shown. Pure.
 */
import type { FoundDocument, MemoryNode } from "#domain";
import { namesMemory, tellsChange, stemsOf } from "#language";
import { standingIn } from "../exchange/exchange.ts";
import { cosine } from "../exchange/traits.ts";
import { kindOfNode } from "../retrieval/candidates.ts";
import {
  type Exactness,
  exactScores,
  type Held,
  heldIn,
  mistakenNames,
  wholeIn,
} from "../retrieval/exact.ts";
import { isMadeFrom } from "../retrieval/things.ts";
import type { PromptCandidate, PromptEvidence, PromptInput, Sentence } from "./prompt-types.ts";

/** A prompt as candidates are compared with it. */
export interface Asked {
  readonly stems: ReadonlySet<string>;
  readonly vector: Float32Array | null;
  readonly idf: (stem: string) => number;
  readonly embed: (text: string) => Float32Array | null;
}

/** The shown length of an exchange, in characters: two of them and their frame stay below 120 tokens. */
const shownCharsMax = 220;

export function candidateOf(
  document: FoundDocument & { readonly node: MemoryNode },
  asked: Asked,
  { nowMs }: PromptInput,
): PromptCandidate {
  const { node, explanation } = document;
  const kind = kindOfNode(node) === "memory" ? "memory" : "exchange";
  const said = sentencesOfNode(node, kind, nowMs);
  const nearnessOf = (text: string): number => Math.max(0, cosine(asked.vector, asked.embed(text)));
  // Its vector may still have to be made: a new model, an import.
  const whole = explanation.similarity ?? Math.max(0, ...said.map(({ text }) => nearnessOf(text)));
  const measured = (one: Sentence): Measured => {
    const share = shareOf(asked, stemsOf(one.text));
    return Object.assign({ share, cosine: nearnessOf(one.text) }, one);
  };
  return {
    document,
    kind,
    sentences: kind === "memory" ? said : shownOf(said.map(measured)),
    score: Math.max(0, whole) * (kind === "memory" ? memoryFactor : 1),
  };
}

/** A memory stands above what was said in the same words: it has an end, and knows when its code has changed. */
const memoryFactor = 1.1;

/** A memory is one line; its other words count for finding it only. */
const sentencesOfNode = (
  node: MemoryNode,
  kind: "memory" | "exchange",
  nowMs: number,
): readonly Sentence[] =>
  kind === "memory"
    ? [{ by: "user", text: node.l0 }]
    : standingIn(node, nowMs).filter(({ by, text }) => by === "asked" || !tellsNothing.test(text));

/** A heading, an introduction of what is not quoted, an entry of a log of commits. */
const tellsNothing = /^#{1,6}\s|[:：]$|^(?:- )?(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b/u;

interface Measured extends Sentence {
  /** The share of the prompt's words, by weight, 0 to 1. */
  readonly share: number;
  readonly cosine: number;
}

/** The sentences nearest to the prompt, in order; a question only with its answer. */
function shownOf(said: readonly Measured[]): readonly Measured[] {
  const score = ({ share, cosine: near }: Measured): number => near + 0.6 * share;
  const kept = new Set<Measured>();
  let left = shownCharsMax;
  for (const one of said.toSorted((a, b) => score(b) - score(a))) {
    if (kept.size > 0 && one.text.length > left) continue;
    kept.add(one);
    left -= one.text.length;
    if (left < 30) break;
  }
  return said.filter((one) => kept.has(one));
}

function shareOf(asked: Asked, stems: ReadonlySet<string>): number {
  let own = 0;
  let shared = 0;
  for (const stem of asked.stems) {
    const weight = asked.idf(stem);
    own += weight;
    if (stems.has(stem)) shared += weight;
  }
  return own > 0 ? shared / own : 0;
}

/** Ties by address, so that the order never depends on the order of writing. */
export const byScore = (a: PromptCandidate, b: PromptCandidate): number =>
  b.score - a.score || (a.document.uri < b.document.uri ? -1 : 1);

export const isRule = ({ kind, document: { node } }: PromptCandidate): boolean =>
  kind === "memory" && isRuleNode(node);

/** Categories whose memories are rules, however they are worded. Where things lie hangs beside them, and is none. */
export const isRuleNode = ({ category, tags }: MemoryNode): boolean =>
  (category === "preferences" || category === "patterns") && !tags.includes("place");

// Chooses the candidates that a prompt may be shown: at most three, and none that says what another says. Pure.

/** docs/design/retrieval.md, "At a prompt". */
/** Lines for a question, for an order, and for either at work. */
const linesMax = { question: 3, order: 2, atWork: 1 } as const;
/** Lines where one of them is a memory: of third ones every eighth told what was needed. */
const linesWithMemoryMax = 2;
/** The likelihood from which a quotation is told beside a memory. */
const besideMemoryFrom = 0.5;
/** Against the first, how near another has to be to be told beside it. */
const besideFrom = 0.6;
/** Two candidates that share so much of their words say the same. */
const sameFrom = 0.6;
/** Words of the prompt that a change shares with the memory that it may be about. */
const changeSharedMin = 2;

/** The prompt goes on with the work of its session, and does not name the memory. */
export const isAtWork = ({
  previousAnswer,
  prompt,
}: Pick<PromptInput, "previousAnswer" | "prompt">): boolean =>
  previousAnswer !== null && !namesMemory(prompt);

export interface Judged {
  readonly candidate: PromptCandidate;
  /** `near`, `seen`, `same` (as one above it) or `far`. */
  readonly why: string;
}

/** Says of each candidate why it may be shown or not, the nearest first. */
export function judge(evidence: PromptEvidence): readonly Judged[] {
  const { candidates, seen, asks, prompt } = evidence;
  const near: PromptCandidate[] = [];
  const best = Math.max(0, ...candidates.map(({ score }) => score));
  const lines = asks ? linesMax.question : linesMax.order;
  const max = isAtWork(evidence) ? linesMax.atWork : lines;
  const order = newerFirst(candidates, stemsOf(prompt));
  return order.map(({ candidate, score }) => {
    const hasMemory = near.some(({ kind }) => kind === "memory");
    const bounds = { seen, best, max: hasMemory ? Math.min(max, linesWithMemoryMax) : max };
    const isLeftOut = candidate.kind === "exchange" && hasMemory && isUnlikely(candidate);
    const why = isLeftOut ? "far" : whyOf({ candidate, score }, near, bounds);
    if (why === "near") near.push(candidate);
    return { candidate, why };
  });
}

const isUnlikely = ({ quotation }: PromptCandidate): boolean =>
  quotation !== undefined && quotation.likelihood < besideMemoryFrom;

interface Placed {
  readonly candidate: PromptCandidate;
  /** Its own, or that of the older one whose place it takes. */
  readonly score: number;
}

/** Puts what replaces another candidate in front of it. */
function newerFirst(
  candidates: readonly PromptCandidate[],
  asked: ReadonlySet<string>,
): readonly Placed[] {
  const placed = new Map<PromptCandidate, Placed>();
  const read = candidates.map((candidate): Read => {
    const words = wordsOf(candidate);
    return { candidate, words, named: [...words].filter((stem) => asked.has(stem)) };
  });
  const place = (older: Read, { score }: PromptCandidate): void => {
    if (placed.has(older.candidate)) return;
    const newer = read.find((other) => replaces(other, older));
    // A newer one may have been replaced itself.
    if (newer !== undefined) place(newer, older.candidate);
    placed.set(older.candidate, { candidate: older.candidate, score });
  };
  for (const one of read) place(one, one.candidate);
  return [...placed.values()];
}

/** A candidate with its words, and those of them that the prompt has. */
interface Read {
  readonly candidate: PromptCandidate;
  readonly words: ReadonlySet<string>;
  readonly named: readonly string[];
}

/**
 * Is a candidate newer than another, with all words of it that the prompt has, and does it say the same? Or did the
 * user speak of a change after a memory was made?
 */
function replaces(newer: Read, older: Read): boolean {
  if (restates(newer, older)) return true;
  if (restates(older, newer)) return false;
  if (saidAt(newer.candidate) <= saidAt(older.candidate)) return false;
  if (!older.named.every((stem) => newer.words.has(stem))) return false;
  const { kind, sentences } = newer.candidate;
  if (kind === older.candidate.kind) return saysSame(newer.words, older.words);
  return (
    kind === "exchange" &&
    older.named.length >= changeSharedMin &&
    sentences.some(({ by, text }) => by === "user" && tellsChange(text))
  );
}

/** Is the first a memory of what was said in the second? It may have a mark (a pair, its code) that the second has not. */
const restates = ({ candidate, words }: Read, other: Read): boolean =>
  candidate.kind === "memory" &&
  other.candidate.kind === "exchange" &&
  isMadeFrom(candidate.document.node, other.candidate.document.uri) &&
  saysSame(words, other.words);

const saidAt = ({ document: { node } }: PromptCandidate): number =>
  node.validFrom ?? node.updatedAt;

function whyOf(
  { candidate, score }: Placed,
  near: readonly PromptCandidate[],
  { seen, max, best }: Bounds,
): string {
  if (seen.has(candidate.document.node.id)) return "seen";
  if (near.some((other) => saysSame(wordsOf(candidate), wordsOf(other)))) return "same";
  if (near.length >= max) return "far";
  return score >= best * besideFrom ? "near" : "far";
}

interface Bounds {
  readonly seen: ReadonlySet<number>;
  readonly max: number;
  /** Score of the nearest, also of one that the session has seen: what is far from it answers nothing. */
  readonly best: number;
}

function saysSame(mine: ReadonlySet<string>, theirs: ReadonlySet<string>): boolean {
  if (mine.size === 0) return false;
  const shared = [...mine].filter((stem) => theirs.has(stem)).length;
  return shared / Math.min(mine.size, theirs.size) >= sameFrom;
}

const wordsOf = ({ sentences }: PromptCandidate): ReadonlySet<string> =>
  stemsOf(sentences.map(({ text }) => text).join(" "));

// Exactness at a prompt: POL-359 is never given for POL-358. But of one thing a newer value is given to who asks by
// the old one. Pure.

/** Names in a prompt, with the stems of its words. */
export interface NamedPrompt {
  readonly asks: boolean;
  readonly exact: Exactness;
  readonly stems: ReadonlySet<string>;
}

/** Share of their other words from which two texts that differ in a name are about the same thing. */
const sameThingFrom = 0.6;

/** Against the nearest, how near another has to be for a name that may meet by accident to lift it. */
const asNearFrom = 0.7;

/** Nearness of a memory that has all words of a question, a name among them: vectors do not know names. */
const wholeScore = 0.9;

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
  const kept = all.filter(({ held: own, text: line }) =>
    mistakenNames(named.exact, own).every(({ at, isCode }) => {
      // "add a field pickup_slot": what an order names may be new.
      if (!named.asks && !/\p{N}/u.test(named.exact.names[at]?.name.key ?? "")) return true;
      const bearers = all.filter(({ held }) => (held.levels[at] ?? 0) > 0);
      return bearers.length === 0
        ? !isCode
        : bearers.some(({ text }) => isSameThing(text, line, named.stems));
    }),
  );
  // A name that may meet by accident (a noun, a small number) decides between those alone that are as near.
  const isStrong = named.exact.names.some(({ name }) => name.isStrong);
  const best = Math.max(0, ...kept.map(({ score }) => score));
  const rivals = isStrong ? kept : kept.filter(({ score }) => score >= best * asNearFrom);
  const scores = exactScores(named.exact, rivals);
  for (const [at, { candidate }] of rivals.entries())
    Object.assign(candidate, { score: scores[at] ?? candidate.score });
  const memories = kept.filter(({ candidate: { kind } }) => kind === "memory");
  for (const at of named.asks
    ? wholeIn(
        named.exact,
        memories.map(({ held }) => held),
      )
    : []) {
    const candidate = memories[at]?.candidate;
    if (candidate !== undefined)
      Object.assign(candidate, {
        score: Math.max(candidate.score, wholeScore + candidate.score / 100),
      });
  }
  return kept.map(({ candidate }) => candidate);
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
  return shared >= sameThingFrom * Math.min(mine.length, theirs.length);
}
