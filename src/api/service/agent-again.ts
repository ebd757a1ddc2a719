/**
 * A memory of this session named again by its agent (`line` "#5a"): so that it takes the place of others, which what
 * was said already outdates, or to confirm that it is a rule.
 */
import { type Candidate, idOfShort, type MemoryNode } from "#domain";
import {
  attributeIn,
  currentSuccessors,
  cutLine,
  denies,
  isMomentary,
  lostPart,
  sentencesShown,
  slugOf,
  subjectIn,
  withPart,
} from "#memory";
import { endFault, isOfRule, isOver, judgeAgent } from "./agent-save.ts";
import { candidateOf, kindIn, type RememberAsk, type SaveAsk, type Saving } from "./candidate.ts";
import type { Context } from "./context.ts";
import { bothStand } from "./save-reasons.ts";

type Session = Pick<RememberAsk, "by" | "sessionId">;

/** True for a line of an agent's that is nothing but a short id. */
export const isOnlyId = (text: string, { by }: Session): boolean =>
  by === "agent" && text.startsWith("#") && idOfShort(text) !== null;

/**
 * The memory that a line names by its short id and this session made, in force or waiting for review, or what it has
 * become since; null for any other line.
 */
export function namedAgain(context: Context, text: string, ask: Session): MemoryNode | null {
  const id = isOnlyId(text, ask) ? idOfShort(text) : null;
  if (id === null || ask.sessionId === null) return null;
  const { nodes } = context.store;
  const given = nodes.byId(id);
  const node = given?.status === "superseded" ? currentSuccessors(nodes, [id]).get(id) : given;
  const isHere = node?.status === "active" || node?.status === "pending";
  return isHere && node.evidence.some((one) => isOfSession(one, ask)) ? node : null;
}

const isOfSession = (one: MemoryNode["evidence"][number], { sessionId }: Session): boolean =>
  one.sessionId === sessionId;

/** The request that made a memory which waits, with what its agent says now. */
function askAgain<Ask extends RememberAsk>(
  { slot, category, project, evidence, expiresAt, ...node }: MemoryNode,
  ask: Ask,
): Ask & { readonly text: string } {
  const text = node.l2 ?? node.l0;
  const quote = evidence.find((one) => isOfSession(one, ask))?.quote;
  return {
    ...ask,
    text,
    project: project ?? ask.project,
    kind: ask.kind ?? kindIn(category),
    subject: ask.subject ?? subjectIn(slot),
    attribute: ask.attribute ?? attributeIn(slot),
    untilMs: ask.untilMs ?? expiresAt,
    quote: ask.quote ?? quote ?? null,
  };
}

/** The memory as it stands, or as a rule, in place of what it may end: a user's memory only as its own quote did. */
function candidateAsItIs(context: Context, node: MemoryNode, ask: SaveAsk): Saving | null {
  const evidence = node.evidence.find((one) => isOfSession(one, ask));
  const { category } = node;
  if (evidence === undefined || category === null || category === "sessions") return null;
  const { project, slot } = node;
  const kind = ask.kind ?? kindIn(category);
  const asked = { project, sessionId: ask.sessionId, slot, line: node.l0, kind };
  const others = ask.old.filter((one) => one.id !== node.id && !isOver(one));
  const kept = others.filter(
    (one) =>
      endFault(context, asked, one, evidence.quote) !== null ||
      (one.origin === "user" && node.origin !== "user"),
  );
  const candidate: Candidate = {
    category,
    project,
    slot,
    evidence,
    uriHint: slugOf(node.l0),
    l0: node.l0,
    l1: node.l1,
    l2: node.l2,
    importance: node.importance,
    tags: node.tags,
    files: node.files,
    aliases: node.aliases,
    origin: node.origin,
    maker: "manual",
    branch: node.branch,
    atMs: ask.nowMs,
    expiresAt: node.expiresAt,
    replaces: others.filter((one) => !kept.includes(one)).map(({ id }) => id),
  };
  return { doubt: bothStand(kept), ...saidAnew(context, node, ask, candidate) };
}

/** Makes the candidate a rule, where it is asked for as one, and adds the parts that it had left out. */
function saidAnew(
  context: Context,
  node: MemoryNode,
  ask: SaveAsk,
  candidate: Candidate,
): Pick<Saving, "candidate"> & { readonly doubt?: string } {
  const { category, said, ...doubt } = wordsOf(context, node, ask, candidate);
  const text = withPartsOfEnded(context, node, { said, old: ask.old });
  if (category === candidate.category && text === wholeOf(node)) return { candidate, ...doubt };
  const l0 = cutLine(text);
  const changed = { category, uriHint: slugOf(text), l0, l1: null, l2: l0 === text ? null : text };
  const replaces = [...(candidate.replaces ?? []), node.id];
  return { candidate: { ...candidate, ...changed, replaces }, ...doubt };
}

/** Returns words and category of a memory: as they stand, or of the rule that it is confirmed as. */
function wordsOf(
  context: Context,
  node: MemoryNode,
  ask: SaveAsk,
  candidate: Candidate,
): Pick<Candidate, "category"> & { readonly said: string; readonly doubt?: string } {
  const asItIs = { category: candidate.category, said: wholeOf(node) };
  if (ask.kind !== "rule" || isOfRule(node)) return asItIs;
  const rule = ruleOf(context, node, { ...ask, quote: candidate.evidence.quote });
  return rule.text === undefined
    ? { ...asItIs, doubt: rule.fault }
    : { category: "preferences", said: rule.text };
}

const wholeOf = ({ l0, l2 }: MemoryNode): string => l2 ?? l0;

/** Adds the parts that a memory left out of those in whose place it came, where they are named again. */
function withPartsOfEnded(
  { store }: Context,
  node: MemoryNode,
  { said, old }: { readonly said: string; readonly old: readonly MemoryNode[] },
): string {
  const ended = old.filter(isOver);
  const standing = currentSuccessors(
    store.nodes,
    ended.map(({ id }) => id),
  );
  return ended
    .filter(({ id }) => standing.get(id)?.id === node.id)
    .reduce((text, one) => {
      const part = lostPart(wholeOf(one), text);
      const isAgents = node.origin === "user" && one.origin !== "user";
      return part === "" ? text : withPart(text, part, isAgents ? "agent" : "user");
    }, said);
}

/**
 * The agent's line as its user's word, where it is made of typed words and of the user's memories in whose place it
 * comes: its first save had not named them. Null where it is not.
 */
function retoldOf(context: Context, node: MemoryNode, { old, ...ask }: SaveAsk): Saving | null {
  const others = old.filter(({ id }) => id !== node.id);
  if (node.origin !== "agent" || !others.some(({ origin }) => origin === "user")) return null;
  const again = askAgain(node, { ...ask, ...plainSave, text: "", old: others });
  const { candidate, doubt } = candidateOf(context, again.text, again);
  if (candidate.origin !== "user" || candidate.waits !== null) return null;
  const replaces = [...(candidate.replaces ?? []), node.id];
  return { candidate: { ...candidate, replaces }, doubt };
}
const plainSave = { importance: 3, tags: [], category: null } as const;

type Ruling =
  | { readonly text: string; readonly fault?: never }
  | { readonly fault: string; readonly text?: never };

/** The user's typed words as a rule; or why they make none. All that is asked of a save is asked of them again. */
function ruleOf(
  context: Context,
  node: MemoryNode,
  { quote, ...ask }: SaveAsk & { readonly quote: string },
): Ruling {
  const { project, slot, expiresAt: untilMs } = node;
  const words = sentencesShown(node.l2 ?? node.l0, quote);
  const judged = judgeAgent(context, words, {
    ...ask,
    project,
    slot,
    untilMs,
    quote,
    subject: ask.subject ?? subjectIn(slot),
    kind: "rule",
    old: [],
    isConfirmed: true,
  });
  if (judged.origin === "agent") return { fault: `no rule: ${judged.doubt}` };
  return isMomentary(words) && !denies(words)
    ? { fault: "no rule: the quote orders this work alone" }
    : { text: judged.text };
}

/** A candidate of what is asked, or of the memory that is named again: one that waits is judged as if it were new. */
export function madeOf(context: Context, again: MemoryNode | null, ask: SaveAsk): Saving {
  const known =
    again?.status === "active"
      ? (retoldOf(context, again, ask) ?? candidateAsItIs(context, again, ask))
      : null;
  if (known !== null) return known;
  const asked = again === null ? ask : askAgain(again, ask);
  return candidateOf(context, asked.text, asked);
}

/** Judges, without writing, whether another memory ends when this one is named again in its place. */
export function wouldEnd(
  context: Context,
  node: MemoryNode,
  other: MemoryNode,
  ask: RememberAsk,
): boolean {
  const quote = node.status === "pending" ? ask.quote : null;
  const { candidate } = madeOf(context, node, {
    ...ask,
    ...nothingElse,
    quote: quote ?? null,
    old: [other],
  });
  return candidate.waits == null && candidate.replaces?.includes(other.id) === true;
}

/** A call that names a memory again says no more of it than which other one ends. */
const nothingElse = {
  kind: null,
  subject: null,
  attribute: null,
  value: null,
  untilMs: null,
} as const;
