/**
 * Tests to which session a save of another agent belongs. What clients send is recorded: Codex CLI
 * 0.169, Gemini CLI 0.61, Copilot CLI 1.0.102, OpenCode 1.18.33.
 */
import { describe, expect, test } from "bun:test";
import { callerOf, clientIn } from "./answer.ts";
import { openTestMcp, type TestMcp } from "../../test/support/mcp.ts";

const project = "github.com/acme/api";
const id = "01a21d0b-2060-7cb0-bbff-3d6ea3bcc3da";
const codexMeta = {
  callId: "call_2_2723",
  "x-codex-turn-metadata": {
    session_id: id,
    thread_id: id,
    model: "gpt-fake",
    turn_id: "01a21d0b-207c-7921-bba4-1f4c9a5d42e2",
    turn_started_at_unix_ms: 1_795_783_598_221,
    thread_source: "user",
    turn_trigger: "exec",
    sandbox: "none",
    sandbox_mode: "danger-full-access",
    codex_version: "0.169.0",
  },
  threadId: id,
  sessionId: id,
  windowId: `${id}:0`,
  itemId: "fc_1_2723",
};
const prompt = "The web shop is called Heron. go on";
const save = { line: "The web shop is called Heron", quote: "The web shop is called Heron." };

interface Open {
  readonly sessionId: string;
  readonly project?: string;
  readonly isDone?: boolean;
}

async function opened(clientName: string, sessions: readonly Open[]): Promise<TestMcp> {
  const t = await openTestMcp({ project: () => project, clientName });
  const { clock, store } = t.server.t;
  const atMs = clock.nowMs();
  for (const { sessionId, isDone = false, ...where } of sessions) {
    store.sessions.upsert({ sessionId, project, projectName: "api", atMs, ...where });
    const turn = store.sessions.openTurn({ sessionId, promptId: "p1", prompt, atMs });
    if (isDone) store.sessions.updateTurn(turn.id, { status: "closed", endedAt: atMs });
  }
  return t;
}

const originOf = ({ server }: TestMcp): string | undefined =>
  server.t.store.nodes.list({ projects: null }, "recent", { limit: 1 })[0]?.origin;

describe("a save is its user's word", () => {
  test.each([
    ["gemini-cli-mcp-client", "gemini-4a1c"],
    ["copilot-cli", "copilot-9d2e"],
    ["opencode", "opencode-ses_dfe98e589ffeMMjwF6OK5KmTAG"],
  ])("of the one session at work: %s", async (client, sessionId) => {
    await using t = await opened(client, [
      { sessionId },
      { sessionId: `${sessionId}-idle`, isDone: true },
      { sessionId: `${sessionId}-elsewhere`, project: "github.com/acme/web" },
      { sessionId: "s1" },
    ]);
    await t.call("memory_remember", save, { progressToken: 2 });
    expect(originOf(t)).toBe("user");
  });

  test("of the session that Codex names, beside another one at work", async () => {
    await using t = await opened("codex-mcp-client", [
      { sessionId: `codex-${id}` },
      { sessionId: "codex-other" },
    ]);
    await t.call("memory_remember", save, codexMeta);
    expect(originOf(t)).toBe("user");
  });

  test("also where it forgets", async () => {
    await using t = await opened("gemini-cli-mcp-client", [{ sessionId: "gemini-4a1c" }]);
    const uri = "mem://user/entities/shop";
    t.server.t.add({ uri, l0: "The web shop is called Crane", project });
    await t.call("memory_forget", { ids: [uri], quote: "The web shop is called Heron." });
    expect(t.server.t.store.nodes.byUri(uri)?.status).toBe("retracted");
  });
});

describe("a save is the agent's", () => {
  test.each([
    ["where two sessions are at work", "opencode", ["opencode-a", "opencode-b"]],
    ["where the session is another agent's", "gemini-cli-mcp-client", ["opencode-a", "s1"]],
    ["where the client is unknown to have sessions", "copilot-cli", []],
  ])("%s", async (_, client, sessions) => {
    const t = await opened(
      client,
      sessions.map((sessionId) => ({ sessionId })),
    );
    await t.call("memory_remember", save);
    expect(originOf(t)).toBe("agent");
    await t[Symbol.asyncDispose]();
  });

  test.each([
    { "x-codex-turn-metadata": { session_id: "../../x y" } },
    { "x-codex-turn-metadata": "text" },
    { "x-codex-turn-metadata": null },
    {},
  ])("where Codex names no session, and two are at work: %j", async (meta) => {
    await using t = await opened("codex-mcp-client", [
      { sessionId: "codex-a" },
      { sessionId: "codex-b" },
    ]);
    await t.call("memory_remember", save, meta);
    expect(originOf(t)).toBe("agent");
  });
});

test("a session of Claude Code in the environment is not another agent's", () => {
  expect(callerOf("claude-code", undefined, "s1")).toEqual({ session: "s1", agent: null });
  expect(callerOf(undefined, undefined, "s1")).toEqual({ session: "s1", agent: null });
  expect(callerOf("gemini-cli-mcp-client", undefined, "s1")).toEqual({
    session: null,
    agent: "gemini",
  });
});

test("a request says who asks where it carries an envelope, as Copilot CLI does", () => {
  const clientInfo = { name: "copilot-cli", version: "1.0.102" };
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": clientInfo,
  };
  expect(clientIn(envelope)).toBe("copilot-cli");
  expect(clientIn(undefined)).toBeNull();
  expect(clientIn({ "io.modelcontextprotocol/clientInfo": null })).toBeNull();
});
