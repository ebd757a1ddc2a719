/** Reads the client's output as an answer or an error. A login prompt, a limit or an error text is never an answer. */
import { z } from "zod";
import type { LlmError, ProviderError } from "#domain";
import { err, msPerSecond, ok, isRecord, parseJson } from "#kit";
import type { ClaudeOutput } from "./claude-run.ts";
import { detailOf, llmLimits } from "./breaker.ts";
import { failureOfStatus } from "./http.ts";
import type { Meter } from "./meter.ts";
import { type Answer } from "./read-json.ts";

const Tokens = z.number().nonnegative();

const Printed = z.object({
  type: z.literal("result"),
  subtype: z.string().optional(),
  is_error: z.boolean(),
  /** Absent in older clients. */
  api_error_status: z.number().nullish(),
  terminal_reason: z.string().nullish(),
  result: z.string().nullish(),
  structured_output: z.unknown().optional(),
  total_cost_usd: z.number().nonnegative().nullish(),
  /** The use of the last request alone; older clients have nothing better. */
  usage: z
    .object({
      input_tokens: Tokens,
      output_tokens: Tokens,
      cache_creation_input_tokens: Tokens.optional(),
      cache_read_input_tokens: Tokens.optional(),
    })
    .nullish(),
  modelUsage: z
    .record(
      z.string(),
      z.object({
        inputTokens: Tokens,
        outputTokens: Tokens,
        cacheReadInputTokens: Tokens.optional(),
        cacheCreationInputTokens: Tokens.optional(),
      }),
    )
    .nullish(),
});

type Printed = z.infer<typeof Printed>;

export function readClaude(
  output: ClaudeOutput,
  known: { readonly meter: Meter; readonly secret: string | null; readonly nowMs: number },
): Answer {
  const printed = resultIn(output.stdout);
  if (printed === null) return err(failureInText(output, known));
  const { meter } = known;
  count(meter, printed);
  const { structured_output: reply } = printed;
  if (!printed.is_error && isRecord(reply))
    return ok({ reply, usage: meter.usage(JSON.stringify(reply)) });
  return err(
    meter.onto(printed.is_error ? failureIn(printed, known) : withoutAnswer(printed, known)),
  );
}

/** The result among whatever else was printed: warnings of a runtime come before it. */
function resultIn(stdout: string): Printed | null {
  const lines = stdout.trim().split("\n");
  for (const text of [stdout, ...lines.toReversed()]) {
    const { data } = Printed.safeParse(parseJson(text));
    if (data !== undefined) return data;
  }
  return null;
}

/** All models that it used, since a retry within the client is paid for as well. */
function count(meter: Meter, printed: Printed): void {
  const all = printed.modelUsage ? Object.values(printed.modelUsage) : lastRequest(printed);
  const sum = (of: (one: ModelUsage) => number): number =>
    all.reduce((total, one) => total + of(one), 0);
  meter.count({
    inputTokens: sum(
      (one) =>
        one.inputTokens + (one.cacheReadInputTokens ?? 0) + (one.cacheCreationInputTokens ?? 0),
    ),
    outputTokens: sum((one) => one.outputTokens),
    costUsd: printed.total_cost_usd,
  });
}

type ModelUsage = NonNullable<Printed["modelUsage"]>[string];

const lastRequest = ({ usage }: Printed): readonly ModelUsage[] =>
  usage
    ? [
        {
          inputTokens: usage.input_tokens,
          outputTokens: usage.output_tokens,
          cacheReadInputTokens: usage.cache_read_input_tokens,
          cacheCreationInputTokens: usage.cache_creation_input_tokens,
        },
      ]
    : [];

interface Known {
  readonly secret: string | null;
  readonly nowMs: number;
  /** The program whose words they are. */
  readonly program?: string;
}

function failureIn(printed: Printed, known: Known): LlmError {
  const text = printed.result ?? printed.subtype ?? "";
  const detail = detailOf(`claude: ${text}`, known.secret);
  const isWornOut =
    printed.subtype === "error_max_structured_output_retries" ||
    printed.terminal_reason === "structured_output_retry_exhausted";
  if (isWornOut) return { type: "llm.unreadable", detail: "no reply fitted the schema" };
  if (typeof printed.api_error_status === "number")
    return failureOfStatus(printed.api_error_status, {
      detail,
      retryAfterMs: resetMs(text, known.nowMs),
    });
  return failureOfText(text, known) ?? { type: "llm.unavailable", detail };
}

/** It ended well and gave no answer: prose, or a notice that it does not call an error. */
const withoutAnswer = (printed: Printed, known: Known): ProviderError =>
  failureOfNotice(printed.result ?? "", known) ?? {
    type: "llm.unreadable",
    detail: "the reply has no structured output",
  };

/** No result at all: an older or a broken client, or none. */
function failureInText({ stdout, stderr, status }: ClaudeOutput, known: Known): LlmError {
  const text = `${stderr}\n${stdout}`.trim();
  const found = failureOfNotice(stderr, known) ?? failureOfNotice(stdout, known);
  if (found !== null) return found;
  if (status === 0) return { type: "llm.unreadable", detail: "claude printed no result" };
  const ended = status === null ? "was killed" : `ended with status ${status}`;
  return { type: "llm.unavailable", detail: detailOf(`claude ${ended}: ${text}`, known.secret) };
}

/** Notices are short; a long text is a model's prose, which may speak of limits and logins. */
const noticeCharsMax = 300;

const failureOfNotice = (text: string, known: Known): LlmError | null =>
  text.length <= noticeCharsMax ? failureOfText(text, known) : null;

/** Words of the client for what has no status: no login, a spent subscription, a server in trouble. */
export function failureOfText(text: string, known: Known): LlmError | null {
  const detail = detailOf(`${known.program ?? "claude"}: ${text}`, known.secret);
  if (
    /not logged in|\/login\b|log ?in again|invalid api key|api key not valid|401 unauthorized|authenticat|oauth token/i.test(
      text,
    )
  )
    return { type: "llm.unauthorised", detail };
  if (
    /rate.?limit|usage limit|hit your .{0,30}limit|limit reached|too many requests|quota/i.test(
      text,
    )
  )
    return { type: "llm.rate-limited", retryAfterMs: resetMs(text, known.nowMs) };
  return /overloaded|connection error|ECONN|ENOTFOUND|fetch failed/i.test(text)
    ? { type: "llm.unavailable", detail }
    : null;
}

/** `…limit reached|1771234567`: the epoch in seconds at which a subscription goes on. Null when it does not say. */
function resetMs(text: string, nowMs: number): number | null {
  const seconds = /\|(\d{10})\b/.exec(text)?.[1];
  if (seconds === undefined) return null;
  return Math.min(llmLimits.retryAfterMsMax, Math.max(0, Number(seconds) * msPerSecond - nowMs));
}
