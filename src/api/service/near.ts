/**
 * Shows an agent what its save touches: memories that may say the same or be outdated by it, and the parts of those it
 * ended that it does not say.
 */
import { type MemoryNode, shortIdOf, type Turn } from "#domain";
import {
  attributeIn,
  bareLine,
  endedBy,
  hardWords,
  hasWord,
  isUser,
  lostPart,
  subjectIn,
  wordsIn,
} from "#memory";
import type { RememberedJson } from "../forms-memory.ts";
import type { SaveAsk } from "./candidate.ts";
import type { Context } from "./context.ts";

const nearMax = 3;
/** Hits that are looked at. */
const foundMax = 12;
/** Memories whose words tell which words are rare. */
const countedMax = 500;
/**
 * Cosine of the words that two memories hold, each by its rarity: nearly all of them, or enough of one subject. What
 * takes the place of a memory often outdates others of its subject.
 */
const nearMin = { any: 0.5, ofSubject: 0.4, ofChanged: 0.25 } as const;
/** Cosine of the meaning of subject, attribute and line with a memory of another subject, or of none as orders are. */
const similarityMin = 0.6;

/**
 * Memories in force, not named by it: of the same slot, of its subject or of nearly the same words or meaning. `line`:
 * as the agent gave it.
 */
export function nearTo(
  context: Context,
  node: MemoryNode,
  { old, line, nowMs }: Pick<SaveAsk, "nowMs" | "old"> & { readonly line: string },
): RememberedJson["near"] {
  const { finder, store } = context;
  const known = new Set([node, ...old].map(({ id }) => id));
  const found = finder.find({
    text: `${node.slot?.replace(" · ", " ") ?? ""} ${line}`.trim(),
    kinds: ["memory"],
    projects: node.project === null ? [] : [node.project],
    homeProject: node.project,
    statuses: ["active"],
    limit: foundMax + known.size,
    sort: "relevance",
    nowMs,
  });
  const nearness = nearnessIn(context, node);
  const isChange = old.length > 0;
  const turn = store.sessions.currentTurn(node.sourceSession ?? "");
  return found
    .flatMap(({ uri, explanation: { similarity } }) => {
      const one = store.nodes.byUri(uri);
      return one === null ? [] : [{ one, similarity: similarity ?? 0 }];
    })
    .filter(({ one }) => !known.has(one.id))
    .map(({ one, similarity }) => ({
      one,
      similarity,
      near: isOfSlot(one, node) ? 1 : nearness(bareLine(one.l0)),
    }))
    .filter(({ one, ...found }) => isOfIt(one, node, { ...found, isChange, line, turn }))
    .toSorted((a, b) => Math.max(b.near, b.similarity) - Math.max(a.near, a.similarity))
    .slice(0, nearMax)
    .map(({ one: { id, uri, l0 } }) => ({ id: shortIdOf(id), uri, l0 }));
}

interface Found {
  readonly near: number;
  readonly similarity: number;
  /** The new memory takes the place of another one. */
  readonly isChange: boolean;
  readonly line: string;
  /** The running turn of its session. */
  readonly turn: Turn | null;
}

/** May a memory say the same as a new one, or what it outdates? */
function isOfIt(one: MemoryNode, node: MemoryNode, found: Found): boolean {
  const { near, similarity, isChange, line, turn } = found;
  if (near >= nearMin.any) return true;
  // Saves of one turn stand side by side.
  if (!isChange && isOfTurn(one, turn)) return false;
  if (namesSlotOf(line, one)) return true;
  if (isOfSubject(one, node))
    return (
      near >= (isChange ? nearMin.ofChanged : nearMin.ofSubject) ||
      (isWhole(one) && isSameSubject(one, node) && isOfKind(one, found))
    );
  return similarity >= similarityMin && !isOtherThing(one, node, line);
}

const isOfTurn = ({ createdAt, sourceSession }: MemoryNode, turn: Turn | null): boolean =>
  turn !== null && sourceSession === turn.sessionId && createdAt >= turn.startedAt;

/** Does a line name both what a memory is about and which of its sides: "she takes the reviews from Radek"? */
function namesSlotOf(line: string, { slot }: MemoryNode): boolean {
  const [subject, attribute] = [subjectIn(slot) ?? "", attributeIn(slot) ?? ""];
  if (subject === "" || attribute === "" || isUser(subject)) return false;
  const said = new Set(wordsIn(line));
  return [subject, attribute].every((name) => {
    const words = wordsIn(name);
    return words.length > 0 && words.every((word) => said.has(word));
  });
}

/** Is it all that is known of its subject, and not of one side of it? */
const isWhole = ({ slot }: MemoryNode): boolean => attributeIn(slot) === null;

const isSameSubject = (one: MemoryNode, other: MemoryNode): boolean =>
  isOfSubject(one, other) &&
  wordsIn(subjectIn(one.slot) ?? "").length === wordsIn(subjectIn(other.slot) ?? "").length;

/** Are both of one meaning, or has each a place: a path, an address, a host? */
const isOfKind = ({ l0 }: MemoryNode, { line, similarity }: Found): boolean =>
  similarity >= similarityMin || [l0, line].every((text) => hardWords(text).some(isPlace));
const isPlace = (word: string): boolean => /[/\\]|:\d/u.test(word);

/**
 * Is one the cause of something and the other none, or has each a subject of its own? The user's own word on another
 * subject may outdate what has a name or number in common with it; what an agent notes of one rarely does.
 */
function isOtherThing(one: MemoryNode, node: MemoryNode, line: string): boolean {
  if ((one.category === "cases") !== (node.category === "cases")) return true;
  if (one.slot === null || node.slot === null) return false;
  return node.origin !== "user" || !hardWords(bareLine(one.l0)).some((word) => hasWord(line, word));
}

const isOfSlot = (one: MemoryNode, { slot }: MemoryNode): boolean =>
  slot !== null && one.slot === slot;

/** Are all words of one's subject in the other's? */
function isOfSubject(one: MemoryNode, other: MemoryNode): boolean {
  const [few = [], many = []] = [one, other]
    .map(({ slot }) => wordsIn(subjectIn(slot) ?? ""))
    .toSorted((a, b) => a.length - b.length);
  return few.length > 0 && few.every((word) => many.includes(word));
}

/** Measures how near a text is to a memory, among those of its project. */
function nearnessIn({ store }: Context, { l0, project }: MemoryNode): (text: string) => number {
  const page = { limit: countedMax };
  const all = store.nodes.list(
    { projects: project === null ? null : [project], statuses: ["active"] },
    "recent",
    page,
  );
  return nearnessOf(
    bareLine(l0),
    all.map((one) => bareLine(one.l0)),
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

/** Parts of what a memory took the place of at this time, by name or as the value of its slot. */
export const lostBy = (
  { store }: Context,
  { id, l0, l2 }: MemoryNode,
  atMs: number,
): RememberedJson["lost"] =>
  endedBy(store.nodes, id)
    .filter(({ status, validTo }) => status === "superseded" && validTo === atMs)
    .flatMap((old) => {
      const lost = lostPart(old.l2 ?? old.l0, `${l0}\n${l2 ?? ""}`);
      return lost === "" ? [] : [{ id: shortIdOf(old.id), uri: old.uri, l0: lost }];
    });
