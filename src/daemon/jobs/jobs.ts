/**
 * Runs durable jobs: keep what was said in a closed turn, summarise a session, read a transcript. All of it local; what
 * a model is asked besides is planned here (model/plan.ts) and run beside (model/refiner.ts).
 *
 * Each job commits once, together with its own completion, so a crash in the middle leaves it leased and it runs again;
 * it reads the event times stored with it, never the clock, so that a second run decides what the first would have.
 */
import type { Checkpoint, CheckpointTrigger, Job, Session, Store, ToolUse, Turn } from "#domain";
import { summariseSession } from "#memory";
import { keepSurvey, surveyCode, type CodeSurvey } from "./anchors.ts";
import { enqueueTurn } from "../intake/apply.ts";
import { applyTranscript } from "./transcripts.ts";
import { closeOpenEnds, openEndsBefore, uncommittedFiles } from "../inject/open-ends.ts";
import { keepNotes } from "../inject/notes.ts";
import { findNotes, keepAgentNotes } from "./agent-notes.ts";
import { type Occasion, planQuestion, progressOf } from "../model/plan.ts";
import { endOfTurn, keepExchange, turnContextOf } from "./exchanges.ts";
import type { WorkerContext } from "../context.ts";
import type { TranscriptFacts } from "../ports.ts";

const leaseMs = 60_000;

/** Runs the next due job. False when none was due. What a job reads from outside, it reads before its transaction. */
export async function runNextJob(deps: WorkerContext): Promise<boolean> {
  const nowMs = deps.clock.nowMs();
  const job = deps.store.repeatable(() => deps.store.jobs.lease(nowMs, leaseMs));
  if (job === null) return false;
  deps.onStep("leased", job.kind);
  try {
    const facts = readsOn.has(job.kind) ? await readFacts(deps, job) : null;
    const survey = job.kind === "turn" ? await surveyOf(deps, job) : null;
    const found = job.kind === "notes" ? findNotes(deps, job) : null;
    deps.store.repeatable(() => {
      perform(deps, job, facts);
      if (job.kind === "turn") keepNotesOf(deps, job);
      if (survey !== null) keepCode(deps, job, survey);
      if (found !== null) keepAgentNotes(deps, found, { job, project: projectOf(deps, job) });
      deps.onStep("applied", job.kind);
      deps.store.jobs.complete(job.id);
    });
    deps.onStep("committed", job.kind);
  } catch (error) {
    deps.log.write("error", "job.failed", { key: job.key, reason: String(error).slice(0, 300) });
    deps.store.jobs.fail(job.id, String(error).slice(0, 500), nowMs);
  }
  return true;
}

const projectOf = ({ store }: WorkerContext, { sessionId }: Job): string | null =>
  store.sessions.byId(sessionId ?? "")?.project ?? null;

async function surveyOf(deps: WorkerContext, job: Job): Promise<CodeSurvey | null> {
  const session = deps.store.sessions.byId(job.sessionId ?? "");
  return session === null ? null : surveyCode(deps, session);
}

function keepCode(deps: WorkerContext, job: Job, survey: CodeSurvey): void {
  const atMs = Number(job.payload["atMs"] ?? deps.clock.nowMs());
  for (const id of keepSurvey(deps, survey, { atMs, by: job.key })) deps.vectors.remove(id);
}

function keepNotesOf(deps: WorkerContext, job: Job): void {
  const session = deps.store.sessions.byId(job.sessionId ?? "");
  if (session !== null) keepNotes(deps, session);
}

async function readFacts(deps: WorkerContext, job: Job): Promise<TranscriptFacts | null> {
  const path = deps.store.sessions.byId(job.sessionId ?? "")?.transcriptPath ?? null;
  if (path === null) return null;
  return deps.transcripts.read(path, deps.store.sessions.transcriptOffset(path));
}

function perform(deps: WorkerContext, job: Job, facts: TranscriptFacts | null): void {
  const session = job.sessionId === null ? null : deps.store.sessions.byId(job.sessionId);
  if (session !== null) workOf[job.kind]?.(deps, { job, session, facts });
}

interface Task {
  readonly job: Job;
  readonly session: Session;
  readonly facts: TranscriptFacts | null;
}

/** The functions of the kinds of local jobs; the model's kinds are a lane of their own and never come here. */
const workOf: Partial<Record<Job["kind"], (deps: WorkerContext, task: Task) => void>> = {
  turn: (deps, { job, session }) => processTurn(deps, job, session),
  checkpoint: (deps, { job, session }) => {
    summarise(deps, job, session);
    const type = triggerOf(job);
    if (type === "stop") return;
    const upTo = lastClosed(deps.store, session);
    plan(deps, session, { type, upTo, atMs: atMsOf(job, session) });
  },
  quiet: (deps, task) => {
    readOn(deps, task);
    const { session } = task;
    const upTo = lastClosed(deps.store, session);
    plan(deps, session, { type: "quiet", upTo, atMs: session.lastEventAt });
  },
  transcript: readOn,
};

/** Kinds that begin with what is new in the transcript. Nothing else has told of a session that fell silent. */
const readsOn: ReadonlySet<Job["kind"]> = new Set(["transcript", "quiet"]);

function readOn(deps: WorkerContext, { job, session, facts }: Task): void {
  if (facts === null) return;
  for (const turn of applyTranscript(deps, { session, facts, job }))
    // A turn that was judged already is judged again with what was typed meanwhile.
    enqueueTurn(deps.store, turn, turn.endedAt ?? turn.startedAt, turn.prompt?.length ?? null);
}

/** `plan` queues the questions for a model, if one is chosen. */
function plan(deps: WorkerContext, session: Session, occasion: Occasion): void {
  if (deps.llm() !== null) planQuestion(deps.store, session, occasion);
}

const atMsOf = (job: Job, session: Session): number =>
  Number(job.payload["atMs"] ?? session.lastEventAt);

/** The last turn that is over; one that a compaction or silence finds open is left for later. */
function lastClosed({ sessions }: Store, { sessionId }: Session): number {
  const turn = sessions.currentTurn(sessionId);
  if (turn === null) return 0;
  return turn.status === "open" ? turn.n - 1 : turn.n;
}

function processTurn(deps: WorkerContext, job: Job, session: Session): void {
  const { store } = deps;
  const turn = store.sessions.turn(session.sessionId, Number(job.payload["turn"]));
  if (turn === null || turn.prompt === null) return;
  const context = turnContextOf(store, turn);
  const mayCommit = context.tools.some(({ target }) => /\bcommit\b/.test(target ?? ""));
  const openEnds = mayCommit ? openEndsBefore(store, session).map(({ item }) => item) : [];
  keepExchange(deps, { ...context, openEnds }, job.key, endOfTurn(turn));
}

function summarise(deps: WorkerContext, job: Job, session: Session): void {
  const { store } = deps;
  const previous = store.sessions.currentCheckpoint(session.sessionId);
  const { atMs, turns, toolUses } = sessionThen(store, job, session, previous);
  if (turns.length === 0) return;
  const trigger = triggerOf(job);
  closeOpenEnds(store, session, { turns, toolUses });
  const untold = notYetTold(deps, session, turns);
  // A model's digest tells of all of it already.
  if (untold.length === 0 && trigger !== "stop") return;
  const { l0, fields } = summariseSession({
    session,
    turns: untold.length === 0 ? turns.slice(-1) : untold,
    toolUses,
    previous,
    trigger,
    compactSummary: store.sessions.compactSummary(session.sessionId),
    uncommitted: uncommittedFiles(toolUses),
  });
  store.sessions.addCheckpoint({
    sessionId: session.sessionId,
    project: session.project,
    atMs,
    trigger,
    l0,
    fields,
  });
}

/**
 * `notYetTold` leaves out what a model has told: it is in the checkpoint before, in better words;
 * without one that is nothing.
 */
function notYetTold(
  deps: WorkerContext,
  session: Session,
  turns: readonly Turn[],
): readonly Turn[] {
  const told = deps.llm() === null ? 0 : (progressOf(deps.store, session.sessionId)?.told ?? 0);
  return turns.filter(({ n }) => n > told);
}

interface SessionThen {
  readonly atMs: number;
  /** The turns with something to tell, oldest first. */
  readonly turns: readonly Turn[];
  readonly toolUses: readonly ToolUse[];
}

/**
 * A session as it was when the job was planned: one that runs late must not tell of what came after. Its turns from the
 * first that `told` may not know as it is now; all of them without it.
 */
function sessionThen(
  store: Store,
  job: Job,
  { sessionId, lastEventAt }: Session,
  told: Checkpoint | null,
): SessionThen {
  const atMs = Number(job.payload["atMs"] ?? lastEventAt);
  const turns =
    told === null
      ? store.sessions.turns(sessionId)
      : turnsSince(store, sessionId, { atMs: told.atMs, n: Number(job.payload["turn"] ?? 0) });
  return {
    atMs,
    turns: turns
      .filter(
        ({ prompt, startedAt, isPrivate }) =>
          prompt !== null && isPrivate !== true && startedAt <= atMs,
      )
      .map((turn) => ((turn.endedAt ?? 0) > atMs ? openAgain(turn) : turn)),
    toolUses: store.sessions.toolUses(sessionId, null).filter((use) => use.atMs <= atMs),
  };
}

/** Turns before the first new one that are read again: a transcript may complete them late. */
const turnsReadAgain = 4;
const turnsPageMin = 32;

/**
 * Turns that were not over by `atMs`, those from turn `n` on, and the few before them; oldest first. Turn `n` may be an
 * old one that went on after its end.
 */
function turnsSince(
  store: Store,
  sessionId: string,
  { atMs, n }: { readonly atMs: number; readonly n: number },
): readonly Turn[] {
  const isOld = (turn: Turn): boolean => turn.n < n && turn.endedAt !== null && turn.endedAt < atMs;
  for (let limit = turnsPageMin; ; limit *= 4) {
    const latest = store.sessions.turnsBefore(sessionId, Number.MAX_SAFE_INTEGER, limit);
    // Latest first, so the first old one ends what is new.
    const count = latest.findIndex(isOld);
    if (latest.length < limit || (count >= 0 && count + turnsReadAgain <= limit))
      return latest.slice(0, count < 0 ? limit : count + turnsReadAgain).toReversed();
  }
}

const openAgain = (turn: Turn): Turn => ({ ...turn, status: "open", answer: null, endedAt: null });

function triggerOf(job: Job): Exclude<CheckpointTrigger, "quiet"> {
  const { trigger } = job.payload;
  return trigger === "precompact" || trigger === "end" ? trigger : "stop";
}
