import { expect, test } from "bun:test";
import { join } from "node:path";
import { keepLoopbackDirect } from "./loopback.ts";

test.each([
  [{}, "localhost,127.0.0.1,::1,[::1]"],
  [{ NO_PROXY: "corp.example, .internal" }, "corp.example,.internal,localhost,127.0.0.1,::1,[::1]"],
  [{ no_proxy: "127.0.0.1" }, "127.0.0.1,localhost,::1,[::1]"],
])("%j", (given, expected) => {
  const env: Record<string, string | undefined> = { ...given };
  keepLoopbackDirect(env);
  keepLoopbackDirect(env);
  expect(env).toEqual({ NO_PROXY: expected, no_proxy: expected });
});

test("a prompt for a model on this machine does not go to the proxy", async () => {
  const proxied: string[] = [];
  const proxy = Bun.serve({
    port: 0,
    fetch: async (request) => {
      proxied.push(request.url + (await request.text()));
      return new Response("", { status: 502 });
    },
  });
  const ollama = Bun.serve({
    port: 0,
    fetch: () => Response.json({ message: { content: '{"word": "hi"}' } }),
  });
  const code = `
    const { createProvider } = await import(${JSON.stringify(join(import.meta.dir, "choose.ts"))});
    const { llmSettings, wordRequest } = await import(${JSON.stringify(join(import.meta.dir, "llm.fixtures.ts"))});
    const settings = llmSettings({ ollama: { endpoint: "http://localhost:${ollama.port}", model: "m" } });
    const made = createProvider({ home: "/nowhere", env: {}, clock: { nowMs: () => 0 }, random: null }, settings, "ollama");
    const { system, prompt, schema, limits } = wordRequest();
    const answered = await made.value.call({ model: "m", system, prompt, schema, ...limits });
    process.stdout.write(JSON.stringify(answered));`;
  const address = `http://127.0.0.1:${proxy.port}`;
  const child = Bun.spawn([process.execPath, "-e", code], {
    cwd: join(import.meta.dir, "..", ".."),
    env: { ...process.env, HTTP_PROXY: address, http_proxy: address, NO_PROXY: "", no_proxy: "" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const answered: unknown = JSON.parse(await new Response(child.stdout).text());
  await Promise.all([proxy.stop(true), ollama.stop(true)]);
  expect(answered).toMatchObject({ ok: true, value: { reply: { word: "hi" } } });
  expect(proxied).toEqual([]);
});
