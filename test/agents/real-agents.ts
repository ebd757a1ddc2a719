/**
 * The promise between agents, with the real clients and the real program, offline: what is said in one is given in
 * every one's next session, once. `npm run test:agents` runs this; `npm test` does not, since the clients are 1.1
 * GB.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentOf, type KeptAgent, otherAgents, type OtherAgent } from "#domain";
import { startFakeAnthropic } from "../support/fake-anthropic.ts";
import { eventually, openProgram, type Program } from "../support/program.ts";
import { openModel, type Model, type Said } from "./api.ts";
import { clientsFolder, endAll, say, settleClients, type Place, type Talk } from "./clients.ts";
import { installClient, runClient } from "../support/real-client.ts";
import { openTerminal } from "./terminal.ts";

setDefaultTimeout(300_000);

const claude = installClient();
/** All five, or four on a machine that cannot have Claude Code. */
const everyAgent = [...(claude.path === null ? [] : ["claude" as const]), ...otherAgents];
type Agent = (typeof everyAgent)[number];

/** The fact that is said in each agent, and the word of it that nothing else holds. */
const facts: Readonly<Record<Agent, { readonly said: string; readonly word: string }>> = {
  claude: { said: "remember that invoices are printed by pelicanpress", word: "pelicanpress" },
  codex: { said: "from now on use quillnpm in this repo, never npm", word: "quillnpm" },
  gemini: { said: "remember that the staging database listens on port 54331", word: "54331" },
  copilot: { said: "we decided to deploy with ferrydeploy only", word: "ferrydeploy" },
  opencode: { said: "remember that releases are tagged by harbourbot", word: "harbourbot" },
};

/** The calls by which each agent's model runs a shell command, and hands a task to a subagent. */
const calls: Readonly<Record<OtherAgent, { readonly shell: Said; readonly subagent: Said }>> = {
  codex: {
    shell: { tool: "exec_command", input: { cmd: "ls seafile" } },
    subagent: { tool: "spawn_agent", input: { message: "SUBTASK: list the folder" } },
  },
  gemini: {
    shell: { tool: "run_shell_command", input: { command: "ls seafile", description: "look" } },
    subagent: {
      tool: "invoke_agent",
      input: { agent_name: "codebase_investigator", prompt: "SUBTASK: list the folder" },
    },
  },
  copilot: {
    shell: { tool: "bash", input: { command: "ls seafile", description: "look" } },
    subagent: {
      tool: "task",
      input: {
        description: "sub",
        prompt: "SUBTASK: list the folder",
        agent_type: "explore",
        name: "sub1",
        mode: "sync",
      },
    },
  },
  opencode: {
    shell: { tool: "bash", input: { command: "ls seafile", description: "look" } },
    subagent: {
      tool: "task",
      input: { description: "sub", prompt: "SUBTASK: list the folder", subagent_type: "general" },
    },
  },
};

let program: Program;
let model: Model;
let place: Place;

/** Continuous integration stops what takes too long; the agents and the daemon must not outlive it. */
process.on("SIGTERM", () => {
  endAll(place);
  rmSync(program.folder, { recursive: true, force: true });
  rmSync(place.home, { recursive: true, force: true });
  process.exit(143);
});

beforeAll(async () => {
  const home = mkdtempSync(join(tmpdir(), "continuity-agents-"));
  program = openProgram({
    HOME: home,
    CONTINUITY_HOME: join(home, ".continuity"),
    PATH: `${clientsFolder}:${process.env["PATH"] ?? ""}`,
  });
  model = openModel();
  const env = { CONTINUITY_HOME: program.paths.root, CONTINUITY_PORT: "0" };
  place = { home, project: program.project("shop"), apiUrl: model.url, env };
  Bun.spawnSync(["git", "init", "--quiet"], { cwd: place.project });
  writeFileSync(join(place.project, "seafile"), "");
  settleClients(place);
  const installed = await program.run(["install", "--agent", "all", "--llm", "none"]);
  expect(installed).toMatchObject({ status: 0, err: "" });
  // A program sends its prompts here, and they stand for what a person types.
  await program.run(["config", "set", "capture.headless", "full"]);
  await program.up();
});

afterAll(async () => {
  endAll(place);
  await program[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
  rmSync(place.home, { recursive: true, force: true });
});

/** A prompt that the agent answers; what its model was asked for it. */
async function talk(agent: OtherAgent, prompt: string, more: Talk = {}): Promise<string> {
  const { status, out } = await say(agent, prompt, { place, ...more });
  expect([agent, prompt, status, status === 0 ? "" : out]).toEqual([agent, prompt, 0, ""]);
  return model.main()[0]?.text ?? "";
}

/** The same with Claude Code, which speaks to a model of its own. */
async function talkToClaude(prompt: string): Promise<string> {
  const api = startFakeAnthropic({ script: { main: ["Understood."] } });
  const { home, project, env } = place;
  const run = { home, project, env, apiUrl: api.url, prompts: [prompt] };
  const { exitCode } = await runClient(claude.path ?? "", run);
  await api.stop();
  expect([prompt, exitCode]).toEqual([prompt, 0]);
  return api.of("main")[0]?.text ?? "";
}

const talkTo = (agent: Agent, prompt: string): Promise<string> =>
  agent === "claude" ? talkToClaude(prompt) : talk(agent, prompt);

interface Turn {
  readonly session_id: string;
  readonly n: number;
  readonly prompt: string;
  readonly answer: string | null;
  readonly status: string;
}

/** The turns of an agent since one, oldest first. */
function turnsOf(agent: KeptAgent, behind = 0): readonly (Turn & { readonly id: number })[] {
  using db = program.database();
  return db
    .query<Turn & { readonly id: number }, [number]>(
      "SELECT id, session_id, n, prompt, answer, status FROM turns WHERE id > ? ORDER BY id",
    )
    .all(behind)
    .filter(({ session_id }) => agentOf(session_id) === agent);
}

const lastTurn = (): number => {
  using db = program.database();
  return db.query<{ n: number }, []>("SELECT coalesce(max(id), 0) AS n FROM turns").get()?.n ?? 0;
};

const times = (text: string, word: string): number => text.split(word).length - 1;

describe("one memory", () => {
  test("what is said in one agent is given in every agent's next session, once", async () => {
    for (const agent of everyAgent) {
      model.script("Understood.");
      await talkTo(agent, facts[agent].said);
      // Facts that an agent does not tell are read from its transcript when the turn is looked at.
      await program.flush();
      expect(turnsOf(agent)).toMatchObject([
        { n: 1, prompt: facts[agent].said, answer: "Understood.", status: "closed" },
      ]);
    }
    await program.flush();
    const table: Record<string, Record<string, number>> = {};
    for (const to of everyAgent) {
      model.script("Nothing.");
      const asked = await talkTo(to, "list what lies in this folder");
      const given = everyAgent.map((from) => [from, times(asked, facts[from].word)]);
      table[to] = Object.fromEntries(given) as Record<string, number>;
    }
    console.table(table);
    const once = Object.fromEntries(everyAgent.map((from) => [from, 1]));
    expect(table).toEqual(Object.fromEntries(everyAgent.map((to) => [to, once])));
  });
});

const savers: Readonly<Record<OtherAgent, { readonly tool: string; readonly namespace?: string }>> =
  {
    codex: { tool: "memory_remember", namespace: "mcp__continuity" },
    gemini: { tool: "mcp_continuity_memory_remember" },
    copilot: { tool: "continuity-memory_remember" },
    opencode: { tool: "continuity_memory_remember" },
  };

describe.each(otherAgents)("%s", (agent) => {
  test("what it saves in its user's words is the user's", async () => {
    const line = `The web shop of ${agent} is called Heron.`;
    model.script({ ...savers[agent], input: { line, quote: line } }, "Saved.");
    await talk(agent, `${line} Now list the folder.`);
    await program.flush();
    using db = program.database();
    const kept = db
      .query<{ origin: string }, [string]>("SELECT origin FROM mem_nodes WHERE l0_abstract = ?")
      .all(line);
    expect(kept).toEqual([{ origin: "user" }]);
  });

  test("a resumed session goes on as the same one, and the tool it runs is kept with its outcome", async () => {
    const before = lastTurn();
    model.script(calls[agent].shell, "One file.");
    const asked = await talk(agent, "look whether there is a seafile", { goesOn: true });
    expect([agent, times(asked, "quillnpm")]).toEqual([agent, 1]);
    await program.flush();
    const all = turnsOf(agent);
    const [turn] = turnsOf(agent, before);
    expect(all.filter(({ session_id }) => session_id === turn?.session_id).length).toBe(2);
    expect(turn).toMatchObject({ n: 2, answer: "One file.", status: "closed" });
    using db = program.database();
    const tools = db
      .query("SELECT tool, target, outcome FROM tool_uses WHERE session_id = ? AND turn = 2")
      .all(turn?.session_id ?? "");
    expect(tools).toEqual([{ tool: "Bash", target: "ls seafile", outcome: "ok" }]);
  });

  test("a subagent's task is not the user's word, and its session is its parent's", async () => {
    const before = lastTurn();
    model.script(calls[agent].subagent, "Nothing found.", "Done with it.");
    await talk(agent, "let a helper list the folder");
    await program.flush();
    const turns = turnsOf(agent, before);
    expect(turns).toMatchObject([{ n: 1, prompt: "let a helper list the folder" }]);
    expect(JSON.stringify(turns)).not.toContain("SUBTASK");
  });

  test("an interrupted turn is closed as one when the session goes on, and the next is kept", async () => {
    const before = lastTurn();
    model.script({ hangs: true });
    let pid = 0;
    const done = say(agent, "wait for the tide", { place, started: (one) => (pid = one) });
    await eventually("a request", () => model.main().length > 0, 90_000);
    await eventually("the prompt is kept", () => turnsOf(agent, before).length > 0);
    // As a terminal does it: to all that the agent started.
    process.kill(-pid, "SIGINT");
    await done;
    model.script("High water.");
    await talk(agent, "and now tell me", { goesOn: true });
    await program.flush();
    expect(turnsOf(agent, before)).toMatchObject([
      { n: 1, prompt: "wait for the tide", answer: null, status: "interrupted" },
      { n: 2, prompt: "and now tell me", answer: "High water.", status: "closed" },
    ]);
  });
});

test.each(otherAgents)(
  "%s: after a compaction the start text is there again, once",
  async (agent) => {
    const before = lastTurn();
    model.script("Understood.");
    await talk(agent, `begin the log of ${agent}`);
    // The next answer says that the conversation is near its limit, so that it is compacted before the one behind it.
    model.tokens = agent === "gemini" ? 900_000 : 19_500;
    model.script(calls[agent].shell, () => {
      // OpenCode would compact after every answer of that size.
      if (agent === "opencode") model.tokens = null;
      return "Logged.";
    });
    await talk(agent, "log the tide", { goesOn: true });
    model.tokens = null;
    model.script("Logged again.");
    await talk(agent, "log the wind", { goesOn: true });
    await program.flush();
    const last = model.main().at(-1)?.text ?? "";
    expect(model.asked.some(({ lane }) => lane === "compact")).toBe(true);
    expect([agent, times(last, "quillnpm")]).toEqual([agent, 1]);
    expect(turnsOf(agent, before).map(({ prompt }) => prompt)).toEqual([
      `begin the log of ${agent}`,
      "log the tide",
      "log the wind",
    ]);
  },
);

test.each(otherAgents)(
  "%s in a terminal: captured, given, interrupted with Esc, and going on",
  async (agent) => {
    const before = lastTurn();
    model.script("Understood.");
    await using terminal = await openTerminal(agent, place);
    await terminal.say("look at the harbour");
    await terminal.shows(/Understood\./);
    // In Copilot CLI, Esc edits the prompt and stops nothing that waits for the model.
    const canStop = agent !== "copilot";
    if (canStop) {
      model.script({ hangs: true });
      await terminal.say("wait for low water");
      await eventually("a request", () => model.main().length > 0, 60_000);
      terminal.press("Escape");
      if (agent === "opencode") {
        // Asked for twice, and two keys at once would be another key.
        await terminal.shows(/again to interrupt/);
        terminal.press("Escape");
      }
      await terminal.shows(/interrupted|cancell?ed|aborted/i);
    }
    model.script("High water.");
    await terminal.say("and now go on");
    await terminal.shows(/High water\./);
    // With the first prompt, or the next one where the daemon was too slow for that; and once.
    expect(times(model.main()[0]?.text ?? "", "quillnpm")).toBe(1);
    const turns = canStop ? 3 : 2;
    await eventually("all turns", () => turnsOf(agent, before)[turns - 1]?.status === "closed");
    expect(turnsOf(agent, before)).toMatchObject([
      { prompt: "look at the harbour", answer: "Understood.", status: "closed" },
      ...(canStop ? [{ prompt: "wait for low water", status: "interrupted" }] : []),
      { prompt: "and now go on", answer: "High water.", status: "closed" },
    ]);
    if (agent !== "gemini") return;
    // Asked to, it compacts; the next prompt brings the start text again.
    model.tokens = 19_500;
    model.script("Counted.");
    await terminal.say("count the boats");
    await terminal.shows(/Counted\./);
    model.tokens = null;
    await terminal.say("/compress");
    await terminal.shows(/history compressed from/);
    model.script("Counted again.");
    await terminal.say("count the gulls");
    await terminal.shows(/Counted again\./);
    expect(times(model.main()[0]?.text ?? "", "quillnpm")).toBe(1);
  },
);

test("sessions of all four at the same time are four sessions, and nothing is mixed", async () => {
  const before = lastTurn();
  model.script();
  await Promise.all(otherAgents.map((agent) => talk(agent, `count the boats of ${agent}`)));
  await program.flush();
  for (const agent of otherAgents)
    expect(turnsOf(agent, before)).toMatchObject([
      { n: 1, prompt: `count the boats of ${agent}`, answer: "Understood.", status: "closed" },
    ]);
});
