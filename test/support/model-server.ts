/**
 * A model behind the API that OpenAI defined, on a free port: answers each purpose from a script, as the daemon of a
 * built program asks it. The wire format itself has tests of its own (src/models/llm).
 */
import type { LlmPurpose } from "#domain";
import { tokensOf } from "#kit";
import { purposeOf } from "./scripted-provider.ts";

export interface ModelServer extends Disposable {
  /** For `llm.openrouter.base_url`. */
  readonly url: string;
  readonly asked: readonly { readonly purpose: LlmPurpose; readonly prompt: string }[];
  /** From now on: what is answered; `down` = status 503 to everybody. */
  answer: (purpose: LlmPurpose, prompt: string) => unknown;
  down: boolean;
  /** Waited for before each answer. */
  delay: () => Promise<void>;
}

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly response_format: { readonly json_schema: { readonly schema: Record<string, unknown> } };
}

const streamed = (chunks: readonly unknown[]): Response =>
  new Response(
    [...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"]
      .map((data) => `data: ${data}\n\n`)
      .join(""),
    { headers: { "content-type": "text/event-stream" } },
  );

export function startModel(answer: ModelServer["answer"]): ModelServer {
  const asked: { purpose: LlmPurpose; prompt: string }[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      if (request.method !== "POST") return Response.json({ data: [{ id: "small" }] });
      const body = (await request.json()) as Asked;
      const prompt = body.messages.find(({ role }) => role === "user")?.content ?? "";
      const purpose = purposeOf(body.response_format.json_schema);
      asked.push({ purpose, prompt });
      await model.delay();
      if (model.down) return Response.json({ error: { message: "overloaded" } }, { status: 503 });
      const content = JSON.stringify(model.answer(purpose, prompt));
      const usage = {
        prompt_tokens: tokensOf(JSON.stringify(body)),
        completion_tokens: tokensOf(content),
      };
      return streamed([
        { choices: [{ index: 0, delta: { role: "assistant", content }, finish_reason: null }] },
        { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
        { choices: [], usage },
      ]);
    },
  });
  const model: ModelServer = {
    url: `http://127.0.0.1:${server.port}/v1`,
    asked,
    answer,
    down: false,
    delay: async () => undefined,
    [Symbol.dispose]: () => void server.stop(true),
  };
  return model;
}
