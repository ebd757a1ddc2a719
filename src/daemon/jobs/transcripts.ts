/**
 * Takes from a transcript what no hook says: the line of each prompt (evidence), the words of interrupted turns, an
 * interrupt or a failure of the API that no hook reported, and the parent of a fork.
 *
 * Reading is the port's business and happens before the transaction; this file applies what was read.
 */
import {
  holdsForgotten,
  planText,
  refusedCall,
  remarkUses,
  storedLimits,
  type Session,
  type Turn,
} from "#domain";
import { bothEnds } from "#kit";
import { leavesNoRecord } from "#memory";
import { forgetTurn } from "../intake/forget-turn.ts";
import type { WorkerContext } from "../context.ts";
import type { TranscriptFacts, TranscriptTurnFacts } from "./transcript-reading.ts";

/** Applies what a transcript said; runs inside the job's transaction. Returns turns that it closed or added to. */
export function applyTranscript(
  deps: WorkerContext,
  session: Session,
  facts: TranscriptFacts,
): readonly Turn[] {
  const { store } = deps;
  const path = session.transcriptPath;
  if (path === null) return [];
  if (facts.parentSession !== null && session.parentSession !== facts.parentSession)
    store.sessions.upsert({
      sessionId: session.sessionId,
      atMs: session.lastEventAt,
      parentSession: facts.parentSession,
    });
  noteHidden(deps, session, facts);
  const closed = facts.turns.flatMap((told) => applyTurn(deps, session, told) ?? []);
  const last = facts.turns.at(-1);
  if (last?.failed === true && isLatest(deps, session, last))
    store.sessions.upsert({
      sessionId: session.sessionId,
      atMs: session.lastEventAt,
      status: "failed",
    });
  store.sessions.saveTranscriptOffset(path, session.sessionId, facts.offset, session.lastEventAt);
  return closed;
}

/** Keeps in mind what its prompts had in private, those that were copied from another session as well. */
function noteHidden(
  { gate, hidden }: WorkerContext,
  session: Session,
  facts: TranscriptFacts,
): void {
  const { sessionId } = session;
  const told = facts.turns.flatMap(({ prompts }) => prompts);
  const prompts = [...facts.copiedPrompts, ...told];
  const refusals = facts.turns.flatMap(refusalsIn);
  hidden.addOffRecord(sessionId, [...prompts, ...refusals].filter(leavesNoRecord));
  const cleaned = prompts.map((text) => hidden.clean(gate, sessionId, text));
  hidden.addPrivate(
    sessionId,
    cleaned.flatMap((clean) => clean.hidden),
  );
}

/** The user's words at the refusal of calls. */
const refusalsIn = ({ refused }: TranscriptTurnFacts): readonly string[] =>
  refused.flatMap(({ said }) => said ?? []);

/** Is it the session's latest turn, and did no Stop end it? A session that goes on after a failure has not failed. */
function isLatest(deps: WorkerContext, session: Session, told: TranscriptTurnFacts): boolean {
  const current = deps.store.sessions.currentTurn(session.sessionId);
  const turn = turnFor(deps, session, told);
  return current !== null && current.id === turn?.id && current.status !== "closed";
}

/** The turn if it was closed or got longer here, else null. */
function applyTurn(deps: WorkerContext, session: Session, told: TranscriptTurnFacts): Turn | null {
  const found = turnFor(deps, session, told);
  if (found === null || found.prompt === null) return null;
  if ([...told.prompts, ...refusalsIn(told)].some(leavesNoRecord)) {
    forgetTurn(deps, found, session.lastEventAt);
    return null;
  }
  const turn = addMeanwhile(deps, hiddenIfPrivate(deps, found, told), told);
  if (turn.isPrivate !== true) {
    addRefused(deps, turn, told);
    addRemarks(deps, turn, told);
  }
  const isLonger = turn.prompt !== found.prompt && turn.status !== "open";
  return closeAsTold(deps, session, turn, told) ?? (isLonger ? turn : null);
}

function closeAsTold(
  deps: WorkerContext,
  session: Session,
  turn: Turn,
  told: TranscriptTurnFacts,
): Turn | null {
  const { store } = deps;
  if (turn.line === null && told.line !== null)
    store.sessions.updateTurn(turn.id, { line: told.line });
  if (!told.interrupted || turn.status === "closed") return null;
  const { lastText } = told;
  const said = lastText === null ? null : scrubOf(deps, turn, told)(lastText);
  const answer = turn.isPrivate === true ? null : (turn.answer ?? said);
  const patch = answer === null ? {} : { answer };
  if (turn.status === "interrupted") {
    store.sessions.updateTurn(turn.id, patch);
    return null;
  }
  return store.sessions.updateTurn(turn.id, {
    ...patch,
    status: "interrupted",
    endedAt: Math.max(turn.startedAt, told.endedAtMs ?? session.lastEventAt),
  });
}

/** A private block in a message that only the transcript knows makes the whole turn private. */
function hiddenIfPrivate(deps: WorkerContext, turn: Turn, { prompts }: TranscriptTurnFacts): Turn {
  const hasBlock = prompts.some((typed) => deps.gate.clean(typed).hidden.length > 0);
  return hasBlock && turn.isPrivate !== true ? deps.store.sessions.hideTurn(turn.id) : turn;
}

/**
 * A message typed while the agent worked belongs to the running turn. A hook may have said it
 * already: with this turn, or as a prompt of its own.
 */
function addMeanwhile(deps: WorkerContext, turn: Turn, told: TranscriptTurnFacts): Turn {
  const { sessions } = deps.store;
  if (told.meanwhile.length === 0) return turn;
  const later = sessions
    .turnsBefore(turn.sessionId, Number.MAX_SAFE_INTEGER, turnsBackMax)
    .filter(({ n }) => n >= turn.n)
    .map(({ prompt }) => ` ${words(prompt ?? "")} `);
  const fresh = told.meanwhile
    .map((typed) => deps.hidden.clean(deps.gate, turn.sessionId, typed))
    .flatMap(({ text, whollyPrivate }) => (whollyPrivate ? [] : text.trim()))
    .filter((text) => text !== "" && !later.some((said) => said.includes(` ${words(text)} `)));
  if (fresh.length === 0) return turn;
  const prompt = [turn.prompt ?? "", ...fresh].filter((said) => said !== "").join("\n\n");
  return sessions.updateTurn(turn.id, { prompt: bothEnds(prompt, storedLimits.promptCharsMax) });
}

const words = (text: string): string => text.replace(/\s+/gu, " ").trim();

function addRefused(deps: WorkerContext, turn: Turn, { refused }: TranscriptTurnFacts): void {
  const { gate, hidden, store } = deps;
  const scrub = (text: string): string => hidden.scrub(gate, turn.sessionId, { text });
  let { toolCount } = turn;
  for (const { toolUseId, tool, target, plan, said } of refused) {
    const text = plan === null ? refusedCall(said) : planText(plan, refusedCall(said));
    const isNew = store.sessions.addToolUse({
      sessionId: turn.sessionId,
      turn: turn.n,
      toolUseId,
      tool,
      target: target === null ? null : scrub(target),
      files: [],
      outcome: "error",
      text: scrub(text),
      atMs: turn.endedAt ?? turn.startedAt,
      agentId: null,
    });
    if (isNew) toolCount += 1;
  }
  if (toolCount !== turn.toolCount) store.sessions.updateTurn(turn.id, { toolCount });
}

/**
 * Only where the turn is known for sure: by its id, or because its prompt was read with it. A remark is kept with the
 * tool call that followed: where no hook told of that, recording was paused, or the agent worked in an excluded folder.
 * A turn in which the user had something forgotten keeps none: they may repeat it in other words.
 */
function addRemarks(deps: WorkerContext, turn: Turn, told: TranscriptTurnFacts): void {
  const { store } = deps;
  const { sessionId, n, startedAt, endedAt } = turn;
  if ((told.promptId === null && isFromMiddle(told)) || isBlind(deps, turn, told)) return;
  if (store.nodes.wasForgottenSince(startedAt)) return;
  const calls = new Set(store.sessions.toolUses(sessionId, n).map(({ toolUseId }) => toolUseId));
  const scrub = scrubOf(deps, turn, told);
  const texts = told.remarks
    .flatMap(({ text, beforeCall }) => (calls.has(beforeCall) ? scrub(text) : []))
    .filter((text) => !holdsForgotten(store, [text]) && text.replaceAll(gone, "").trim() !== "");
  for (const use of remarkUses(texts, { sessionId, turn: n, atMs: endedAt ?? startedAt }))
    store.sessions.addToolUse(use);
}

/** The mark that stands in place of something private: by itself it tells nothing. */
const gone = /\[redacted:private\]/g;

/**
 * True in a process that never saw what a session had in private: nothing is left to know its words by. Of a turn that
 * is read from its prompt on, the prompt tells.
 */
function isBlind(
  { hidden, store }: WorkerContext,
  { n, sessionId }: Turn,
  told: TranscriptTurnFacts,
): boolean {
  if (hidden.of(sessionId).length > 0) return false;
  const last = isFromMiddle(told) ? n : n - 1;
  return store.sessions
    .turnsBefore(sessionId, last + 1, Number.MAX_SAFE_INTEGER)
    .some(
      ({ isPrivate, prompt }) => isPrivate === true || (prompt?.includes("[redacted:") ?? true),
    );
}

/** Read from its middle, a turn begins with what was typed in it, if with anything. */
const isFromMiddle = ({ meanwhile, prompts }: TranscriptTurnFacts): boolean =>
  prompts[0] === undefined || prompts[0] === meanwhile[0];

/** Turns looked through for one that the client gave no id: the latest ones. */
const turnsBackMax = 50;

/**
 * By prompt id. Without one: a prompt is known by its words, and a reading that began in mid-turn goes on with the last
 * turn whose prompt was read before. Never simply the latest turn: the transcript is read when the next one has begun.
 */
function turnFor(deps: WorkerContext, session: Session, told: TranscriptTurnFacts): Turn | null {
  const { sessionId } = session;
  const { sessions } = deps.store;
  if (told.promptId !== null) return sessions.turnByPromptId(sessionId, told.promptId);
  const latest = sessions.turnsBefore(sessionId, Number.MAX_SAFE_INTEGER, turnsBackMax);
  if (isFromMiddle(told)) return latest.find(({ line }) => line !== null) ?? null;
  const typed = told.prompts[0] ?? "";
  // A secret may have become known since the prompt was kept.
  const cleaned = [deps.gate.clean(typed), deps.hidden.clean(deps.gate, sessionId, typed)];
  const said = new Set(cleaned.map(({ text }) => text.trim()));
  return (
    latest.findLast(
      ({ line, promptId, prompt }) =>
        line === null && promptId === null && prompt !== null && said.has(prompt),
    ) ?? null
  );
}

/**
 * Takes out of the agent's words what the turn's prompt had in private. The prompt stands beside them, so that this
 * also holds in a process that never saw it.
 */
function scrubOf(
  { gate, hidden }: WorkerContext,
  { sessionId }: Turn,
  { prompts }: TranscriptTurnFacts,
): (text: string) => string {
  const also = prompts.flatMap((prompt) => {
    const clean = gate.clean(prompt);
    return [...clean.hidden, ...clean.secrets];
  });
  return (text) => hidden.scrub(gate, sessionId, { text, also });
}
