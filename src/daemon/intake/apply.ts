/**
 * Applies an event: session, turn, tool use, signals, and the jobs to run later.
 *
 * Everything here runs inside the transaction that records the event's key, so an event is never known but not
 * applied. Times are event times: a replayed history closes its turns by its own clock.
 */
import {
  isPlan,
  type CheckpointTrigger,
  type JobDraft,
  type Session,
  type SessionUpdate,
  type Turn,
  type Store,
} from "#domain";
import { oneLine, cutAtWord } from "#kit";
import { likelyParent } from "#memory";
import type { PreparedEvent } from "./prepare.ts";

export interface Applied {
  readonly session: Session;
  readonly turn: Turn | null;
}

const titleCharsMax = 120;
const firstPromptCharsMax = 2_000;

/** Applies one prepared event. Injection and signals are added by the caller (accept.ts). */
export function applyEvent(store: Store, event: PreparedEvent): Applied {
  const session = store.sessions.upsert(sessionUpdate(store, event));
  return { session, turn: applyByType(store, event, session) };
}

function sessionUpdate(store: Store, event: PreparedEvent): SessionUpdate {
  const before = store.sessions.byId(event.sessionId);
  const base: SessionUpdate = {
    sessionId: event.sessionId,
    atMs: event.atMs,
    cwd: event.cwd,
    transcriptPath: event.transcriptPath,
    ...projectUpdate(event, before),
  };
  if (event.type === "end") {
    // A client that gives up after the API failed says goodbye all the same.
    const status = before?.status === "failed" ? "failed" : "completed";
    return { ...base, status, endedAt: event.atMs };
  }
  const alive: SessionUpdate = { ...base, status: "active", endedAt: null };
  if (event.type !== "submit" || event.isPrivate) return alive;
  if (event.prompt === null || event.prompt === "") return alive;
  return { ...alive, ...openingOf(event.prompt, before) };
}

/** A plan may name the session; what the user asked for first is what they type after it. */
function openingOf(prompt: string, before: Session | null): Partial<SessionUpdate> {
  if ((before?.firstPrompt ?? null) !== null) return {};
  return {
    ...(isPlan(prompt) ? {} : { firstPrompt: cutAtWord(prompt, firstPromptCharsMax) }),
    title: before?.title ?? cutAtWord(oneLine(prompt), titleCharsMax),
  };
}

/** A session belongs to the project it began in: a `cd` in the middle of it changes neither that nor its branch. */
function projectUpdate({ project }: PreparedEvent, before: Session | null): Partial<SessionUpdate> {
  const known = before?.project ?? null;
  if (project === null || (known !== null && known !== project.key)) return {};
  const { key, name, branch } = project;
  // Most events: nothing to write, and no project to note.
  if (known === key && before?.projectName === name && before.branch === branch) return {};
  return { project: key, projectName: name, branch };
}

function applyByType(store: Store, event: PreparedEvent, session: Session): Turn | null {
  switch (event.type) {
    case "start":
      return applyStart(store, event);
    case "submit":
      return applySubmit(store, event, session);
    case "tool":
      return applyTool(store, event);
    case "stop":
      return applyStop(store, event);
    case "subagent-start":
      return null;
    case "subagent":
      return applySubagent(store, event);
    case "compact-summary":
      if (event.summary !== "")
        store.sessions.saveCompactSummary(event.sessionId, event.summary, event.atMs);
      return null;
    case "pre-compact":
      // One turn may be long enough for several.
      store.jobs.enqueue(
        checkpointJob(event, "precompact", { ...lastTurn(store, event), again: event.atMs }),
      );
      return null;
    case "inner":
      return null;
    case "end":
      closeOpenTurn(store, event, session);
      enqueueTranscript(store, event, `end:${event.atMs}`);
      store.jobs.enqueue(checkpointJob(event, "end", { ...lastTurn(store, event), again: null }));
      return null;
  }
}

function applyStart(store: Store, event: PreparedEvent & { type: "start" }): null {
  const session = store.sessions.byId(event.sessionId);
  if (event.source === "compact") {
    store.exposure.resetSeen(event.sessionId);
  } else if (session !== null) {
    // A session that starts again was interrupted if its last turn is still open.
    closeOpenTurn(store, event, session);
    if (event.source === "fork" && session.parentSession === null) adopt(store, event, session);
  }
  return null;
}

/** Until the transcript tells whose fork it is, the likeliest one counts as the parent. */
function adopt(
  store: Store,
  { sessionId, atMs, sinceAnswerMs }: PreparedEvent & { type: "start" },
  { project }: Session,
): void {
  const parent = likelyParent(store.sessions, { sessionId, project, atMs, sinceAnswerMs });
  if (parent !== null) store.sessions.upsert({ sessionId, atMs, parentSession: parent.sessionId });
}

function applySubmit(
  store: Store,
  event: PreparedEvent & { type: "submit" },
  session: Session,
): Turn {
  if (event.promptId !== null) {
    const running = store.sessions.turnByPromptId(event.sessionId, event.promptId);
    if (running !== null) return continueTurn(store, running, event);
  }
  closeOpenTurn(store, event, session, event.isStopCarried ? "closed" : "interrupted");
  // By now the turn before this one is in the transcript as a whole.
  enqueueTranscript(store, event, `submit:${event.promptId ?? event.atMs}`);
  return store.sessions.openTurn(event);
}

/**
 * A prompt typed while the agent works comes with the running turn's prompt id: it belongs to that turn and does not
 * interrupt it. A private addition makes the whole turn private.
 */
function continueTurn(
  store: Store,
  before: Turn,
  { prompt: addition, isPrivate }: PreparedEvent & { type: "submit" },
): Turn {
  const turn = isPrivate && !isPrivateTurn(before) ? store.sessions.hideTurn(before.id) : before;
  if (addition === null || addition === "") return turn;
  const isFirst = turn.prompt === null || turn.prompt === "";
  const prompt = isFirst ? addition : `${turn.prompt}\n\n${addition}`;
  return store.sessions.updateTurn(turn.id, { prompt });
}

/** True for a turn of which nothing but typed words is kept; one that was forgotten has no prompt either. */
const isPrivateTurn = (turn: Turn): boolean => turn.isPrivate === true || turn.prompt === null;

function applyTool(store: Store, event: PreparedEvent & { type: "tool" }): Turn | null {
  const turn = turnOf(store, event);
  const { edits, ...tool } = event.tool;
  // A private turn keeps only the fact that a tool ran.
  const isPrivate = isPrivateTurn(turn);
  const added = store.sessions.addToolUse({
    sessionId: event.sessionId,
    turn: turn.n,
    ...tool,
    ...(isPrivate ? { target: null, files: [], text: null } : {}),
    atMs: event.atMs,
  });
  if (!added || isPrivate) return turn;
  return store.sessions.updateTurn(turn.id, {
    toolCount: turn.toolCount + 1,
    filesRead: edits ? [] : tool.files,
    filesEdited: edits ? tool.files : [],
  });
}

function applyStop(store: Store, event: PreparedEvent & { type: "stop" }): Turn | null {
  // Another tool's Stop hook made the model go on: of a turn that we never saw there is nothing to update.
  if (event.continued && store.sessions.currentTurn(event.sessionId) === null) return null;
  const turn = turnOf(store, event);
  const answer = isPrivateTurn(turn) ? null : event.answer;
  // The model may go on after its Stop, and a turn that was given up may end after all (a day of silence): the later
  // answer is a new job, the first one is harmless.
  const isLater = event.continued || turn.status !== "open";
  const closed = store.sessions.updateTurn(turn.id, {
    ...(answer === null ? {} : { answer }),
    status: "closed",
    endedAt: event.atMs,
  });
  const again = isLater ? event.atMs : null;
  // While what was private in the session is still known.
  enqueueTranscript(store, event, `stop:${event.atMs}`);
  enqueueTurn(store, closed, event.atMs, again);
  store.jobs.enqueue(checkpointJob(event, "stop", { turn: turn.n, again }));
  return closed;
}

/** Keeps only the final answer of a subagent, as one tool use of the turn that called it, which may be over. */
function applySubagent(store: Store, event: PreparedEvent & { type: "subagent" }): Turn | null {
  const turn = knownTurnOf(store, event);
  if (turn === null || isPrivateTurn(turn) || event.answer === null) return turn;
  store.sessions.addToolUse({
    sessionId: event.sessionId,
    turn: turn.n,
    toolUseId: null,
    tool: `Subagent:${event.agentType}`.slice(0, 120),
    target: cutAtWord(oneLine(event.answer), 300),
    files: [],
    outcome: "ok",
    text: null,
    atMs: event.atMs,
    agentId: null,
  });
  return turn;
}

/** The turn an event belongs to: by prompt id, else the latest; one without a prompt when capture began mid-turn. */
function turnOf(store: Store, event: PreparedEvent): Turn {
  const { sessionId, promptId, atMs } = event;
  return (
    knownTurnOf(store, event) ?? store.sessions.openTurn({ sessionId, promptId, prompt: "", atMs })
  );
}

function knownTurnOf(store: Store, { sessionId, promptId, atMs }: PreparedEvent): Turn | null {
  const byId = promptId === null ? null : store.sessions.turnByPromptId(sessionId, promptId);
  const latest = byId ?? store.sessions.currentTurn(sessionId);
  if (promptId !== null || latest === null) return latest;
  // An event that landed late is of the turn that ran then.
  const isLate = atMs < latest.startedAt;
  return (isLate ? store.sessions.turnsBefore(sessionId, latest.n, 1)[0] : null) ?? latest;
}

/** An interrupt fires no hook: the next sign of life of the session closes the turn. */
export function closeOpenTurn(
  store: Store,
  event: { readonly sessionId: string; readonly atMs: number },
  session: Session,
  status: "closed" | "interrupted" = "interrupted",
): void {
  const turn = store.sessions.currentTurn(session.sessionId);
  if (turn === null || turn.status !== "open") return;
  const closed = store.sessions.updateTurn(turn.id, {
    status,
    endedAt: Math.max(turn.startedAt, event.atMs),
  });
  // First, in the order of the session's jobs: what the agent had said before it was stopped is in the transcript only.
  enqueueTranscript(store, turn, `interrupted:${turn.n}`);
  enqueueTurn(store, closed, event.atMs, null);
}

/**
 * The job that judges, observes and extracts a closed turn; once per turn, and once more per later answer (`again`).
 */
export function enqueueTurn(store: Store, turn: Turn, atMs: number, again: number | null): void {
  const { sessionId, n } = turn;
  const key = `turn:${sessionId}:${n}${again === null ? "" : `:${again}`}`;
  const payload = { turn: n, atMs };
  store.jobs.enqueue({ key, kind: "turn", sessionId, payload, runAfterMs: 0 });
}

/** Reads the transcript on; `occasion` tells the readings of one session apart. */
export function enqueueTranscript(
  store: Store,
  { sessionId }: { readonly sessionId: string },
  occasion: string,
): void {
  const key = `transcript:${sessionId}:${occasion}`;
  store.jobs.enqueue({ key, kind: "transcript", sessionId, payload: {}, runAfterMs: 0 });
}

const lastTurn = (store: Store, { sessionId }: PreparedEvent): { readonly turn: number } => ({
  turn: store.sessions.currentTurn(sessionId)?.n ?? 0,
});

/** Once per turn and trigger, and once more for each `again`, as with turns. */
function checkpointJob(
  { sessionId, atMs }: PreparedEvent,
  trigger: Exclude<CheckpointTrigger, "quiet">,
  { turn, again }: { readonly turn: number; readonly again: number | null },
): JobDraft {
  const occasion = `${turn}:${trigger}${again === null ? "" : `:${again}`}`;
  const key = `checkpoint:${sessionId}:${occasion}`;
  return { key, kind: "checkpoint", sessionId, payload: { trigger, turn, atMs }, runAfterMs: 0 };
}
