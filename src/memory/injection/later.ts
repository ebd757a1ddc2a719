/**
 * Finds what was said later about the same subject as something that is to be shown. A quotation never stands without
 * a later one that shares its words; which of the two holds is for the reader to see from the dates. Pure.
 */
import { headlessTag, isExchange, type FoundDocument, type MemoryNode } from "#domain";
import { tokensOf } from "#kit";
import { denies, isQuestion, tellsChange } from "#language";
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
        isChange: shown.some((text) => isOtherValue(text, textOf(told))),
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

/** Words that the two have to share before the one can change the other; or both are of the same words. */
const subjectMin = 2;

/** Does later text state another value for what a shown text says? */
function isOtherValue(shown: string, later: string): boolean {
  const [own, theirs] = [subjectIn(shown), subjectIn(later)];
  const shared = [...own].filter((stem) => theirs.has(stem)).length;
  const isSameThing =
    shared >= subjectMin || (shared > 0 && shared === own.size && shared === theirs.size);
  if (!isSameThing) return false;
  const known = new Set(valuesIn(shown));
  return (
    tellsChange(later) ||
    denies(later) !== denies(shown) ||
    valuesIn(later).some((value) => !known.has(value)) ||
    isSameFrame(own, theirs, shared)
  );
}

/** The same sentence was said again, with another word or two in it: "the demo account is called eagle". */
const isSameFrame = (
  own: ReadonlySet<string>,
  theirs: ReadonlySet<string>,
  shared: number,
): boolean =>
  shared / own.size >= frame.sharedFrom &&
  theirs.size > shared &&
  theirs.size - shared <= frame.newMax;

const frame = { sharedFrom: 0.6, newMax: 2 } as const;
/** A number, an address, a path or the name of a file. */
const isValue = (word: string): boolean => /\p{N}|[\p{L}\p{N}][./:@_][\p{L}\p{N}]/u.test(word);

const wordsIn = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/\s+/u)
    .map((word) => word.replace(/\p{P}+$/u, ""));

const valuesIn = (text: string): readonly string[] => wordsIn(text).filter(isValue);

const subjectIn = (text: string): ReadonlySet<string> =>
  stemsOf(
    wordsIn(text)
      .filter((word) => !isValue(word))
      .join(" "),
  );

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
