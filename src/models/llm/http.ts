/**
 * One HTTP exchange with a model API, with a deadline over all of it: connecting, waiting and reading. Whatever goes
 * wrong comes back as a value. Redirects are not followed: they would carry the key somewhere else.
 */
import type { LlmError, Provider, ProviderCall, ProviderError } from "#domain";
import {
  type Clock,
  err,
  errorCode,
  errorMessage,
  msPerSecond,
  ok,
  parseNow,
  type Random,
  type Result,
  isRecord,
  type Json,
  parseJson,
  recordOf,
} from "#kit";
import { detailOf, llmLimits } from "./breaker.ts";
import { createMeter, type Meter } from "./meter.ts";
import { type Answer } from "./read-json.ts";

// Translates an HTTP failure: status, headers and body to one of our errors. Pure.

interface FailedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  readonly secret: string | null;
  readonly nowMs: number;
}

/** The error of an answer with a status that is not 2xx. */
export function failureOf(answer: FailedAnswer): LlmError {
  const body = recordOf(parseJson(answer.body));
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

/** Type and message, wherever this provider puts them. */
function saidIn(body: Json): string {
  const { error } = body;
  if (typeof error === "string") return error;
  const inner = isRecord(error) ? error : body;
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
  const details: unknown = isRecord(error) ? error["details"] : undefined;
  if (!Array.isArray(details)) return null;
  for (const detail of details) {
    const delay: unknown = isRecord(detail) ? detail["retryDelay"] : undefined;
    const seconds = typeof delay === "string" ? /^(\d+(?:\.\d+)?)s$/.exec(delay)?.[1] : undefined;
    if (seconds !== undefined) return bounded(Number(seconds) * msPerSecond);
  }
  return null;
}

const bounded = (ms: number): number =>
  Math.min(llmLimits.retryAfterMsMax, Math.max(0, Math.ceil(ms)));

/** `fetch`, as far as this room uses it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The surroundings of every way to a model; its functions take them whole. */
export interface ModelContext {
  /** $CONTINUITY_HOME: key files and the folder that the Claude CLI runs in. */
  readonly home: string;
  /** The daemon's own environment, which a hook cannot extend. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly random: Random;
  readonly fetch?: Fetch;
}

export interface HttpContext {
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Aborted when the provider is closed. */
  readonly closing: AbortSignal;
}

export interface HttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON by POST; without it the request is a GET. */
  readonly body?: unknown;
  readonly timeoutMs: number;
  /** The key: taken out of everything that is reported. */
  readonly secret: string | null;
}

/** Sends the request and reads a 2xx answer with `read`. */
export async function exchange<Value>(
  deps: HttpContext,
  request: HttpRequest,
  read: (response: Response) => Promise<Result<Value, ProviderError>>,
): Promise<Result<Value, ProviderError>> {
  const deadline = AbortSignal.timeout(request.timeoutMs);
  const ended = new AbortController();
  const signal = AbortSignal.any([deadline, deps.closing, ended.signal]);
  try {
    // The deadline alone ends it: the runtime gives up on a silent answer after five minutes.
    const init = { ...initOf(request), redirect: "manual", signal, timeout: false } as const;
    const response = await deps.fetch(request.url, init);
    return await (response.ok ? read(response) : failed(deps, request, response));
  } catch (error) {
    if (deadline.aborted) return err({ type: "llm.timeout", afterMs: request.timeoutMs });
    if (deps.closing.aborted) return err({ type: "llm.unavailable", detail: "stopped" });
    return err({ type: "llm.unavailable", detail: detailOf(reasonOf(error), request.secret) });
  } finally {
    // Lets go of the connection, whether or not the body was read to its end.
    ended.abort();
  }
}

const initOf = ({ headers, body }: HttpRequest): RequestInit =>
  body === undefined
    ? { method: "GET", headers }
    : {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(body),
      };

async function failed(
  deps: HttpContext,
  { secret }: HttpRequest,
  response: Response,
): Promise<Result<never, ProviderError>> {
  const { status, headers } = response;
  const body = await textOf(response, llmLimits.errorBytesMax);
  return err(failureOf({ status, headers, body, secret, nowMs: deps.clock.nowMs() }));
}

/** The body as text; what lies beyond `bytesMax` is left out. */
export async function textOf(response: Response, bytesMax: number): Promise<string> {
  let text = "";
  for await (const piece of piecesOf(response, bytesMax)) text += piece;
  return text;
}

/** The body as text, piece by piece, up to `bytesMax`. */
async function* piecesOf(response: Response, bytesMax: number): AsyncGenerator<string> {
  if (response.body === null) return;
  const decoder = new TextDecoder();
  let bytesLeft = bytesMax;
  for await (const chunk of response.body) {
    const kept = chunk.subarray(0, bytesLeft);
    bytesLeft -= kept.byteLength;
    yield decoder.decode(kept, { stream: true });
    if (bytesLeft <= 0) return;
  }
  yield decoder.decode();
}

/** Names of network errors say enough (`ECONNRESET`, `ConnectionRefused`); messages may hold the address. */
const reasonOf = (error: unknown): string => errorCode(error) || errorMessage(error);

interface HttpProvider {
  readonly name: Provider["name"];
  readonly headers: Readonly<Record<string, string>>;
  /** A model on this machine. */
  readonly isFree?: boolean;
  readonly url: (call: ProviderCall) => string;
  readonly body: (call: ProviderCall) => unknown;
  readonly read: (response: Response, meter: Meter) => Promise<Answer>;
  /** URL that a probe requests; the request costs nothing. */
  readonly probeUrl: string;
  readonly verdict: (
    asked: Result<string, ProviderError>,
  ) => Awaited<ReturnType<Provider["probe"]>>;
}

export const httpProvider = (
  deps: HttpContext & { readonly key: string | null },
  { name, headers, isFree, ...api }: HttpProvider,
): Omit<Provider, "close"> => ({
  name,
  call: async (call) => {
    const meter = createMeter(deps.clock, call, isFree);
    const { timeoutMs } = call;
    const body = api.body(call);
    const request = { url: api.url(call), headers, body, timeoutMs, secret: deps.key };
    const answer = await exchange(deps, request, (response) => api.read(response, meter));
    return answer.ok ? answer : err(meter.onto(answer.error));
  },
  probe: async () => {
    const request = {
      url: api.probeUrl,
      headers,
      secret: deps.key,
      timeoutMs: llmLimits.probeMs,
    };
    const asked = await exchange(deps, request, async (response) =>
      ok(await textOf(response, llmLimits.replyBytesMax)),
    );
    return api.verdict(asked);
  },
});

/** Says to people what a probe of an API with a key found. */
export const verdictOf =
  (address: string): HttpProvider["verdict"] =>
  (asked) => {
    if (asked.ok) return { usable: true, reason: `${address} accepts the key` };
    const { error } = asked;
    return {
      usable: false,
      reason: `${address}: ${"detail" in error ? error.detail : error.type}`,
    };
  };

// Server-sent events, as the streams of model APIs use them: the data of each event, in order.

/**
 * Data of each complete event. Comments (keep-alives), names and ids are left out; an event that was cut off by the
 * end of the stream is not given, as the standard wants it.
 */
export async function* eventsOf(response: Response): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of piecesOf(response, llmLimits.replyBytesMax)) {
    rest += piece;
    // A carriage return at the end may be half of a line end; it waits for the next piece.
    const whole = rest.endsWith("\r") ? rest.length - 1 : rest.length;
    const blocks = withNewlines(rest.slice(0, whole)).split("\n\n");
    rest = (blocks.pop() ?? "") + rest.slice(whole);
    for (const block of blocks) yield* dataOf(block);
  }
  for (const block of withNewlines(rest).split("\n\n").slice(0, -1)) yield* dataOf(block);
}

const withNewlines = (text: string): string => text.replaceAll(/\r\n?/g, "\n");

function* dataOf(block: string): Generator<string> {
  const lines = block.split("\n").filter((line) => line.startsWith("data:"));
  if (lines.length > 0) yield lines.map((line) => line.slice(5).replace(/^ /, "")).join("\n");
}

/** True when an answer is a stream of events at all; a login page of a hotel's network is not. */
export const isEventStream = (response: Response): boolean =>
  response.headers.get("content-type")?.includes("text/event-stream") ?? false;

export const isJson = (response: Response): boolean =>
  /^application\/(?:[\w.+-]+\+)?json\b/i.test(response.headers.get("content-type") ?? "");
