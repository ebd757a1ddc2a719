/**
 * Finds what was said later about the same subject as something that is to be shown. A quotation never stands without
 * a later one that shares its words; which of the two holds is for the reader to see from the dates. Pure.
 */
import { headlessTag, isExchange, type FoundDocument, type MemoryNode } from "#domain";
import { tokensOf } from "#kit";
import { standingIn } from "../exchange/exchange.ts";
import { rarityOfStems, stemsOf } from "../exchange/traits.ts";
import type { GatherDeps, Later, PromptCandidate, Sentence } from "./prompt-types.ts";

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
  { document, sentences, kind }: Pick<PromptCandidate, "document" | "sentences" | "kind">,
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
    .map((node): Later => {
      const said = standingIn(node, nowMs).filter(({ by }) => by !== "asked");
      return {
        node,
        share: shareOf(shown, said.map(({ text }) => text).join(" "), idf),
        sentences: nearestSentences(shown, said, idf),
      };
    })
    .filter(({ share, sentences: said }) => share >= sharedFrom && said.length > 0)
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
