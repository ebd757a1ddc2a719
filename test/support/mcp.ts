/** The MCP server over a test server, asked through the SDK's own client. Tests only. */
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import type { MemoryNode, NodeStatus } from "#domain";
import { openTestServer, type TestServer } from "./server.ts";
import type { McpDeps } from "../../src/mcp/client.ts";
import { createMcp, type Mcp } from "../../src/mcp/server.ts";

interface Answered {
  readonly text: string;
  readonly isError: boolean;
}

export interface TestMcp extends AsyncDisposable {
  readonly server: TestServer;
  readonly mcp: Mcp;
  readonly client: Client;
  /** Calls a tool. */
  readonly call: (
    name: string,
    input?: Readonly<Record<string, unknown>>,
    meta?: Readonly<Record<string, unknown>>,
  ) => Promise<Answered>;
  /** The needs with which each connection was opened. */
  readonly needs: string[];
}

/** `offline`: no daemon can be had; reads find the store all the same. */
export async function openTestMcp(
  options: Partial<McpDeps> & { readonly offline?: boolean; readonly clientName?: string } = {},
): Promise<TestMcp> {
  const { offline = false, clientName = "test", ...deps } = options;
  const server = openTestServer({ isWorking: true });
  const needs: string[] = [];
  const mcp = createMcp({
    clock: server.t.clock,
    connect: async (need) => {
      needs.push(need);
      if (offline && need === "write")
        throw Object.assign(new Error("no daemon answers"), { next: "run `continuity serve`" });
      return { fetch: async (request) => server.app.fetch(request, { transport: "socket" }) };
    },
    project: () => null,
    whyNotKept: () => null,
    session: "s1",
    scope: "write",
    program: "/opt/continuity",
    version: "1.2.3",
    ...deps,
  });
  const client = new Client({ name: clientName, version: "1" });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await mcp.create().connect(theirs);
  await client.connect(ours);
  return {
    server,
    mcp,
    client,
    needs,
    call: async (name, input = {}, meta = {}) => {
      const asked = { name, arguments: { ...input }, _meta: { ...meta } };
      const { content, isError } = await client.callTool(asked);
      const text = content.map((one) => (one.type === "text" ? one.text : "")).join("\n");
      return { text, isError: isError === true };
    },
    [Symbol.asyncDispose]: async () => {
      await client.close();
      server[Symbol.dispose]();
    },
  };
}

/** Project of the session that `openTestSession` opens. */
export const project = "github.com/acme/api";

/** A session of one turn, behind one with an answer of the agent where there is one. */
export async function openTestSession(prompt: string, answerBefore?: string): Promise<TestMcp> {
  const t = await openTestMcp({ project: () => project });
  const { store, clock } = t.server.t;
  const atMs = clock.nowMs();
  store.sessions.upsert({ sessionId: "s1", project, projectName: "api", atMs });
  if (answerBefore !== undefined) {
    const { id } = store.sessions.openTurn({ sessionId: "s1", promptId: "p0", prompt: "hm", atMs });
    store.sessions.updateTurn(id, { status: "closed", answer: answerBefore });
  }
  store.sessions.openTurn({ sessionId: "s1", promptId: "p1", prompt, atMs });
  return t;
}

/** Memories of these statuses, by URI. */
export const memoriesIn = (t: TestMcp, ...statuses: readonly NodeStatus[]): readonly MemoryNode[] =>
  t.server.t.store.nodes.list({ projects: null, statuses }, "uri", { limit: 50 });
