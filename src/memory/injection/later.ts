/** What was said later about the same subject as something that is to be shown: the current value must stand beside it. */
import { isExchange, type FoundDocument, type MemoryNode } from "#domain";
import { spokenOf } from "../exchange/exchange.ts";
import { rarityIn } from "../exchange/rarity.ts";
import {
  cosine,
  changeOf,
  compared,
  saidBy,
  successionFeatures,
  successionOf,
  type Said,
} from "../exchange/succession.ts";
import type { GatherDeps } from "./gather.ts";
import type { Later, PromptCandidate } from "./prompt-types.ts";

/** Neighbours that are looked at; the later ones among them count. */
const neighboursMax = 40;
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
 * What was said later about the exchange that is shown, the likeliest first; empty when nothing later seems to change it.
 * A memory with a slot has none: what is said of the slot later ends it.
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
    .flatMap(({ node }: FoundDocument) => (node !== null && timeOf(node) > after ? [node] : []))
    .slice(0, comparedMax);
  const asked = found.filter((node) => isExchange(node.uri) && timeOf(node) > after);
  const others = [...near, ...asked].filter(({ sourceSession }) => sourceSession !== sessionId);
  const nodes = new Map(others.map((node) => [node.id, node])).values();
  const idf = rarityIn(deps.lexical, new Set(shown.flatMap((one) => [...one.stems])));
  return Array.from(nodes, (node) => compare(embed, { shown, idf }, node))
    .filter(({ likelihood }) => likelihood >= besideFrom)
    .toSorted((a, b) => b.likelihood - a.likelihood);
}

interface Shown {
  readonly shown: readonly Said[];
  readonly idf: (stem: string) => number;
}

function compare(
  embed: GatherDeps["embedder"]["embed"],
  { shown, idf }: Shown,
  node: MemoryNode,
): Later {
  const spoken = spokenOf(node.l1 ?? node.l0);
  const sentences = spoken
    .filter(({ by }) => by !== "asked")
    .map(({ by, text }) => saidBy(by, text, embed));
  const later = { all: compared(node.l0, embed), sentences, change: changeOf(spoken) };
  const likelihood = Math.max(
    0,
    ...shown.map((sentence) => successionOf(successionFeatures(sentence, later, { idf }))),
  );
  return { node, likelihood, sentences: nearest(shown, sentences, idf) };
}

/** Earlier exchanges that a new one is compared with. */
const earlierMax = 8;

/** Earlier exchanges of the same project that what was said now probably changes. */
export function overtakenBy(
  deps: GatherDeps,
  node: MemoryNode,
  nowMs: number,
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
      other !== null && other.project === node.project && timeOf(other) < timeOf(node)
        ? [other]
        : [],
    );
  return earlier.filter((old) => {
    const shown = spokenOf(old.l1 ?? old.l0)
      .filter(({ by }) => by !== "asked")
      .map(({ by, text }) => saidBy(by, text, embed));
    const idf = rarityIn(deps.lexical, new Set(shown.flatMap((one) => [...one.stems])));
    return compare(embed, { shown, idf }, node).likelihood >= overtakenFrom;
  });
}

/** From this likelihood on an earlier exchange is not told at a start any more (train/succession.ts: 81 % of changes). */
const overtakenFrom = 0.1;

/** Characters of the later word that are shown. */
const laterCharsMax = 130;

/** The sentences that share most with what is shown, as many as fit; at least one. */
function nearest(
  shown: readonly Said[],
  sentences: readonly Said[],
  idf: (stem: string) => number,
): readonly Said[] {
  const own = new Set(shown.flatMap((one) => [...one.stems]));
  const score = (one: Said): number =>
    [...one.stems].reduce((sum, stem) => sum + (own.has(stem) ? idf(stem) : 0), 0) +
    (one.by === "user" ? 1 : 0) +
    3 * Math.max(0, ...shown.map(({ vector }) => cosine(vector, one.vector)));
  const kept = new Set<Said>();
  let left = laterCharsMax;
  for (const one of sentences.toSorted((a, b) => score(b) - score(a))) {
    if (kept.size > 0 && one.text.length > left) continue;
    kept.add(one);
    left -= one.text.length;
    if (left < 40) break;
  }
  return sentences.filter((one) => kept.has(one));
}

const timeOf = ({ validFrom, createdAt }: MemoryNode): number => validFrom ?? createdAt;
