import { beforeAll, expect, test } from "bun:test";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { stoppedClock } from "#kit";
import { serveLines } from "./lines.ts";
import { openingOf } from "./lines.ts";
import { answerOpening, type Opening } from "./opening.ts";
import { createMcp } from "./server.ts";

const mcp = createMcp({
  clock: stoppedClock(0),
  connect: async () => ({
    fetch: async () => Response.json({ uri: "mem://", items: [], total: 0, next_cursor: null }),
  }),
  project: () => null,
  whyNotKept: () => null,
  session: null,
  scope: "write",
  program: "continuity",
  version: "1.2.3",
});

let opening: Opening;
beforeAll(async () => {
  opening = await openingOf(mcp);
});

type Line = string | null;
async function* given(lines: readonly Line[]): AsyncGenerator<Line> {
  yield* lines;
}

/** `served` gives the server's own output. Answers name what they answer, and come in any order. */
async function served(lines: readonly Line[]): Promise<string[]> {
  const written: string[] = [];
  await serveLines(mcp, { input: given(lines), write: (line) => void written.push(line) });
  return written.toSorted();
}

/** `opened` gives what is written with the opening before the server, and whether the server was needed. */
async function opened(lines: readonly Line[]) {
  const written: string[] = [];
  const rest = await answerOpening(given(lines), (line) => void written.push(line), opening);
  if (rest !== null) await serveLines(mcp, rest);
  return { written: written.toSorted(), isServed: rest !== null };
}

const message = (fields: object): string => JSON.stringify({ jsonrpc: "2.0", ...fields });
const hello = (protocolVersion: unknown, more: object = {}, id: unknown = 0): string =>
  message({
    id,
    method: "initialize",
    params: {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
      ...more,
    },
  });
const version = "2025-06-18";
const initialized = message({ method: "notifications/initialized" });
const list = message({ id: "list-1", method: "tools/list" });
const call = message({
  id: 7,
  method: "tools/call",
  params: { name: "memory_tree", arguments: {} },
});

test.each(SUPPORTED_PROTOCOL_VERSIONS.map((one) => [one]))(
  "revision %s: the opening is answered as by the server, which is not loaded",
  async (revision) => {
    const lines = [
      hello(revision, { capabilities: { roots: { listChanged: true } } }),
      initialized,
    ];
    const asked = [...lines, list, message({ id: 3, method: "tools/list", params: {} })];
    expect(await opened(asked)).toEqual({ written: await served(asked), isServed: false });
  },
);

test.each<[string, readonly Line[]]>([
  ["a tool", [hello(version), initialized, list, call, list]],
  ["a tool at once", [hello(version), call]],
  ["a ping", [hello(version), initialized, message({ id: 4, method: "ping" })]],
  ["an unknown method", [hello(version), message({ id: 4, method: "none" }), list]],
  ["no greeting", [list, hello(version)]],
  ["a notification first", [initialized, hello(version), list]],
  ["two greetings", [hello(version), hello(version, {}, 1), list]],
  ["a revision that is not known", [hello("1999-01-01"), list]],
  ["a greeting without a revision", [hello(undefined), list]],
  ["capabilities that are none", [hello(version, { capabilities: { roots: 5 } }), list]],
  ["a client without a name", [hello(version, { clientInfo: {} }), list]],
  ["more than is known", [hello(version, { _meta: {} }), initialized, list]],
  ["a cursor", [hello(version), message({ id: 2, method: "tools/list", params: { cursor: "x" } })]],
  ["an id that is none", [hello(version, {}, 1.5), hello(version, {}, null)]],
  ["no JSON", ["{", hello(version), list]],
  ["no JSON later", [hello(version), "[]", list]],
  ["a line that is too long", [hello(version), null, list]],
])("%s: the server goes on, and the client sees no difference", async (_, lines) => {
  expect(await opened(lines)).toEqual({ written: await served(lines), isServed: true });
});

test("a client that leaves, or that no longer reads, ends it", async () => {
  expect(await opened([])).toEqual({ written: [], isServed: false });
  const deaf = (): void => {
    throw new Error("EPIPE");
  };
  expect(await answerOpening(given([hello(version), list]), deaf, opening)).toBeNull();
});
