/**
 * Tokens per day and per session. What a call may cost at most is set aside before it is made, so that calls side by
 * side cannot exceed the limit together; what it did cost stands in the ledger afterwards.
 */
import type { LlmError, LlmLedger, LlmSettings } from "#domain";
import { dayStart, err, ok } from "#kit";
import type { Clock, Result } from "#kit";

export interface Budget {
  /**
   * Sets tokens aside, or says which limit they would exceed. Call the result once the call's line is in the ledger:
   * in between both count, so that nothing slips through.
   */
  readonly reserve: (want: {
    readonly tokens: number;
    readonly sessionId: string | null;
  }) => Result<() => void, LlmError>;
  /** Tokens of this day, reserved ones included. */
  readonly usedToday: () => number;
}

export interface BudgetDeps {
  readonly ledger: LlmLedger;
  readonly clock: Clock;
  readonly settings: () => LlmSettings;
}

interface Reservation {
  readonly tokens: number;
  readonly sessionId: string | null;
}

/** A budget over the ledger of this home. One process reserves: the daemon. */
export function createBudget(deps: BudgetDeps): Budget {
  const open = new Set<Reservation>();
  const reserved = (sessionId: string | null): number =>
    [...open]
      .filter((one) => sessionId === null || one.sessionId === sessionId)
      .reduce((sum, { tokens }) => sum + tokens, 0);
  const usedToday = (): number =>
    deps.ledger.tokensSince(dayStart(deps.clock.nowMs()), null) + reserved(null);
  const usedBy = (sessionId: string): number =>
    deps.ledger.tokensSince(0, sessionId) + reserved(sessionId);

  return {
    usedToday,
    reserve: (want) => {
      const { tokensPerDay, tokensPerSession } = deps.settings();
      if (usedToday() + want.tokens > tokensPerDay)
        return err({ type: "llm.budget", scope: "day", limit: tokensPerDay });
      if (want.sessionId !== null && usedBy(want.sessionId) + want.tokens > tokensPerSession)
        return err({ type: "llm.budget", scope: "session", limit: tokensPerSession });
      const reservation = { ...want };
      open.add(reservation);
      return ok(() => void open.delete(reservation));
    },
  };
}
