/** Other agents through the built program: installed and taken out byte for byte, one memory for all, nothing twice. */
import { expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { hookedAgents, type HookedAgent } from "#clients";
import { chainOf } from "../support/agents/chain.ts";
import { sweep, sweepCases } from "../agents/sweep.ts";
import { binary, eventually, openProgram, type Program } from "../support/program.ts";

setDefaultTimeout(60_000);

/** The agents' files before us: comments, odd spacing, hooks and servers of others. */
const before = {
  ".codex/config.toml": 'model = "gpt" # mine\n\n[mcp_servers.other]\ncommand = "other"',
  ".codex/hooks.json":
    '{"hooks": {"Stop": [{"hooks": [{"type": "command","command": "say done"}]}]}}\n',
  ".gemini/settings.json": '{\n\t"ui": {"theme":"x"},\n\t"mcpServers": {}\n}',
  ".copilot/mcp-config.json": '{"mcpServers":{"gh":{"command":"gh"}}}\n',
  ".config/opencode/opencode.json": '{\n  "model": "a/b"\n}\n',
  ".cursor/mcp.json": '{ "mcpServers": {"x": {"url": "https://example.com/mcp"}} }\n',
  ".codeium/windsurf/memories/global_rules.md": "- answer in French",
  ".kiro/settings/mcp.json": '{"mcpServers": {}}',
  ".cline/rules/mine.md": "be brief\n",
} as const;

function filesIn(folder: string): Readonly<Record<string, string>> {
  const tops = Object.keys(before).map((path) => path.split("/")[0] ?? "");
  const names = [...new Set(tops)].filter((name) => existsSync(join(folder, name)));
  return Object.fromEntries(
    names.flatMap((name) =>
      readdirSync(join(folder, name), { recursive: true, encoding: "utf8" })
        .map((path) => join(name, path))
        .filter((path) => statSync(join(folder, path)).isFile())
        .map((path) => [path, readFileSync(join(folder, path), "utf8")]),
    ),
  );
}

const pathsIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => !/^home\b/.test(path))
    .toSorted();

function withFiles(program: Program): void {
  for (const [path, text] of Object.entries(before)) {
    mkdirSync(join(program.folder, path, ".."), { recursive: true });
    writeFileSync(join(program.folder, path), text);
  }
}

test("install changes only its own entries, a second run nothing, and uninstall restores every byte and folder", async () => {
  await using program = openProgram();
  withFiles(program);
  const paths = pathsIn(program.folder);
  const dry = await program.run(["install", "--agent", "all", "--dry-run", "--llm", "none"]);
  expect(dry.out).toContain(".codex/hooks.json: add ");
  expect(filesIn(program.folder)).toEqual(before);
  const installed = await program.run(["install", "--agent", "all", "--llm", "none"]);
  expect(installed).toMatchObject({ status: 0, err: "" });
  expect(installed.out).toContain("Codex runs new hooks only after you trust them");
  const after = filesIn(program.folder);
  expect(after[".codex/config.toml"]).toStartWith(before[".codex/config.toml"]);
  expect(after[".codex/hooks.json"]).toContain("say done");
  expect(JSON.parse(after[".copilot/hooks/continuity.json"] ?? "")).toMatchObject({ version: 1 });
  for (const path of [
    ".cursor/rules/continuity.mdc",
    ".codeium/windsurf/memories/global_rules.md",
    ".kiro/steering/continuity.md",
    ".cline/rules/continuity.md",
  ])
    expect(after[path], path).toContain("memory_search");
  for (const path of [
    ".cursor/mcp.json",
    ".codeium/windsurf/mcp_config.json",
    ".kiro/settings/mcp.json",
    ".cline/data/settings/cline_mcp_settings.json",
  ])
    expect(JSON.parse(after[path] ?? "")).toMatchObject({
      mcpServers: { continuity: { command: binary, args: ["mcp"] } },
    });
  const again = await program.run(["install", "--agent", "all", "--llm", "none"]);
  expect(again.out).not.toMatch(/^done/m);
  expect(filesIn(program.folder)).toEqual(after);
  expect((await program.run(["uninstall"])).status).toBe(0);
  expect(filesIn(program.folder)).toEqual(before);
  expect(pathsIn(program.folder)).toEqual(paths);
});

test("uninstall takes out only ours where somebody changed a file since", async () => {
  await using program = openProgram();
  withFiles(program);
  await program.run(["install", "--agent", "codex"]);
  const path = join(program.folder, ".codex/config.toml");
  writeFileSync(path, `${readFileSync(path, "utf8")}\n[hooks.state]\ntrusted = "x"\n`);
  await program.run(["uninstall", "--agent", "codex"]);
  const text = readFileSync(path, "utf8");
  expect(text).toContain("[hooks.state]");
  expect(text).toContain("[mcp_servers.other]");
  expect(text).not.toContain("continuity");
  expect(filesIn(program.folder)[".codex/hooks.json"]).toBe(before[".codex/hooks.json"]);
});

test("uninstall takes an editor's rule out of a file that somebody wrote into since", async () => {
  await using program = openProgram();
  withFiles(program);
  await program.run(["install", "--agent", "windsurf"]);
  const path = join(program.folder, ".codeium/windsurf/memories/global_rules.md");
  writeFileSync(path, `${readFileSync(path, "utf8")}\n\nand keep commits small\n`);
  expect((await program.run(["uninstall", "--agent", "windsurf"])).status).toBe(0);
  const text = readFileSync(path, "utf8");
  expect(text).toContain("- answer in French");
  expect(text).toContain("and keep commits small");
  expect(text).not.toContain("memory_search");
});

test("a broken file of one agent leaves all files as they were; an agent that is not here is named", async () => {
  await using program = openProgram();
  withFiles(program);
  writeFileSync(join(program.folder, ".gemini/settings.json"), "{ broken");
  const failed = await program.run(["install", "--agent", "all"]);
  expect(failed.status).toBe(1);
  expect(failed.err).toContain(".gemini/settings.json:1:");
  expect(filesIn(program.folder)).toEqual({ ...before, ".gemini/settings.json": "{ broken" });
  await using bare = openProgram({ PATH: "/usr/bin:/bin" });
  const missing = await bare.run(["install", "--agent", "codex"]);
  expect(missing.status).toBe(1);
  expect(missing.err).toContain("Codex CLI was not found");
});

/** One step as the agent would run it; what it prints. */
async function step(
  program: Program,
  agent: HookedAgent,
  { event, payload }: { event: string; payload: object },
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const ran = await program.run(["hook", "--agent", agent, event], {
    input: JSON.stringify(payload),
    env,
  });
  expect(ran).toMatchObject({ status: 0, err: "" });
  if (ran.out !== "") expect(() => JSON.parse(ran.out) as unknown).not.toThrow();
  return ran.out;
}

test.each(hookedAgents)(
  "what is said in %s is given in every agent's next session",
  async (from) => {
    await using program = openProgram();
    await program.up();
    const folder = program.project("shop");
    for (const one of chainOf(from, folder).first) await step(program, from, one);
    await program.flush();
    for (const to of hookedAgents) {
      let n = 0;
      // A prompt goes on without an answer that is late: then the next session is asked.
      await eventually(`${to} is told what was said in ${from}`, async () => {
        n += 1;
        const steps = chainOf(to, folder).next(`${to}-${n}`);
        const out: string[] = [];
        for (const one of steps) out.push(await step(program, to, one));
        return out.join("").includes("quillfeather");
      });
    }
    const { out } = await program.run(["sessions", "--json"]);
    const agents = out
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { agent: string }).agent);
    expect(new Set(agents)).toEqual(new Set(hookedAgents));
  },
);

test("Gemini CLI gets the start text with a prompt once, and again after a compaction", async () => {
  await using program = openProgram();
  await program.up();
  await warmUp(program);
  const folder = program.project("shop");
  await program.run(["remember", "the depot is in Ghent"], { cwd: folder });
  const of = async (event: string, more: object): Promise<string> =>
    step(program, "gemini", { event, payload: { session_id: "g1", cwd: folder, ...more } });
  // On a slow machine a prompt may go on without an answer: the next one then brings what it was to bring.
  const starts = async (...prompts: readonly string[]): Promise<number> => {
    let count = 0;
    for (const prompt of prompts)
      if ((await of("BeforeAgent", { prompt })).includes('for=\\"start\\"')) count += 1;
    return count;
  };
  expect(await of("SessionStart", { source: "startup" })).toBe("");
  expect(await starts("list the src folder", "and the test folder", "and the lib folder")).toBe(1);
  expect(await of("PreCompress", { trigger: "auto" })).toBe("");
  expect(await starts("and the docs folder")).toBe(0);
  expect(await of("PreCompress", { trigger: "manual" })).toBe("");
  expect(await starts("and the bench folder", "and the art folder", "and the old one")).toBe(1);
});

test("an event that Copilot CLI gives to our hook and to one of a project's Claude settings counts once", async () => {
  await using program = openProgram();
  await program.up();
  const cwd = program.project("shop");
  const env = { COPILOT_CLI: "1" };
  const timestamp = 1_795_319_977_080;
  await step(
    program,
    "copilot",
    {
      event: "userPromptSubmitted",
      payload: { sessionId: "c1", timestamp, cwd, prompt: "hello there" },
    },
    env,
  );
  const again = await program.run(["hook", "submit"], {
    env,
    input: JSON.stringify({
      hook_event_name: "UserPromptSubmit",
      session_id: "c1",
      timestamp: new Date(timestamp).toISOString(),
      cwd,
      prompt: "hello there",
    }),
  });
  expect(again).toMatchObject({ status: 0, out: "" });
  await settled(program);
  using db = program.database();
  expect(db.query("SELECT session_id, count(*) AS n FROM turns GROUP BY 1").all()).toEqual([
    { session_id: "copilot-c1", n: 1 },
  ]);
});

/** Hooks leave their events in the spool, from where they come in order however busy the machine is. */
const away = { CONTINUITY_AUTOSTART: "0" };
const baseMs = Date.now() - 3_600_000;

/** Waits until the spool is empty and everything processed. */
async function settled(program: Program): Promise<void> {
  await program.flush();
  await eventually("an empty spool", async () => {
    const { out } = await program.run(["status", "--json"]);
    return (JSON.parse(out) as { readonly spool: { readonly files: number } }).spool.files === 0;
  });
}

test("Cursor runs the hooks of the user's and the project's Claude settings: each event counts once, as Cursor's", async () => {
  await using program = openProgram(away);
  const root = program.project("shop");
  const common = {
    conversation_id: "cu1",
    generation_id: "g1",
    model: "x",
    cursor_version: "2.4.0",
    workspace_roots: [root],
    user_email: null,
    transcript_path: null,
  };
  const events = [
    ["start", { hook_event_name: "sessionStart", session_id: "cu1", composer_mode: "agent" }],
    ["submit", { hook_event_name: "beforeSubmitPrompt", prompt: "remember that the mast is oak" }],
    [
      "tool",
      {
        hook_event_name: "postToolUse",
        tool_name: "Shell",
        tool_use_id: "t1",
        tool_input: { command: "ls" },
        tool_output: '{"exitCode":0}',
        cwd: root,
      },
    ],
    ["stop", { hook_event_name: "stop", status: "completed", loop_count: 0 }],
  ] as const;
  for (const [at, [hook, more]] of events.entries())
    for (let source = 0; source < 2; source += 1) {
      const input = JSON.stringify({ ...common, ...more });
      const env = { CONTINUITY_NOW: `${baseMs + at * 1_000}` };
      const ran = await program.run(["hook", hook], { input, env });
      expect(ran).toMatchObject({ status: 0, err: "" });
      if (ran.out !== "")
        expect(Object.keys(JSON.parse(ran.out) as object)).toEqual(["additional_context"]);
    }
  await settled(program);
  using db = program.database();
  expect(db.query("SELECT session_id, prompt, status, tool_count FROM turns").values()).toEqual([
    ["cursor-cu1", "remember that the mast is oak", "closed", 1],
  ]);
  expect(db.query("SELECT count(*) FROM events").values()).toEqual([[4]]);
  expect((await program.run(["sessions"])).out).toContain("cursor");
  expect((await program.run(["sessions", "cursor-cu1"])).out).toContain("Cursor · shop");
});

test("no event counts twice where Claude Code, Copilot CLI and Cursor run the same hooks", async () => {
  await using program = openProgram(away);
  const cwd = program.project("shop");
  const prompt = "remember that the mast is oak";
  const claude = {
    session_id: "s1",
    cwd,
    prompt_id: "p1",
    hook_event_name: "UserPromptSubmit",
    prompt,
  };
  const { prompt_id: _none, ...words } = claude;
  const copilot = { ...words, session_id: "s2", timestamp: "2026-11-22T03:45:36.608Z" };
  const cursor = {
    conversation_id: "s3",
    generation_id: "g3",
    cursor_version: "2.4.0",
    workspace_roots: [cwd],
    hook_event_name: "beforeSubmitPrompt",
    prompt,
  };
  // Copilot CLI runs Claude's hook only: it counts without our own beside it.
  await program.hook("submit", { ...copilot, session_id: "s4" }, { env: { COPILOT_CLI: "1" } });
  for (let times = 0; times < 2; times += 1) {
    await program.hook("submit", claude);
    await program.hook("submit", copilot, { env: { COPILOT_CLI: "1" } });
    await program.hook("submit", cursor);
  }
  const own = { sessionId: "s2", timestamp: Date.parse(copilot.timestamp), cwd, prompt };
  await step(program, "copilot", { event: "userPromptSubmitted", payload: own });
  await settled(program);
  using db = program.database();
  expect(db.query("SELECT session_id, n FROM turns ORDER BY 1").values()).toEqual([
    ["copilot-s2", 1],
    ["copilot-s4", 1],
    ["cursor-s3", 1],
    ["s1", 1],
  ]);
});

/** A prime, so that every kind of mutation is among them. */
const shareOfSweep = 37;

test.each(hookedAgents)(
  "%s: every recorded payload, and a share of its mutations, ends with 0 and a valid answer or nothing",
  async (agent) => {
    await using program = openProgram();
    await program.up();
    const cases = sweepCases(agent).filter(
      ({ name }, at) => name.endsWith("as recorded") || at % shareOfSweep === 0,
    );
    expect(cases.length).toBeGreaterThan(50);
    expect(await sweep(program, agent, cases)).toEqual([]);
  },
);

test("Gemini CLI's prompt goes on when the program is gone", async () => {
  await using program = openProgram();
  withFiles(program);
  await program.run(["install", "--agent", "gemini"]);
  const { hooks } = JSON.parse(
    readFileSync(join(program.folder, ".gemini/settings.json"), "utf8"),
  ) as { hooks: { BeforeAgent: { hooks: { command: string }[] }[] } };
  const command = hooks.BeforeAgent[0]?.hooks[0]?.command ?? "";
  const ran = Bun.spawnSync(["sh", "-c", command.replaceAll(binary, "/gone/continuity")]);
  expect([ran.exitCode, ran.stdout.toString() + ran.stderr.toString()]).toEqual([0, ""]);
});

/** A daemon's first prompts load what later ones find there: on a slow machine they would go on without an answer. */
async function warmUp(program: Program): Promise<void> {
  for (const prompt of ["what is the depot called?", "and which port does the quay use?"])
    await program.run(["hook", "submit"], {
      input: JSON.stringify({
        hook_event_name: "UserPromptSubmit",
        session_id: "warm",
        cwd: program.folder,
        prompt,
      }),
    });
}

test("doctor finds out when a hook of an agent is taken out", async () => {
  await using program = openProgram({ PATH: "/usr/bin:/bin" });
  withFiles(program);
  await program.run(["install", "--agent", "gemini"]);
  const check = async () => {
    const { out } = await program.run(["doctor", "--json"]);
    const { checks } = JSON.parse(out) as {
      checks: { id: string; state: string; fix: string | null }[];
    };
    return checks.filter(({ id }) => id.startsWith("agent-") || id === "self-test");
  };
  const proven = { id: "self-test", state: "ok" };
  expect(await check()).toMatchObject([proven, { id: "agent-gemini", state: "ok" }]);
  const path = join(program.folder, ".gemini/settings.json");
  writeFileSync(path, readFileSync(path, "utf8").replace("BeforeAgent", "BeforeNothing"));
  chmodSync(path, 0o600);
  expect(await check()).toMatchObject([
    proven,
    { id: "agent-gemini", state: "failed", fix: "run `continuity install --agent gemini`" },
  ]);
});

test("doctor says when an editor's entry, program or rule is gone", async () => {
  await using program = openProgram({ PATH: "/usr/bin:/bin" });
  withFiles(program);
  await program.run(["install", "--agent", "kiro"]);
  const check = async () => {
    const { out } = await program.run(["doctor"]);
    return out.split("\n").filter((line) => line.includes("agent-"));
  };
  const [path, rule] = [".kiro/settings/mcp.json", ".kiro/steering/continuity.md"].map((name) =>
    join(program.folder, name),
  ) as [string, string];
  const written = readFileSync(path, "utf8");
  expect(await check()).toEqual([expect.stringMatching(/^ok .*Kiro: /)]);
  writeFileSync(path, written.replace(binary, "/gone/continuity"));
  expect(await check()).toEqual([expect.stringMatching(/FAIL .*\/gone\/continuity.*not there/)]);
  writeFileSync(path, before[".kiro/settings/mcp.json"]);
  expect(await check()).toEqual([expect.stringMatching(/FAIL .*add the MCP server/)]);
  writeFileSync(path, written);
  rmSync(rule);
  expect(await check()).toEqual([expect.stringMatching(/FAIL .*add the rule/)]);
});

test("doctor says when Codex CLI does not know the hooks, and when it does not trust them", async () => {
  await using program = openProgram();
  withFiles(program);
  const bin = join(program.folder, "bin");
  mkdirSync(bin);
  const answers = (hooks: readonly object[]): void =>
    writeFileSync(
      join(bin, "codex"),
      `#!/bin/sh\nread one; printf '%s\\n' '${JSON.stringify({ id: 2, result: { data: [{ hooks }] } })}'\n`,
      { mode: 0o755 },
    );
  const env = { PATH: `${bin}:/usr/bin:/bin` };
  answers([]);
  await program.run(["install", "--agent", "codex"], { env });
  const check = async (): Promise<unknown> => {
    const { out } = await program.run(["doctor", "--json"], { env });
    const { checks } = JSON.parse(out) as { checks: readonly { id: string; detail: string }[] };
    return checks.find(({ id }) => id === "agent-codex");
  };
  expect(await check()).toMatchObject({ state: "failed", detail: expect.stringMatching(/0 of 7/) });
  const command = `${binary} hook --agent codex Stop`;
  answers(Array.from({ length: 7 }, () => ({ command, trustStatus: "untrusted" })));
  expect(await check()).toMatchObject({
    state: "failed",
    detail: expect.stringMatching(/not trust 7/),
  });
});
