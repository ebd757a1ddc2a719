/**
 * Imported sessions that a model is asked to read because a person said so: the newest first, behind those that have
 * just ended, and within a part of the day's budget, so that today's sessions are read today.
 */
import { backfillState, saveBackfillTotal, type Settings, type Store } from "#domain";
import { dayStart } from "#kit";
import { planImported } from "./plan.ts";

/** Share of the day's tokens; the rest is left for sessions that are under way. */
const backfillShare = 0.7;

/** True when the imported sessions have had their part of the day. */
export const isBackfillSpent = (
  { ledger }: Pick<Store, "ledger">,
  { llm }: Settings,
  nowMs: number,
): boolean => ledger.tokensSince(dayStart(nowMs), null) >= llm.tokensPerDay * backfillShare;

/** Queues their questions for about `sliceMs`. A session without anything to ask about counts as read. */
export function queueBackfill(
  store: Store,
  sliceMs: number,
): { readonly queued: number; readonly isOver: boolean } {
  const startedMs = performance.now();
  return store.transaction(() => {
    const unread = store.imports.unread();
    // A run that is over counts no more.
    const total = backfillState(store)?.total ?? 0;
    let at = 0;
    let queued = 0;
    for (; at < unread.length && performance.now() - startedMs < sliceMs; at += 1)
      if (planImported(store, unread[at]?.sessionId ?? "")) queued += 1;
    saveBackfillTotal(store, total + queued);
    return { queued, isOver: at >= unread.length };
  });
}
