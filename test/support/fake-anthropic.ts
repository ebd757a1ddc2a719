/**
 * A scripted Anthropic Messages API on a free port, for driving the real client without a network.
 *
 * A request belongs to a lane, and each lane has its own script: what the client asks on the side (titles, summaries)
 * never uses up the conversation. Requests are recorded without their credentials. Tests only.
 */

export type Lane = "main" | "side" | "compact" | "subagent" | "structured";

interface ToolUse {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One assistant turn: plain text, what it consists of in order thinking, text, tools, or what it makes of the request. */
export type ScriptedTurn = PlannedTurn | ((request: RecordedRequest) => PlannedTurn);

export type PlannedTurn =
  | string
  | {
      readonly thinking?: string;
      readonly text?: string;
      readonly tools?: readonly ToolUse[];
      /** Answers with this HTTP error instead. */
      readonly status?: number;
      readonly retryAfterSeconds?: number;
      /** Waits before the first byte. */
      readonly delayMs?: number;
      /** Stops after the text, until the client gives up or the server ends. */
      readonly hangs?: boolean;
      /** Usage that the client is told; it drives compaction. */
      readonly inputTokens?: number;
    };

export type Script = Partial<Readonly<Record<Lane, readonly ScriptedTurn[]>>>;

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly content?: unknown;
}

interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}

interface MessagesBody {
  readonly model: string;
  readonly stream?: boolean;
  readonly system?: string | readonly Block[];
  readonly messages: readonly Message[];
  readonly tools?: readonly { readonly name: string }[];
}

export interface RecordedRequest {
  readonly lane: Lane;
  readonly body: MessagesBody;
  /** Every text that the model would see: system, messages, tool results. */
  readonly text: string;
}

export interface FakeAnthropic {
  readonly url: string;
  /** POST /v1/messages, in order of arrival. */
  readonly requests: readonly RecordedRequest[];
  readonly of: (lane: Lane) => readonly RecordedRequest[];
  readonly stop: () => Promise<void>;
}

/** The reply of a lane when its script is empty or at its end. */
const spoken: Readonly<Record<Lane, PlannedTurn>> = {
  main: "Done.",
  side: '{"title": "A session", "isNewTopic": false}',
  compact: "<summary>\nNothing of note happened.\n</summary>",
  subagent: "Nothing found.",
  structured: { tools: [{ name: "StructuredOutput", input: {} }] },
};

export function startFakeAnthropic(options: { readonly script: Script }): FakeAnthropic {
  const requests: RecordedRequest[] = [];
  const turnsTaken = new Map<Lane, number>();

  const nextTurn = (lane: Lane): ScriptedTurn => {
    const taken = turnsTaken.get(lane) ?? 0;
    turnsTaken.set(lane, taken + 1);
    return options.script[lane]?.[taken] ?? spoken[lane];
  };
  const answerMessages = async (body: MessagesBody): Promise<Response> => {
    const lane = laneOf(body);
    const request = { lane, body, text: allTextOf(body) };
    requests.push(request);
    const next = nextTurn(lane);
    const scripted = typeof next === "function" ? next(request) : next;
    const turn = typeof scripted === "string" ? { text: scripted } : scripted;
    if (turn.delayMs !== undefined) await Bun.sleep(turn.delayMs);
    if (turn.status !== undefined) return failure(turn.status, turn.retryAfterSeconds);
    const message = messageOf(turn, body.model, requests.length);
    if (body.stream !== true) return Response.json(message);
    return new Response(bodyOf(eventsOf(message), turn.hangs === true), {
      headers: { "content-type": "text/event-stream", "cache-control": "no-cache" },
    });
  };

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 120,
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      const isPost = request.method === "POST";
      if (isPost && pathname === "/v1/messages") {
        return answerMessages((await request.json()) as MessagesBody);
      }
      if (isPost && pathname === "/v1/messages/count_tokens") {
        return Response.json({ input_tokens: Math.ceil((await request.text()).length / 4) });
      }
      if (pathname === "/v1/models") return Response.json({ data: [], has_more: false });
      // The client pings more than it needs; an empty object satisfies it.
      return Response.json({});
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    of: (lane) => requests.filter((request) => request.lane === lane),
    stop: () => server.stop(true),
  };
}

/** All events, or those up to the end of the text, and then silence. */
function bodyOf(events: readonly string[], hangs: boolean): string | ReadableStream {
  if (!hangs) return events.join("");
  const end = events.findLastIndex((event) => event.startsWith("event: content_block_delta"));
  const said = new TextEncoder().encode(events.slice(0, end + 1).join(""));
  return new ReadableStream({ start: (controller) => controller.enqueue(said) });
}

function laneOf(body: MessagesBody): Lane {
  const system = textsOf(body.system).join("\n");
  const last = textsOf(body.messages.at(-1)?.content).join("\n");
  const tools = (body.tools ?? []).map(({ name }) => name);
  if (/create a detailed summary of (?:the|this|our) conversation/i.test(last)) return "compact";
  if (tools.includes("StructuredOutput")) return "structured";
  if (system.includes("cc_is_subagent=true")) return "subagent";
  return tools.length > 0 ? "main" : "side";
}

const allTextOf = (body: MessagesBody): string =>
  [body.system, ...body.messages.map(({ content }) => content)].flatMap(textsOf).join("\n");

function textsOf(content: unknown): readonly string[] {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return (content as readonly Block[]).flatMap((block) =>
    block.text === undefined ? textsOf(block.content) : [block.text],
  );
}

type Content =
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "tool_use";
      readonly id: string;
      readonly name: string;
      readonly input: object;
    };

function messageOf(
  turn: Exclude<PlannedTurn, string>,
  model: string,
  n: number,
): Readonly<Record<string, unknown>> & { readonly content: readonly Content[] } {
  const content: Content[] = [];
  if (turn.thinking !== undefined) {
    content.push({ type: "thinking", thinking: turn.thinking, signature: "c2lnbmVk" });
  }
  if (turn.text !== undefined) content.push({ type: "text", text: turn.text });
  (turn.tools ?? []).forEach(({ name, input }, index) =>
    content.push({ type: "tool_use", id: `toolu_scripted_${n}_${index}`, name, input }),
  );
  return {
    id: `msg_scripted_${n}`,
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: turn.tools === undefined ? "end_turn" : "tool_use",
    stop_sequence: null,
    usage: { input_tokens: turn.inputTokens ?? 100, output_tokens: 20 },
  };
}

/** The message as server-sent events, block by block, as the API streams it. */
function eventsOf(message: ReturnType<typeof messageOf>): readonly string[] {
  const { stop_reason, usage, content } = message;
  const events: string[] = [];
  const send = (type: string, fields: object): void =>
    void events.push(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  send("message_start", { message: { ...message, content: [], stop_reason: null } });
  content.forEach((block, index) => {
    send("content_block_start", { index, content_block: emptied(block) });
    for (const delta of deltasOf(block)) send("content_block_delta", { index, delta });
    send("content_block_stop", { index });
  });
  send("message_delta", { delta: { stop_reason, stop_sequence: null }, usage });
  send("message_stop", {});
  return events;
}

function emptied(block: Content): object {
  if (block.type === "thinking") return { ...block, thinking: "", signature: "" };
  return block.type === "text" ? { ...block, text: "" } : { ...block, input: {} };
}

function deltasOf(block: Content): readonly object[] {
  if (block.type === "text") return [{ type: "text_delta", text: block.text }];
  if (block.type === "tool_use") {
    return [{ type: "input_json_delta", partial_json: JSON.stringify(block.input) }];
  }
  return [
    { type: "thinking_delta", thinking: block.thinking },
    { type: "signature_delta", signature: block.signature },
  ];
}

const errorTypes: Readonly<Record<number, string>> = {
  401: "authentication_error",
  429: "rate_limit_error",
  529: "overloaded_error",
};

const failure = (status: number, retryAfterSeconds: number | undefined): Response =>
  Response.json(
    { type: "error", error: { type: errorTypes[status] ?? "api_error", message: "scripted" } },
    {
      status,
      headers: retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) },
    },
  );
