/**
 * The plugin with the real client: valid, loaded from its folder or installed from the marketplace, at peace with an
 * installation in the settings, and quiet where the program is missing. `npm test` builds the program first.
 */
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { registeredEvents } from "#clients";
import { version } from "../../package.json";
import type { RecordedRequest, ScriptedTurn } from "../support/fake-anthropic.ts";
import { binary } from "../support/program.ts";
import {
  environmentOf,
  installClient,
  runClient,
  type ClientResult,
} from "../support/real-client.ts";
import { openStage, type Stage } from "../support/stage.ts";

const isBuilt = existsSync(binary) || process.env["CONTINUITY_BINARY"] !== undefined;
const client = isBuilt ? installClient() : { path: null };
const root = resolve(import.meta.dir, "..", "..");
const plugin = join(root, "plugin");

const jsonIn = (path: string): unknown => JSON.parse(readFileSync(join(plugin, path), "utf8"));

test("manifest and marketplace tell the program's version and name", () => {
  expect(jsonIn(".claude-plugin/plugin.json")).toMatchObject({ name: "continuity", version });
  expect(jsonIn("../.claude-plugin/marketplace.json")).toMatchObject({
    name: "continuity",
    plugins: [{ name: "continuity", source: "./plugin" }],
  });
});

test("the plugin's hooks are those that install writes, through a shell that looks for the program", () => {
  const { hooks } = jsonIn("hooks/hooks.json") as { hooks: Record<string, unknown> };
  expect(Object.keys(hooks)).toEqual([...registeredEvents]);
  for (const event of registeredEvents)
    expect(JSON.stringify(hooks[event])).toMatch(/exec continuity hook [a-z]+; exit 0/);
});

/** Runs the client's own commands, such as `plugin install`. */
function claude(home: string, ...args: readonly string[]): { status: number | null; text: string } {
  const env = environmentOf({ home, apiUrl: "http://127.0.0.1:9" });
  const ran = spawnSync(client.path ?? "", args, { cwd: home, env, encoding: "utf8" });
  return { status: ran.status, text: `${ran.stdout}${ran.stderr}` };
}

test.skipIf(client.path === null)("the real client finds plugin and marketplace valid", () => {
  const home = mkdtempSync(join(tmpdir(), "continuity-validate-"));
  for (const path of [plugin, root]) {
    const { status, text } = claude(home, "plugin", "validate", path);
    expect(status, text).toBe(0);
    expect(text).toContain("Validation passed");
  }
  rmSync(home, { recursive: true, force: true });
});

const tool = (name: string, input: Readonly<Record<string, unknown>>): ScriptedTurn => ({
  tools: [{ name, input }],
});
const search = tool("ToolSearch", { query: "memory remember forget", max_results: 6 });
/** The client names a plugin's tools after plugin and server. */
const named = (name: string): string => `mcp__plugin_continuity_continuity__${name}`;
const lastOf = ({ body }: RecordedRequest): string => JSON.stringify(body.messages.at(-1));

async function session(
  stage: Stage,
  prompts: readonly string[],
  extraArgs: readonly string[] = ["--plugin-dir", plugin],
  env: Readonly<Record<string, string>> = {},
): Promise<ClientResult> {
  const { home, project, api } = stage;
  const result = await runClient(client.path ?? "", {
    home,
    project,
    apiUrl: api.url,
    prompts,
    extraArgs,
    env: { ...stage.env, ...env },
  });
  expect(result).toMatchObject({ exitCode: 0, timedOut: false });
  return result;
}

const servers = (result: ClientResult): unknown =>
  result.events.find(({ subtype }) => subtype === "init")?.["mcp_servers"];

const quietHooks = (result: ClientResult): void => {
  for (const hook of result.events.filter(({ subtype }) => subtype === "hook_response"))
    expect(hook).toMatchObject({ exit_code: 0, stderr: "", outcome: "success" });
};

interface Listed {
  readonly uri: string;
  readonly l0: string;
  readonly origin: string;
}

async function memories({ program }: Stage): Promise<readonly Listed[]> {
  const { out } = await program.run(["list", "--json"]);
  return out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Listed);
}

test.skipIf(client.path === null)(
  "the model is told when to look things up, and not of what only the user may start",
  async () => {
    await using stage = await openStage({ install: false, script: { main: ["Hello."] } });
    const result = await session(stage, ["hello"]);
    const [request] = stage.api.of("main");
    const asked = JSON.stringify(request?.body);
    expect(asked).toContain("Use when the user refers to earlier work");
    for (const hidden of ["consolidate", "forget", "learn", "memory-status", "remember"]) {
      const skill = readFileSync(join(plugin, "skills", hidden, "SKILL.md"), "utf8");
      const [, description = ""] = /^description: (.+)$/m.exec(skill) ?? [];
      expect(description).not.toBe("");
      expect(asked).not.toContain(description);
    }
    const offered = result.events.find(({ subtype }) => subtype === "init")?.["slash_commands"];
    for (const name of ["consolidate", "forget", "learn", "memory-status", "recall", "remember"])
      expect(offered).toContain(`continuity:${name}`);
  },
  120_000,
);

test.skipIf(client.path === null).each(["/remember", "/continuity:remember"])(
  "%s saves the user's words, once and as the user's",
  async (command) => {
    const text = "the staging database listens on port 5433";
    await using stage = await openStage({
      install: false,
      script: {
        main: [
          search,
          tool(named("memory_remember"), { line: text, quote: text, kind: "fact" }),
          "Saved.",
        ],
      },
    });
    const result = await session(stage, [`${command} ${text}`]);
    quietHooks(result);
    expect(stage.api.of("main")[0]?.text).toContain("as `line` and as `quote`, exactly");
    await stage.program.flush();
    const known = await memories(stage);
    expect(known).toMatchObject([{ origin: "user" }]);
    expect(known[0]?.l0).toContain(text);
    expect(known[0]?.l0).not.toContain("remember");
  },
  120_000,
);

test.skipIf(client.path === null)(
  "/forget ends what its words name, undoably, and teaches nothing",
  async () => {
    const words = "the port 5433 of staging, never use it";
    const uri = "mem://user/entities/staging-database-listens-port-5433";
    await using stage = await openStage({
      install: false,
      script: {
        main: [
          search,
          tool(named("memory_forget"), { ids: [uri], quote: words }),
          (request) => (lastOf(request).includes("Ended; ") ? "Gone." : "Not gone."),
        ],
      },
    });
    const text = "The staging database listens on port 5433";
    expect(await stage.program.run(["remember", "--global", text])).toMatchObject({ status: 0 });
    expect(await memories(stage)).toMatchObject([{ uri }]);
    const result = await session(stage, [`/continuity:forget ${words}`]);
    expect(result.events.at(-1)?.["result"]).toBe("Gone.");
    await stage.program.flush();
    expect(await memories(stage)).toEqual([]);
    await stage.program.run(["undo"]);
    expect(await memories(stage)).toMatchObject([{ uri }]);
  },
  120_000,
);

/** Two prompts and a tool, and how often each hook must have been taken in. */
const script = {
  main: [tool("Bash", { command: "echo seen", description: "Look" }), "Done.", "You're welcome."],
};
const twoPrompts = ["from now on use pnpm in this repo", "thanks"];
const once = { end: 1, start: 1, stop: 2, submit: 2, tool: 1 };

test.skipIf(client.path === null)(
  "installed from the marketplace, it works in every session",
  async () => {
    await using stage = await openStage({ install: false, script });
    const { home } = stage;
    for (const args of [
      ["marketplace", "add", root],
      ["install", "continuity@continuity"],
    ]) {
      const { status, text } = claude(home, "plugin", ...args);
      expect(status, text).toBe(0);
    }
    const result = await session(stage, twoPrompts, []);
    quietHooks(result);
    expect(servers(result)).toMatchObject([
      { name: "plugin:continuity:continuity", status: "connected" },
    ]);
    await stage.program.flush();
    expect(stage.events()).toEqual(once);
    expect(stage.story().slice(0, 5)).toEqual([
      "session 1: completed",
      "  start startup injected",
      "  turn 1 closed: from now on use pnpm in this repo",
      "    Bash ok",
      "  turn 2 closed: thanks",
    ]);
  },
  120_000,
);

test.skipIf(client.path === null)(
  "plugin and settings together take in no event twice and inject nothing twice",
  async () => {
    await using stage = await openStage({ script });
    const result = await session(stage, twoPrompts);
    quietHooks(result);
    const starts = result.events.filter(
      ({ subtype, hook_event: event }) => subtype === "hook_response" && event === "SessionStart",
    );
    expect(starts).toHaveLength(2);
    await stage.program.flush();
    expect(stage.events()).toEqual(once);
    expect(stage.story().filter((line) => line.includes("injected"))).toEqual([
      "  start startup injected",
    ]);
    expect(stage.story().filter((line) => line.includes("Bash"))).toHaveLength(1);
    const [request] = stage.api.of("main");
    expect(request?.text.match(/<continuity-memory for="start">/g)).toHaveLength(1);
    expect(await memories(stage)).toHaveLength(1);
  },
  120_000,
);

test.skipIf(client.path === null)(
  "without the program hooks are silent, the session is unharmed, and the server says what is missing",
  async () => {
    await using stage = await openStage({ install: false, script });
    const path = (process.env["PATH"] ?? "")
      .split(":")
      .filter((folder) => !existsSync(join(folder, "continuity")))
      .join(":");
    const result = await session(stage, twoPrompts, undefined, { PATH: path });
    quietHooks(result);
    for (const hook of result.events.filter(({ subtype }) => subtype === "hook_response"))
      expect(hook.stdout).toBe("");
    expect(servers(result)).toMatchObject([
      { name: "plugin:continuity:continuity", status: "failed" },
    ]);
    expect(existsSync(stage.program.paths.root)).toBe(false);
    const { mcpServers } = jsonIn(".mcp.json") as {
      mcpServers: { continuity: { command: string; args: readonly string[] } };
    };
    const { command, args } = mcpServers.continuity;
    const ran = spawnSync(command, args, {
      encoding: "utf8",
      env: { HOME: stage.home, PATH: path },
    });
    expect(ran).toMatchObject({ status: 127, stdout: "" });
    expect(ran.stderr).toContain("'continuity' is not on PATH");
  },
  120_000,
);
