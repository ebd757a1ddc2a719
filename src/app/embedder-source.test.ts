import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultSettings, homePaths, type Settings } from "#domain";
import { silentLog, stoppedClock, systemRandom } from "#kit";
import { openApp } from "./daemon.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** Speaks Ollama's `/api/embed`: "automobile" and "car" point the same way. */
function startServer() {
  const texts: string[] = [];
  let isDown = false;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const { input } = (await request.json()) as { readonly input: readonly string[] };
      texts.push(...input);
      if (isDown) return new Response("loading", { status: 503 });
      return Response.json({
        embeddings: input.map((text) => (/car|automobile/.test(text) ? [1, 0, 0] : [0, 1, 0])),
      });
    },
  });
  ends.push(() => server.stop(true));
  return { url: `http://127.0.0.1:${server.port}`, texts, fail: () => void (isDown = true) };
}

function openDaemon(embedder: Partial<Settings["embedder"]>) {
  const root = mkdtempSync(join(tmpdir(), "continuity-embed-"));
  ends.push(() => rmSync(root, { recursive: true, force: true }));
  const settings: Settings = {
    ...defaultSettings,
    embedder: { ...defaultSettings.embedder, ...embedder },
  };
  const opened = openApp(
    {
      paths: homePaths(root),
      env: {},
      clock: stoppedClock(Date.parse("2026-03-02T09:00:00Z")),
      log: silentLog,
      random: systemRandom,
      version: "1.0.0",
      settings: { current: () => settings, warnings: () => [], isKnown: () => true },
    },
    {
      take: () => Promise.reject(new Error("nothing is sent")),
      wakeWorker: () => undefined,
      stop: () => undefined,
      port: () => null,
    },
  );
  if (!opened.ok) throw new Error(opened.error.type);
  const app = opened.value;
  ends.push(() => app.close());
  const call = async (path: string, body?: unknown): Promise<string> => {
    const init =
      body === undefined
        ? {}
        : {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body),
          };
    return (await app.fetch(new Request(`http://localhost${path}`, init), "socket")).text();
  };
  return {
    call,
    /** Until the server has answered what it was asked. */
    work: async () => {
      for (let round = 0; round < 10; round += 1) {
        await app.work();
        await Bun.sleep(5);
      }
    },
  };
}

test("memories get their vectors from the configured server, and questions find them by meaning", async () => {
  const server = startServer();
  const daemon = openDaemon({
    provider: "ollama",
    model: "tiny",
    dimension: 3,
    baseUrl: server.url,
  });
  await daemon.call("/api/memories", { text: "The courier drives an electric car" });
  await daemon.call("/api/memories", { text: "Invoices are archived in Basel" });
  await daemon.work();
  const found = JSON.parse(await daemon.call("/api/search?q=automobile&kind=memory")) as {
    readonly results: readonly { readonly l0: string }[];
  };
  expect(found.results[0]?.l0).toContain("courier");
  const status = await daemon.call("/api/status");
  expect(status).toContain("is not calibrated");
  // Says what a user of the program can do.
  expect(status).toContain("continuity config set embedder.provider embedded");
});

test("a server that is down costs neither capture nor search, and status says so", async () => {
  const server = startServer();
  server.fail();
  const daemon = openDaemon({
    provider: "ollama",
    model: "tiny",
    dimension: 3,
    baseUrl: server.url,
  });
  await daemon.call("/api/memories", { text: "The courier drives an electric car" });
  await daemon.work();
  expect(await daemon.call("/api/search?q=courier")).toContain("electric car");
  expect(await daemon.call("/api/status")).toContain("503 loading; search uses keywords only");
});

test("a model of unknown length costs the vectors alone", async () => {
  const server = startServer();
  const daemon = openDaemon({ provider: "openai", model: "novel", baseUrl: server.url });
  await daemon.call("/api/memories", { text: "The courier drives an electric car" });
  await daemon.work();
  expect(await daemon.call("/api/search?q=courier")).toContain("electric car");
  expect(await daemon.call("/api/status")).toContain("Set embedder.dimension");
  expect(server.texts).toEqual([]);
});

test("unless a server is chosen, no text leaves, whatever address is set", async () => {
  const server = startServer();
  const daemon = openDaemon({ provider: "embedded", baseUrl: server.url });
  await daemon.call("/api/memories", { text: "The courier drives an electric car" });
  await daemon.work();
  await daemon.call("/api/search?q=courier");
  expect(server.texts).toEqual([]);
});

test("what the gate would take out of a question never leaves", async () => {
  const server = startServer();
  const daemon = openDaemon({
    provider: "ollama",
    model: "tiny",
    dimension: 3,
    baseUrl: server.url,
  });
  await daemon.call("/api/memories", { text: "The courier drives an electric car" });
  await daemon.work();
  await daemon.call(`/api/search?q=${encodeURIComponent("car <private>of Ada</private>")}`);
  expect(server.texts.join("\n")).not.toContain("Ada");
});
