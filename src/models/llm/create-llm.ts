/**
 * The Llm port over one provider: model by purpose, budget, breaker, so many calls at a time, one second try when a
 * reply cannot be read, a line in the ledger for every attempt. No history is ever sent: each attempt is the request
 * alone, the second one with a line about what was wrong.
 */
import type {
  Llm,
  LlmError,
  LlmLedger,
  LlmReply,
  LlmRequest,
  LlmSettings,
  LlmUsage,
  Provider,
  ProviderError,
} from "#domain";
import {
  type Clock,
  cutAtWord,
  dayStart,
  err,
  type Log,
  msPerSecond,
  ok,
  oneLine,
  type Result,
} from "#kit";
import {
  type Breaker,
  type BreakerState,
  createBreaker,
  createSlots,
  type Ending,
  llmLimits,
} from "./breaker.ts";
import { modelFor, questionTokens } from "./meter.ts";

export interface LlmContext {
  /**
   * The provider that answers, with the reason for its choice (see chooseProvider); null = no
   * provider, and every question says so.
   */
  readonly provider: Provider | null;
  readonly reason: string;
  readonly ledger: LlmLedger;
  /** As they are now: limits and models follow a changed configuration at once. */
  readonly settings: () => LlmSettings;
  readonly clock: Clock;
  readonly log: Log;
}

/** An Llm with what `status` shows of it, and an end. */
export type OpenLlm = ReturnType<typeof createLlm>;

type Outcome<Value> = Result<LlmReply<Value>, LlmError>;

/** Calls at the same time; a client on the command line has one. */
const callsMax = 2;

/** Opens the port; it owns the provider from now on. Never throws and never logs what was asked or answered. */
export function createLlm(deps: LlmContext) {
  const { provider } = deps;
  const breaker = createBreaker(deps.clock);
  const budget = createBudget(deps.ledger, deps.clock, deps.settings);
  const slots = createSlots(provider?.name.endsWith("-cli") === true ? 1 : callsMax);
  let last: LlmError | null = null;
  const structured = async <Value>(request: LlmRequest<Value>): Promise<Outcome<Value>> => {
    if (provider === null) return err({ type: "llm.none", detail: deps.reason });
    const entered = breaker.enter(request.isByHand);
    if (!entered.ok) return entered;
    // The end is told before the slot is given back: who comes next must know of it.
    return slots.run(async () => {
      let ending: Ending = "nothing";
      try {
        const outcome = await ask({ ...deps, provider, budget, breaker }, request);
        ending = endingOf(outcome);
        return outcome;
      } finally {
        entered.value.leave(ending);
        if (ending !== "nothing") last = ending === "answered" ? null : ending;
        if (typeof ending === "object") tellBreaker(deps.log, breaker.state());
      }
    });
  };
  const llm: Llm = {
    structured,
    status: () => ({ provider: provider?.name ?? "none", reason: deps.reason }),
  };
  return {
    ...llm,
    /** The last failure, while the breaker is not closed or the key is not taken; null = answers are to be had. */
    failure: (): LlmError | null =>
      breaker.state().type !== "closed" || last?.type === "llm.unauthorised" ? last : null,
    /** Ends running calls; nothing of them is left when it resolves. */
    close: async (): Promise<void> => {
      await provider?.close();
      await slots.idle();
    },
  };
}

type Asking = LlmContext & {
  readonly provider: Provider;
  readonly budget: Budget;
  readonly breaker: Breaker;
};

/** Asks, and once more when the reply cannot be read. */
async function ask<Value>(deps: Asking, request: LlmRequest<Value>): Promise<Outcome<Value>> {
  // It may have opened while this request stood in line.
  const untilMs = deps.breaker.openUntilMs();
  if (untilMs !== null) return err({ type: "llm.breaker-open", untilMs });
  const first = await attempt(deps, request);
  if (first.ok || first.error.type !== "llm.unreadable") return first;
  return attempt(deps, {
    ...request,
    prompt: withComplaint(request.prompt, first.error.detail),
  });
}

/** Our words about what was wrong, never the reply itself: that is untrusted, and would be history. */
const withComplaint = (prompt: string, detail: string): string =>
  `${prompt}\n\nThe last reply could not be used: ` +
  `${cutAtWord(oneLine(detail), llmLimits.detailCharsMax)}. Reply again, with nothing but a ` +
  "JSON object that fits the schema.";

/** One call: tokens set aside before, its line in the ledger after. */
async function attempt<Value>(deps: Asking, request: LlmRequest<Value>): Promise<Outcome<Value>> {
  const { sessionId, limits, system, prompt, schema } = request;
  const inputTokens = questionTokens(request);
  const reserved = deps.budget.reserve({
    tokens: inputTokens + limits.replyTokensMax,
    sessionId,
  });
  if (!reserved.ok) return reserved;
  try {
    const model = modelFor(deps.provider.name, deps.settings());
    const startedAtMs = deps.clock.nowMs();
    const timeoutMs = deps.settings().timeoutSeconds * msPerSecond || limits.timeoutMs;
    const called = await deps.provider.call({
      ...limits,
      timeoutMs,
      model,
      system,
      prompt,
      schema,
    });
    const latencyMs = deps.clock.nowMs() - startedAtMs;
    const { outcome, usage } = settle(request, called, { model, inputTokens, latencyMs });
    note(deps, { request, usage, outcome: outcome.ok ? "ok" : outcome.error.type });
    return outcome;
  } finally {
    reserved.value();
  }
}

function readReply<Value>(
  request: LlmRequest<Value>,
  answered: { readonly reply: unknown; readonly usage: LlmUsage },
): Outcome<Value> {
  const { reply, usage } = answered;
  const read = request.parse(reply);
  return read.ok
    ? ok({ value: read.value, usage })
    : err({ type: "llm.unreadable", detail: read.error });
}

interface Known {
  readonly model: string;
  readonly inputTokens: number;
  readonly latencyMs: number;
}

/** `settle` gives the outcome of a call, and its use: as the provider says, else as far as it can be known. */
function settle<Value>(
  request: LlmRequest<Value>,
  called: Awaited<ReturnType<Provider["call"]>>,
  known: Known,
): { readonly outcome: Outcome<Value>; readonly usage: LlmUsage } {
  if (called.ok) return { outcome: readReply(request, called.value), usage: called.value.usage };
  const { usage = guessed(called.error, known), ...error } = called.error;
  return { outcome: err(error), usage };
}

/** After a timeout or half a reply the use is unknown; what was sent is taken for it. */
function guessed({ type }: ProviderError, known: Known): LlmUsage {
  const isUnknown = type === "llm.timeout" || type === "llm.unreadable";
  return {
    ...known,
    inputTokens: isUnknown ? known.inputTokens : 0,
    outputTokens: 0,
    isEstimate: isUnknown,
    costUsd: null,
  };
}

interface Attempt {
  readonly request: LlmRequest<unknown>;
  readonly usage: LlmUsage;
  /** `ok` or the type of the error. */
  readonly outcome: string;
}

/** One line in the ledger and one in the log: numbers and names, nothing that was said. */
function note(deps: Asking, { request, usage, outcome }: Attempt): void {
  const { purpose, sessionId } = request;
  const { name: provider } = deps.provider;
  deps.ledger.add({ ...usage, atMs: deps.clock.nowMs(), purpose, provider, sessionId, outcome });
  const { model, inputTokens, outputTokens, latencyMs } = usage;
  deps.log.write(outcome === "ok" ? "debug" : "warn", "llm.call", {
    purpose,
    provider,
    model,
    outcome,
    inputTokens,
    outputTokens,
    latencyMs,
  });
}

/** Errors that say nothing about the provider leave the breaker as it was. */
function endingOf(outcome: Outcome<unknown>): Ending {
  if (outcome.ok) return "answered";
  const { error } = outcome;
  return error.type === "llm.budget" || error.type === "llm.breaker-open" ? "nothing" : error;
}

function tellBreaker(log: Log, state: BreakerState): void {
  if (state.type !== "open") return;
  log.write("warn", "llm.breaker-open", { because: state.because, untilMs: state.untilMs });
}

// Tokens per day and per session. What a call may cost at most is set aside before it is made, so that calls side by
// side cannot exceed the limit together; what it did cost stands in the ledger afterwards.

type Budget = ReturnType<typeof createBudget>;

interface Reservation {
  readonly tokens: number;
  readonly sessionId: string | null;
}

/** A budget over the ledger of this home. One process reserves: the daemon. */
export function createBudget(ledger: LlmLedger, clock: Clock, settings: () => LlmSettings) {
  const open = new Set<Reservation>();
  const reserved = (sessionId: string | null): number =>
    [...open]
      .filter((one) => sessionId === null || one.sessionId === sessionId)
      .reduce((sum, { tokens }) => sum + tokens, 0);
  const usedToday = (): number =>
    ledger.tokensSince(dayStart(clock.nowMs()), null) + reserved(null);
  const usedBy = (sessionId: string): number =>
    ledger.tokensSince(0, sessionId) + reserved(sessionId);

  return {
    /** Tokens of this day, reserved ones included. */
    usedToday,
    /**
     * Sets tokens aside, or says which limit they would exceed. Call the result once the call's line is in the ledger:
     * in between both count, so that nothing slips through.
     */
    reserve: (want: Reservation): Result<() => void, LlmError> => {
      const { tokensPerDay, tokensPerSession } = settings();
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
