/**
 * Stops asking a provider that does not answer: after three failures in a row no request is sent for a while, then one
 * may try; each failed try doubles the wait. A provider that says when to come back is not asked before. Lives in
 * memory: a new daemon tries again.
 */
import type { LlmError } from "#domain";
import { err, ok } from "#kit";
import type { Clock, Result } from "#kit";
import { llmLimits } from "./limits.ts";

/** How a request ended: `nothing` when the provider was not asked after all. */
export type Ending = "answered" | "nothing" | LlmError;

export interface Breaker {
  /**
   * Lets a request in, or says until when none is; one by hand is always let in, as a trial. A caller that was let in
   * must call `leave` once.
   */
  readonly enter: (
    isByHand?: boolean,
  ) => Result<{ readonly leave: (ending: Ending) => void }, LlmError>;
  /** Whether requests that are already in should still ask: null, or until when not. */
  readonly openUntilMs: () => number | null;
  readonly state: () => BreakerState;
}

export type BreakerState =
  | { readonly type: "closed" }
  | { readonly type: "open"; readonly untilMs: number; readonly because: LlmError["type"] }
  /** One request is on trial. */
  | { readonly type: "half-open"; readonly because: LlmError["type"] };

export function createBreaker(clock: Clock): Breaker {
  let state: BreakerState = { type: "closed" };
  let failures = 0;
  let waits = 0;

  const open = (error: LlmError): void => {
    const nowMs = clock.nowMs();
    const asked = error.type === "llm.rate-limited" ? error.retryAfterMs : null;
    const untilMs = nowMs + Math.max(asked ?? 0, asked === null ? waitMs(waits) : 0);
    waits += 1;
    state = { type: "open", untilMs, because: error.type };
  };

  const fail = (error: LlmError, isTrial: boolean): void => {
    failures += 1;
    const isTold = error.type === "llm.rate-limited" && error.retryAfterMs !== null;
    if (isTrial || isTold || failures >= llmLimits.failuresMax) open(error);
  };

  const settle = (ending: Ending, isTrial: boolean): void => {
    if (ending === "nothing") {
      if (isTrial && state.type === "half-open")
        state = { type: "open", untilMs: clock.nowMs(), because: state.because };
    } else if (ending === "answered") {
      // A late answer of a request from before proves nothing while the breaker is open.
      if (isTrial || state.type === "closed") [state, failures, waits] = [{ type: "closed" }, 0, 0];
    } else fail(ending, isTrial);
  };

  const pass = (isTrial: boolean) => {
    let isIn = true;
    return ok({
      leave: (ending: Ending) => {
        if (isIn) settle(ending, isTrial);
        isIn = false;
      },
    });
  };

  return {
    enter: (isByHand = false) => {
      const nowMs = clock.nowMs();
      if (state.type === "closed") return pass(false);
      if (isByHand) {
        state = { type: "half-open", because: state.because };
        return pass(true);
      }
      // On trial: come back when it is decided, which takes as long as one call.
      if (state.type === "half-open")
        return err({ type: "llm.breaker-open", untilMs: nowMs + llmLimits.backoffMsMin });
      if (nowMs < state.untilMs) return err({ type: "llm.breaker-open", untilMs: state.untilMs });
      state = { type: "half-open", because: state.because };
      return pass(true);
    },
    openUntilMs: () => (state.type === "open" ? state.untilMs : null),
    state: () => state,
  };
}

const waitMs = (waits: number): number =>
  Math.min(llmLimits.backoffMsMax, llmLimits.backoffMsMin * 2 ** waits);
