/**
 * What a question is after, in the words of a model: one to three typed parts. Only when a model is chosen, within its
 * budget, and never for long; without an answer the question's own clauses must do. The same question is asked once, so
 * that it finds the same twice.
 */
import type { GateDep, Llm, QueryPart } from "#domain";
import { requestOf, searchPrompt } from "#prompts";

export interface IntentDeps extends GateDep {
  /** Null when no model is chosen. */
  readonly llm: () => Llm | null;
}

/** Parts of a question, or null: no model, no budget, no answer in time. Never rejects. */
export type Understand = (
  text: string,
  sessionId: string | null,
) => Promise<readonly QueryPart[] | null>;

/** A search waits for this. */
const timeoutMs = 5_000;
const rememberedMax = 200;

export function createUnderstanding(deps: IntentDeps): Understand {
  const known = new Map<string, readonly QueryPart[]>();
  return async (text, sessionId) => {
    const llm = deps.llm();
    const query = deps.gate.clean(text).text.trim();
    if (llm === null || query === "") return null;
    const before = known.get(query);
    if (before !== undefined) return before;
    const request = requestOf(searchPrompt, { query }, sessionId);
    const reply = await llm.structured({ ...request, limits: { ...request.limits, timeoutMs } });
    if (!reply.ok) return null;
    const parts = reply.value.value.map(({ type, query: words }) => ({ type, text: words }));
    if (known.size >= rememberedMax) known.clear();
    known.set(query, parts);
    return parts;
  };
}
