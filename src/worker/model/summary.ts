/** The checkpoint of a session by a model, beside what only the tool record knows. */
import { summaryPrompt, type SummaryFields } from "#prompts";
import type { Checkpoint, CheckpointFields, LlmError, Session } from "#domain";
import { cutToTokens, isoDate, ok, oneLine, type Result } from "#kit";
import { limits } from "#memory";
import type { ModelDeps } from "./deps.ts";
import { progressOf, saveProgress } from "./progress.ts";
import { atMsOf, hasWords, stretchOf, type Refinement, type Refining } from "./refining.ts";
import { turnsOf, windowTurnOf } from "./window.ts";

export async function summarise(
  deps: ModelDeps,
  { job, replies, session }: Refining,
): Promise<Result<Refinement, LlmError>> {
  const { store } = deps;
  const turns = turnsOf(store, session.sessionId, stretchOf(job)).filter(hasWords);
  if (turns.length === 0) return ok(() => undefined);
  const atMs = atMsOf(job, session);
  const previous = store.sessions.currentCheckpoint(session.sessionId);
  const replied = await replies.ask("summary", summaryPrompt, {
    project: session.projectName,
    date: isoDate(atMs),
    turns: turns.map((turn) => windowTurnOf(store, turn)),
    previous,
    filesRead: previous?.filesRead ?? [],
    filesEdited: previous?.filesEdited ?? [],
  });
  if (!replied.ok) return replied;
  return ok(() => {
    const progress = progressOf(store, session.sessionId);
    if (progress !== null)
      saveProgress(store, session.sessionId, { ...progress, told: stretchOf(job).to });
    const current = store.sessions.currentCheckpoint(session.sessionId);
    const isLate = current !== null && current.atMs > atMs;
    store.sessions.addCheckpoint({
      sessionId: session.sessionId,
      project: session.project,
      atMs: isLate ? current.atMs : atMs,
      trigger: isLate ? current.trigger : triggerOf(job.payload["occasion"]),
      l0: l0Of(session, atMs, replied.value),
      fields: fieldsOf(replied.value, current, isLate),
    });
  });
}

const triggerOf = (occasion: unknown): "precompact" | "quiet" =>
  occasion === "precompact" ? "precompact" : "quiet";

/** One line that names project and day, as the local form does. */
const l0Of = (session: Session, atMs: number, { l0 }: SummaryFields): string =>
  cutToTokens(
    oneLine(`${session.projectName ?? "session"}, ${isoDate(atMs)}: ${l0}`),
    limits.l0TokensMax,
  );

/** Of a session that went on meanwhile, what is in hand and what comes next is the newer checkpoint's to say. */
function fieldsOf(
  told: SummaryFields,
  current: Checkpoint | null,
  isLate: boolean,
): CheckpointFields {
  const { request, investigated, learned, completed, notes } = told;
  const { nextSteps, currentTask } = isLate ? (current ?? told) : told;
  const { filesRead, filesEdited, filesInHand, uncommitted, thrash } = current ?? {
    filesRead: told.filesRead,
    filesEdited: told.filesEdited,
    filesInHand: [],
    uncommitted: [],
    thrash: [],
  };
  return {
    request,
    investigated,
    learned,
    completed,
    nextSteps,
    notes,
    currentTask,
    filesRead,
    filesEdited,
    filesInHand,
    uncommitted,
    thrash,
  };
}
