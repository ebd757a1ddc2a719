/**
 * Anthropic's Messages API, as a stream: input tokens are known from its first event, so that a call that breaks off
 * is still counted, and aborting it stops the model.
 */
import { z } from "zod";
import type { Provider, ProviderCall, ProviderError } from "#domain";
import { err, parseJson } from "#kit";
import { detailOf } from "./breaker.ts";
import { eventsOf, failureOfStatus, httpProvider, isEventStream, verdictOf } from "./http.ts";
import type { Access } from "./key.ts";
import type { Meter } from "./meter.ts";
import { type Answer, answerOf, brokenOff, foreign, type Said, Text } from "./read-json.ts";

export const createAnthropic = (access: Access): Omit<Provider, "close"> => {
  const { baseUrl, key } = access;
  return httpProvider(access, {
    name: "anthropic",
    headers: { "x-api-key": key ?? "", "anthropic-version": "2023-06-01" },
    url: () => `${baseUrl}/v1/messages`,
    body: bodyOf,
    read: (response, meter) => read(response, meter, key),
    probeUrl: `${baseUrl}/v1/models?limit=1`,
    verdict: verdictOf(baseUrl),
  });
};

/** Models with constrained decoding, which no reply can break; newer ones even reject a forced tool. */
const decodesSchema = /claude-(?:(?:haiku|sonnet|opus)-4-[5-9]|(?:haiku|sonnet|opus|fable)-[5-9])/;

const toolName = "answer";

function bodyOf(call: ProviderCall): unknown {
  const shape = decodesSchema.test(call.model)
    ? { output_config: { format: { type: "json_schema", schema: call.schema } } }
    : {
        tools: [{ name: toolName, description: "Gives the answer.", input_schema: call.schema }],
        tool_choice: { type: "tool", name: toolName },
      };
  return {
    model: call.model,
    max_tokens: call.replyTokensMax,
    stream: true,
    system: call.system,
    messages: [{ role: "user", content: call.prompt }],
    ...shape,
  };
}

const Count = z.int().nonnegative().nullish();

const Tokens = z.object({
  input_tokens: Count,
  cache_creation_input_tokens: Count,
  cache_read_input_tokens: Count,
  output_tokens: Count,
});

const Event = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("message_start"),
    message: z.object({ usage: Tokens.optional() }),
  }),
  z.object({
    type: z.literal("content_block_delta"),
    delta: z.object({ text: Text, partial_json: Text }),
  }),
  z.object({
    type: z.literal("message_delta"),
    delta: z.object({ stop_reason: Text }),
    usage: Tokens.optional(),
  }),
  z.object({ type: z.literal("message_stop") }),
  z.object({ type: z.literal("error"), error: z.object({ type: z.string(), message: Text }) }),
]);

type Event = z.infer<typeof Event>;

async function read(response: Response, meter: Meter, secret: string | null): Promise<Answer> {
  if (!isEventStream(response)) return foreign(response);
  const said = { text: "", json: "", stop: "" };
  for await (const data of eventsOf(response)) {
    const { data: event } = Event.safeParse(parseJson(data));
    // Pings and whatever else is added are not for us.
    if (event === undefined) continue;
    if (event.type === "error") return err(meter.onto(errorOf(event.error, secret)));
    if (event.type === "message_stop") return answerOf(saidOf(said), meter);
    take(event, said, meter);
  }
  return brokenOff(meter, said.text + said.json);
}

interface SoFar {
  text: string;
  json: string;
  stop: string;
}

function take(event: Event, said: SoFar, meter: Meter): void {
  if (event.type === "message_start") count(meter, event.message.usage);
  if (event.type === "content_block_delta") {
    said.text += event.delta.text;
    said.json += event.delta.partial_json;
  }
  if (event.type === "message_delta") {
    said.stop = event.delta.stop_reason;
    count(meter, event.usage);
  }
}

function count(meter: Meter, usage: z.infer<typeof Tokens> | undefined): void {
  if (usage === undefined) return;
  const { input_tokens: plain, output_tokens: output } = usage;
  const cached = (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0);
  meter.count({
    ...(typeof plain === "number" ? { inputTokens: plain + cached } : {}),
    ...(typeof output === "number" ? { outputTokens: output } : {}),
  });
}

/** With a forced tool the answer is its input; what is said beside it does not count. */
function saidOf({ text, json, stop: reason }: SoFar): Said {
  const isCutOff = reason === "max_tokens" || reason === "model_context_window_exceeded";
  const end = reason === "refusal" ? "declined" : isCutOff ? "cut-off" : "done";
  return { text: json === "" ? text : json, reason, end };
}

/** Statuses of errors that come in the stream, after the 200 (docs.anthropic.com, "Errors"). */
const statusOfType: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

const errorOf = (
  { type, message }: { readonly type: string; readonly message: string },
  secret: string | null,
): ProviderError =>
  failureOfStatus(statusOfType[type] ?? 500, { detail: detailOf(`${type}: ${message}`, secret) });
