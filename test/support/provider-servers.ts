/**
 * Model APIs on a free port, each in its own wire format: streams where the real one streams, errors in the shape and
 * with the headers of the real one. A request that the real API would reject is rejected here too. Tests only.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Wire = "anthropic" | "openai" | "gemini" | "ollama";

/** The server's answer to one request. */
export type Turn =
  /** Says this text, to its end. */
  | { readonly say: string }
  /** Says it and stops at the limit of the reply. */
  | { readonly cutOff: string }
  /** Declines, as the API's safety rules do. */
  | { readonly decline: true }
  /** Answers with an HTTP error. `retryAfter` in seconds, in the API's own way. */
  | { readonly status: number; readonly retryAfter?: number; readonly message?: string }
  /** Begins well and then sends an error where the API can; a status of the same kind where it cannot. */
  | { readonly failMidway: 429 | 529 }
  /** Reads the request and says nothing. */
  | { readonly hang: true }
  /** Says half of the text and then nothing. */
  | { readonly stall: string }
  /** Drops the connection: at once, or after half of the text. */
  | { readonly reset: "at once" | "midway" }
  /** Ends a stream early, and properly. */
  | { readonly endEarly: string }
  /** A page, as networks show before one has logged in. */
  | { readonly page: string };

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ProviderServer {
  readonly url: string;
  /** Requests for a reply, in order. */
  readonly requests: readonly SeenRequest[];
  /** Probes and whatever else was asked. */
  readonly others: readonly SeenRequest[];
  /** Requests whose connection the other side closed while they were being answered. */
  readonly abandoned: () => number;
  readonly stop: () => Promise<void>;
}

export const testKey = "test-key-0123456789";

/** Starts a server that answers with one turn per request, and with the last one from then on. */
export async function startProvider(wire: Wire, turns: readonly Turn[]): Promise<ProviderServer> {
  const format = formats[wire];
  const requests: SeenRequest[] = [];
  const others: SeenRequest[] = [];
  let abandoned = 0;
  const server = createServer((request, response) => {
    void (async () => {
      const seen = await readRequest(request);
      const isReply = seen.method === "POST" && format.path.test(seen.path);
      (isReply ? requests : others).push(seen);
      response.on("close", () => void (response.writableFinished ? 0 : (abandoned += 1)));
      const fault = format.faultOf(seen, isReply);
      if (fault !== null) return format.fail(response, { status: fault });
      if (!isReply) return sendJson(response, 200, format.models);
      const turn = turns[Math.min(requests.length, turns.length) - 1];
      return answer(format, response, turn ?? { status: 500 });
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    others,
    abandoned: () => abandoned,
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
  const body = text === "" ? {} : (JSON.parse(text) as SeenRequest["body"]);
  const { headers, method = "", url: path = "" } = request;
  return { method, path, headers, body };
}

interface Format {
  readonly path: RegExp;
  /** The status with which the real API would reject this request; null when it is fine. */
  readonly faultOf: (request: SeenRequest, isReply: boolean) => number | null;
  readonly contentType: string;
  /** The body in pieces, as they are sent. */
  readonly pieces: (text: string, end: "done" | "cut-off" | "declined") => readonly string[];
  readonly fail: (response: ServerResponse, turn: Extract<Turn, { status: number }>) => void;
  /** An error within a stream; null where the API has no stream. */
  readonly failMidway: ((status: 429 | 529) => string) | null;
  /** The answer to a probe. */
  readonly models: unknown;
}

async function answer(format: Format, response: ServerResponse, turn: Turn): Promise<void> {
  if ("status" in turn) return format.fail(response, turn);
  if ("hang" in turn) return;
  if ("page" in turn) {
    response.writeHead(200, { "content-type": "text/html" }).end(turn.page);
    return;
  }
  if ("reset" in turn && turn.reset === "at once") return void response.socket?.destroy();
  if ("failMidway" in turn && format.failMidway === null)
    return format.fail(response, { status: turn.failMidway });
  response.writeHead(200, { "content-type": format.contentType });
  const pieces = piecesFor(format, turn);
  for (const piece of pieces) {
    response.write(piece);
    // Each piece on its own, so that none may be taken for the whole.
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  if ("stall" in turn) return;
  if ("reset" in turn) return void response.socket?.destroy();
  response.end();
}

function piecesFor(format: Format, turn: Turn): readonly string[] {
  if ("say" in turn) return format.pieces(turn.say, "done");
  if ("cutOff" in turn) return format.pieces(turn.cutOff, "cut-off");
  if ("decline" in turn) return format.pieces("", "declined");
  const half = (text: string): readonly string[] => {
    const pieces = format.pieces(text, "done");
    if (pieces.length > 2) return pieces.slice(0, Math.ceil(pieces.length / 2));
    const whole = pieces.join("");
    return [whole.slice(0, whole.length / 2)];
  };
  if ("failMidway" in turn)
    return [
      ...half("{}"),
      ...(format.failMidway === null ? [] : [format.failMidway(turn.failMidway)]),
    ];
  if ("stall" in turn) return half(turn.stall);
  if ("endEarly" in turn) return half(turn.endEarly);
  return half('{"word": "half an answer that never ends"}');
}

const sendJson = (response: ServerResponse, status: number, body: unknown, headers = {}): void =>
  void response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(JSON.stringify(body));

/** Pieces of a few letters, some of them within a character or an escape. */
const cut = (text: string): readonly string[] => text.match(/[^]{1,7}/g) ?? [];

const retryHeaders = (seconds: number | undefined): object =>
  seconds === undefined ? {} : { "retry-after": String(seconds) };

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";

/** Named events with `\n`, a ping in between, input tokens at the start and output tokens at the end. */
const anthropic: Format = {
  path: /^\/v1\/messages$/,
  contentType: "text/event-stream; charset=utf-8",
  faultOf: ({ headers, body }, isReply) => {
    if (headers["x-api-key"] !== testKey) return 401;
    if (headers["anthropic-version"] !== "2023-06-01") return 400;
    if (!isReply) return null;
    const isFit =
      isText(body["model"]) &&
      Number.isInteger(body["max_tokens"]) &&
      body["stream"] === true &&
      isText(body["system"]) &&
      Array.isArray(body["messages"]);
    return isFit ? null : 400;
  },
  pieces: (text, end) => anthropicEvents(text, end, "text"),
  fail: (response, { status, retryAfter, message }) =>
    sendJson(
      response,
      status,
      {
        type: "error",
        error: { type: anthropicTypes[status] ?? "api_error", message: message ?? "scripted" },
        request_id: "req_scripted",
      },
      retryHeaders(retryAfter),
    ),
  failMidway: (status) =>
    event("error", {
      type: "error",
      error: { type: anthropicTypes[status], message: "Overloaded" },
    }),
  models: { data: [{ type: "model", id: "claude-haiku-4-5-20251001" }], has_more: false },
};

const anthropicTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  429: "rate_limit_error",
  500: "api_error",
  529: "overloaded_error",
};

const event = (name: string, data: object): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** One block of text, or a call of a forced tool. */
export function anthropicEvents(
  text: string,
  end: "done" | "cut-off" | "declined",
  block: "text" | "tool",
): readonly string[] {
  const stops = {
    done: block === "text" ? "end_turn" : "tool_use",
    "cut-off": "max_tokens",
    declined: "refusal",
  };
  const [start, delta] =
    block === "text"
      ? [{ type: "text", text: "" }, (part: string) => ({ type: "text_delta", text: part })]
      : [
          { type: "tool_use", id: "toolu_1", name: "answer", input: {} },
          (part: string) => ({ type: "input_json_delta", partial_json: part }),
        ];
  return [
    event("message_start", {
      type: "message_start",
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "claude-haiku-4-5-20251001",
        content: [],
        stop_reason: null,
        usage: {
          input_tokens: 90,
          cache_creation_input_tokens: 6,
          cache_read_input_tokens: 4,
          output_tokens: 1,
        },
      },
    }),
    event("content_block_start", { type: "content_block_start", index: 0, content_block: start }),
    event("ping", { type: "ping" }),
    ...cut(text).map((part) =>
      event("content_block_delta", { type: "content_block_delta", index: 0, delta: delta(part) }),
    ),
    event("content_block_stop", { type: "content_block_stop", index: 0 }),
    event("message_delta", {
      type: "message_delta",
      delta: { stop_reason: stops[end], stop_sequence: null },
      usage: { output_tokens: 20 },
    }),
    event("message_stop", { type: "message_stop" }),
  ];
}

/** Unnamed events with `\r\n`, comments as OpenRouter sends them, usage in a chunk of its own, `[DONE]`. */
const openai: Format = {
  path: /^\/api\/v1\/chat\/completions$/,
  contentType: "text/event-stream",
  faultOf: ({ headers, body }, isReply) => {
    if (headers["authorization"] !== `Bearer ${testKey}`) return 401;
    if (!isReply) return null;
    const format = body["response_format"] as { readonly type?: unknown } | undefined;
    const isFit =
      isText(body["model"]) &&
      body["stream"] === true &&
      Array.isArray(body["messages"]) &&
      format?.type === "json_schema" &&
      Number.isInteger(body["max_tokens"]);
    return isFit ? null : 400;
  },
  pieces: (text, end) => {
    const reasons = { done: "stop", "cut-off": "length", declined: "content_filter" };
    return [
      ": OPENROUTER PROCESSING\r\n\r\n",
      chunk({
        choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }],
      }),
      ...cut(text).map((content) =>
        chunk({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
      ),
      chunk({ choices: [{ index: 0, delta: {}, finish_reason: reasons[end] }] }),
      chunk({
        choices: [],
        usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, cost: 0.0002 },
      }),
      "data: [DONE]\r\n\r\n",
    ];
  },
  fail: (response, { status, retryAfter, message }) =>
    sendJson(
      response,
      status,
      { error: { code: status, message: message ?? "scripted", metadata: {} } },
      retryHeaders(retryAfter),
    ),
  failMidway: (status) =>
    chunk({
      error: { code: status, message: "Provider returned error" },
      choices: [{ index: 0, delta: { content: "" }, finish_reason: "error" }],
    }),
  models: { data: [{ id: "m" }] },
};

const chunk = (fields: object): string =>
  `data: ${JSON.stringify({ id: "gen-1", object: "chat.completion.chunk", created: 1, model: "m", ...fields })}\r\n\r\n`;

/** One JSON document; how long to wait stands in the error's details, in fractions of a second. */
const gemini: Format = {
  path: /^\/v1beta\/models\/[\w.-]+:generateContent$/,
  contentType: "application/json; charset=UTF-8",
  faultOf: ({ headers, body }, isReply) => {
    if (headers["x-goog-api-key"] !== testKey) return 400;
    if (!isReply) return null;
    const config = body["generationConfig"] as Readonly<Record<string, unknown>> | undefined;
    const isFit =
      Array.isArray(body["contents"]) &&
      config?.["responseMimeType"] === "application/json" &&
      typeof config["responseSchema"] === "object" &&
      !JSON.stringify(config["responseSchema"]).includes("additionalProperties") &&
      Number.isInteger(config["maxOutputTokens"]);
    return isFit ? null : 400;
  },
  pieces: (text, end) => {
    const reasons = { done: "STOP", "cut-off": "MAX_TOKENS", declined: "SAFETY" };
    const parts = text === "" ? undefined : cut(text).map((part) => ({ text: part }));
    return [
      JSON.stringify(
        {
          candidates: [
            {
              content: { role: "model", ...(parts === undefined ? {} : { parts }) },
              finishReason: reasons[end],
              index: 0,
            },
          ],
          usageMetadata: {
            promptTokenCount: 100,
            candidatesTokenCount: 15,
            thoughtsTokenCount: 5,
            totalTokenCount: 120,
          },
          modelVersion: "gemini-3.5-flash-lite",
        },
        null,
        2,
      ),
    ];
  },
  fail: (response, { status, retryAfter, message }) =>
    sendJson(response, status, {
      error: {
        code: status,
        message: message ?? "scripted",
        status: geminiStatuses[status] ?? "INTERNAL",
        details: [
          ...(status === 400
            ? [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }]
            : []),
          ...(retryAfter === undefined
            ? []
            : [
                {
                  "@type": "type.googleapis.com/google.rpc.RetryInfo",
                  retryDelay: `${retryAfter - 0.25}s`,
                },
              ]),
        ],
      },
    }),
  failMidway: null,
  models: { models: [{ name: "models/gemini-3.5-flash-lite" }] },
};

const geminiStatuses: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

/** One JSON document; errors are a bare text. */
const ollama: Format = {
  path: /^\/api\/chat$/,
  contentType: "application/json; charset=utf-8",
  faultOf: ({ body }, isReply) => {
    if (!isReply) return null;
    const options = body["options"] as Readonly<Record<string, unknown>> | undefined;
    const isFit =
      isText(body["model"]) &&
      body["stream"] === false &&
      typeof body["format"] === "object" &&
      Number.isInteger(options?.["num_predict"]) &&
      Number.isInteger(options?.["num_ctx"]);
    return isFit ? null : 400;
  },
  pieces: (text, end) => [
    JSON.stringify({
      model: "llama3.2",
      created_at: "2026-10-01T10:00:00Z",
      message: {
        role: "assistant",
        content: end === "declined" ? "I cannot help with that." : text,
      },
      done_reason: end === "cut-off" ? "length" : "stop",
      done: true,
      prompt_eval_count: 100,
      eval_count: 20,
    }),
  ],
  fail: (response, { status, retryAfter, message }) =>
    sendJson(response, status, { error: message ?? "scripted" }, retryHeaders(retryAfter)),
  failMidway: null,
  models: { models: [{ name: "llama3.2:latest" }] },
};

const formats: Readonly<Record<Wire, Format>> = { anthropic, openai, gemini, ollama };
