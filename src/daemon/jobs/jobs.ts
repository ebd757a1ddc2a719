/**
 * Runs durable jobs: keep what was said in a closed turn, summarise a session, read a transcript. All of it local; what
 * a model is asked besides is planned here (model/plan.ts) and run beside (model/refiner.ts).
 *
 * Each job commits once, together with its own completion, so a crash in the middle leaves it leased and it runs again;
 * it reads the event times stored with it, never the clock, so that a second run decides what the first would have.
 */
import type { Checkpoint, CheckpointTrigger, Job, Session, Store, Turn } from "#domain";
import { summariseSession } from "#memory";
import { keepSurvey, surveyCode, type CodeSurvey } from "./anchors.ts";
import { enqueueTurn } from "../intake/apply.ts";
import { applyTranscript } from "./transcripts.ts";
import { closeOpenEnds, openEndsBefore, uncommittedFiles } from "../inject/open-ends.ts";
import { keepNotes } from "../inject/notes.ts";
import { findNotes, type FoundNotes, keepAgentNotes } from "./agent-notes.ts";
import { type Occasion, planQuestion, progressOf } from "../model/plan.ts";
import { atMsOf } from "../model/replies.ts";
import { endOfTurn, keepExchange, turnContextOf } from "./exchanges.ts";
import type { WorkerContext } from "../context.ts";
import type { TranscriptFacts } from "./transcript-reading.ts";

const leaseMs = 60_000;

/** Runs the next due job. False when none was due. What a job reads from outside, it reads before its transaction. */
export async function runNextJob(deps: WorkerContext): Promise<boolean> {
  const nowMs = deps.clock.nowMs();
  const job = deps.store.repeatable(() => deps.store.jobs.lease(nowMs, leaseMs));
  if (job === null) return false;
  deps.onStep("leased", job.kind);
  try {
    const found = await lookedUp(deps, job);
    deps.store.repeatable(() => {
      const session = sessionOf(deps, job);
      if (session !== null) workOf[job.kind]?.(deps, { job, session, ...found });
      if (found.notes !== null)
        keepAgentNotes(deps, found.notes, { job, project: session?.project ?? null });
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

const sessionOf = ({ store }: WorkerContext, { sessionId }: Job): Session | null =>
  sessionId === null ? null : store.sessions.byId(sessionId);

/** Reads transcript, code or agents' notes, as the kind of a job needs. */
async function lookedUp(deps: WorkerContext, job: Job): Promise<Omit<Task, "job" | "session">> {
  const { sessions } = deps.store;
  const session = sessionOf(deps, job);
  const path = readsOn.has(job.kind) ? (session?.transcriptPath ?? null) : null;
  return {
    facts:
      path === null ? null : await deps.transcripts.read(path, sessions.transcriptOffset(path)),
    survey: session !== null && job.kind === "turn" ? await surveyCode(deps, session) : null,
    notes: job.kind === "notes" ? findNotes(deps, job) : null,
  };
}

interface Task {
  readonly job: Job;
  readonly session: Session;
  readonly facts: TranscriptFacts | null;
  readonly survey: CodeSurvey | null;
  readonly notes: FoundNotes | null;
}

/** The functions of the kinds of local jobs; the model's kinds are a lane of their own and never come here. */
const workOf: Partial<Record<Job["kind"], (deps: WorkerContext, task: Task) => void>> = {
  turn: (deps, { job, session, survey }) => {
    processTurn(deps, job, session);
    keepNotes(deps, session);
    if (survey === null) return;
    const atMs = Number(job.payload["atMs"] ?? deps.clock.nowMs());
    for (const id of keepSurvey(deps, survey, { atMs, by: job.key })) deps.vectors.remove(id);
  },
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

function readOn(deps: WorkerContext, { session, facts }: Task): void {
  if (facts === null) return;
  for (const turn of applyTranscript(deps, session, facts))
    // A turn that was judged already is judged again with what was typed meanwhile.
    enqueueTurn(deps.store, turn, turn.endedAt ?? turn.startedAt, turn.prompt?.length ?? null);
}

function plan(deps: WorkerContext, session: Session, occasion: Occasion): void {
  if (deps.llm() !== null) planQuestion(deps.store, session, occasion);
}

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

const openAgain = (turn: Turn): Turn => ({ ...turn, status: "open", answer: null, endedAt: null });

/**
 * A session as it was when the job was planned: one that runs late must not tell of what came after. Its turns from the
 * first that `told` may not know as it is now; all of them without it.
 */
function sessionThen(
  store: Store,
  job: Job,
  { sessionId, lastEventAt }: Session,
  told: Checkpoint | null,
) {
  const atMs = Number(job.payload["atMs"] ?? lastEventAt);
  const turns =
    told === null
      ? store.sessions.turns(sessionId)
      : turnsSince(store, sessionId, { atMs: told.atMs, n: Number(job.payload["turn"] ?? 0) });
  return {
    atMs,
    /** The turns with something to tell, oldest first. */
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

function triggerOf(job: Job): Exclude<CheckpointTrigger, "quiet"> {
  const { trigger } = job.payload;
  return trigger === "precompact" || trigger === "end" ? trigger : "stop";
}
