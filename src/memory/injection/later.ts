/**
 * Puts what holds now beside or in the place of what was found: exact names first, then later words. Finds what was
 * said later about the same subject as something that is to be shown. A quotation never stands without a later one
 * that shares its words; which of the two holds is for the reader to see from the dates. Pure.
 */
import { type FoundDocument, headlessTag, isExchange, type MemoryNode } from "#domain";
import { tokensOf } from "#kit";
import { isQuestion } from "#language";
import { standingIn } from "../exchange/exchange.ts";
import { rarityOfStems, stemsOf } from "../exchange/traits.ts";
import type { GatherDeps, Later, PromptCandidate, Sentence } from "./prompt-types.ts";
import { type Replaced, tellsSame } from "../retrieval/replaced.ts";
import {
  type Exactness,
  exactScores,
  type Held,
  heldIn,
  mistakenNames,
} from "../retrieval/exact.ts";

/** Neighbours that are read; the later ones among them count. */
const neighboursMax = 80;
/**
 * Share of a shown sentence's words but its numbers, by their rarity, from which a later exchange is about the same.
 */
const sharedFrom = 0.4;

export interface LaterAsk {
  readonly projects: readonly string[];
  /** The session that asks: it has its own words before it. */
  readonly sessionId?: string;
  readonly nowMs: number;
  /** Everything else that was found for the prompt. */
  readonly found: readonly MemoryNode[];
}

/**
 * Returns later exchanges about the same, those that share most first. A memory with a slot has none: what is said of
 * the slot later ends it.
 */
export function latersOf(
  deps: GatherDeps,
  { document, sentences, kind }: PromptCandidate,
  { projects, sessionId, nowMs, found }: LaterAsk,
): readonly Later[] {
  if (kind === "memory" && document.node.slot !== null) return [];
  const shown = sentences.filter(({ by }) => by !== "asked").map(({ text }) => text);
  const after = timeOf(document.node);
  const near = deps.finder
    .find({
      text: shown.join(" "),
      kinds: kind === "memory" ? ["exchange"] : ["exchange", "memory"],
      projects,
      homeProject: null,
      statuses: ["active"],
      limit: neighboursMax,
      sort: "relevance",
      nowMs,
    })
    .flatMap(({ node }: FoundDocument) => (node !== null && timeOf(node) > after ? [node] : []));
  const asked = found.filter((node) => isExchange(node.uri) && timeOf(node) > after);
  // A colleague's or a program's word changes nothing of what was said here.
  const others = [...near, ...asked].filter(
    ({ sourceSession, origin, tags }) =>
      sourceSession !== sessionId && origin !== "team" && !tags.includes(headlessTag),
  );
  const nodes = new Map(others.map((node) => [node.id, node])).values();
  const idf = rarityOfStems(deps.lexical, new Set(shown.flatMap((text) => [...stemsOf(text)])));
  return [...nodes]
    .flatMap((node): Later | readonly Later[] => {
      const said = standingIn(node, nowMs).filter(({ by }) => by !== "asked");
      const share = shareOf(shown, textOf(said), idf);
      if (share < sharedFrom) return [];
      const told = said.filter(({ by, text }) => by !== "user" || !isQuestion(text));
      if (told.length === 0) return [];
      return {
        node,
        share,
        sentences: nearestSentences(shown, told, idf),
      };
    })
    .toSorted((a, b) => b.share - a.share);
}

/** The largest share of a shown text, by the rarity of its words, that `said` says again: 0 to 1. */
function shareOf(shown: readonly string[], said: string, idf: (stem: string) => number): number {
  const stems = stemsOf(said);
  return Math.max(
    0,
    ...shown.map((text) => {
      let [own, shared] = [1, 0];
      for (const stem of stemsOf(text)) {
        if (/\p{N}/u.test(stem)) continue;
        own += idf(stem);
        if (stems.has(stem)) shared += idf(stem);
      }
      return shared / own;
    }),
  );
}

const textOf = (said: readonly Sentence[]): string => said.map(({ text }) => text).join(" ");

/** Tokens of a later exchange that are shown. */
export const laterTokensMax = 30;

/** The sentences nearest to what is shown, as many as fit; at least one. */
function nearestSentences(
  shown: readonly string[],
  sentences: readonly Sentence[],
  idf: (stem: string) => number,
): readonly Sentence[] {
  const ranked = sentences
    .map((one) => ({ one, share: shareOf(shown, one.text, idf) }))
    .toSorted((a, b) => b.share - a.share);
  const kept = new Set<Sentence>();
  let left = laterTokensMax;
  for (const { one } of ranked) {
    const tokens = tokensOf(one.text);
    if (kept.size > 0 && tokens > left) continue;
    kept.add(one);
    left -= tokens;
  }
  return sentences.filter((one) => kept.has(one));
}

const timeOf = ({ validFrom, createdAt }: MemoryNode): number => validFrom ?? createdAt;

// Puts what holds now in the place of an exchange whose memories were replaced since. Pure but for one port.

interface Instead {
  /** Memories that replaced all that the exchange tells; null = it may be told. */
  readonly candidates: readonly PromptCandidate[] | null;
  /** Memories that replaced a part of what it tells. */
  readonly laters: readonly Later[];
}

/** Tells a replaced exchange only where it says more, and then with what holds now. */
export function heldInstead(
  { replacedIn }: GatherDeps,
  candidate: PromptCandidate,
  isOffered: (node: MemoryNode) => boolean,
): Instead {
  const { document, sentences } = candidate;
  const replaced = replacedIn?.(document.node, saidIn(sentences)) ?? [];
  if (replaced.length === 0) return { candidates: null, laters: [] };
  const heirs = heirsOf(replaced).filter(({ node }) => isOffered(node));
  const saysMore = sentences.some(
    ({ by, text }) => by === "user" && replaced.every(({ old }) => !tellsSame(old.l0, text)),
  );
  if (saysMore && heirs.length > 0) return { candidates: null, laters: heirs };
  const candidates = heirs.map(({ node, sentences: line }) =>
    Object.assign({}, candidate, {
      kind: "memory" as const,
      document: Object.assign({}, document, { node, uri: node.uri, l0: node.l0 }),
      sentences: line,
    }),
  );
  return { candidates, laters: [] };
}

/** In place of a later exchange that was replaced itself: what holds now. */
export function currentLaters({ replacedIn }: GatherDeps, later: Later): readonly Later[] {
  const replaced = replacedIn?.(later.node, saidIn(later.sentences)) ?? [];
  return replaced.length === 0 ? [later] : heirsOf(replaced);
}

function heirsOf(replaced: readonly Replaced[]): readonly Later[] {
  const nodes = new Map(replaced.flatMap(({ by }) => (by === null ? [] : [[by.id, by] as const])));
  return [...nodes.values()].map((node) => ({
    node,
    sentences: [{ by: "user", text: node.l0 }],
    share: 1,
  }));
}

const saidIn = (sentences: readonly Sentence[]): readonly string[] =>
  sentences.filter(({ by }) => by !== "asked").map(({ text }) => text);

// Exactness at a prompt: POL-359 is never given for POL-358. But of one thing a newer value is given to who asks by
// the old one. Pure.

/** Names in a prompt, with the stems of its words. */
export interface NamedPrompt {
  readonly asks: boolean;
  readonly exact: Exactness;
  readonly stems: ReadonlySet<string>;
}

/** Share of their other words from which two texts that differ in a name are about the same thing. */
const sameFrom = 0.6;

/** Against the nearest, how near another has to be for a name that may meet by accident to lift it. */
const asNearFrom = 0.7;

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
  return kept.map(({ candidate }) => candidate);
}

/** True when the later text is about another thing than the one that the prompt names. */
export function isOfAnotherThing(
  named: NamedPrompt | null,
  later: readonly Sentence[],
  { sentences }: PromptCandidate,
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
