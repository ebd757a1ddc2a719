import { afterAll, describe, expect, test } from "bun:test";
import { stoppedClock, systemRandom } from "#kit";
import { openJsonPost } from "#models";
import { createRemoteEmbedder, remoteIdentity, type RemoteSettings } from "./remote-embedder.ts";

type Answer = (body: Readonly<Record<string, unknown>>) => Response | Promise<Response>;

/** A server in one wire format, strict about paths, with the answers of a test. */
function serve(path: string, answer: Answer) {
  const seen: { readonly body: Readonly<Record<string, unknown>>; readonly auth: string | null }[] =
    [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      if (new URL(request.url).pathname !== path) return new Response("no", { status: 404 });
      const body = (await request.json()) as Readonly<Record<string, unknown>>;
      seen.push({ body, auth: request.headers.get("authorization") });
      return answer(body);
    },
  });
  afterAll(() => server.stop(true));
  return { url: `http://127.0.0.1:${server.port}`, seen };
}

const inputs = (body: Readonly<Record<string, unknown>>): readonly string[] =>
  body["input"] as readonly string[];
const vectorOf = (text: string, dimension: number): readonly number[] =>
  Array.from({ length: dimension }, (_, i) => (i === text.length % dimension ? 3 : 0));

const ollama =
  (dimension: number): Answer =>
  (body) =>
    Response.json({ embeddings: inputs(body).map((text) => vectorOf(text, dimension)) });
const numbered =
  (dimension: number): Answer =>
  (body) =>
    Response.json({
      data: inputs(body)
        .map((text, index) => ({ index, embedding: vectorOf(text, dimension) }))
        .toReversed(),
    });

function open(url: string, settings: RemoteSettings, env: Record<string, string> = {}) {
  const clock = stoppedClock(1_000);
  const post = openJsonPost(
    { home: "/nowhere", env, clock, random: systemRandom },
    { provider: "x", baseUrl: url, apiKeyEnv: "KEY", needsKey: false },
  );
  if (!post.ok) throw new Error(post.error);
  const identity = remoteIdentity(settings);
  if (!identity.ok) throw new Error(identity.error);
  const embedder = createRemoteEmbedder(
    { clock, post: post.value, pause: () => Bun.sleep(2_000) },
    settings,
    identity.value,
  );
  return { embedder, clock };
}

const own = (wire: RemoteSettings["wire"], dimension = 4): RemoteSettings => ({
  wire,
  model: "tiny",
  dimension,
});

describe("each wire format", () => {
  test("Ollama: documents and questions with the model's prefixes", async () => {
    const { url, seen } = serve("/api/embed", ollama(768));
    const { embedder } = open(url, { wire: "ollama", model: "nomic-embed-text", dimension: 0 });
    expect(embedder.identity.dimension).toBe(768);
    const answered = await embedder.remote.documents(["one", "two!"]);
    expect(answered.ok && answered.value.map((vector) => vector.length)).toEqual([768, 768]);
    await embedder.remote.prepare("where?", 2_000);
    expect(embedder.embed("where?")).not.toBeNull();
    expect(seen.map(({ body }) => body["input"])).toEqual([
      ["search_document: one", "search_document: two!"],
      ["search_query: where?"],
    ]);
  });

  test("OpenAI: with the key, in the order of the texts, whatever the order of the answer", async () => {
    const { url, seen } = serve("/v1/embeddings", numbered(4));
    const { embedder } = open(`${url}/v1`, own("openai"), { KEY: "test-key" });
    const answered = await embedder.remote.documents(["a", "bb"]);
    expect(answered.ok && answered.value.map((vector) => Array.from(vector))).toEqual([
      [0, 1, 0, 0],
      [0, 0, 1, 0],
    ]);
    expect(seen[0]).toEqual({
      auth: "Bearer test-key",
      body: { model: "tiny", input: ["a", "bb"], encoding_format: "float", dimensions: 4 },
    });
  });

  test("Voyage: told which is a question and which a document", async () => {
    const { url, seen } = serve("/v1/embeddings", numbered(4));
    const { embedder } = open(`${url}/v1`, own("voyage"), { KEY: "test-key" });
    await embedder.remote.documents(["a"]);
    await embedder.remote.prepare("q", 2_000);
    expect(seen.map(({ body }) => body["input_type"])).toEqual(["document", "query"]);
    expect(seen[0]?.body["output_dimension"]).toBe(4);
  });
});

describe("what goes wrong costs the vectors and nothing else", () => {
  const failures: readonly (readonly [name: string, answer: Answer, reason: RegExp])[] = [
    ["another length", ollama(5), /vectors of 5 values, not 4; set embedder.dimension = 5/],
    ["too few", () => Response.json({ embeddings: [] }), /0 vectors for 1 texts/],
    ["a page", () => new Response("<html>"), /holds no vectors/],
    ["no direction", () => Response.json({ embeddings: [[0, 0, 0, 0]] }), /that is none/],
    ["no numbers", () => Response.json({ embeddings: [["a", "b", "c", "d"]] }), /that is none/],
    ["an error", () => new Response("busy", { status: 503 }), /503 busy/],
    ["a refusal", () => new Response("no key", { status: 401 }), /401 no key/],
  ];
  test.each(failures)("%s", async (_, answer, reason) => {
    const { url } = serve("/api/embed", answer);
    const { embedder } = open(url, own("ollama"));
    const answered = await embedder.remote.documents(["a"]);
    expect(answered).toEqual({ ok: false, error: expect.stringMatching(reason) });
    expect(embedder.remote.status()).toMatchObject({ isUsable: false });
    await embedder.remote.prepare("a question", 2_000);
    expect(embedder.embed("a question")).toBeNull();
  });

  test("a server that fails is left alone, longer each time, and forgiven when it answers", async () => {
    let isDown = true;
    const { url, seen } = serve("/api/embed", (body) =>
      isDown ? new Response("down", { status: 500 }) : ollama(4)(body),
    );
    const { embedder, clock } = open(url, own("ollama"));
    await embedder.remote.documents(["a"]);
    await embedder.remote.documents(["a"]);
    expect(seen).toHaveLength(1);
    const first = embedder.remote.restingMs();
    clock.advance(first);
    await embedder.remote.documents(["a"]);
    expect(embedder.remote.restingMs()).toBeGreaterThan(first);
    isDown = false;
    clock.advance(embedder.remote.restingMs());
    expect((await embedder.remote.documents(["a"])).ok).toBe(true);
    expect(embedder.remote.restingMs()).toBe(0);
    expect(embedder.remote.status().isUsable).toBe(true);
  });

  test("one that asks for a pause gets it", async () => {
    const { url } = serve(
      "/api/embed",
      () => new Response("slow down", { status: 429, headers: { "retry-after": "90" } }),
    );
    const { embedder } = open(url, own("ollama"));
    await embedder.remote.documents(["a"]);
    expect(embedder.remote.restingMs()).toBe(90_000);
  });

  test("nobody there", async () => {
    const { embedder } = open("http://127.0.0.1:1", own("ollama"));
    expect((await embedder.remote.documents(["a"])).ok).toBe(false);
  });

  test("a slow answer holds up nobody, and serves the next time", async () => {
    const { url } = serve("/api/embed", async (body) => {
      await Bun.sleep(60);
      return ollama(4)(body);
    });
    const clock = stoppedClock(1);
    const post = openJsonPost(
      { home: "/nowhere", env: {}, clock, random: systemRandom },
      { provider: "x", baseUrl: url, apiKeyEnv: "", needsKey: false },
    );
    const identity = remoteIdentity(own("ollama"));
    if (!post.ok || !identity.ok) throw new Error("no embedder");
    const deps = { clock, post: post.value, pause: Bun.sleep };
    const embedder = createRemoteEmbedder(deps, own("ollama"), identity.value);
    await embedder.remote.prepare("what?", 1);
    expect(embedder.embed("what?")).toBeNull();
    await embedder.remote.prepare("what?", 2_000);
    expect(embedder.embed("what?")).not.toBeNull();
  });
});

test("who is told of debts is told with each one", () => {
  const { embedder } = open("http://127.0.0.1:1", own("ollama"));
  let told = 0;
  embedder.remote.onOwed?.(() => (told += 1));
  embedder.remote.owe(7);
  embedder.remote.owe(8);
  expect(told).toBe(2);
  expect(embedder.remote.owed(10)).toEqual([7, 8]);
});

describe("identity", () => {
  const idOf = (settings: RemoteSettings): string => {
    const identity = remoteIdentity(settings);
    return identity.ok ? identity.value.id : identity.error;
  };

  test("changes with provider, model and dimension", () => {
    const ids = [
      own("ollama"),
      own("openai"),
      own("ollama", 8),
      { ...own("ollama"), model: "small" },
    ].map(idOf);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("an unknown model needs a dimension", () => {
    expect(idOf(own("ollama", 0))).toMatch(/Set embedder.dimension/);
  });

  test("nobody has measured it, so it decides next to nothing", () => {
    const identity = remoteIdentity(own("openai"));
    expect(identity.ok && identity.value).toMatchObject({ isCalibrated: false });
    expect(identity.ok ? identity.value.similarityFloor : 0).toBeGreaterThan(0.75);
  });
});
