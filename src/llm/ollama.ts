/** Ollama's /api/chat, on this machine or another. Not as a stream: closing the connection stops the model as well. */
import { z } from "zod";
import type { Provider, ProviderCall } from "#domain";
import { err, tokensOf } from "#kit";
import { answers, exchange, textOf } from "./http.ts";
import type { HttpDeps } from "./http.ts";
import { llmLimits } from "./limits.ts";
import { createMeter } from "./meter.ts";
import type { Meter } from "./meter.ts";
import { parsed } from "./read-json.ts";
import { answerOf, foreign } from "./reply.ts";
import type { Answer } from "./reply.ts";

export interface OllamaOptions {
  readonly endpoint: string;
  /** The model that the probe looks for. */
  readonly model: string;
}

export const createOllama = (deps: HttpDeps, options: OllamaOptions): Omit<Provider, "close"> => ({
  name: "ollama",
  call: async (call) => {
    const meter = createMeter(deps.clock, call, true);
    const { timeoutMs } = call;
    const url = `${options.endpoint}/api/chat`;
    const answer = await exchange(
      deps,
      { url, headers: {}, body: bodyOf(call), timeoutMs, secret: null },
      (response) => read(response, meter),
    );
    return answer.ok ? answer : err(meter.onto(answer.error));
  },
  probe: async () => {
    const url = `${options.endpoint}/api/tags`;
    const asked = await answers(deps, { url, headers: {}, secret: null });
    if (!asked.ok) return { usable: false, reason: `no Ollama answers at ${options.endpoint}` };
    const { data } = Tags.safeParse(parsed(asked.value));
    const names = (data?.models ?? []).map(({ name }) => name);
    const isThere = names.some(
      (name) => name === options.model || name === `${options.model}:latest`,
    );
    return isThere
      ? { usable: true, reason: `Ollama at ${options.endpoint} has ${options.model}` }
      : {
          usable: false,
          reason: `Ollama at ${options.endpoint} has no model ${options.model}; run \`ollama pull ${options.model}\``,
        };
  },
});

/** Contexts that are asked for: a power of two, since a change makes Ollama load the model again. */
const contextTokensMin = 4_096;
const contextTokensMax = 32_768;

/** Ollama cuts a prompt that is longer than its context without a word, and its own default is short. */
function contextFor(call: ProviderCall): number {
  const needed = tokensOf(call.system) + tokensOf(call.prompt) + call.replyTokensMax;
  // A quarter more: small models have small vocabularies, and templates add their part.
  const roomy = 2 ** Math.ceil(Math.log2(needed * 1.25));
  return Math.min(contextTokensMax, Math.max(contextTokensMin, roomy));
}

const bodyOf = (call: ProviderCall): unknown => ({
  model: call.model,
  stream: false,
  format: call.schema,
  // A model that thinks would do so within the reply's limit.
  think: false,
  messages: [
    { role: "system", content: call.system },
    { role: "user", content: call.prompt },
  ],
  options: { num_predict: call.replyTokensMax, num_ctx: contextFor(call), temperature: 0 },
});

const Tags = z.object({ models: z.array(z.object({ name: z.string() })) });

const Reply = z.object({
  message: z.object({ content: z.string() }),
  done_reason: z.string().optional(),
  prompt_eval_count: z.number().optional(),
  eval_count: z.number().optional(),
});

async function read(response: Response, meter: Meter): Promise<Answer> {
  const body = await textOf(response, llmLimits.replyBytesMax);
  const { data: reply } = Reply.safeParse(parsed(body));
  if (reply === undefined) return foreign(response);
  meter.count({ inputTokens: reply.prompt_eval_count, outputTokens: reply.eval_count });
  const reason = reply.done_reason ?? "stop";
  const end = reason === "length" ? "cut-off" : "done";
  return answerOf({ text: reply.message.content, reason, end }, meter);
}
