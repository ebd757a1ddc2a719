/**
 * Stops asking a provider that does not answer: after three failures in a row no request is sent for a while, then one
 * may try; each failed try doubles the wait. A provider that says when to come back is not asked before. Lives in
 * memory: a new daemon tries again.
 */
import type { LlmError } from "#domain";
import {
  type Clock,
  cutAtWord,
  err,
  msPerDay,
  msPerMinute,
  msPerSecond,
  ok,
  oneLine,
  type Result,
} from "#kit";

/** The end of a request: `nothing` when the provider was not asked after all. */
export type Ending = "answered" | "nothing" | LlmError;

export type Breaker = ReturnType<typeof createBreaker>;

export type BreakerState =
  | { readonly type: "closed" }
  | { readonly type: "open"; readonly untilMs: number; readonly because: LlmError["type"] }
  /** One request is on trial. */
  | { readonly type: "half-open"; readonly because: LlmError["type"] };

export function createBreaker(clock: Clock) {
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
    /**
     * Lets a request in, or says until when none is; one by hand is always let in, as a trial. A caller that was let
     * in must call `leave` once.
     */
    enter: (isByHand = false): Result<{ readonly leave: (ending: Ending) => void }, LlmError> => {
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
    /** Tells whether requests that are already in should still ask: null, or until when not. */
    openUntilMs: (): number | null => (state.type === "open" ? state.untilMs : null),
    state: (): BreakerState => state,
  };
}

const waitMs = (waits: number): number =>
  Math.min(llmLimits.backoffMsMax, llmLimits.backoffMsMin * 2 ** waits);

// Every bound of this room that is no setting, with its unit; and texts of providers cut to them.

export const llmLimits = {
  /** A reply is a few thousand tokens; whatever is larger is no reply. */
  replyBytesMax: 4_000_000,
  /** The limit of an error's body: enough for its type and message. */
  errorBytesMax: 64_000,
  /** The limit of a message that is shown to people. */
  detailCharsMax: 200,
  /** A probe is part of starting up. */
  probeMs: 5 * msPerSecond,
  /** docs/design/extraction.md, "Models": opens after three failures in a row, half-opens with backoff. */
  failuresMax: 3,
  backoffMsMin: 30 * msPerSecond,
  backoffMsMax: 30 * msPerMinute,
  /** A provider that asks for more than this gets asked once a day. */
  retryAfterMsMax: msPerDay,
  /** Output of a child process may trickle in after it ended, from a grandchild that holds the pipe. */
  drainMs: 500,
} as const;

// Texts of providers, made short and safe for a message: one line, bounded, without the key.

/** Makes an error text fit for a message. Takes out the key, which a gateway may echo. */
export const detailOf = (text: string, secret: string | null): string =>
  cutAtWord(
    oneLine(secret === null ? text : text.replaceAll(secret, "[key]")),
    llmLimits.detailCharsMax,
  );

// So many at a time, the others in line, first come first served.

export function createSlots(limit: number) {
  const waiting: (() => void)[] = [];
  const idlers: (() => void)[] = [];
  let running = 0;

  const admit = (): void => {
    while (running < limit && waiting.length > 0) {
      running += 1;
      waiting.shift()?.();
    }
    if (running === 0) idlers.splice(0).forEach((resolve) => resolve());
  };

  return {
    run: async <Value>(work: () => Promise<Value>): Promise<Value> => {
      const turn = Promise.withResolvers<void>();
      waiting.push(turn.resolve);
      admit();
      await turn.promise;
      try {
        return await work();
      } finally {
        running -= 1;
        admit();
      }
    },
    /** Resolves when none runs and none waits. */
    idle: async (): Promise<void> => {
      const turn = Promise.withResolvers<void>();
      idlers.push(turn.resolve);
      admit();
      await turn.promise;
    },
  };
}
