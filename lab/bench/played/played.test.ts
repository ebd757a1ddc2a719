/** The product's own provider against the played model: requests as files, replies from files. */
import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyOf, startPlayed, type PlayedOptions } from "./server.ts";

const ask = async (url: string, over: Readonly<Record<string, unknown>> = {}): Promise<Response> =>
  fetch(`${url}/v1/messages`, {
    method: "POST",
    body: JSON.stringify({
      model: "claude-haiku-4-5",
      max_tokens: 100,
      stream: true,
      system: "Say it.",
      messages: [{ role: "user", content: "What?" }],
      ...over,
    }),
  });

async function withFolder(
  options: Partial<PlayedOptions>,
  work: (played: ReturnType<typeof startPlayed>, folder: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "played-"));
  using played = startPlayed({ folder, port: 0, waitMs: 0, ...options });
  try {
    await work(played, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const key = keyOf("Say it.", "What?");

test("a request becomes a file of its own name; without a reply it is turned away", () =>
  withFolder({}, async ({ url, counts }, folder) => {
    expect((await ask(url)).status).toBe(529);
    expect(readdirSync(join(folder, "requests"))).toEqual([`${key}.txt`]);
    expect(readFileSync(join(folder, "requests", `${key}.txt`), "utf8")).toBe(
      "Say it.\n\n=== prompt ===\n\nWhat?\n",
    );
    expect(counts()).toEqual({ asked: 1, answered: 0, missing: 1 });
  }));

test("a reply in the folder is streamed; a tool gets it as its input", () =>
  withFolder({}, async ({ url }, folder) => {
    writeFileSync(join(folder, "replies", `${key}.json`), '{ "word": "so" }');
    const streamed = await (await ask(url)).text();
    expect(streamed).toContain('"text_delta","text":"{\\"word\\":\\"so\\"}"');
    expect(streamed).toContain('"stop_reason":"end_turn"');
    const forced = await (await ask(url, { tools: [{ name: "answer" }], stream: false })).json();
    expect(forced).toMatchObject({ stop_reason: "tool_use", content: [{ input: { word: "so" } }] });
  }));

test("a reply that comes later is waited for", () =>
  withFolder({ waitMs: 20_000 }, async ({ url }, folder) => {
    const asked = ask(url);
    while (readdirSync(join(folder, "requests")).length === 0) await Bun.sleep(5);
    writeFileSync(join(folder, "replies", `${key}.json`), '{"word":"now"}');
    expect((await asked).status).toBe(200);
  }));
