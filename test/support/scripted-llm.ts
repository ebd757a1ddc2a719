/** A language model that answers from a script, remembers what it was asked, and fails when it is told to. */
import type { Llm, LlmError, LlmPurpose, LlmRequest } from "#domain";
import { err, ok, tokensOf } from "#kit";

export interface AskedQuestion {
  readonly purpose: LlmPurpose;
  readonly system: string;
  readonly prompt: string;
  readonly sessionId: string | null;
  readonly inputTokens: number;
}

export interface ScriptedLlm extends Llm {
  readonly asked: readonly AskedQuestion[];
  /** The largest number of calls that were under way together. */
  readonly peak: () => number;
}

export interface Script {
  /** The reply as parsed JSON. */
  readonly answer: (question: AskedQuestion) => unknown;
  /** An error instead of an answer to the nth call, from 1; null = none. */
  readonly failure?: (n: number, question: AskedQuestion) => LlmError | null;
  /** Calls at once; more wait. */
  readonly concurrency?: number;
}

export const unavailable: LlmError = { type: "llm.unavailable", detail: "scripted" };

export function scriptedLlm(script: Script): ScriptedLlm {
  const asked: AskedQuestion[] = [];
  let free = script.concurrency ?? 4;
  let running = 0;
  let peak = 0;
  const waiting: (() => void)[] = [];
  const enter = async (): Promise<void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => void waiting.push(resolve));
    running += 1;
    peak = Math.max(peak, running);
    await Promise.resolve();
  };
  const leave = (): void => {
    running -= 1;
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return {
    asked,
    peak: () => peak,
    status: () => ({ provider: "ollama", reason: "scripted" }),
    structured: async <Value>(request: LlmRequest<Value>) => {
      await enter();
      try {
        const { purpose, system, prompt, sessionId } = request;
        const inputTokens = tokensOf(system) + tokensOf(prompt);
        const question = { purpose, system, prompt, sessionId, inputTokens };
        asked.push(question);
        const failure = script.failure?.(asked.length, question) ?? null;
        if (failure !== null) return err(failure);
        const reply = script.answer(question);
        const parsed = request.parse(reply);
        if (!parsed.ok) return err({ type: "llm.unreadable", detail: parsed.error } as const);
        const outputTokens = tokensOf(JSON.stringify(reply));
        return ok({
          value: parsed.value,
          usage: {
            model: "scripted",
            inputTokens,
            outputTokens,
            isEstimate: false,
            costUsd: null,
            latencyMs: 1,
          },
        });
      } finally {
        leave();
      }
    },
  };
}

/** An answer that says nothing of note. */
export const nothingToSay: Readonly<Record<LlmPurpose, unknown>> = {
  session: { title: "A session", outcome: "", open: [], ended: [], built: [], memories: [] },
};
