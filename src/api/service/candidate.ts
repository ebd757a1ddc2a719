/** Makes a candidate of what was saved by name, for the same dedup and merge that all others go through. */
import {
  type Candidate,
  type Category,
  type GatedText,
  type MemoryKind,
  memoryKinds,
  type MemoryNode,
} from "#domain";
import { cutAtWord, oneLine } from "#kit";
import {
  categoryOfWords,
  cutLine,
  isUser,
  limits,
  sharedCount,
  slotOf,
  slugOf,
  stemsOf,
  takesPlaceOf,
  wordsIn,
} from "#memory";
import { judgeAgent, type Judgement } from "./agent-save.ts";
import type { Body, Context, Timed } from "./context.ts";
import type { Asking } from "./reader.ts";

type RememberBody = Body<"POST /api/memories">;

/** Request to remember a text. An agent's wording passes for the user's only if the user has just written it. */
export type RememberAsk = Pick<
  RememberBody,
  "text" | "category" | "project" | "tags" | "importance" | "by"
> &
  Partial<Omit<RememberBody, "session" | "until" | "home">> &
  Timed &
  Asking & {
    /** Epoch ms at which it ends to hold. */
    readonly untilMs?: number | null;
  };

/** The same with the memories that it names to be replaced. */
export type SaveAsk = RememberAsk & { readonly old: readonly MemoryNode[] };

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

export interface Saving {
  readonly candidate: Candidate;
  /** Says why quoted words do not count as the user's, or what does not end; null where nothing is to tell. */
  readonly doubt: string | null;
  /** Says what would let it hold, if it waits. */
  readonly cure?: string | null | undefined;
}

/** Makes a candidate of what was asked for by name: maker `manual`. `text` has passed the privacy gate. */
export function candidateOf(context: Context, text: string, ask: SaveAsk): Saving {
  const slot = slotFor(context, text, ask);
  const { project } = ask;
  const untilMs = ask.untilMs ?? null;
  const judged: Judgement =
    ask.by === "user"
      ? { ...byUser, quote: text, text, project, kind: ask.kind ?? null, untilMs }
      : judgeAgent(context, text, { ...ask, slot, untilMs });
  const line = oneLine(judged.text);
  const l0 = cutLine(line);
  const category = categoryOf(ask, judged);
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
  return { candidate, doubt: judged.doubt, cure: judged.cure ?? null };
}

/**
 * Names the topic of a save. A value without an attribute is the value of its subject; where the subject has another
 * memory that it does not take the place of, or there is no value, the words of the save tell it apart.
 */
function slotFor(
  { store }: Context,
  text: string,
  { attribute, kind, project, subject, value, old }: SaveAsk,
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
  { line, slot, old, sessionId }: SaveAsk & { readonly line: string; readonly slot: string | null },
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

function categoryOf(ask: RememberAsk, judged: Judgement): Category {
  const kind = judged.kind;
  if (kind === "rule" && judged.origin === "agent") return "patterns";
  if (judged.isProfile) return "profile";
  if (kind !== null) return categoryByKind[kind];
  const said = judged.origin === "user" ? judged.quote : judged.text;
  const category = ask.category ?? categoryOfWords(said);
  return category === "profile" && judged.origin === "agent" ? "entities" : category;
}

/** The text behind the gate, without the secrets of its session. */
export function cleaned(
  { gate, memoryWriter }: Context,
  { sessionId, text }: RememberAsk,
): GatedText {
  const gated = gate.clean(text);
  if (sessionId === null || gated.text === "") return gated;
  const open = memoryWriter.withoutSecrets(sessionId, gated.text);
  return open === gated.text ? gated : { ...gated, text: open, redactions: gated.redactions + 1 };
}
