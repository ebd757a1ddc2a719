/** Observations of a batch of turns by a model, in the place of the local ones. */
import { observePrompt, type ObservedTurn } from "#prompts";
import type { LlmError, ObservationDraft, Session, Turn } from "#domain";
import { ok, type Result } from "#kit";
import type { ModelDeps } from "./deps.ts";
import { stretchOf, usedTools, type Refinement, type Refining } from "./refining.ts";
import { turnsOf, windowTurnOf } from "./window.ts";

export async function observe(
  deps: ModelDeps,
  { job, replies, session }: Refining,
): Promise<Result<Refinement, LlmError>> {
  const { store } = deps;
  const turns = turnsOf(store, session.sessionId, stretchOf(job)).filter(usedTools);
  if (turns.length === 0) return ok(() => undefined);
  const input = {
    turns: turns.map((turn) => ({
      n: turn.n,
      prompt: turn.prompt,
      answer: turn.answer,
      tools: windowTurnOf(store, turn).tools,
    })),
  };
  const replied = await replies.ask("observe", observePrompt, input);
  if (!replied.ok) return replied;
  return ok(() => {
    for (const turn of turns) {
      const drafts = replied.value
        .filter((seen) => seen.turn === turn.n && !store.nodes.isForgotten(seen.title))
        .map((seen) => draftOf(session, turn, seen));
      store.sessions.replaceObservations(session.sessionId, turn.n, drafts);
    }
  });
}

/** Files come from the tool record, not from the model. */
const draftOf = (session: Session, turn: Turn, seen: ObservedTurn): ObservationDraft => ({
  ...seen,
  sessionId: session.sessionId,
  project: session.project,
  filesRead: turn.filesRead,
  filesModified: turn.filesEdited,
  atMs: turn.startedAt,
});
