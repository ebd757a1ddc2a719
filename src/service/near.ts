/** Memories that may say the same as a new one, or what it outdates: an agent that saves it is shown them. */
import { shortIdOf, type MemoryNode } from "#domain";
import { wordsIn } from "#memory";
import type { RememberedJson } from "#api";
import type { Context } from "./context.ts";

const nearMax = 3;
/** Hits that are looked at. */
const foundMax = 12;
/** Memories whose words tell which words are rare. */
const countedMax = 500;
/** Cosine of the words that two memories hold, each by its rarity. */
const nearMin = 0.28;

/** Memories in force, not named by it: of the same slot, or of the same rare words. */
export function nearTo(
  context: Context,
  node: MemoryNode,
  { besides, nowMs }: { readonly besides: readonly MemoryNode[]; readonly nowMs: number },
): RememberedJson["near"] {
  const { finder, store } = context;
  const known = new Set([node, ...besides].map(({ id }) => id));
  const found = finder.find({
    text: node.l0,
    kinds: ["memory"],
    projects: node.project === null ? [] : [node.project],
    homeProject: node.project,
    statuses: ["active"],
    limit: foundMax + known.size,
    sort: "relevance",
    nowMs,
  });
  const nearness = nearnessIn(context, node);
  return found
    .flatMap(({ uri }) => store.nodes.byUri(uri) ?? [])
    .filter(({ id }) => !known.has(id))
    .map((one) => ({ one, near: isOfSlot(one, node) ? 1 : nearness(one.l0) }))
    .filter(({ near }) => near >= nearMin)
    .toSorted((a, b) => b.near - a.near)
    .slice(0, nearMax)
    .map(({ one: { id, uri, l0 } }) => ({ id: shortIdOf(id), uri, l0 }));
}

const isOfSlot = (one: MemoryNode, { slot }: MemoryNode): boolean =>
  slot !== null && one.slot === slot;

/** Measures how near a text is to a memory, among those of its project. */
function nearnessIn({ store }: Context, { l0, project }: MemoryNode): (text: string) => number {
  const page = { limit: countedMax, offset: 0 };
  const all = store.nodes.list(
    { projects: project === null ? null : [project], statuses: ["active"] },
    "recent",
    page,
  );
  return nearnessOf(
    l0,
    all.map((one) => one.l0),
  );
}

function nearnessOf(line: string, all: readonly string[]): (text: string) => number {
  const counts = new Map<string, number>();
  for (const one of all)
    for (const word of wordsIn(one)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const rarity = (word: string): number => Math.log(1 + all.length / (counts.get(word) ?? 1));
  const weigh = (words: readonly string[]): number =>
    words.reduce((sum, word) => sum + rarity(word), 0);
  const own = wordsIn(line);
  const said = new Set(own);
  return (text) => {
    const words = wordsIn(text);
    const product = weigh(own) * weigh(words);
    return product === 0 ? 0 : weigh(words.filter((word) => said.has(word))) / Math.sqrt(product);
  };
}

/** Words of a memory of more than one thing. */
const wordsMin = 6;
/** Share of a memory's words that what takes its place says again, below which a part of it may be lost. */
const saidAgainMin = 0.3;

/** Ended memories of which the one in their place says little. */
export const partlyLost = (
  ended: readonly MemoryNode[],
  { l0, l2 }: MemoryNode,
): RememberedJson["lost"] => {
  const said = new Set(wordsIn(`${l0}\n${l2 ?? ""}`));
  return ended
    .filter((one) => {
      const words = wordsIn(one.l0);
      const again = words.filter((word) => said.has(word)).length;
      return words.length >= wordsMin && again < words.length * saidAgainMin;
    })
    .map(({ id, uri, l0: line }) => ({ id: shortIdOf(id), uri, l0: line }));
};
