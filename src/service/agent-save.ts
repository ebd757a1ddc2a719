/** Checks what an agent wants to save: whose word it is, and whether it may hold at once or waits for review. */
import {
  answeredIn,
  storedLimits,
  type MemoryKind,
  type MemoryNode,
  type StoreDep,
  type Turn,
} from "#domain";
import { cutToTokens, tokensOf } from "#kit";
import {
  endsMemory,
  type Judged,
  labelOf,
  names,
  saysEverywhere,
  tellsOfUser,
  saysTime,
  userWordOf,
} from "#memory";

export interface AgentAsk {
  readonly project: string | null;
  readonly home?: string | null;
  readonly sessionId: string | null;
  readonly kind?: MemoryKind | null;
  readonly value?: string | null;
  readonly quote?: string | null;
  /** Its subject, gated. */
  readonly subject?: string | null;
  readonly slot: string | null;
  /** Epoch ms at which it ends to hold. */
  readonly untilMs: number | null;
  readonly nowMs: number;
  /** Texts typed while the agent worked, gated. */
  readonly meanwhile?: readonly string[];
  /** Memories that it names to be replaced. */
  readonly old: readonly MemoryNode[];
}

export interface Judgement {
  readonly origin: "user" | "agent";
  /** Evidence of the memory. */
  readonly quote: string;
  /** The memory as it is stored. */
  readonly text: string;
  /** Where it holds; null = everywhere. */
  readonly project: string | null;
  /** Epoch ms at which it ends to hold. */
  readonly untilMs: number | null;
  /** The user's memories that the quote does not end, though they were named or say another value. */
  readonly unproven?: readonly MemoryNode[];
  /** Why it waits for review; null = it holds at once. */
  readonly waits: string | null;
  /** Why it is kept otherwise than was asked: no rule of the user's, a scope or an end that was not said; else null. */
  readonly doubt: string | null;
}

/**
 * Saves of one session that hold together, of the user's words and of the agent's each; more wait for review. A long
 * one may have one for every turn of the user's words, and one for every four of the agent's: of a real session of 68
 * turns eight lost 7 of the 23 facts of its user, of one of 14 in which a newcomer explained his project 6 of 14.
 */
const savesMax = 8;
const turnsEach = { user: 1, agent: 4 } as const;
/** Earlier turns whose words count as said in this session. */
const turnsReadMax = 20;

/** Judges one save. Reads the session's record only. */
export function judgeAgent(deps: StoreDep, text: string, asked: AgentAsk): Judgement {
  const judged = userWordOf({
    line: text,
    value: asked.value ?? null,
    ...saidIn(deps, asked),
    ...quoteOf(asked),
  });
  const isNarrowed = judged.by === "user" && isTooWide({ ...asked, line: text }, judged.quote);
  const ask = isNarrowed ? { ...asked, project: asked.home ?? null } : asked;
  const shown = shownAs(deps, judged, { ...ask, text });
  const untilMs = endOf(judged, ask);
  const unproven =
    judged.by === "user" ? unprovenBy(deps, { ...ask, line: shown.text }, judged.quote) : [];
  return {
    origin: judged.by,
    ...shown,
    project: ask.project,
    untilMs,
    unproven,
    waits: limitOf(deps, ask, judged.by) ?? waitsFor(deps, { ...ask, line: shown.text }, judged),
    doubt:
      (isNarrowed ? narrowed : untilMs === ask.untilMs ? doubtOf(judged, ask) : endless) ??
      bothStand(unproven),
  };
}

/** The user's words do not begin with their end, and a rule of theirs ends where they said it. */
function endOf(judged: Judged, { kind, untilMs, nowMs }: AgentAsk): number | null {
  if (judged.by === "agent" || untilMs === null) return untilMs;
  const isSaid = kind !== "rule" || saysTime(judged.quote, nowMs);
  return isSaid && untilMs > nowMs ? untilMs : null;
}

/** A rule is shown in the user's own words; anything else also as the agent read them, where it says more. */
function shownAs(deps: StoreDep, judged: Judged, ask: AgentAsk & { readonly text: string }) {
  const { kind, subject, text } = ask;
  if (judged.by === "agent") return { quote: text, text };
  const { quote, shown } = judged;
  if (kind !== "rule" && shown === "line") return { quote, text };
  if (kind !== "rule" && shown === "both") return { quote, text: withReading(quote, text) };
  const label = labelOf(subject ?? "", quote, heldIn(deps, ask));
  return {
    quote,
    text: label === null ? quote : `${quote.replace(/[.!。！]+$/u, "")} (agent: ${label})`,
  };
}

/** `"but it doesn't do the same" (agent: the e2e tests mirror those of the CLI)`: the longer of the two is cut. */
function withReading(quote: string, line: string): string {
  const half = Math.floor(storedLimits.l0TokensMax / 2) - readingTokens;
  const said = cutToTokens(quote, Math.max(half, 2 * half - tokensOf(line)));
  const read = cutToTokens(line, Math.max(half, 2 * half - tokensOf(said)));
  return `"${said.replaceAll('"', "'")}" (agent: ${read})`;
}
/** Tokens of the marks around the two. */
const readingTokens = 4;

/** The session's record as one text: what was typed and answered, and what tools did in this turn. */
function heldIn({ store: { sessions } }: StoreDep, { sessionId }: AgentAsk): string {
  const turn = sessionId === null ? null : sessions.currentTurn(sessionId);
  if (sessionId === null || turn === null) return "";
  const before = sessions.turnsBefore(sessionId, turn.n, turnsReadMax);
  const tools = sessions.toolUses(sessionId, turn.n).map(({ text }) => text ?? "");
  return [turn, ...before]
    .flatMap(({ prompt, answer }) => [prompt ?? "", answer ?? ""])
    .concat(tools)
    .join("\n");
}

/** Told of a rule, which only the user gives; of anything else it would make the agent word a clear line worse. */
const doubtOf = (judged: Judged, { kind }: AgentAsk): string | null =>
  judged.by === "agent" && kind === "rule" ? judged.reason : null;

type Lined = AgentAsk & { readonly line: string };

const waitsFor = (deps: StoreDep, ask: Lined, judged: Judged): string | null =>
  judged.by === "user" ? scopeFault(deps, ask, judged.quote) : agentWaits(deps, ask, judged.reason);

const endless = "without its end, which is over or is not said in the quote";
const narrowed = "for this project: that it holds everywhere is not said in the quote";

/** Is it asked for everywhere, by words that do not say so? */
const isTooWide = ({ kind, project, home, line }: Lined, quote: string): boolean =>
  project === null &&
  home != null &&
  !saysEverywhere(quote, line) &&
  !(kind === "fact" && tellsOfUser(quote, line));

const quoteOf = ({ quote }: AgentAsk): { readonly quote: string | null } => ({
  quote: quote ?? null,
});

type Quoting = Pick<AgentAsk, "meanwhile" | "sessionId"> & { readonly quote: string };

/** Why a quote is not the user's own typed words of this turn, also as the argument of `/forget`; null = it is. */
export function proofOf(deps: StoreDep, ask: Quoting): string | null {
  const { quote } = ask;
  const said = saidIn(deps, { ...ask, old: [], project: null });
  const judged = userWordOf({ line: quote, value: null, quote, ...said, command: "forget" });
  return judged.by === "user" ? null : judged.reason;
}

/** A line that names the project it is stored for adds nothing. */
const projectNames = ({ store }: StoreDep, key: string | null): readonly string[] =>
  store.admin.projectNames().flatMap((one) => (one.key === key ? [one.name] : []));

/** Prompt of a turn with what was typed later; of what a program sends, only a slash command is somebody's word. */
function promptOf(turn: Turn, meanwhile: readonly string[]): string | null {
  const isSent = turn.isHeadless === true && turn.prompt?.startsWith("/") !== true;
  return turn.prompt === null || isSent ? null : [turn.prompt, ...meanwhile].join("\n\n");
}

type Said = Pick<AgentAsk, "meanwhile" | "old" | "project" | "sessionId">;

function saidIn({ store }: StoreDep, { sessionId, old, project, meanwhile = [] }: Said) {
  const turn = sessionId === null ? null : store.sessions.currentTurn(sessionId);
  const known = [
    ...old.filter(({ origin }) => origin === "user").map(({ l0 }) => l0),
    ...projectNames({ store }, project),
  ];
  if (sessionId === null || turn === null)
    return { prompt: null, answerBefore: null, alsoTyped: [], known };
  const before = store.sessions.turnsBefore(sessionId, turn.n, turnsReadMax);
  return {
    prompt: promptOf(turn, meanwhile),
    answerBefore: before[0]?.answer ?? null,
    alsoTyped: store.sessions
      .toolUses(sessionId, turn.n)
      .filter(({ tool }) => tool === "AskUserQuestion")
      // A line without an answer is a part of a question, which the agent wrote.
      .flatMap(({ text }) => answeredIn(text ?? "").map(({ answer }) => answer)),
    known,
  };
}

/** A changed value is never left out for want of room. */
function limitOf(
  { store }: StoreDep,
  { old, project, sessionId, slot }: AgentAsk,
  by: MemoryNode["origin"],
): string | null {
  const inSlot = slot === null ? [] : store.nodes.bySlot(project, slot);
  if (sessionId === null || [...old, ...inSlot].some(({ status }) => status === "active"))
    return null;
  const saved = store.nodes
    .list({ projects: null, session: sessionId, statuses: ["active"] }, "recent", {
      limit: 100,
      offset: 0,
    })
    .filter(({ maker, origin }) => maker === "manual" && origin === by).length;
  const turns = store.sessions.currentTurn(sessionId)?.n ?? 0;
  const most = Math.max(savesMax, Math.floor(turns / turnsEach[by === "user" ? by : "agent"]));
  return saved < most ? null : `${most} memories of this kind were saved in this session already`;
}

const isBeyond = ({ project, home }: AgentAsk): boolean => home !== undefined && project !== home;

/**
 * What the quote does not say to end. What the user said holds all the same; the two are shown as a contradiction,
 * and `review` asks which one stands.
 */
function unprovenBy({ store }: StoreDep, ask: Lined, quote: string): readonly MemoryNode[] {
  const inSlot = ask.slot === null ? [] : store.nodes.bySlot(ask.project, ask.slot);
  return [...ask.old, ...inSlot].filter(
    (node) => node.category !== "sessions" && endFault(ask, node, quote) !== null,
  );
}

function bothStand(nodes: readonly MemoryNode[]): string | null {
  if (nodes.length === 0) return null;
  const uris = [...new Set(nodes.map(({ uri }) => uri))].join(", ");
  return `not in place of ${uris}, which the quote does not end: both stand, the later is current`;
}

function scopeFault({ store }: StoreDep, ask: AgentAsk, quote: string): string | null {
  if (!isBeyond(ask)) return null;
  return ask.project === null || namesProject({ store }, ask.project, quote)
    ? null
    : "the other project is not named in the quote";
}

/** Why a quote may not end a memory; null = it may. `line` and `slot`: of what takes its place, if anything does. */
export function endFault(
  ask: Pick<AgentAsk, "project" | "sessionId"> & {
    readonly slot?: string | null;
    readonly line?: string;
  },
  node: MemoryNode,
  quote: string,
): string | null {
  if (node.project !== null && node.project !== ask.project)
    return `${node.uri} belongs to another project`;
  const { line, slot = null } = ask;
  return node.origin !== "user" ||
    endsMemory(quote, {
      line: node.l0,
      slot: node.slot,
      isRule: node.category === "preferences" || node.category === "patterns",
      isHere: node.evidence.some((one) => one.sessionId === ask.sessionId),
      by: line === undefined ? null : { line, isSameSlot: slot !== null && node.slot === slot },
    })
    ? null
    : `the quote does not say that ${node.uri} ends`;
}

const namesProject = ({ store }: StoreDep, key: string, quote: string): boolean =>
  store.admin.projectNames().some((project) => project.key === key && names(quote, project.name));

function agentWaits(deps: StoreDep, ask: AgentAsk, reason: string): string | null {
  if (ask.project === null && ask.home !== null)
    return `an agent's word does not hold everywhere: ${reason}`;
  if (ask.project !== null && isBeyond(ask))
    return `an agent's word holds in its own project: ${reason}`;
  const inSlot = ask.slot === null ? [] : deps.store.nodes.bySlot(ask.project, ask.slot);
  const users = [...ask.old, ...inSlot].find(({ origin }) => origin === "user");
  if (users !== undefined) return `an agent's word does not replace the user's: ${reason}`;
  const other = ask.old.find(({ project }) => project !== ask.project);
  return other === undefined ? null : `${other.uri} belongs to another project`;
}
