/** Evaluates a batch of turns by a model, in the place of the local judgement. */
import { evaluatePrompt, type EvaluateTurn } from "#prompts";
import type { LlmError, Turn } from "#domain";
import { cutAtWord, ok, oneLine, type Result } from "#kit";
import { judgeAnew } from "../moments.ts";
import type { ModelDeps } from "./deps.ts";
import { progressOf } from "./progress.ts";
import { hasWords, stretchOf, type Refinement, type Refining } from "./refining.ts";
import { turnsOf, windowTurnOf } from "./window.ts";

export async function evaluate(
  deps: ModelDeps,
  { job, replies, session }: Refining,
): Promise<Result<Refinement, LlmError>> {
  const turns = turnsOf(deps.store, session.sessionId, stretchOf(job)).filter(hasWords);
  if (turns.length === 0) return ok(() => undefined);
  const since = progressOf(deps.store, session.sessionId)?.since ?? 0;
  const input = { turns: turns.map((turn) => evaluateTurn(deps, turn, since)) };
  const replied = await replies.ask("evaluate", evaluatePrompt, input);
  if (!replied.ok) return replied;
  return ok(() => {
    for (const { n, evaluation } of replied.value) {
      const turn = turns.find((each) => each.n === n);
      if (turn !== undefined) judgeAnew(deps, { session, turn, evaluation, by: job.key });
    }
  });
}

/** Turns before, that show what this one changed. */
const beforeMax = 3;
/** Of each; the prompt cuts further. */
const lineCharsMax = 200;

/** `since`: the last turn that is none of the model's business. */
const evaluateTurn = ({ store }: ModelDeps, turn: Turn, since: number): EvaluateTurn => ({
  n: turn.n,
  prompt: turn.prompt,
  answer: turn.answer,
  tools: windowTurnOf(store, turn).tools,
  before: store.sessions
    .turnsBefore(turn.sessionId, turn.n, beforeMax)
    .filter(({ n, prompt, isPrivate }) => n > since && prompt !== null && isPrivate !== true)
    .toReversed()
    .map(({ prompt }) => cutAtWord(oneLine(prompt ?? ""), lineCharsMax)),
});
