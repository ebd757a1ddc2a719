/**
 * A memory of this session named again by its agent (`line` "#5a"): so that it takes the place of others, which what
 * was said already outdates, or to confirm that it is a rule.
 */
import { type Candidate, idOfShort, type MemoryKind, type MemoryNode } from "#domain";
import { cutLine, denies, isMomentary, sentencesShown, slugOf, subjectIn } from "#memory";
import { bothStand, endFault, isOfRule, judgeAgent } from "./agent-save.ts";
import type { Context } from "./context.ts";

interface AgainAsk {
  readonly by: "user" | "agent";
  readonly kind?: MemoryKind | null;
  readonly project: string | null;
  readonly home?: string | null;
  readonly sessionId: string | null;
  readonly nowMs: number;
  /** Its subject, gated, where the agent names it now. */
  readonly subject?: string | null;
  /** Texts typed while the agent worked, gated. */
  readonly meanwhile?: readonly string[];
  /** Memories that it takes the place of. */
  readonly old: readonly MemoryNode[];
}

/** The memory in force that a text names by its short id and this session made; null for any other text. */
export function namedAgain(context: Context, text: string, ask: AgainAsk): MemoryNode | null {
  const id = text.startsWith("#") && ask.by === "agent" ? idOfShort(text) : null;
  if (id === null || ask.sessionId === null) return null;
  const node = context.store.nodes.byId(id);
  return node?.status === "active" && node.evidence.some((one) => isOfSession(one, ask))
    ? node
    : null;
}

const isOfSession = (one: MemoryNode["evidence"][number], { sessionId }: AgainAsk): boolean =>
  one.sessionId === sessionId;

/** The memory as it stands, or as a rule, in place of what it may end: a user's memory only as its own quote did. */
export function candidateAgain(
  context: Context,
  node: MemoryNode,
  ask: AgainAsk,
): { readonly candidate: Candidate; readonly doubt: string | null } | null {
  const evidence = node.evidence.find((one) => isOfSession(one, ask));
  const { category } = node;
  if (evidence === undefined || category === null || category === "sessions") return null;
  const { project, slot } = node;
  const asked = { project, sessionId: ask.sessionId, slot, line: node.l0 };
  const others = ask.old.filter(({ id }) => id !== node.id);
  const kept = others.filter(
    (one) =>
      endFault(asked, one, evidence.quote) !== null ||
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
  const isRuled = ask.kind === "rule" && !isOfRule(node);
  const rule = isRuled ? ruleOf(context, node, { ...ask, quote: evidence.quote }) : null;
  if (rule?.text === undefined) return { candidate, doubt: rule?.fault ?? bothStand(kept) };
  const l0 = cutLine(rule.text);
  return {
    candidate: {
      ...candidate,
      category: "preferences",
      uriHint: slugOf(rule.text),
      l0,
      l1: null,
      l2: l0 === rule.text ? null : rule.text,
      replaces: [...(candidate.replaces ?? []), node.id],
    },
    doubt: bothStand(kept),
  };
}

type Ruling =
  | { readonly text: string; readonly fault?: never }
  | { readonly fault: string; readonly text?: never };

/** The user's typed words as a rule; or why they make none. All that is asked of a save is asked of them again. */
function ruleOf(
  context: Context,
  node: MemoryNode,
  { quote, ...ask }: AgainAsk & { readonly quote: string },
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
