/** Reads a session's record for what an agent saves in it: what was typed and done, and how much was saved. */
import { answeredIn, type MemoryKind, type MemoryNode, type Turn } from "#domain";
import { afterLearn, withLater, wordsIn } from "#memory";
import type { Context } from "./context.ts";
import type { Asking } from "./reader.ts";

/**
 * Saves of one turn that hold together, of the user's words and of the agent's each; more wait for review. Beyond its
 * first, each save of a turn counts for the rest of the session: in a long session later decisions would wait else.
 */
const savesMax = 8;
const savedReadMax = 400;

export interface AgentAsk extends Asking {
  readonly project: string | null;
  readonly kind?: MemoryKind | null;
  readonly value?: string | null;
  readonly quote?: string | null;
  /** Its subject and attribute, gated. */
  readonly subject?: string | null;
  readonly attribute?: string | null;
  readonly slot: string | null;
  /** Epoch ms at which it ends to hold. */
  readonly untilMs: number | null;
  readonly nowMs: number;
  readonly zone?: string | null;
  /** Memories that it names to be replaced. */
  readonly old: readonly MemoryNode[];
  /** A rule of which the agent was asked already, and says that it holds for every later session. */
  readonly isConfirmed?: boolean;
}

type InSession = Pick<Asking, "sessionId">;

/** Memories that agents saved in a session and that hold. */
const savedIn = ({ store }: Context, sessionId: string): readonly MemoryNode[] =>
  store.nodes
    .list({ projects: null, session: sessionId, statuses: ["active"] }, "recent", {
      limit: savedReadMax,
    })
    .filter(({ maker }) => maker === "manual");

/** A changed value is never left out for want of room. */
export function limitOf(
  context: Context,
  { old, project, sessionId, slot }: AgentAsk,
  by: MemoryNode["origin"],
): string | null {
  const { store } = context;
  const inSlot = slot === null ? [] : store.nodes.bySlot(project, slot);
  if (sessionId === null || [...old, ...inSlot].some(({ status }) => status === "active"))
    return null;
  const saved = savedIn(context, sessionId).filter(({ origin }) => origin === by);
  const starts = store.sessions.turns(sessionId).map(({ startedAt }) => startedAt);
  if (saved.length < Math.max(savesMax, starts.length)) return null;
  const turns = saved.map(({ createdAt }) => starts.findLastIndex((at) => at <= createdAt));
  const isFirst = !turns.includes(starts.length - 1);
  const beyond = saved.length - new Set(turns).size;
  return isFirst || beyond < savesMax - 1
    ? null
    : `${saved.length} memories of this kind were saved in this session already`;
}

/** Earlier turns whose words count as said in this session. */
const turnsReadMax = 20;

/** The session's record as one text: what was typed and answered, and what tools did in this turn. */
export function heldIn(context: Context, ask: InSession): string {
  const turn = turnOf(context, ask);
  if (turn === null) return "";
  const tools = context.store.sessions.toolUses(turn.sessionId, turn.n);
  return [spokenIn(context, ask), ...tools.map(({ text }) => text ?? "")].join("\n");
}

/** Prompts and answers of the session, as one text. */
function spokenIn(context: Context, ask: InSession): string {
  const turn = turnOf(context, ask);
  if (turn === null) return "";
  const before = context.store.sessions.turnsBefore(turn.sessionId, turn.n, turnsReadMax);
  return [turn, ...before].flatMap(({ prompt, answer }) => [prompt ?? "", answer ?? ""]).join("\n");
}

/** The exchange directly before a quote; before one typed while the agent worked, the prompt of its turn. */
export function spokenBefore(context: Context, ask: InSession, quote: string): string {
  const turn = turnOf(context, ask);
  if (turn === null) return "";
  const isPrompt = turn.prompt?.includes(quote.trim()) === true;
  const { sessions } = context.store;
  const said = isPrompt ? sessions.turnsBefore(turn.sessionId, turn.n, 1)[0] : turn;
  return `${said?.prompt ?? ""}\n${said?.answer ?? ""}`;
}

/** True for a word that at most `rareMax` other memories of the project hold; of all, for one that holds everywhere. */
export const rareIn =
  ({ store }: Context, { id, project }: MemoryNode) =>
  (word: string): boolean => {
    const page = { limit: memoriesReadMax };
    const filter = { projects: project === null ? null : [project], statuses: ["active"] } as const;
    const others = store.nodes.list(filter, "recent", page).filter((node) => node.id !== id);
    return others.filter(({ l0 }) => wordsIn(l0).includes(word)).length <= rareMax;
  };
const memoriesReadMax = 500;
const rareMax = 2;

export const turnOf = ({ store }: Context, { sessionId }: InSession): Turn | null =>
  sessionId === null ? null : store.sessions.currentTurn(sessionId);

/** An option without the mark by which agents recommend it. */
export const chosen = (answer: string): string => answer.replace(/\s*\(Recommended\)\s*$/u, "");

/** A line that names the project it is stored for adds nothing. */
export const projectNames = ({ store }: Context, key: string | null): readonly string[] =>
  store.admin.projectNames().flatMap((one) => (one.key === key ? [one.name] : []));

/** Prompt of a turn with what was typed later; of what a program sends, only a slash command is somebody's word. */
function promptOf(turn: Turn, meanwhile: readonly string[]): string | null {
  const isSent = turn.isHeadless === true && turn.prompt?.startsWith("/") !== true;
  return turn.prompt === null || isSent ? null : withLater(turn.prompt, meanwhile);
}

/** The current turn; at `/learn`, the one before it, with what was typed behind the command. */
function turnMeant(context: Context, ask: InSession): Turn | null {
  const current = turnOf(context, ask);
  const more = afterLearn(current?.prompt ?? "");
  if (current === null || more === null) return current;
  const [before = null] = context.store.sessions.turnsBefore(current.sessionId, current.n, 1);
  return before && { ...before, prompt: `${before.prompt ?? ""}\n\n${more}` };
}

export function saidIn(
  context: Context,
  ask: Pick<AgentAsk, "meanwhile" | "old" | "project" | "sessionId">,
) {
  const { sessionId, old, project, meanwhile = [] } = ask;
  const { sessions } = context.store;
  const turn = turnMeant(context, { sessionId });
  const known = old.filter(({ origin }) => origin === "user").map(({ l0 }) => l0);
  const names = { known, projectNames: projectNames(context, project) };
  if (turn === null) return { prompt: null, answerBefore: null, asked: [], ...names };
  const [before] = sessions.turnsBefore(turn.sessionId, turn.n, 1);
  return {
    prompt: promptOf(turn, meanwhile),
    later: meanwhile,
    answerBefore: before?.answer ?? null,
    // A line without an answer is a part of a question, which the agent wrote.
    asked: sessions
      .toolUses(turn.sessionId, turn.n)
      .filter(({ tool }) => tool === "AskUserQuestion")
      .flatMap(({ text }) => answeredIn(text ?? ""))
      .map(({ question, options, answer }) => ({ question, options, answer: chosen(answer) })),
    ...names,
  };
}
