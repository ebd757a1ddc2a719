/**
 * What was said later about the same subject as something that is to be shown: the current value must stand beside it.
 */
import { isExchange, type FoundDocument, type MemoryNode } from "#domain";
import { tokensOf } from "#kit";
import { spokenOf, standingIn } from "../exchange/exchange.ts";
import { rarityIn, rarityOfStems } from "../exchange/rarity.ts";
import {
  compared,
  saidBy,
  stemsOf,
  successionFeatures,
  successionOf,
  tellingFeatures,
  tellingOf,
  toldIn,
  type Compared,
  type Said,
  type Told,
} from "../exchange/succession.ts";
import type { GatherDeps, Later, PromptCandidate } from "./prompt-types.ts";

/** Neighbours that are looked at; the later ones among them count. */
const neighboursMax = 80;
/** Those that share most with what is shown are read closely: each sentence of them costs a vector. */
const comparedMax = 12;
/** From this likelihood on the later word stands beside the earlier one (train/succession.ts: 96 % of changes). */
const besideFrom = 0.03;

export interface LaterAsk {
  readonly projects: readonly string[];
  /** What it said itself the session has before it. */
  readonly sessionId?: string;
  readonly nowMs: number;
  /** What else was found for the prompt: what asks for the old value finds the new one as well. */
  readonly found: readonly MemoryNode[];
}

/**
 * What was said later about the exchange that is shown, the likeliest first; empty when nothing later seems to change
 * it. A memory with a slot has none: what is said of the slot later ends it.
 */
export function latersOf(
  deps: GatherDeps,
  { document, sentences, kind }: Pick<PromptCandidate, "document" | "sentences" | "kind">,
  { projects, sessionId, nowMs, found }: LaterAsk,
): readonly Later[] {
  if (kind === "memory" && document.node.slot !== null) return [];
  const { embed } = deps.embedder;
  const shown = sentences
    .filter(({ by }) => by !== "asked")
    .map(({ by, text }) => saidBy(by, text, embed));
  const after = timeOf(document.node);
  const near = deps.finder
    .find({
      text: shown.map(({ text }) => text).join(" "),
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
  // What a colleague said changes nothing of what was said here.
  const others = [...near, ...asked].filter(
    ({ sourceSession, origin }) => sourceSession !== sessionId && origin !== "team",
  );
  const nodes = new Map(others.map((node) => [node.id, node])).values();
  const idf = rarityOfStems(deps.lexical, new Set(shown.flatMap((one) => [...one.stems])));
  return [...nodes]
    .map((node) => ({ node, share: sharedBy(node, { shown, idf }) }))
    .toSorted((a, b) => b.share - a.share)
    .slice(0, comparedMax)
    .map(({ node }): Later => {
      const later = readLater(embed, node, nowMs);
      return {
        node,
        likelihood: likelihoodOf({ shown, idf }, later),
        sentences: tellingIn(shown, later.sentences, idf),
      };
    })
    .filter(({ likelihood, sentences }) => likelihood >= besideFrom && sentences.length > 0)
    .toSorted((a, b) => b.likelihood - a.likelihood);
}

interface Shown {
  readonly shown: readonly Said[];
  readonly idf: (stem: string) => number;
}

/** The most of a shown sentence, by the weight of its words, that a later exchange says again. */
function sharedBy(node: MemoryNode, { shown, idf }: Shown): number {
  const said = stemsOf(node.l1 ?? node.l0);
  return Math.max(
    0,
    ...shown.map(({ stems }) => {
      let [own, shared] = [1, 0];
      for (const stem of stems) {
        own += idf(stem);
        if (said.has(stem)) shared += idf(stem);
      }
      return shared / own;
    }),
  );
}

/** A later word as earlier ones are compared with it. */
interface LaterWord {
  readonly all: Compared;
  readonly sentences: readonly Told[];
}

const readLater = (
  embed: GatherDeps["embedder"]["embed"],
  node: MemoryNode,
  nowMs: number,
): LaterWord => ({
  all: compared(node.l0, embed),
  sentences: toldIn(standingIn(node, nowMs), embed),
});

/** How likely it changes something of what is shown. */
const likelihoodOf = ({ shown, idf }: Shown, later: LaterWord): number =>
  Math.max(
    0,
    ...shown.map((sentence) => successionOf(successionFeatures(sentence, later, { idf }))),
  );

/** Earlier exchanges that a new one is compared with. */
const earlierMax = 8;

/** Earlier exchanges of the same project, of this importance or more, that what was said now probably changes. */
export function overtakenBy(
  deps: GatherDeps,
  node: MemoryNode,
  { nowMs, importanceMin }: { readonly nowMs: number; readonly importanceMin: number },
): readonly MemoryNode[] {
  const { embed } = deps.embedder;
  if (node.project === null) return [];
  const earlier = deps.finder
    .find({
      text: node.l0,
      kinds: ["exchange"],
      projects: [node.project],
      homeProject: node.project,
      statuses: ["active"],
      limit: earlierMax + 1,
      sort: "relevance",
      nowMs,
    })
    .flatMap(({ node: other }) =>
      other !== null &&
      other.project === node.project &&
      other.importance >= importanceMin &&
      timeOf(other) < timeOf(node)
        ? [other]
        : [],
    );
  if (earlier.length === 0) return [];
  const later = readLater(embed, node, nowMs);
  return earlier.filter((old) => {
    const shown = spokenOf(old.l1 ?? old.l0)
      .filter(({ by }) => by !== "asked")
      .map(({ by, text }) => saidBy(by, text, embed));
    const idf = rarityIn(deps.lexical, new Set(shown.flatMap((one) => [...one.stems])));
    return likelihoodOf({ shown, idf }, later) >= overtakenFrom;
  });
}

/**
 * From this likelihood on an earlier exchange is not told at a start any more (train/succession.ts: 81 % of changes).
 */
const overtakenFrom = 0.1;

/** As much of the later word is shown. */
export const laterTokensMax = 30;
/** In less room than this no sentence fits. */
const sentenceTokensMin = 6;

/** The sentences that most likely tell what holds now, as many as fit; at least one. */
function tellingIn(
  shown: readonly Said[],
  sentences: readonly Told[],
  idf: (stem: string) => number,
): readonly Said[] {
  const ranked = sentences
    .map((one, at) => ({ one, p: tellingOf(tellingFeatures(shown, { sentences, at }, { idf })) }))
    .toSorted((a, b) => b.p - a.p);
  const kept = new Set<Said>();
  let left = laterTokensMax;
  for (const { one } of ranked) {
    const tokens = tokensOf(one.text);
    if (kept.size > 0 && tokens > left) continue;
    kept.add(one);
    left -= tokens;
    if (left < sentenceTokensMin) break;
  }
  return sentences.filter((one) => kept.has(one));
}

const timeOf = ({ validFrom, createdAt }: MemoryNode): number => validFrom ?? createdAt;
