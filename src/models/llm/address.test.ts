import { expect, test } from "bun:test";
import { addressOf, keepLoopbackDirect, trustingFetch } from "./key.ts";
import { join } from "node:path";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";

test.each([
  ["https://api.anthropic.com", "https://api.anthropic.com"],
  ["https://api.anthropic.com/", "https://api.anthropic.com"],
  ["https://api.anthropic.com/v1", "https://api.anthropic.com"],
  ["https://gate.example/anthropic/v1/", "https://gate.example/anthropic"],
  ["HTTPS://Gate.example:8443/x?y=1#z", "https://gate.example:8443/x"],
  ["http://localhost:4000", "http://localhost:4000"],
  ["http://127.0.0.1:4000", "http://127.0.0.1:4000"],
  ["http://[::1]:4000", "http://[::1]:4000"],
])("%s may be used with a key", (text, value) =>
  expect(addressOf(text, { hasKey: true, drop: /\/v1$/ })).toEqual({ ok: true, value }),
);

test.each([
  ["nonsense", "is no address"],
  ["", "is no address"],
  ["ftp://x", "is no address of a model"],
  ["file:///etc/passwd", "is no address of a model"],
  ["https://user:secret@x.example", "must not hold a password"],
  ["http://gate.example", "a key is not sent over plain http to gate.example"],
  ["http://127.0.0.1.evil.example", "a key is not sent over plain http"],
  ["http://localhost.evil.example", "a key is not sent over plain http"],
])("%s may not", (text, words) => {
  const found = addressOf(text, { hasKey: true });
  expect(found.ok ? "" : found.error).toContain(words);
  expect(JSON.stringify(found)).not.toContain("secret@");
});

test("without a key a model in the local network may be asked in the clear", () => {
  expect(addressOf("http://gpu-box:11434", { hasKey: false })).toEqual({
    ok: true,
    value: "http://gpu-box:11434",
  });
});

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
    const { llmSettings, wordRequest } = await import(${JSON.stringify(join(import.meta.dir, "../../../test/support/models/llm.ts"))});
    const settings = llmSettings({ ollama: { endpoint: "http://localhost:${ollama.port}", model: "m" } });
    const made = createProvider({ home: "/nowhere", env: {}, clock: { nowMs: () => 0 }, random: null }, settings, "ollama");
    const { system, prompt, schema, limits } = wordRequest();
    const answered = await made.value.call({ model: "m", system, prompt, schema, ...limits });
    process.stdout.write(JSON.stringify(answered));`;
  const address = `http://127.0.0.1:${proxy.port}`;
  const child = Bun.spawn([process.execPath, "-e", code], {
    cwd: join(import.meta.dir, "..", "..", ".."),
    env: { ...process.env, HTTP_PROXY: address, http_proxy: address, NO_PROXY: "", no_proxy: "" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const answered: unknown = JSON.parse(await new Response(child.stdout).text());
  await Promise.all([proxy.stop(true), ollama.stop(true)]);
  expect(answered).toMatchObject({ ok: true, value: { reply: { word: "hi" } } });
  expect(proxied).toEqual([]);
});

const openssl = Bun.which("openssl");

test.skipIf(openssl === null)("a company's certificate is trusted once it is named", async () => {
  const folder = mkdtempSync(join(tmpdir(), "continuity-trust-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = "-subj /CN=localhost -addext subjectAltName=DNS:localhost";
  const request = `req -x509 -newkey rsa:2048 -nodes -days 2 ${subject} -keyout ${key} -out ${cert}`;
  const made = Bun.spawnSync([openssl ?? "", ...request.split(" ")]);
  expect(made.exitCode).toBe(0);
  const tls = { key: Bun.file(key), cert: Bun.file(cert) };
  const server = Bun.serve({ port: 0, tls, fetch: () => new Response("hello") });
  try {
    const url = `https://localhost:${server.port}/`;
    const env: Record<string, string> = {};
    const asked = trustingFetch(env);
    const codeOf = async (): Promise<unknown> => asked(url, {}).catch((error: unknown) => error);
    expect(await codeOf()).toMatchObject({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
    env["NODE_EXTRA_CA_CERTS"] = cert;
    expect(await (await asked(url, {})).text()).toBe("hello");
  } finally {
    await server.stop(true);
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a file that cannot be read is named, and nothing is sent", async () => {
  const asked = trustingFetch({ NODE_EXTRA_CA_CERTS: "/no/such/ca.pem" });
  const failure = await asked("https://127.0.0.1:9/", {}).catch((error: unknown) => error);
  expect(String(failure)).toContain("/no/such/ca.pem cannot be read: see net.ca_file");
});
