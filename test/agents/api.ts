/**
 * The scripted model of the real agents: OpenAI's Responses and Chat Completions and Gemini's API on one free port.
 * Side questions of the agents (titles, routing, summaries) get an answer of their own and never use up the
 * script. Tests only.
 */

/** One answer of the model: words, or the call of a tool. */
export type Said =
  | string
  | {
      readonly tool: string;
      readonly input: Readonly<Record<string, unknown>>;
      readonly text?: string;
      /** The group in which Codex puts the tools of an MCP server. */
      readonly namespace?: string;
    }
  | { readonly hangs: true };

export interface Asked {
  /** `main` offers tools and is the conversation; `compact` asks for a summary. */
  readonly lane: "main" | "compact" | "side";
  /** The whole request as text. */
  readonly text: string;
  readonly tools: readonly string[];
}

export interface Model extends AsyncDisposable {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Requests of the conversation since the last call of `script`. */
  readonly main: () => readonly Asked[];
  /** Sets its replies from now on, in this order; then "Understood." The function sees the request. */
  readonly script: (...lines: readonly (Said | ((asked: Asked) => Said))[]) => void;
  /** Tokens that it says a request had, which drives compaction; null = few. */
  tokens: number | null;
}

interface Body {
  readonly stream?: boolean;
  readonly model?: string;
  readonly tools?: readonly Tool[];
  readonly input?: unknown;
  readonly generationConfig?: Readonly<Record<string, unknown>>;
}

interface Tool {
  readonly name?: string;
  readonly function?: { readonly name: string };
  readonly functionDeclarations?: readonly { readonly name: string }[];
}

const routing = {
  reasoning: "x",
  model_choice: "flash",
  complexity_reasoning: "x",
  complexity_score: 10,
  next_speaker: "user",
};
const summary = "<state_snapshot><overall_goal>The work goes on.</overall_goal></state_snapshot>";
const asksSummary =
  /context checkpoint compaction|handoff summary|create a (?:detailed|new anchored)? ?summary|state_snapshot|detailed prompt for continuing|summary of (?:our|the) conversation/i;

export function openModel(): Model {
  const asked: Asked[] = [];
  let lines: readonly (Said | ((one: Asked) => Said))[] = [];
  let at = 0;
  let since = 0;
  const model = { tokens: null as number | null };

  const next = (one: Asked): Said => {
    if (one.lane === "compact") return summary;
    if (one.lane === "side") return "A title";
    const line = lines[at] ?? "Understood.";
    at += 1;
    return typeof line === "function" ? line(one) : line;
  };

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 120,
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      const bytes = new Uint8Array(await request.arrayBuffer());
      const raw = new TextDecoder().decode(
        unpacked(bytes, request.headers.get("content-encoding")),
      );
      const kind = kindOf(pathname);
      if (kind === null)
        return Response.json(pathname.endsWith("/models") ? { data: [] } : { totalTokens: 100 });
      const body = JSON.parse(raw) as Body;
      const tools = (body.tools ?? []).flatMap(namesOf);
      const isCompact = asksSummary.test(lastWords(raw));
      const lane = isCompact ? "compact" : tools.length > 0 ? "main" : "side";
      const one: Asked = { lane, text: raw, tools };
      asked.push(one);
      const isRouting =
        kind === "gemini" && /json/i.test(JSON.stringify(body.generationConfig ?? {}));
      const said = isRouting ? JSON.stringify(routing) : next(one);
      if (typeof said !== "string" && "hangs" in said)
        return new Promise<Response>(() => undefined);
      const tokens = lane === "main" ? (model.tokens ?? 100) : 100;
      return { responses, chat, gemini }[kind]({ said, body, tokens, pathname });
    },
  });
  return Object.assign(model, {
    url: `http://127.0.0.1:${server.port}`,
    asked,
    main: () => asked.slice(since).filter(({ lane }) => lane === "main"),
    script: (...given: typeof lines) => {
      lines = given;
      at = 0;
      since = asked.length;
    },
    [Symbol.asyncDispose]: async () => server.stop(true),
  });
}

function unpacked(bytes: Uint8Array<ArrayBuffer>, encoding: string | null): Uint8Array {
  if (encoding === "zstd") return Bun.zstdDecompressSync(bytes);
  return encoding === "gzip" ? Bun.gunzipSync(bytes) : bytes;
}

function kindOf(pathname: string): "responses" | "chat" | "gemini" | null {
  if (pathname.endsWith("/responses")) return "responses";
  if (pathname.endsWith("/chat/completions")) return "chat";
  return /:(?:streamG|g)enerateContent$/.test(pathname) ? "gemini" : null;
}

const namesOf = (tool: Tool): readonly string[] =>
  tool.functionDeclarations?.map(({ name }) => name) ?? [tool.name ?? tool.function?.name ?? "?"];

/** The end of the conversation, where a summary is asked for. */
function lastWords(raw: string): string {
  const body = JSON.parse(raw) as Readonly<Record<string, unknown>>;
  const list = body["messages"] ?? body["contents"] ?? body["input"];
  const system = JSON.stringify(body["systemInstruction"] ?? "");
  return Array.isArray(list) ? JSON.stringify(list.at(-1)) + system : raw;
}

interface Reply {
  readonly said: Exclude<Said, { readonly hangs: true }>;
  readonly body: Body;
  readonly tokens: number;
  readonly pathname: string;
}

let ids = 0;
const id = (prefix: string): string => `${prefix}_${(ids += 1)}_${process.pid}`;

const stream = (frames: readonly { readonly event?: string; readonly data: unknown }[]): Response =>
  new Response(
    frames
      .map(({ event, data }) => {
        const text = typeof data === "string" ? data : JSON.stringify(data);
        return `${event === undefined ? "" : `event: ${event}\n`}data: ${text}\n\n`;
      })
      .join(""),
    { headers: { "content-type": "text/event-stream" } },
  );

const wordsOf = (said: Reply["said"]): string | null =>
  typeof said === "string" ? said : (said.text ?? null);

function responses({ said, body, tokens }: Reply): Response {
  const words = wordsOf(said);
  const content = [{ type: "output_text", text: words, annotations: [] }];
  const output = [
    ...(words === null
      ? []
      : [{ type: "message", id: id("msg"), role: "assistant", status: "completed", content }]),
    ...(typeof said === "string"
      ? []
      : [
          {
            type: "function_call",
            id: id("fc"),
            call_id: id("call"),
            name: said.tool,
            namespace: said.namespace,
            arguments: JSON.stringify(said.input),
            status: "completed",
          },
        ]),
  ];
  const usage = {
    input_tokens: tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: tokens + 20,
  };
  const response = {
    id: id("resp"),
    object: "response",
    created_at: 1,
    status: "completed",
    model: body.model,
    output,
    usage,
  };
  if (body.stream !== true) return Response.json(response);
  const frame = (type: string, more: object) => ({ event: type, data: { type, ...more } });
  return stream([
    frame("response.created", { response: { ...response, status: "in_progress", output: [] } }),
    ...output.flatMap((item, output_index) => [
      frame("response.output_item.added", { output_index, item }),
      frame("response.output_item.done", { output_index, item }),
    ]),
    frame("response.completed", { response }),
  ]);
}

function chat({ said, body, tokens }: Reply): Response {
  const content = wordsOf(said);
  const calls =
    typeof said === "string"
      ? []
      : [
          {
            index: 0,
            id: id("call"),
            type: "function",
            function: { name: said.tool, arguments: JSON.stringify(said.input) },
          },
        ];
  const message = {
    role: "assistant",
    content,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  const finish_reason = calls.length > 0 ? "tool_calls" : "stop";
  const usage = { prompt_tokens: tokens, completion_tokens: 20, total_tokens: tokens + 20 };
  const base = { id: id("chatcmpl"), created: 1, model: body.model };
  if (body.stream !== true) {
    const choices = [{ index: 0, message, finish_reason }];
    return Response.json({ ...base, object: "chat.completion", choices, usage });
  }
  const chunk = (choices: readonly object[], more: object = {}) => ({
    data: { ...base, object: "chat.completion.chunk", choices, ...more },
  });
  return stream([
    chunk([{ index: 0, delta: message, finish_reason: null }]),
    chunk([{ index: 0, delta: {}, finish_reason }]),
    chunk([], { usage }),
    { data: "[DONE]" },
  ]);
}

function gemini({ said, tokens, pathname }: Reply): Response {
  const words = wordsOf(said);
  const parts = [
    ...(words === null ? [] : [{ text: words }]),
    ...(typeof said === "string"
      ? []
      : [{ functionCall: { name: said.tool, args: said.input }, thoughtSignature: "eA==" }]),
  ];
  const reply = {
    candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
    usageMetadata: {
      promptTokenCount: tokens,
      candidatesTokenCount: 20,
      totalTokenCount: tokens + 20,
    },
  };
  return pathname.includes(":stream") ? stream([{ data: reply }]) : Response.json(reply);
}
