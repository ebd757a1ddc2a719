/** Checks what an agent wants to save: whose word it is, and whether it may hold at once or waits for review. */
import type { Category, MemoryKind, MemoryNode } from "#domain";
import {
  categoryOfWords,
  daysSaid,
  endsMemory,
  holdsAsRule,
  type Judged,
  leavesOpen,
  denies,
  isRememberCommand,
  namedShare,
  names,
  ordersForGood,
  provingPart,
  ruleCategories,
  saysEverywhere,
  saysTime,
  tellsOfUser,
  userWordOf,
  worded,
} from "#memory";
import type { Context } from "./context.ts";
import {
  bothStand,
  cureOf,
  doubtOf,
  endless,
  isItForGood,
  narrowedOf,
  otherProject,
  usersStand,
} from "./save-reasons.ts";
import {
  type AgentAsk,
  chosen,
  heldIn,
  limitOf,
  projectNames,
  rareIn,
  saidIn,
  spokenBefore,
  turnOf,
} from "./save-record.ts";

export interface Judgement {
  readonly origin: "user" | "agent";
  readonly quote: string;
  /** The memory as it is stored. */
  readonly text: string;
  /** The project in which it holds; null = everywhere. */
  readonly project: string | null;
  /** It says who the user is. */
  readonly isProfile: boolean;
  /** Kind that it is stored as; null = the words tell. */
  readonly kind: MemoryKind | null;
  /** Epoch ms at which it ends to hold. */
  readonly untilMs: number | null;
  /** The user's memories that the quote does not end, though they were named or say another value. */
  readonly unproven?: readonly MemoryNode[];
  /** The reason why it waits for review; null = it holds at once. */
  readonly waits: string | null;
  /**
   * The reason why it is kept otherwise than was asked: no rule of the user's, a scope or an end
   * that was not said; else null.
   */
  readonly doubt: string | null;
  /** Change that would let it hold, if it waits; null = none is known. */
  readonly cure?: string | null;
}

/** Judges one save. Reads the session's record only. */
export function judgeAgent(context: Context, text: string, asked: AgentAsk): Judgement {
  const judged = wordOf(context, text, asked);
  const isOfUser = judged.by === "user" && isAboutUser(asked, text, judged.quote);
  const sized = sizedFor(context, judged, { ...asked, text, isOfUser });
  const { ask } = sized;
  const shown = shownAs(context, judged, ask);
  const lined = { ...ask, line: shown.text };
  const untilMs = endOf(judged, ask);
  // Memories of the user that were named or say another value, and stay.
  const unproven =
    judged.by === "user" ? unprovenBy(context, lined, judged.quote) : usersAmong(context, lined);
  const { project, waits } = placeOf(context, lined, judged);
  return {
    origin: judged.by,
    text: shown.text,
    // The agent may name it again as a rule, by these words.
    quote: sized.isAsked && judged.by === "user" ? judged.quote : shown.quote,
    project,
    isProfile: isOfUser && project === null,
    kind: ask.kind ?? null,
    untilMs,
    unproven,
    waits,
    cure: cureOf(judged, waits),
    doubt:
      [
        sized.isNarrowed ? narrowedOf(ask) : null,
        untilMs === ask.untilMs ? doubtOf(judged, ask) : endless,
        judged.by === "user" ? bothStand(unproven) : usersStand(unproven),
        sized.isAsked ? isItForGood : null,
      ]
        .filter((reason) => reason !== null)
        .join("; ") || null,
  };
}

/**
 * `placeOf` gives a line's project, and the reason why it waits: what an agent wants everywhere
 * waits for the project that it comes from.
 */
function placeOf(
  context: Context,
  ask: Lined,
  judged: Judged,
): Pick<Judgement, "project" | "waits"> {
  const waits =
    limitOf(context, ask, judged.by) ??
    (judged.by === "user"
      ? scopeFault(context, ask, judged.quote)
      : agentWaits(context, ask, judged.reason));
  const isNarrow = waits !== null && judged.by !== "user";
  return { waits, project: isNarrow ? (ask.project ?? ask.home ?? null) : ask.project };
}

/** Makes what was asked no wider and no firmer than what was said. `isAsked`: is it a rule? The agent says so next. */
function sizedFor(
  context: Context,
  judged: Judged,
  { isOfUser, ...asked }: Texted & { readonly isOfUser: boolean },
): { readonly ask: Texted; readonly isNarrowed: boolean; readonly isAsked: boolean } {
  const isNarrowed = !isOfUser && isTooWide({ ...asked, line: asked.text }, judged);
  const isProfile = isOfUser && asked.project === null;
  const isAsked = !isProfile && isUnsure(context, asked, judged);
  const project = isNarrowed ? (asked.home ?? null) : asked.project;
  const kind = isAsked ? "decision" : (asked.kind ?? null);
  return { ask: { ...asked, project, kind }, isNarrowed, isAsked };
}

const claimOf = (
  context: Context,
  line: string,
  asked: AgentAsk,
): Parameters<typeof userWordOf>[0] => ({
  line,
  value: asked.value ?? null,
  subject: asked.subject ?? null,
  attribute: asked.attribute ?? null,
  held: heldIn(context, asked),
  kind: asked.kind ?? null,
  days: daysSaid(asked.quote ?? line, asked.nowMs, asked.zone ?? null),
  ...saidIn(context, { ...asked, old: rivalsOf(context, asked) }),
  quote: asked.quote == null ? null : chosen(asked.quote),
});

/** Memories that it names to be replaced, and those of its slot, which another value replaces unnamed. */
const rivalsOf = ({ store }: Context, { old, project, slot }: AgentAsk): readonly MemoryNode[] => [
  ...old.filter((node) => !isOver(node)),
  ...(slot === null ? [] : store.nodes.bySlot(project, slot)).filter(
    ({ status }) => status === "active",
  ),
];

/** Has a memory ended already? */
export const isOver = ({ status }: MemoryNode): boolean =>
  status !== "active" && status !== "pending";

/** The user's words do not begin with their end, and a rule of theirs ends where they said it. */
function endOf(judged: Judged, { kind, untilMs, nowMs }: AgentAsk): number | null {
  if (judged.by === "agent" || untilMs === null) return untilMs;
  const isSaid = kind !== "rule" || saysTime(judged.quote, nowMs);
  return isSaid && untilMs > nowMs ? untilMs : null;
}

const isAboutUser = ({ kind, subject }: AgentAsk, line: string, quote: string): boolean =>
  (kind === "fact" || kind === "rule") && tellsOfUser(quote, line, subject ?? "");

type Texted = AgentAsk & { readonly text: string };
type Named = Pick<Texted, "project" | "subject" | "text">;

/** A rule is shown in the user's own words; anything else as the agent words it, with theirs behind it. */
function shownAs(context: Context, judged: Judged, ask: Texted) {
  if (judged.by === "agent")
    return { quote: provedBy(context, ask), text: withSubject(context, ask) };
  const { quote, said, shown, label } = judged;
  if (shown === "both" && !isRule(ask, said)) {
    const line = label === null ? ask.text : withSubject(context, { ...ask, subject: label });
    const text = worded(line, provingPart(line, said));
    return { quote: quote.length < evidenceCharsMin ? text : quote, text };
  }
  const words = shown === "line" && ask.kind !== "rule" ? ask.text : said;
  return {
    quote,
    text: label === null ? words : `${words.replace(/[.!。！]+$/u, "")} (agent: ${label})`,
  };
}

/** Without a kind the user's words tell. */
const isRule = ({ kind }: Pick<AgentAsk, "kind">, said: string): boolean =>
  kind === "rule" ||
  (kind == null && (denies(said) || ordersForGood(said) || isRuleIn(categoryOfWords(said))));
const isRuleIn = (category: Category): boolean => ruleCategories.includes(category);

/** An agent's line that does not name its subject is not clear without it. */
function withSubject(context: Context, { subject, text, project }: Named): string {
  if (subject == null) return text;
  const share = namedShare(subject, text, projectNames(context, project));
  return share < namedShareMin ? `${subject}: ${text}` : text;
}

/** Evidence of an agent's line: what it quotes, where the session holds it, else itself. */
function provedBy(context: Context, ask: Texted): string {
  const quote = ask.quote?.trim() ?? "";
  if (quote.length < evidenceCharsMin) return ask.text;
  return bare(heldIn(context, ask)).includes(bare(quote)) ? quote : ask.text;
}

/** Shorter quotes ("let's do this") stand in many records; what is forgotten goes with all that hold its evidence. */
const evidenceCharsMin = 24;

/** Share of a subject's words in an agent's line that is clear without it. */
const namedShareMin = 0.5;

/** Text with single blanks. */
const bare = (text: string): string => text.replaceAll(/\s+/gu, " ").trim();

/** A rule of the user's in words that may order the work at hand alone: the agent is asked once. */
function isUnsure(context: Context, ask: AgentAsk, judged: Judged): boolean {
  if (ask.kind !== "rule" || judged.by === "agent" || ask.isConfirmed === true) return false;
  const prompt = turnOf(context, ask)?.prompt ?? null;
  if (holdsAsRule(judged.quote) || isRememberCommand(prompt)) return false;
  return !ask.old.some((node) => node.origin === "user" && isOfRule(node));
}

/** Is a memory a standing order? */
export const isOfRule = ({ category }: MemoryNode): boolean =>
  category !== null && isRuleIn(category);

type Lined = AgentAsk & { readonly line: string };

/** Is it asked for everywhere, by words that do not say so? */
const isTooWide = ({ project, home, line }: Lined, judged: Judged): boolean =>
  judged.by === "user" && project === null && home != null && !saysEverywhere(judged.quote, line);

/**
 * `proofOf` gives the reason why a quote is not the user's own typed words of this turn, also as
 * the argument of `/forget`; null = it is.
 */
export function proofOf(
  context: Context,
  ask: Pick<AgentAsk, "meanwhile" | "sessionId"> & { readonly quote: string },
): string | null {
  const { quote } = ask;
  const said = saidIn(context, { ...ask, old: [], project: null });
  const judged = userWordOf({ line: quote, value: null, quote, ...said, command: "forget" });
  return judged.by === "user" ? null : judged.reason;
}

const isBeyond = ({ project, home }: AgentAsk): boolean => home !== undefined && project !== home;

/**
 * Memories that the quote does not end. The user's words hold all the same; the two are shown as a contradiction,
 * and `review` asks which one stands.
 */
const unprovenBy = (context: Context, ask: Lined, quote: string): readonly MemoryNode[] =>
  rivalsOf(context, ask).filter(
    (node) => node.category !== "sessions" && endFault(context, ask, node, quote) !== null,
  );

/**
 * `wordOf` decides whose word a line is; a line that is surer than its user, who left open what it
 * would change, is the agent's.
 */
function wordOf(context: Context, line: string, asked: AgentAsk): Judged {
  const isWide = asked.project === null && asked.home != null;
  const word = userWordOf({ ...claimOf(context, line, asked), isWide });
  return word.by === "user" &&
    word.shown !== "line" &&
    isLeftOpen(context, line, { ...asked, quote: word.quote })
    ? { by: "agent", reason: "the quote leaves it open" }
    : word;
}

/** Would "could be 60, not sure" stand against what the user had said for sure? */
const isLeftOpen = (context: Context, line: string, ask: AgentAsk): boolean =>
  leavesOpen(ask.quote ?? "") &&
  unprovenBy(context, { ...ask, line }, ask.quote ?? "").some(({ origin }) => origin === "user");

/**
 * Memories of the user that stay, and that an agent's line need not wait for: named beside its own, which end, or said
 * in words that leave it open.
 */
function usersAmong({ store }: Context, { old, project, slot }: AgentAsk): readonly MemoryNode[] {
  const inSlot = slot === null ? [] : store.nodes.bySlot(project, slot);
  if (inSlot.some(({ origin }) => origin === "user")) return [];
  const users = old.filter(({ origin }) => origin === "user");
  const isBesideOwn = old.some((node) => node.origin === "agent" && node.project === project);
  return isBesideOwn || users.every(({ l0 }) => leavesOpen(l0)) ? users : [];
}

function scopeFault(context: Context, ask: AgentAsk, quote: string): string | null {
  if (!isBeyond(ask)) return null;
  return ask.project === null || namesProject(context, ask.project, quote) ? null : otherProject;
}

/**
 * `endFault` gives the reason why a quote may not end a memory; null = it may. `line`, `slot` and
 * `kind`: of what takes its place, if anything does.
 */
export function endFault(
  context: Context,
  ask: Pick<AgentAsk, "project" | "sessionId" | "kind"> & {
    readonly slot?: string | null;
    readonly line?: string;
  },
  node: MemoryNode,
  quote: string,
): string | null {
  if (node.project !== null && node.project !== ask.project)
    return `${node.uri} belongs to another project`;
  if (node.origin !== "user") return null;
  const { line, slot = null } = ask;
  const isSameSlot = slot !== null && node.slot === slot;
  const isEnded = endsMemory(quote, {
    line: node.l0,
    slot: node.slot,
    isRule: isOfRule(node),
    isHere: node.evidence.some((one) => one.sessionId === ask.sessionId),
    before: spokenBefore(context, ask, quote),
    isRare: rareIn(context, node),
    by: line === undefined ? null : { line, isSameSlot, isRule: isRule(ask, quote) },
  });
  return isEnded ? null : `the quote does not say that ${node.uri} ends`;
}

const namesProject = ({ store }: Context, key: string, quote: string): boolean =>
  store.admin.projectNames().some((project) => project.key === key && names(quote, project.name));

function agentWaits(context: Context, ask: AgentAsk, reason: string): string | null {
  if (ask.project === null && ask.home !== null)
    return `an agent's word does not hold everywhere: ${reason}`;
  if (ask.project !== null && isBeyond(ask))
    return `an agent's word holds in its own project: ${reason}`;
  const stay = usersAmong(context, ask);
  const users = rivalsOf(context, ask).find((one) => one.origin === "user" && !stay.includes(one));
  if (users !== undefined) return `an agent's word does not replace the user's: ${reason}`;
  const other = ask.old.find(({ project }) => project !== ask.project);
  return other === undefined ? null : `${other.uri} belongs to another project`;
}
