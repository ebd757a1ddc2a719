/**
 * The benches' adapters with the real Claude Code and the built program, offline against a scripted model:
 *
 *   npm run build && bun test ./lab/proof/adapters/real-agent.ts
 *
 * Not part of `npm test`: the client is 200 MB. agent-memory-bench itself is stood in for by `contract/`.
 */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { startFakeAnthropic } from "../../../test/support/fake-anthropic.ts";
import { environmentOf, installClient } from "../../../test/support/real-client.ts";

setDefaultTimeout(180_000);

const built = resolve(import.meta.dir, "../../..", "dist", "continuity");
const client = installClient();
const claude = client.path ?? "";
const canRun = client.path !== null && existsSync(built) && Bun.which("python3") !== null;
const folder = mkdtempSync(join(tmpdir(), "continuity-adapters-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Given {
  readonly apiUrl: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** Runs one of the scripts with an empty home and a temporary folder of its own, in which nothing may stay. */
async function runPython(args: readonly string[], { apiUrl, env, cwd }: Given) {
  const own = join(cwd, "tmp");
  mkdirSync(own, { recursive: true });
  const child = Bun.spawn(["python3", ...args], {
    cwd,
    env: {
      ...environmentOf({ home: cwd, apiUrl }),
      PATH: `${dirname(claude)}:${process.env["PATH"] ?? ""}`,
      PYTHONDONTWRITEBYTECODE: "1",
      TMPDIR: own,
      ...env,
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return {
    status: await child.exited,
    out,
    err,
    left: readdirSync(own).filter((one) => one.startsWith("continuity-")),
  };
}

const needed = "CRLF record terminators";

test.skipIf(!canRun)(
  "agent-memory-bench: a cell is admitted, the agent is given the decision, nothing is left",
  async () => {
    const api = startFakeAnthropic({ script: { main: ["Done."] } });
    const cwd = join(folder, "amb");
    mkdirSync(cwd);
    const script = join(import.meta.dir, "contract", "amb_run.py");
    const { status, out, err, left } = await runPython([script, join(cwd, "run"), claude], {
      apiUrl: api.url,
      env: { BENCH_CONTINUITY: built },
      cwd,
    });
    await api.stop();
    expect({ status, err }).toEqual({ status: 0, err: "" });
    const cell = JSON.parse(out) as Readonly<Record<string, unknown>>;
    expect(cell).toMatchObject({
      exit: 0,
      stored: 1,
      same_digest: true,
      homes: [],
      in_sandbox: [".git"],
    });
    expect(cell["servers"]).toEqual([
      expect.objectContaining({ name: "continuity", status: "connected" }),
    ]);
    expect(cell["tools"]).toContain("mcp__continuity__memory_search");
    expect(cell["signal"]).toMatchObject({ required_hooks: ["SessionStart"] });
    const ledger = cell["ledger"] as readonly Readonly<Record<string, unknown>>[];
    expect(ledger.map(({ event }) => event)).toEqual(
      expect.arrayContaining(["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"]),
    );
    for (const line of ledger) expect(line).toMatchObject({ exit_code: 0, hook_error: null });
    expect(ledger.find(({ event }) => event === "SessionStart")).toMatchObject({
      output_sha256: expect.stringMatching(/^[0-9a-f]{64}$/u),
    });
    expect(api.of("main")[0]?.text).toContain(needed);
    expect(left).toEqual([]);
  },
);

/** The arguments that remem's harness gives to the Codex client. */
const codexArguments = (repo: string, task: string): readonly string[] => [
  ..."exec --json --color never --ignore-user-config --ignore-rules --ephemeral".split(" "),
  ..."--disable hooks --model claude-sonnet-4-6 --sandbox danger-full-access".split(" "),
  "--cd",
  repo,
  "-c",
  'model_reasoning_effort="medium"',
  `You are running an isolated coding benchmark task.\n\nTask:\n${task}\n`,
];

const tasks = {
  tasks: [
    {
      id: "crlf",
      prompt: "Write the exporter of export.csv for the fulfilment feed.",
      history_episodes: [
        {
          episode_id: "e1",
          raw_events: [
            {
              timestamp_epoch: 1_760_000_000,
              role: "user",
              sanitized_content: `Decision: the fulfilment feed requires ${needed}.`,
              tool_name: null,
              sanitized_tool_input: null,
              sanitized_tool_output: null,
            },
          ],
        },
      ],
    },
  ],
};

test.skipIf(!canRun).each([
  ["with Continuity", { BENCH_CONTINUITY: built }, true],
  ["without memory", {}, false],
] as const)(
  "remem's harness, %s: the agent works in the repository, nothing is left",
  async (name, env, isGiven) => {
    const cwd = join(folder, name.replaceAll(" ", "-"));
    const repo = join(cwd, "repo");
    mkdirSync(repo, { recursive: true });
    Bun.spawnSync(["git", "init", "-q", "."], { cwd: repo });
    const write = {
      name: "Write",
      input: { file_path: join(repo, "export.py"), content: "crlf\n" },
    };
    const api = startFakeAnthropic({ script: { main: [{ tools: [write] }, "Written."] } });
    const fixture = join(cwd, "tasks.json");
    writeFileSync(fixture, JSON.stringify(tasks));
    const agent = join(import.meta.dir, "continuity", "remem_agent.py");
    const prompt = tasks.tasks[0]?.prompt ?? "";
    const { status, out, err, left } = await runPython([agent, ...codexArguments(repo, prompt)], {
      apiUrl: api.url,
      env: { BENCH_TASKS: fixture, ...env },
      cwd,
    });
    await api.stop();
    expect({ status, err }).toEqual({ status: 0, err: "" });
    expect(api.of("main")[0]?.text.includes(needed)).toBe(isGiven);
    const last = JSON.parse(out.trim().split("\n").at(-1) ?? "") as object;
    expect(last).toMatchObject({
      type: "turn.completed",
      usage: { output_tokens: expect.any(Number) },
    });
    expect(readdirSync(repo).toSorted()).toEqual([".git", "export.py"]);
    expect(left).toEqual([]);
  },
);
