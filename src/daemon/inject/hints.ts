/**
 * Reminds the agent to save after events that facts tend to come with: it was stopped, a question answered, a plan
 * accepted, a known value may have changed, an order is in doubt. Rarely: each event once a session, within a budget,
 * and in few of a project's turns. Nothing is remembered by it.
 */
import {
  agentOf,
  answeredIn,
  isDelivered,
  type MemoryNode,
  shortIdOf,
  toolPrefixOf,
  type Turn,
} from "#domain";
import { tokensOf } from "#kit";
import {
  composeHint,
  doubtsOf,
  isOfOrder,
  isTerse,
  sharesWords,
  tellsChange,
  type HintCause,
  type Near,
} from "#memory";
import { readPrompt, sentencesOf } from "#language";
import type { Applied } from "../intake/apply.ts";
import { record } from "./inject.ts";
import { reachOf } from "../intake/moved.ts";
import type { PreparedEvent } from "../intake/prepare.ts";
import type { WorkerContext } from "../context.ts";

const sessionTokensMax = 120;
/** Injections of a session looked through. */
const injectionsMax = 200;
/** Turns of a project between two hints, on average; in a new one the first may come sooner. */
const turnsPerHint = 7;
const turnsAtFirst = 4;
const nearLookedAt = 3;

/** Says what became of the orders in a prompt. */
interface Ordered {
  /** Memories that it ordered. */
  readonly kept: readonly MemoryNode[];
  /** An order in it may be none of the user's and was not kept. */
  readonly isDoubtful: boolean;
  /** Only a line without which an order is lost is wanted. */
  readonly isOnly: boolean;
}

/** A hint for a prompt; empty nearly always. */
export function hintAtPrompt(
  deps: WorkerContext,
  event: PreparedEvent & { type: "submit" },
  { session, turn }: Applied,
  { kept, isDoubtful, isOnly }: Ordered,
): string {
  const turns = Math.min(purseMax, turnsIn(deps, session.project) + 1);
  deps.store.admin.setMeta(purseOf(session.project), `${turns}`);
  if (turn === null || turn.isPrivate === true) return "";
  const [before = null] = deps.store.sessions.turnsBefore(event.sessionId, turn.n, 1);
  const { kind, typed } = readIn(event.prompt, before);
  const said = { event, session, text: typed };
  // The order itself may be read as pasted, and its request be a word or two.
  if (isDoubtful) return given(deps, said, "doubtful");
  if (kind !== "typed" || isTerse(typed)) return "";
  const changing = { ...said, since: turn.startedAt };
  if (kept.length > 0) return ofReplaced(deps, changing, kept);
  if (isOnly) return "";
  const isMeanwhile = turn.startedAt < event.atMs;
  if (!isMeanwhile && isStopped(before, session)) return given(deps, said, "stopped");
  return tellsOfChange(typed) ? given(deps, changing, "changed") : "";
}

/** Asks whether an older memory is over by what was ordered: words alone rarely tell. */
function ofReplaced(deps: WorkerContext, said: Said, kept: readonly MemoryNode[]): string {
  const { nodes } = deps.store;
  const ids = kept.map(({ id }) => id);
  const doubt = doubtsOf(nodes, ids).find(({ fromId }) => ids.includes(fromId));
  if (doubt === undefined && !tellsOfChange(said.text)) return "";
  const by = shortIdOf(doubt?.fromId ?? ids.at(-1) ?? 0);
  return given(deps, said, "replaced", () => {
    const older = doubt === undefined ? nearTo(deps, said) : nodes.byId(doubt.toId);
    return older === null ? null : { ...nearOf(older), by };
  });
}

const readIn = (prompt: string | null, before: Turn | null): ReturnType<typeof readPrompt> =>
  readPrompt(prompt ?? "", before?.answer ?? null);

/** Without a transcript a turn may look stopped because nobody reports its end. */
const isStopped = (turn: Turn | null, { transcriptPath }: Applied["session"]): boolean =>
  turn?.status === "interrupted" && turn.prompt !== null && transcriptPath !== null;

const tellsOfChange = (typed: string): boolean =>
  sentencesOf(typed).some((one) => !one.isQuestion && tellsChange(one.text));

/** A hint beside the tool by which the user answered; empty for others. Only Claude Code reads it there. */
export function hintAtTool(
  deps: WorkerContext,
  event: PreparedEvent & { type: "tool" },
  { session, turn }: Applied,
): string {
  const { tool, sessionId } = event;
  if (agentOf(sessionId) !== "claude" || tool.agentId !== null || tool.outcome === "error")
    return "";
  if (turn === null || turn.prompt === null || turn.isPrivate === true) return "";
  const cause = causeByTool[tool.tool];
  const text = tool.text ?? "";
  return cause === undefined || asksBack(text) ? "" : given(deps, { event, session, text }, cause);
}

/** Somebody who answers with questions alone has chosen nothing. */
function asksBack(text: string): boolean {
  const answers = answeredIn(text);
  return answers.length > 0 && answers.every(({ answer }) => /[?？]\s*$/u.test(answer));
}

const causeByTool: Readonly<Partial<Record<string, HintCause>>> = {
  AskUserQuestion: "answered",
  ExitPlanMode: "plan",
};

interface Said {
  readonly event: PreparedEvent;
  readonly session: Applied["session"];
  readonly text: string;
  /** Epoch ms from which on a memory says the same thing; absent = none does. */
  readonly since?: number;
}

/** A change is told once for each memory, and a doubt is another one each time. */
const onceASession: ReadonlySet<HintCause> = new Set(["stopped", "answered", "plan"]);

/** A change of nothing that is known is news, which the start text tells how to save. */
const aboutKnown: ReadonlySet<HintCause> = new Set(["changed", "replaced"]);

function given(
  deps: WorkerContext,
  said: Said,
  cause: HintCause,
  find: () => Near | null = () => nearIn(deps, said),
): string {
  const { event, session } = said;
  // Nobody types where a program runs the client.
  if (!deps.settings().inject.hints || event.isHeadless) return "";
  const told = deps.store.exposure
    .injections(event.sessionId, injectionsMax)
    .filter((one) => one.channel === "hint" && isDelivered(one));
  if (onceASession.has(cause) && told.some((one) => one.cause === cause)) return "";
  const found = find();
  const near = told.some((one) => found !== null && one.text.includes(found.id)) ? null : found;
  if (near === null && aboutKnown.has(cause)) return "";
  const text = composeHint(cause, `${toolPrefixOf(event.sessionId)}memory_remember`, near);
  const tokens = told.reduce((sum, one) => sum + one.tokens, tokensOf(text));
  if (!fits(cause, tokens) || !spend(deps, session.project, cause)) return "";
  const reasons = near === null ? [] : [{ id: near.id, tokens: tokensOf(text) }];
  record(deps, { event, channel: "hint", cause, text, nodeIds: [], reasons });
  return text;
}

const fits = (cause: HintCause, tokens: number): boolean =>
  isOfOrder(cause) || tokens <= sessionTokensMax;

/** The memory in force that shares most with what was said; null when none shares enough. */
function nearTo(
  deps: WorkerContext,
  { event, session, text, since = Infinity }: Said,
): MemoryNode | null {
  const home = reachOf(deps, event, session);
  const found = deps.finder.find({
    text: text.slice(0, textCharsMax),
    kinds: ["memory"],
    projects: home === null ? [] : [home],
    homeProject: home,
    statuses: ["active"],
    limit: nearLookedAt,
    sort: "relevance",
    nowMs: event.atMs,
  });
  const near = found.find(
    ({ node }) => node !== null && node.createdAt < since && sharesWords(text, node.l0),
  );
  return near?.node ?? null;
}

const nearOf = ({ id, l0 }: MemoryNode): Near => ({ id: shortIdOf(id), line: l0 });

function nearIn(deps: WorkerContext, said: Said): Near | null {
  const found = nearTo(deps, said);
  return found === null ? null : nearOf(found);
}

const textCharsMax = 1_200;

/** Turns of a project since hints began to be counted, less those that its hints have used up. */
const purseOf = (project: string | null) => `hints.turns:${project ?? ""}` as const;
/** A quiet project saves up for no more than this. */
const purseMax = 2 * turnsPerHint;

const turnsIn = ({ store }: WorkerContext, project: string | null): number =>
  Number(store.admin.getMeta(purseOf(project)) ?? turnsAtFirst);

/** Tells at once what an order asks of the agent; later hints wait longer for it. */
function spend(deps: WorkerContext, project: string | null, cause: HintCause): boolean {
  const left = turnsIn(deps, project) - turnsPerHint;
  const isSpent = left >= 0 || isOfOrder(cause);
  if (isSpent) deps.store.admin.setMeta(purseOf(project), `${left}`);
  return isSpent;
}
