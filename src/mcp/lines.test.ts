import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { stoppedClock } from "#kit";
import { linesOf } from "./opening.ts";
import { serveLines } from "./lines.ts";
import { createMcp, type Mcp } from "./server.ts";

interface Reply {
  readonly id: string | number | null;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A server whose API answers every request with the given text. */
const mcpOver = (answer: () => Promise<Response>): Mcp =>
  createMcp({
    clock: stoppedClock(0),
    connect: async () => ({ fetch: answer }),
    project: () => null,
    whyNotKept: () => null,
    session: null,
    scope: "write",
    program: "continuity",
    version: "1.2.3",
  });

const emptyTree = async (): Promise<Response> =>
  Response.json({ uri: "mem://", items: [], total: 0, next_cursor: null });

/** Serves some chunks of input to their end; what was written, parsed. */
async function serve(
  chunks: readonly (string | Uint8Array)[],
  options: { readonly mcp?: Mcp; readonly write?: (line: string) => void } = {},
): Promise<readonly Reply[]> {
  const lines: string[] = [];
  async function* input(): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
  }
  const write = options.write ?? ((line: string) => void lines.push(line));
  await serveLines(options.mcp ?? mcpOver(emptyTree), {
    input: linesOf(input()),
    write,
  });
  for (const line of lines) expect(line).toEndWith("\n");
  return lines.map((line) => JSON.parse(line) as Reply);
}

const line = (message: Readonly<Record<string, unknown>>): string =>
  `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;

const initialize = line({
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  },
});
const initialized = line({ method: "notifications/initialized" });
const list = line({ id: 1, method: "tools/list" });
const tree = (id: number): string =>
  line({ id, method: "tools/call", params: { name: "memory_tree", arguments: {} } });

const discover = line({
  id: "probe",
  method: "server/discover",
  params: {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "claude-code", version: "2.1.328" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
});

const byId = (replies: readonly Reply[], id: Reply["id"]): Reply | undefined =>
  replies.find((reply) => reply.id === id);

test.each([
  { name: "asked at once", before: "" },
  { name: "after it was asked what it is", before: discover },
  { name: "after an unknown method", before: line({ id: 9, method: "server/wonder" }) },
  {
    name: "after a malformed request of the new protocol",
    before: line({
      id: 9,
      method: "server/discover",
      params: { _meta: { "io.modelcontextprotocol/protocolVersion": 7 } },
    }),
  },
  { name: "after an unknown notification", before: line({ method: "notifications/sunrise" }) },
  { name: "after a stray answer", before: line({ id: 3, result: {} }) },
  { name: "after text that is no JSON", before: 'hello\n{"jsonrpc": \n' },
  { name: "after JSON that is no message", before: 'null\n42\n{}\n[]\n{"jsonrpc":"1.0","id":1}\n' },
  { name: "after a batch", before: `[${initialize.trim()}]\n` },
  { name: "after empty lines and line ends of Windows", before: "\n\r\n   \n" },
])("it serves, $name", async ({ before }) => {
  const replies = await serve([before, initialize, initialized, list]);
  expect(byId(replies, 0)?.result).toMatchObject({ serverInfo: { name: "continuity" } });
  expect(byId(replies, 1)?.result?.["tools"]).toHaveLength(6);
});

test.each([
  { name: "no JSON", text: "hello\n", code: -32_700 },
  { name: "a batch", text: `[${initialize.trim()}]\n`, code: -32_600 },
  { name: "no message", text: "{}\n", code: -32_600 },
  { name: "a line of 5 MB", text: `"${"x".repeat(5_000_000)}"\n`, code: -32_600 },
])("$name is answered with an error", async ({ text, code }) => {
  const replies = await serve([text]);
  expect(replies).toMatchObject([{ id: null, error: { code } }]);
});

test("a line that is far too long costs its answer, not the connection", async () => {
  const megabyte = "x".repeat(1_048_576);
  const long = Array.from({ length: 20 }, () => megabyte);
  const replies = await serve([initialize, initialized, ...long, "\n", tree(2)]);
  expect(replies.filter(({ error }) => error !== undefined)).toHaveLength(1);
  expect(byId(replies, 2)?.result).toMatchObject({ content: [{ type: "text" }] });
});

test("messages may arrive in any pieces, and text that is no UTF-8 is no crash", async () => {
  const bytes = Buffer.from(initialize + initialized + tree(2));
  const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) =>
    bytes.subarray(at * 7, at * 7 + 7),
  );
  const replies = await serve([new Uint8Array([0xff, 0xfe, 0x00, 0x0a]), ...pieces]);
  expect(byId(replies, 2)?.result).toBeDefined();
});

test("what was asked before the end of input is answered after it", async () => {
  const gate = Promise.withResolvers<null>();
  const mcp = mcpOver(async () => {
    await gate.promise;
    return emptyTree();
  });
  const served = serve([initialize, initialized, tree(2), tree(3)], { mcp });
  gate.resolve(null);
  const replies = await served;
  expect(byId(replies, 2)?.result).toBeDefined();
  expect(byId(replies, 3)?.result).toBeDefined();
});

test("a last line without an end is a line", async () => {
  const replies = await serve([initialize, initialized, list.trimEnd()]);
  expect(byId(replies, 1)?.result).toBeDefined();
});

test("a client that no longer reads ends the service quietly", async () => {
  let written = 0;
  await serve([initialize, initialized, list, tree(2)], {
    write: () => {
      written += 1;
      throw new Error("EPIPE");
    },
  });
  expect(written).toBe(1);
});

test("nothing at all is answered with nothing", async () => {
  expect(await serve([])).toEqual([]);
});

test("unknown tools and wrong arguments are answers, and the next call works", async () => {
  const call = (id: number, params: Readonly<Record<string, unknown>>): string =>
    line({ id, method: "tools/call", params });
  const replies = await serve([
    initialize,
    initialized,
    call(2, { name: "memory_explode", arguments: {} }),
    call(3, { name: "memory_get", arguments: { uris: "mem://a" } }),
    call(4, { name: "memory_search" }),
    line({ id: 5, method: "resources/list" }),
    tree(6),
  ]);
  expect(byId(replies, 2)?.error?.message).toContain("memory_explode");
  expect(byId(replies, 3)?.result ?? byId(replies, 3)?.error).toBeDefined();
  expect(byId(replies, 4)?.result ?? byId(replies, 4)?.error).toBeDefined();
  expect(byId(replies, 5)?.error?.code).toBe(-32_601);
  expect(byId(replies, 6)?.result).toMatchObject({ content: [{ type: "text" }] });
});

/** Lines that are messages in part: known and unknown methods with anything as parameters. */
const anyLine = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.json(),
  fc
    .record(
      {
        jsonrpc: fc.constantFrom("2.0", "1.0"),
        id: fc.oneof(fc.integer({ min: 1_000 }), fc.string(), fc.constant(null)),
        method: fc.constantFrom(
          "tools/call",
          "tools/list",
          "initialize",
          "server/discover",
          "ping",
          "x",
        ),
        params: fc.oneof(
          fc.jsonValue(),
          fc.record({
            name: fc.constantFrom("memory_search", "memory_tree"),
            arguments: fc.jsonValue(),
          }),
        ),
      },
      { requiredKeys: [] },
    )
    .map((message) => JSON.stringify(message)),
);

test("no lines whatever keep it from answering the next request", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyLine, { maxLength: 8 }), async (lines) => {
      const before = lines.map((one) => `${one}\n`).join("");
      const replies = await serve([initialize, initialized, before, list]);
      expect(byId(replies, 1)?.result?.["tools"]).toHaveLength(6);
    }),
    { numRuns: 100 },
  );
});

const initializeIn = (protocolVersion: unknown): string =>
  line({
    id: 0,
    method: "initialize",
    params: { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } },
  });

describe("a batch", () => {
  const batch = (...lines: readonly string[]): string =>
    `[${lines.map((one) => one.trim()).join(",")}]\n`;

  test("of protocol 2025-03-26 is answered by one list", async () => {
    const replies = await serve([
      initializeIn("2025-03-26"),
      batch(initialized, list, '{"id":9}', tree(2)),
      tree(3),
    ]);
    const together = replies.find((reply) => Array.isArray(reply)) as unknown as readonly Reply[];
    expect(new Set(together.map(({ id }) => id))).toEqual(new Set([1, 2, null]));
    expect(together.find(({ id }) => id === null)?.error?.code).toBe(-32_600);
    expect(replies.map((reply) => (Array.isArray(reply) ? "batch" : reply.id))).toContain(3);
    expect(replies).toHaveLength(3);
  });

  test("of notifications has no answer, an empty one an error", async () => {
    const replies = await serve([initializeIn("2025-03-26"), batch(initialized), "[]\n"]);
    expect(replies).toHaveLength(2);
    expect(byId(replies, null)?.error?.code).toBe(-32_600);
  });

  test("of another protocol is refused", async () => {
    const replies = await serve([initialize, batch(list, tree(2))]);
    expect(replies).toHaveLength(2);
    expect(byId(replies, null)?.error?.code).toBe(-32_600);
  });
});

test.each([[undefined], [20250326], [null]])(
  "initialize with the version %p says in one line what is missing",
  async (version) => {
    const [reply] = await serve([initializeIn(version)]);
    expect(reply).toMatchObject({ id: 0, error: { code: -32_602 } });
    expect(reply?.error?.message).toContain("protocolVersion");
    expect(reply?.error?.message).not.toContain("\n");
  },
);
