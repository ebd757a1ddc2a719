/**
 * Chat completions as OpenAI defined them and OpenRouter, LiteLLM, vLLM, LM Studio and others speak them. As a stream:
 * OpenRouter sends comments while a model is queued, so a long wait is told from a dead connection.
 */
import { z } from "zod";
import type { Provider, ProviderCall, ProviderError } from "#domain";
import { err, parseJson } from "#kit";
import { detailOf, llmLimits } from "./breaker.ts";
import {
  eventsOf,
  failureOfStatus,
  httpProvider,
  isEventStream,
  isJson,
  textOf,
  verdictOf,
} from "./http.ts";
import type { Access } from "./key.ts";
import type { Meter } from "./meter.ts";
import { type Answer, answerOf, brokenOff, foreign, type Said, Text } from "./read-json.ts";

export const createOpenAi = (access: Access): Omit<Provider, "close"> => {
  const { baseUrl, key } = access;
  return httpProvider(access, {
    name: "openrouter",
    headers: key === null ? {} : { authorization: `Bearer ${key}` },
    url: () => `${baseUrl}/chat/completions`,
    body: (call) => bodyOf(call, hostOf(baseUrl)),
    read: (response, meter) => read(response, meter, key),
    // OpenRouter lists its models without a key; only `/key` looks at the key.
    probeUrl: `${baseUrl}/${isOpenRouter(hostOf(baseUrl)) ? "key" : "models"}`,
    verdict: verdictOf(baseUrl),
  });
};

const hostOf = (baseUrl: string): string => new URL(baseUrl).hostname;

const isOpenRouter = (host: string): boolean => /(?:^|\.)openrouter\.ai$/.test(host);
const isOpenAi = (host: string): boolean => /(?:^|\.)openai\.com$/.test(host);

function bodyOf(call: ProviderCall, host: string): unknown {
  return {
    model: call.model,
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: "system", content: call.system },
      { role: "user", content: call.prompt },
    ],
    response_format: {
      type: "json_schema",
      json_schema: { name: "answer", strict: true, schema: call.schema },
    },
    // OpenAI's newer models reject the old name, everybody else knows only the old one.
    [isOpenAi(host) ? "max_completion_tokens" : "max_tokens"]: call.replyTokensMax,
    // Not to a host that would drop the schema, and with the cost in the reply.
    ...(isOpenRouter(host)
      ? { provider: { require_parameters: true }, usage: { include: true } }
      : {}),
  };
}

const Count = z
  .number()
  .nonnegative()
  .nullish()
  .transform((count) => count ?? undefined);

const Failure = z.object({
  code: z.union([z.number(), z.string()]).nullish(),
  type: z.string().nullish(),
  message: z.string().nullish(),
});

const Chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({ content: Text, refusal: Text }).nullish(),
        finish_reason: Text,
      }),
    )
    .nullish(),
  usage: z.object({ prompt_tokens: Count, completion_tokens: Count, cost: Count }).nullish(),
  error: z.union([Failure, z.string()]).nullish(),
});

const Whole = Chunk.extend({
  choices: z
    .array(
      z.object({
        message: z.object({ content: Text, refusal: Text }).nullish(),
        finish_reason: Text,
      }),
    )
    .nullish(),
});

async function read(response: Response, meter: Meter, secret: string | null): Promise<Answer> {
  if (isJson(response)) return readWhole(response, meter, secret);
  if (!isEventStream(response)) return foreign(response);
  const said = { text: "", finish: "" };
  let isDone = false;
  for await (const data of eventsOf(response)) {
    isDone = data.trim() === "[DONE]";
    if (isDone) break;
    const { data: chunk } = Chunk.safeParse(parseJson(data));
    if (chunk === undefined) continue;
    const { error } = chunk;
    if (error !== null && error !== undefined) return err(meter.onto(errorOf(error, secret)));
    take(chunk, said, meter);
  }
  // Some servers end with the mark alone, and never say why.
  const isOver = isDone || said.finish !== "";
  return isOver ? answerOf(saidOf(said), meter) : brokenOff(meter, said.text);
}

/** A server that knows no streams answers at once, as if it had not been asked for one. */
async function readWhole(response: Response, meter: Meter, secret: string | null): Promise<Answer> {
  const body = await textOf(response, llmLimits.replyBytesMax);
  const { data: whole } = Whole.safeParse(parseJson(body));
  if (whole === undefined) return foreign(response);
  const { error, choices } = whole;
  if (error !== null && error !== undefined) return err(meter.onto(errorOf(error, secret)));
  if (choices === null || choices === undefined || choices.length === 0) return foreign(response);
  const said = { text: "", finish: "" };
  const asChunk = choices.map(({ message, finish_reason }) => ({ finish_reason, delta: message }));
  take({ ...whole, choices: asChunk }, said, meter);
  return answerOf(saidOf(said), meter);
}

interface SoFar {
  text: string;
  finish: string;
}

function take({ choices, usage }: z.infer<typeof Chunk>, said: SoFar, meter: Meter): void {
  for (const { delta, finish_reason: reason } of choices ?? []) {
    said.text += delta?.content ?? "";
    if (reason !== "" && said.finish !== "refusal") said.finish = reason;
    if (delta && delta.refusal !== "") said.finish = "refusal";
  }
  // Usage comes after the reason to finish, in a chunk of its own.
  if (usage)
    meter.count({
      inputTokens: usage.prompt_tokens,
      outputTokens: usage.completion_tokens,
      costUsd: usage.cost,
    });
}

function saidOf({ text, finish: reason }: SoFar): Said {
  const isDeclined = reason === "content_filter" || reason === "refusal";
  return { text, reason, end: isDeclined ? "declined" : reason === "length" ? "cut-off" : "done" };
}

/** An error within the stream; its code is a status as a number with OpenRouter, a word with others. */
function errorOf(error: z.infer<typeof Failure> | string, secret: string | null): ProviderError {
  if (typeof error === "string")
    return { type: "llm.unavailable", detail: detailOf(error, secret) };
  const status = Number(error.code ?? Number.NaN);
  const detail = detailOf(
    [error.code, error.type, error.message].filter((part) => part !== null).join(" "),
    secret,
  );
  return failureOfStatus(status >= 400 && status < 600 ? status : 500, { detail });
}
