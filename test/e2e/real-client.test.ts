/**
 * The promise of the product, with the real client and the real program: what a user says in one session is there in
 * the next, and nothing is injected where it would be noise. `npm test` builds the program first.
 */
import { afterAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  type FakeAnthropic,
  type PlannedTurn,
  type RecordedRequest,
  type Script,
  startFakeAnthropic,
} from "../support/fake-anthropic.ts";
import { openStage } from "../support/stage.ts";
import {
  type ClientResult,
  hookOutputs,
  installClient,
  runClient,
} from "../support/real-client.ts";

const binary = resolve(
  process.env["CONTINUITY_BINARY"] ?? join(import.meta.dir, "..", "..", "dist", "continuity"),
);
const isBuilt = existsSync(binary) || process.env["CONTINUITY_BINARY"] !== undefined;
const client = isBuilt ? installClient() : { path: null };

const root = mkdtempSync(join(tmpdir(), "continuity-e2e-"));
const home = join(root, "home");
const project = join(root, "shop");
const settings = join(home, ".claude", "settings.json");
/** As a person formats it: tabs, a hook of their own, no line end. */
const settingsBefore = `{
	"model": "opus",
	"hooks": {
		"Stop": [{ "hooks": [{ "type": "command", "command": "true", "timeout": 3 }] }]
	},
	"env": {"LC_TIME": "C"}
}`;

afterAll(() => {
  stopDaemon();
  rmSync(root, { recursive: true, force: true });
});

/** Runs the program as its user would, with nothing of this process's environment. */
function continuity(...args: readonly string[]): {
  readonly status: number | null;
  readonly text: string;
} {
  const env = { HOME: home, PATH: process.env["PATH"] ?? "" };
  const run = spawnSync(binary, args, { cwd: project, env, encoding: "utf8", timeout: 90_000 });
  return { status: run.status, text: `${run.stdout}${run.stderr}` };
}

/** Installs for a person who types what the client is sent here. */
function install(): void {
  expect(continuity("install")).toMatchObject({ status: 0 });
  expect(continuity("config", "set", "capture.headless", "full")).toMatchObject({ status: 0 });
}

/** The daemon that the hooks started in our temporary home, and no other. */
function stopDaemon(): void {
  const record = join(home, ".continuity", "daemon.json");
  if (!existsSync(record)) return;
  const { pid } = JSON.parse(readFileSync(record, "utf8")) as { readonly pid: number };
  try {
    process.kill(pid, "SIGTERM");
  } catch {
    // It left by itself: kill is the only call here.
  }
}

const session = (
  ...prompts: readonly string[]
): Promise<{ readonly result: ClientResult; readonly api: FakeAnthropic }> =>
  scripted({ main: prompts.map(() => "Understood.") }, prompts);

async function scripted(
  script: Script,
  prompts: readonly string[],
): Promise<{ readonly result: ClientResult; readonly api: FakeAnthropic }> {
  const api = startFakeAnthropic({ script });
  const result = await runClient(client.path ?? "", { home, project, apiUrl: api.url, prompts });
  await api.stop();
  expect(result).toMatchObject({ exitCode: 0, timedOut: false });
  for (const hook of result.events.filter(({ subtype }) => subtype === "hook_response")) {
    expect(hook).toMatchObject({ exit_code: 0, stderr: "", outcome: "success" });
  }
  return { result, api };
}

/** The context that a hook's output injects; empty when it injects none. */
function contextOf(output: string | undefined): string {
  if (output === undefined || output.trim() === "") return "";
  const answer = JSON.parse(output) as {
    readonly hookSpecificOutput?: { readonly additionalContext?: string };
  };
  return answer.hookSpecificOutput?.additionalContext ?? "";
}

const submitContexts = (result: ClientResult): readonly string[] =>
  hookOutputs(result, "UserPromptSubmit").map(contextOf);

test.skipIf(client.path === null)(
  "what the user says in one session is there in the next, and thanks is no question",
  async () => {
    mkdirSync(join(home, ".claude"), { recursive: true });
    mkdirSync(project);
    writeFileSync(join(project, "package.json"), '{"name": "shop"}\n');
    spawnSync("git", ["init", "--quiet"], { cwd: project });
    writeFileSync(settings, settingsBefore);

    install();
    expect(readFileSync(settings, "utf8")).toContain(JSON.stringify(binary));

    const first = await session(
      "remember that staging uses port 5433, 5432 is only the local docker database",
      "from now on use pnpm in this repo, never npm",
    );
    expect(first.api.of("main")).toHaveLength(2);
    expect(submitContexts(first.result)).toEqual(["", ""]);

    expect(continuity("flush", "--timeout", "60s")).toMatchObject({ status: 0 });

    const ask = async () => {
      const { result, api } = await session(
        "which port does the staging database listen on?",
        "thanks",
      );
      const start = contextOf(hookOutputs(result, "SessionStart")[0]);
      const [question = "", thanks] = submitContexts(result);
      return { told: start + question, thanks, api };
    };
    let second = await ask();
    // On a busy machine a prompt goes on without an answer: then the next session asks.
    for (let n = 1; n < triesMax && !second.told.includes("5433"); n += 1) second = await ask();
    expect(second.told).toContain("5433");
    expect(second.told).toContain("pnpm");
    expect(second.thanks).toBe("");
    const [request] = second.api.of("main");
    expect(request?.text).toContain("5433");
    expect(request?.text).toContain("pnpm");

    await besideTools();

    expect(continuity("uninstall")).toMatchObject({ status: 0 });
    expect(readFileSync(settings, "utf8")).toBe(settingsBefore);
  },
  180_000,
);

/** A hook goes on without an answer that is late, which says nothing about the answer. */
const triesMax = 5;

/**
 * A failure that was met before, a file that a memory names, and a subagent: each is answered, and the model reads it.
 * Does again what was not answered in time.
 */
async function besideTools(): Promise<void> {
  const git = (...args: readonly string[]): void => {
    const who = ["-c", "user.name=dev", "-c", "user.email=dev@example.org"];
    spawnSync("git", [...who, ...args], { cwd: project });
  };
  // A file is told of when it is opened for the first time: whoever was not answered opens another.
  const files = ["graph.c", "waves.c", "tides.c", "ports.c", "ships.c"];
  for (const file of files) writeFileSync(join(project, file), "int table[] = { 1 };\n");
  git("add", ".");
  git("commit", "--quiet", "-m", "begin");
  // Said while the session runs: what its start told is not told again.
  const remember = (): void => {
    for (const line of [
      "EPLOTLOCK of the plotter spool: remove /var/lock/plotter, then plot again",
      ...files.map((file) => `The tables in ${file} are laid out by hand, no formatter runs on it`),
      "Never push to main yourself",
    ])
      expect(continuity("remember", line)).toMatchObject({ status: 0 });
  };
  const bash = {
    command: "echo 'make: fatal: plotter spool lock EPLOTLOCK is held' >&2; exit 1",
    description: "Plot",
  };
  const look = {
    description: "Look",
    prompt: "Look around.",
    subagent_type: "general-purpose",
    run_in_background: false,
  };
  let isSubagentTold = false;
  const again = <Step>(step: Step): readonly Step[] => Array.from({ length: triesMax }, () => step);
  const steps = [
    ...again({ tool: { name: "Bash", input: bash }, isTold: saidIn("Met before in this project") }),
    ...files.map((file) => ({
      tool: { name: "Read", input: { file_path: join(project, file) } },
      isTold: saidIn("Known of this file"),
    })),
    ...again({ tool: { name: "Agent", input: look }, isTold: () => isSubagentTold }),
  ];
  const next = (request: RecordedRequest): PlannedTurn => {
    for (;;) {
      const step = steps.shift();
      if (step === undefined) return "Plotted.";
      if (step.isTold(request)) continue;
      // Files are looked for when a turn has closed, and a daemon with nothing else to do answers in time.
      expect(continuity("flush", "--timeout", "60s")).toMatchObject({ status: 0 });
      return { tools: [step.tool] };
    }
  };
  const { result, api } = await scripted(
    {
      main: [
        () => {
          remember();
          return "Good morning.";
        },
        next,
        ...steps.map(() => next),
      ],
      subagent: Array.from({ length: triesMax }, () => ({ text }) => {
        isSubagentTold ||= text.includes("Never push to main yourself");
        return "Nothing found.";
      }),
    },
    ["good morning", "carry on with it please"],
  );
  const told = (event: string): string => hookOutputs(result, event).map(contextOf).join("\n");
  expect(told("PostToolUseFailure")).toContain("remove /var/lock/plotter");
  expect(told("PostToolUse")).toContain("laid out by hand");
  expect(told("SubagentStart")).toContain("Never push to main yourself");
  const read = api.of("main").map(({ text }) => text);
  expect(read.join("\n")).toContain("Met before in this project");
  expect(read.join("\n")).toContain("Known of this file");
  expect(isSubagentTold).toBe(true);
}

const saidIn =
  (words: string) =>
  ({ text }: RecordedRequest): boolean =>
    text.includes(words);

test.skipIf(client.path === null)(
  "what the user forbade is done until the guard is approved, and not from then on",
  async () => {
    mkdirSync(project, { recursive: true });
    install();
    // The first prompt may find no daemon yet: the offer then comes with one that is answered.
    const heard = (): string => {
      expect(continuity("flush", "--timeout", "60s")).toMatchObject({ status: 0 });
      return "Understood.";
    };
    const told = await scripted({ main: [heard, heard, heard] }, [
      "never push yourself",
      "thanks",
      "thank you",
    ]);
    const [, id = ""] =
      /You have said not to push\..*guards approve (\d+)/.exec(
        hookOutputs(told.result, "UserPromptSubmit").join("\n"),
      ) ?? [];
    expect(id).not.toBe("");

    const push = { name: "Bash", input: { command: "cd . && git push origin main" } };
    const tools = async (): Promise<string> => {
      const script = { main: [{ tools: [push] }, "Done."] };
      const api = startFakeAnthropic({ script });
      const prompts = ["publish the work"];
      await runClient(client.path ?? "", { home, project, apiUrl: api.url, prompts });
      await api.stop();
      return api.of("main").at(-1)?.text ?? "";
    };
    expect(await tools()).toContain("error: failed to push some refs");
    expect(continuity("guards", "approve", id, "--deny")).toMatchObject({ status: 0 });
    expect(await tools()).toContain('The user said: "never push yourself"');
    expect(continuity("guards", "approve", id, "--ask")).toMatchObject({ status: 0 });
    // Headless, there is nobody to ask: the answer is no, whatever mode the session runs in.
    expect(await tools()).toContain('The user said: "never push yourself"');
    expect(continuity("uninstall")).toMatchObject({ status: 0 });
  },
  180_000,
);
test.skipIf(client.path === null)(
  "what a program says is recorded, and is nobody's rule",
  async () => {
    const main = ["Understood.", "Understood.", "Good morning."];
    await using stage = await openStage({ script: { main }, headless: "archive" });
    const said = async (...prompts: readonly string[]): Promise<ClientResult> => {
      const { env, home: at, project: cwd } = stage;
      const run = { home: at, project: cwd, apiUrl: stage.api.url, prompts, env };
      return runClient(client.path ?? "", run);
    };
    const ran = await said("from now on use pnpm in this repo, never npm", "never push yourself");
    expect(ran.events.map(({ stdout }) => stdout).join("")).not.toContain("systemMessage");
    await stage.program.flush();
    const told = async (...args: readonly string[]): Promise<string> =>
      (await stage.program.run(args, { cwd: stage.project })).out;
    expect(await told("list", "--json")).toBe("");
    expect(await told("guards")).not.toContain("push");
    expect(await told("find", "pnpm")).toContain("use pnpm in this repo");
    const next = await said("good morning");
    expect(hookOutputs(next, "SessionStart").join("")).not.toContain("pnpm");
  },
  180_000,
);
