/**
 * A model whose part somebody plays: requests become files, replies are taken from files, both named by what was asked.
 * Speaks Anthropic's Messages API as far as src/models/llm/anthropic.ts does, streamed or whole, on 127.0.0.1.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { sha256, tokensOf } from "#kit";
import { recordedIn } from "./recorded.ts";

export interface PlayedOptions {
  /** `requests/KEY.txt` and `replies/KEY.json` below it. */
  readonly folder: string;
  /** 0 = a free one. */
  readonly port: number;
  /** The wait for a reply; 0 = only those that are there. */
  readonly waitMs: number;
  /** Told of each request that has no reply yet. */
  readonly onWaiting?: (key: string) => void;
  /** Answers in place of the files; what it does not know is answered as an empty session. */
  readonly recorded?: (prompt: string) => object | null;
}

export interface Played extends Disposable {
  /** For `llm.anthropic.base_url`. */
  readonly url: string;
  readonly counts: () => {
    readonly asked: number;
    readonly answered: number;
    readonly missing: number;
  };
}

interface Body {
  readonly model?: string;
  readonly stream?: boolean;
  readonly system?: unknown;
  readonly messages?: readonly { readonly content?: unknown }[];
  readonly tools?: unknown;
}

/** Twenty hex characters name a request for good: the same words, the same file. */
const keyChars = 20;
const lookEveryMs = 200;

export const keyOf = (system: string, prompt: string): string =>
  sha256(`${system}\n\n=== prompt ===\n\n${prompt}`, keyChars);

/**
 * For a bench's `--played DIR` and `--recorded DIR`; null without either. Says which replies are waited for;
 * recorded ones come at once.
 */
export function playedBy(folder: string | null, recorded: string | null = null): Played | null {
  if (folder === null && recorded === null) return null;
  return startPlayed({
    folder: folder === null ? mkdtempSync(join(tmpdir(), "continuity-played-")) : resolve(folder),
    port: 0,
    waitMs: 7_200_000,
    onWaiting: (key) => process.stdout.write(`waiting for replies/${key}.json\n`),
    ...(recorded === null ? {} : { recorded: recordedIn(resolve(recorded)) }),
  });
}

const nothingKept = {
  title: "A session",
  outcome: "",
  open: [],
  ended: [],
  built: [],
  memories: [],
};

export function startPlayed(options: PlayedOptions): Played {
  const requests = join(options.folder, "requests");
  const replies = join(options.folder, "replies");
  for (const folder of [requests, replies]) mkdirSync(folder, { recursive: true });
  const counts = { asked: 0, answered: 0, missing: 0 };
  const stopped = new AbortController();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: options.port,
    idleTimeout: 0,
    fetch: async (request) => {
      if (request.method !== "POST") return Response.json({ data: [{ id: "played" }] });
      const body = (await request.json()) as Body;
      const asked = { system: textOf(body.system), prompt: textOf(body.messages?.[0]?.content) };
      const key = keyOf(asked.system, asked.prompt);
      counts.asked += 1;
      writeWhole(
        join(requests, `${key}.txt`),
        `${asked.system}\n\n=== prompt ===\n\n${asked.prompt}\n`,
      );
      const file = join(replies, `${key}.json`);
      const reply =
        options.recorded === undefined
          ? await replyIn(file, key, options, stopped.signal)
          : JSON.stringify(options.recorded(asked.prompt) ?? nothingKept);
      if (reply === null) {
        counts.missing += 1;
        return overloaded(key);
      }
      counts.answered += 1;
      return answer(body, asked, reply);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    counts: () => ({ ...counts }),
    [Symbol.dispose]: () => {
      stopped.abort();
      void server.stop(true);
    },
  };
}

/** Whoever watches the folder sees a file only when it is whole. */
function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.part`, text);
  renameSync(`${path}.part`, path);
}

/** Texts of a content field in either form. */
const textOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : Array.isArray(content)
      ? content.map((block: { readonly text?: string }) => block.text ?? "").join("")
      : "";

/** A reply as JSON text; null when none came in time. A file that is no JSON yet is looked at again. */
async function replyIn(
  file: string,
  key: string,
  { waitMs, onWaiting }: PlayedOptions,
  stopped: AbortSignal,
): Promise<string | null> {
  const read = (): string | null => {
    if (!existsSync(file)) return null;
    try {
      return JSON.stringify(JSON.parse(readFileSync(file, "utf8")));
    } catch {
      return null;
    }
  };
  const untilMs = performance.now() + waitMs;
  let reply = read();
  if (reply === null && waitMs > 0) onWaiting?.(key);
  while (reply === null && performance.now() < untilMs && !stopped.aborted) {
    await Bun.sleep(lookEveryMs);
    reply = read();
  }
  return reply;
}

const overloaded = (key: string): Response =>
  Response.json(
    {
      type: "error",
      error: { type: "overloaded_error", message: `no reply in replies/${key}.json` },
    },
    { status: 529 },
  );

function answer(
  body: Body,
  asked: { readonly system: string; readonly prompt: string },
  reply: string,
): Response {
  const usage = {
    input_tokens: tokensOf(asked.system) + tokensOf(asked.prompt),
    output_tokens: tokensOf(reply),
  };
  const { model = "played" } = body;
  // Older models answer through a forced tool, newer ones in text that fits the schema.
  const usesTool = body.tools !== undefined;
  const block = usesTool
    ? { type: "tool_use", id: "toolu_1", name: "answer", input: {} }
    : { type: "text", text: "" };
  const delta = usesTool
    ? { type: "input_json_delta", partial_json: reply }
    : { type: "text_delta", text: reply };
  const stop_reason = usesTool ? "tool_use" : "end_turn";
  if (body.stream !== true) {
    const whole = usesTool
      ? { ...block, input: JSON.parse(reply) as unknown }
      : { ...block, text: reply };
    return Response.json({
      type: "message",
      role: "assistant",
      model,
      content: [whole],
      stop_reason,
      usage,
    });
  }
  const events = [
    {
      type: "message_start",
      message: { type: "message", role: "assistant", model, content: [], usage },
    },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason }, usage },
    { type: "message_stop" },
  ];
  const text = events
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}
