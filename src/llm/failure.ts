/** What an HTTP answer that is none means: status, headers and body to one of our errors. Pure. */
import type { LlmError } from "#domain";
import { isObject, type Json } from "./read-json.ts";
import { detailOf, llmLimits } from "./breaker.ts";
import { msPerSecond, parseNow } from "#kit";

export interface FailedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  readonly secret: string | null;
  readonly nowMs: number;
}

/** The error of an answer with a status that is not 2xx. */
export function failureOf(answer: FailedAnswer): LlmError {
  const body = bodyOf(answer.body);
  const said = `${answer.status} ${saidIn(body) || answer.body}`;
  return failureOfStatus(answer.status, {
    detail: detailOf(said, answer.secret),
    retryAfterMs: retryAfterMs(answer.headers, answer.nowMs) ?? retryInfoMs(body),
    isBadKey: /\bAPI_KEY_INVALID\b/.test(answer.body),
  });
}

/** The same for a status that stands in a stream or in another program's output. */
export function failureOfStatus(
  status: number,
  known: {
    readonly detail: string;
    readonly retryAfterMs?: number | null;
    /** Gemini says 400 to a key that it does not know. */
    readonly isBadKey?: boolean;
  },
): LlmError {
  const { detail } = known;
  if (status === 401 || status === 403 || known.isBadKey === true)
    return { type: "llm.unauthorised", detail };
  if (status === 429) return { type: "llm.rate-limited", retryAfterMs: known.retryAfterMs ?? null };
  if (status === 408 || status >= 500) return { type: "llm.unavailable", detail };
  return { type: "llm.refused", status, detail };
}

function bodyOf(text: string): Json {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : {};
  } catch {
    return {}; // A gateway's HTML, or nothing.
  }
}

/** Type and message, wherever this provider puts them. */
function saidIn(body: Json): string {
  const { error } = body;
  if (typeof error === "string") return error;
  const inner = isObject(error) ? error : body;
  return [inner["type"] ?? inner["status"], inner["message"]]
    .filter((part) => typeof part === "string")
    .join(": ");
}

/** `retry-after` in seconds or as a date, `retry-after-ms` in milliseconds. */
function retryAfterMs(headers: Headers, nowMs: number): number | null {
  const exact = headers.get("retry-after-ms");
  if (exact !== null && /^\d+$/.test(exact)) return bounded(Number(exact));
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/.test(text)) return bounded(Number(text) * msPerSecond);
  const atMs = text === "" ? null : parseNow(text);
  return atMs === null ? null : bounded(atMs - nowMs);
}

/** Gemini's: `{"@type": "…RetryInfo", "retryDelay": "45.8s"}` among the details. */
function retryInfoMs(body: Json): number | null {
  const { error } = body;
  const details: unknown = isObject(error) ? error["details"] : undefined;
  if (!Array.isArray(details)) return null;
  for (const detail of details) {
    const delay: unknown = isObject(detail) ? detail["retryDelay"] : undefined;
    const seconds = typeof delay === "string" ? /^(\d+(?:\.\d+)?)s$/.exec(delay)?.[1] : undefined;
    if (seconds !== undefined) return bounded(Number(seconds) * msPerSecond);
  }
  return null;
}

const bounded = (ms: number): number =>
  Math.min(llmLimits.retryAfterMsMax, Math.max(0, Math.ceil(ms)));
