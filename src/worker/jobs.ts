/**
 * Runs durable jobs: judge, observe and extract a closed turn; summarise a session; narrate before a compaction.
 *
 * Each job commits once, together with its own completion, so a crash in the middle leaves it leased and it runs again; it
 * reads the event times stored with it, never the clock, so that a second run decides what the first would have.
 */
import type {
  Evaluation,
  GateDep,
  Job,
  NodeDraft,
  RevisionCause,
  Session,
  Settings,
  Store,
  ToolUse,
  Turn,
} from "#domain";
import { cutAtWord, type ClockDep, type LogDep } from "#kit";
import {
  archiveUri,
  candidatesOfTurn,
  lastNarratedTurn,
  momentLifetimeMs,
  momentThreshold,
  narrativesOf,
  observeTurn,
  scoreTurn,
  summariseSession,
} from "#memory";
import { enqueueTurn } from "./apply.ts";
import type { HiddenRegister } from "./hidden.ts";
import { applyTranscript, type TranscriptFacts, type TranscriptPort } from "./transcripts.ts";
import { index, remember, type RememberDeps } from "./remember.ts";
import { archiveFolder } from "./archive.ts";
import { turnContextOf } from "./turn-context.ts";
import { uncommittedFiles } from "./uncommitted.ts";

export interface JobDeps extends RememberDeps, ClockDep, GateDep, LogDep {
  readonly settings: () => Settings;
  readonly transcripts: TranscriptPort;
  readonly hidden: Pick<HiddenRegister, "of">;
}

const leaseMs = 60_000;
const turnsBeforeMax = 3;
const overviewCharsMax = 6_000;
const fullCharsMax = 40_000;
/** Read back per session; 20 a compaction, and nobody compacts more often than this. */
const narrativesMax = 1_000;

/** Runs the next due job. False when none was due. What a job reads from outside, it reads before its transaction. */
export async function runNextJob(deps: JobDeps): Promise<boolean> {
  const nowMs = deps.clock.nowMs();
  const job = deps.store.jobs.lease(nowMs, leaseMs);
  if (job === null) return false;
  try {
    const facts = job.kind === "transcript" ? await readFacts(deps, job) : null;
    deps.store.transaction(() => {
      perform(deps, job, facts);
      deps.store.jobs.complete(job.id);
    });
  } catch (error) {
    deps.log.write("error", "job.failed", { key: job.key, reason: String(error).slice(0, 300) });
    deps.store.jobs.fail(job.id, String(error).slice(0, 500), nowMs);
  }
  return true;
}

async function readFacts(deps: JobDeps, job: Job): Promise<TranscriptFacts | null> {
  const path = deps.store.sessions.byId(job.sessionId ?? "")?.transcriptPath ?? null;
  if (path === null) return null;
  return deps.transcripts.read(path, deps.store.sessions.transcriptOffset(path));
}

function perform(deps: JobDeps, job: Job, facts: TranscriptFacts | null): void {
  const session = job.sessionId === null ? null : deps.store.sessions.byId(job.sessionId);
  if (session === null) return;
  switch (job.kind) {
    case "turn":
      return processTurn(deps, job, session);
    case "checkpoint":
      return summarise(deps, job, session);
    case "narrate":
      return narrate(deps, job, session);
    case "transcript":
      if (facts === null) return undefined;
      for (const turn of applyTranscript(deps, { session, facts, job }))
        enqueueTurn(deps.store, turn, turn.endedAt ?? turn.startedAt, null);
      return undefined;
    case "embed":
    case "upkeep":
      return undefined;
  }
}

function processTurn(deps: JobDeps, job: Job, session: Session): void {
  const { store } = deps;
  const turn = store.sessions.turn(session.sessionId, Number(job.payload["turn"]));
  if (turn === null || turn.prompt === null) return;
  const context = turnContextOf(store, turn);
  const before = store.sessions
    .turnsBefore(session.sessionId, turn.n, turnsBeforeMax)
    .map(({ prompt, answer }) => ({ prompt, answer }));
  keepMoment(deps, { session, turn, evaluation: scoreTurn(context, before), by: job.key });
  // A turn that went on after its end is judged again.
  store.sessions.replaceObservations(session.sessionId, turn.n, observeTurn(context));
  for (const candidate of candidatesOfTurn(context)) remember(deps, candidate, job.key);
}

/** A turn judged significant is kept in the archive for as long as its score earns. */
function keepMoment(
  deps: JobDeps,
  moment: {
    readonly session: Session;
    readonly turn: Turn;
    readonly evaluation: Evaluation;
    readonly by: string;
  },
): void {
  const { store } = deps;
  const { session, turn, evaluation, by } = moment;
  const settings = deps.settings().moments;
  const uri = archiveUri({ sessionId: session.sessionId, part: "moments", n: turn.n });
  const kept = store.nodes.countBelow(archiveFolder(session.sessionId, "moments"));
  const lifetimeMs = momentLifetimeMs(evaluation.significance);
  const threshold = Math.max(settings.threshold, momentThreshold(kept));
  const stored = settings.enabled && lifetimeMs !== null && evaluation.significance >= threshold;
  deps.log.write("info", "evaluation", {
    session: session.sessionId,
    turn: turn.n,
    type: evaluation.type,
    score: evaluation.significance,
    stored,
  });
  if (!stored || store.nodes.byUri(uri) !== null || isForgotten(deps, turn, evaluation)) return;
  const node = store.nodes.insert(
    momentDraft({ session, turn, evaluation, uri, expiresAt: turn.startedAt + lifetimeMs }),
    createdBy(by, turn.startedAt, `scored ${evaluation.significance.toFixed(2)}`),
  );
  index(deps, node);
}

const isForgotten = (deps: JobDeps, turn: Turn, evaluation: Evaluation): boolean =>
  deps.store.nodes.isForgotten(evaluation.summary) ||
  (turn.prompt !== null && deps.store.nodes.isForgotten(turn.prompt));

const momentDraft = (moment: {
  readonly session: Session;
  readonly turn: Turn;
  readonly evaluation: Evaluation;
  readonly uri: string;
  readonly expiresAt: number;
}): NodeDraft => ({
  uri: moment.uri,
  category: "sessions",
  project: moment.session.project,
  branch: moment.session.branch,
  l0: moment.evaluation.summary,
  l1: cutAtWord(moment.turn.prompt ?? "", overviewCharsMax) || null,
  l2: moment.turn.answer === null ? null : cutAtWord(moment.turn.answer, fullCharsMax),
  // The scale of a memory's importance, 1 to 5, from the score.
  importance: Math.min(5, Math.max(1, Math.round(moment.evaluation.significance * 5))),
  tags: [moment.evaluation.type, ...moment.evaluation.tags],
  files: moment.turn.filesEdited,
  origin: "agent",
  maker: "stop",
  expiresAt: moment.expiresAt,
  sourceSession: moment.session.sessionId,
  validFrom: moment.turn.startedAt,
  evidence: [
    {
      sessionId: moment.session.sessionId,
      turn: moment.turn.n,
      line: null,
      quote: cutAtWord(moment.turn.prompt ?? "", 300),
    },
  ],
});

const createdBy = (by: string, atMs: number, reason: string): RevisionCause => ({
  atMs,
  action: "create",
  by,
  reason,
});

function summarise(deps: JobDeps, job: Job, session: Session): void {
  const { store } = deps;
  const { atMs, turns, toolUses } = sessionThen(store, job, session);
  if (turns.length === 0) return;
  const trigger = triggerOf(job);
  const { l0, fields } = summariseSession({
    session,
    turns,
    toolUses,
    previous: store.sessions.currentCheckpoint(session.sessionId),
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

interface SessionThen {
  readonly atMs: number;
  /** Those with something to tell, oldest first. */
  readonly turns: readonly Turn[];
  readonly toolUses: readonly ToolUse[];
}

/** A session as it was when the job was planned: one that runs late must not tell of what came after. */
function sessionThen(store: Store, job: Job, { sessionId, lastEventAt }: Session): SessionThen {
  const atMs = Number(job.payload["atMs"] ?? lastEventAt);
  return {
    atMs,
    turns: store.sessions
      .turns(sessionId)
      .filter(({ prompt, startedAt }) => prompt !== null && startedAt <= atMs)
      .map((turn) => ((turn.endedAt ?? 0) > atMs ? openAgain(turn) : turn)),
    toolUses: store.sessions.toolUses(sessionId, null).filter((use) => use.atMs <= atMs),
  };
}

const openAgain = (turn: Turn): Turn => ({ ...turn, status: "open", answer: null, endedAt: null });

function triggerOf(job: Job): "stop" | "precompact" | "end" {
  const { trigger } = job.payload;
  return trigger === "precompact" || trigger === "end" ? trigger : "stop";
}

function narrate(deps: JobDeps, job: Job, session: Session): void {
  const { store } = deps;
  const { atMs, turns, toolUses } = sessionThen(store, job, session);
  const folder = archiveFolder(session.sessionId, "narrative");
  const told = store.nodes.children(folder, { limit: narrativesMax, offset: 0 });
  const drafts = narrativesOf({
    session,
    turns,
    toolUses,
    // What an earlier compaction told is not told again.
    fromTurn: lastNarratedTurn(told) + 1,
  });
  for (const draft of drafts) {
    if (store.nodes.byUri(draft.uri) !== null || store.nodes.isForgotten(draft.l0)) continue;
    index(deps, store.nodes.insert(draft, createdBy(job.key, atMs, "before compaction")));
  }
}
