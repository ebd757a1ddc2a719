/**
 * A provider that answers from a script, under the real port: budget, breaker, slots and ledger are the product's own.
 * Counts what runs at the same time, and keeps what was asked.
 */
import type { LlmLedger, LlmPurpose, LlmSettings, Provider, ProviderCall } from "#domain";
import { createLlm, type OpenLlm } from "#models";
import { ok, silentLog, systemClock, tokensOf, type Clock } from "#kit";

/** `purposeOf` tells the purpose of a call by the reply that it asks for. */
export function purposeOf({ schema }: Pick<ProviderCall, "schema">): LlmPurpose {
  const properties = Object.keys(schema["properties"] ?? {});
  if (["memories", "ended"].every((field) => properties.includes(field))) return "session";
  throw new Error(`no purpose asks for ${properties.join()}`);
}

export interface ScriptedProvider extends Provider {
  readonly asked: readonly { readonly purpose: LlmPurpose; readonly prompt: string }[];
  readonly peak: () => number;
}

export function scriptedProvider(
  answer: (purpose: LlmPurpose, prompt: string) => unknown,
): ScriptedProvider {
  const asked: { purpose: LlmPurpose; prompt: string }[] = [];
  let running = 0;
  let peak = 0;
  return {
    name: "ollama",
    asked,
    peak: () => peak,
    probe: async () => ({ usable: true, reason: "scripted" }),
    close: async () => undefined,
    call: async (call) => {
      running += 1;
      peak = Math.max(peak, running);
      // Long enough that calls which may run side by side do.
      await Bun.sleep(1);
      running -= 1;
      const purpose = purposeOf(call);
      asked.push({ purpose, prompt: call.prompt });
      const reply = answer(purpose, call.prompt);
      const inputTokens = [call.system, call.prompt, JSON.stringify(call.schema)]
        .map(tokensOf)
        .reduce((sum, tokens) => sum + tokens, 0);
      const outputTokens = tokensOf(JSON.stringify(reply));
      const usage = {
        model: call.model,
        inputTokens,
        outputTokens,
        isEstimate: false,
        costUsd: null,
        latencyMs: 1,
      };
      return ok({ reply, usage });
    },
  };
}

/** The product's port over it. The ledger comes with the store, so it is given when that is open. */
export const llmOver = (
  provider: Provider,
  deps: {
    readonly ledger: LlmLedger;
    readonly settings: () => LlmSettings;
    readonly clock?: Clock;
  },
): OpenLlm =>
  createLlm({
    provider,
    reason: "scripted",
    ledger: deps.ledger,
    settings: deps.settings,
    clock: deps.clock ?? systemClock,
    log: silentLog,
  });
