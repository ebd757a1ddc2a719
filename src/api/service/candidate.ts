/**
 * Makes a candidate of what was saved by name, for the same dedup and merge that all others go through, and finds
 * memories near it.
 */
import {
  type Candidate,
  type Category,
  type MemoryKind,
  memoryKinds,
  type MemoryNode,
  shortIdOf,
} from "#domain";
import { cutAtWord, oneLine } from "#kit";
import {
  cutLine,
  isUser,
  limits,
  sharedCount,
  slotOf,
  slugOf,
  stemsOf,
  subjectIn,
  takesPlaceOf,
  wordsIn,
} from "#memory";
import type { RememberedJson } from "../forms-memory.ts";
import { judgeAgent, type Judgement } from "./agent-save.ts";
import type { Body, Context, Timed } from "./context.ts";

type RememberBody = Body<"POST /api/memories">;

/** Request to remember a text. An agent's wording passes for the user's only if the user has just written it. */
export type RememberAsk = Pick<
  RememberBody,
  "text" | "category" | "project" | "tags" | "importance" | "by"
> &
  Partial<Omit<RememberBody, "session" | "until" | "home">> &
  Timed & {
    /** Session that asked for it; null = a person at a terminal. */
    readonly sessionId: string | null;
    /** Key of the project that the agent works in; absent = `project`. */
    readonly home?: string | null;
    /** Epoch ms at which it ends to hold. */
    readonly untilMs?: number | null;
    /** Texts typed while the agent worked, gated. */
    readonly meanwhile?: readonly string[];
  };

const categoryByKind = {
  rule: "preferences",
  decision: "events",
  fact: "entities",
  place: "entities",
  cause: "cases",
} as const satisfies Readonly<Record<MemoryKind, Category>>;

/** The kind that a memory of a category was saved as; null where none is told apart. */
export const kindIn = (category: Category | null): MemoryKind | null =>
  category === "patterns"
    ? "rule"
    : (memoryKinds.find((kind) => categoryByKind[kind] === category) ?? null);

/**
 * Makes a candidate of what was asked for by name: maker `manual`; and says why words that were quoted do not count as
 * the user's, null where they do. `text` has passed the privacy gate.
 */
export function candidateOf(
  context: Context,
  text: string,
  ask: RememberAsk & { readonly old: readonly MemoryNode[] },
): { readonly candidate: Candidate; readonly doubt: string | null } {
  const slot = slotFor(context, text, ask);
  const { project } = ask;
  const untilMs = ask.untilMs ?? null;
  const judged: Judgement =
    ask.by === "user"
      ? { ...byUser, quote: text, text, project, kind: ask.kind ?? null, untilMs }
      : judgeAgent(context, text, { ...ask, slot, untilMs });
  const line = oneLine(judged.text);
  const l0 = cutLine(line);
  const category = categoryOf(context, ask, judged);
  const candidate: Candidate = {
    category,
    uriHint: slugOf(line),
    l0,
    l1: null,
    l2: l0 === judged.text ? null : judged.text,
    importance: ask.importance,
    tags: ask.tags,
    files: [],
    aliases: [],
    // A fact about the user does not depend on a project.
    project: category === "profile" && judged.origin === "user" ? null : judged.project,
    origin: judged.origin,
    maker: "manual",
    evidence: {
      sessionId: ask.sessionId ?? "manual",
      turn: null,
      line: null,
      quote: cutAtWord(judged.quote, limits.quoteCharsMax),
    },
    branch: null,
    atMs: ask.nowMs,
    zone: ask.zone ?? null,
    expiresAt: judged.untilMs,
    ...endingsOf(context, judged, { ...ask, line, slot }),
    waits: judged.waits,
  };
  return { candidate, doubt: judged.doubt };
}

/**
 * Names the topic of a save. A value without an attribute is the value of its subject; where the subject has another
 * memory that it does not take the place of, or there is no value, the words of the save tell it apart.
 */
function slotFor(
  { store }: Context,
  text: string,
  {
    attribute,
    kind,
    project,
    subject,
    value,
    old,
  }: RememberAsk & { readonly old: readonly MemoryNode[] },
): string | null {
  if (subject == null) return null;
  if (attribute != null) return slotOf(subject, attribute);
  const whole = slotOf(subject, null);
  const isOne = value != null && kind !== "cause" && !isUser(subject);
  if (!isOne || whole === null) return slotOf(subject, value ?? text);
  const rivals = store.nodes.bySlot(project, whole).filter(({ status }) => status === "active");
  const isRival = ({ id, l0 }: MemoryNode): boolean =>
    old.some((one) => one.id === id) || takesPlaceOf(`${text} ${value}`, l0, subject);
  return rivals.every(isRival) ? whole : slotOf(subject, value);
}

/** Memories that it ends, and those that it stands against without ending them. */
function endingsOf(
  context: Context,
  judged: Judgement,
  {
    line,
    slot,
    old,
    sessionId,
  }: RememberAsk & {
    readonly line: string;
    readonly slot: string | null;
    readonly old: readonly MemoryNode[];
  },
) {
  const { unproven = [] } = judged;
  const ended = old.filter((node) => !unproven.includes(node)).map(({ id }) => id);
  return {
    // In the slot of a memory that it may not end it would end it.
    slot: unproven.some((node) => node.slot === slot) ? null : slot,
    replaces: [...ended, ...ordersIn(context, judged, sessionId)],
    // An agent's line is no newer word than the user's.
    doubts:
      judged.origin === "agent"
        ? []
        : unproven.filter((node) => isNear(node, line, slot)).map(({ id }) => id),
  };
}

/** True for one slot, or with a word in common: a memory that shares nothing is no other value of it. */
const isNear = (node: MemoryNode, line: string, slot: string | null): boolean =>
  (slot !== null && node.slot === slot) ||
  sharedCount(new Set(wordsIn(node.l0)), new Set(wordsIn(line))) > 0;

const byUser = { origin: "user", isProfile: false, waits: null, doubt: null } as const;

const ordersMax = 100;
/** Share of an order's words that a save must say to take its place. */
const coveredShareMin = 0.8;

/** Orders of the same session that were kept as they were typed, and that the save words again: they end with it. */
function ordersIn({ store }: Context, judged: Judgement, session: string | null): number[] {
  if (session === null || judged.origin !== "user" || judged.waits !== null) return [];
  const quoted = bare(judged.quote);
  const said = stemsOf(judged.text);
  return store.nodes
    .list({ projects: null, session, statuses: ["active"] }, "recent", {
      limit: ordersMax,
      offset: 0,
    })
    .filter(({ maker, l0 }) => {
      if (maker !== "signal" || !quoted.includes(bare(l0))) return false;
      const words = stemsOf(l0);
      return sharedCount(words, said) >= words.size * coveredShareMin;
    })
    .map(({ id }) => id);
}

/** Letters and digits alone. */
const bare = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

function categoryOf({ memoryWriter }: Context, ask: RememberAsk, judged: Judgement): Category {
  const kind = judged.kind;
  if (kind === "rule" && judged.origin === "agent") return "patterns";
  if (judged.isProfile) return "profile";
  if (kind !== null) return categoryByKind[kind];
  const said = judged.origin === "user" ? judged.quote : judged.text;
  const category = ask.category ?? memoryWriter.categoryOf(said);
  return category === "profile" && judged.origin === "agent" ? "entities" : category;
}

// Memories that may say the same as a new one, or what it outdates: an agent that saves it is shown them.

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

interface NearAsk {
  readonly besides: readonly MemoryNode[];
  /** The line as the agent gave it. */
  readonly line: string;
  readonly nowMs: number;
}

/** Memories in force, not named by it: of the same slot, of its subject or of nearly the same words or meaning. */
export function nearTo(
  context: Context,
  node: MemoryNode,
  { besides, line, nowMs }: NearAsk,
): RememberedJson["near"] {
  const { finder, store } = context;
  const known = new Set([node, ...besides].map(({ id }) => id));
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
  return found
    .flatMap(({ uri, explanation: { similarity } }) => {
      const one = store.nodes.byUri(uri);
      return one === null ? [] : [{ one, similarity: similarity ?? 0 }];
    })
    .filter(({ one }) => !known.has(one.id))
    .map(({ one, similarity }) => ({
      one,
      similarity,
      near: isOfSlot(one, node) ? 1 : nearness(one.l0),
    }))
    .filter(({ one, near, similarity }) => {
      const isOfIt = isOfSubject(one, node);
      const least = besides.length > 0 ? nearMin.ofChanged : nearMin.ofSubject;
      return near >= (isOfIt ? least : nearMin.any) || (!isOfIt && similarity >= similarityMin);
    })
    .toSorted((a, b) => Math.max(b.near, b.similarity) - Math.max(a.near, a.similarity))
    .slice(0, nearMax)
    .map(({ one: { id, uri, l0 } }) => ({ id: shortIdOf(id), uri, l0 }));
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
