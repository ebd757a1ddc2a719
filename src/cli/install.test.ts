import { expect, test } from "bun:test";
import { openTestCli } from "../../test/support/cli.ts";
import type { Local } from "./local.ts";
import { CliFailure } from "./failure.ts";

type Setup = Local["setup"];
type Report = Awaited<ReturnType<Setup["install"]>>;

const done: Report = {
  failed: false,
  steps: [{ state: "done", text: "settings.json: add a hook for Stop" }],
  importable: [],
};

/** A setup that reports what it is told to, and remembers what it was asked. */
function setupThat(report: Report): { readonly setup: Setup; readonly asked: unknown[] } {
  const asked: unknown[] = [];
  const work = async (options: unknown): Promise<Report> => {
    asked.push(options);
    return report;
  };
  return {
    asked,
    setup: {
      install: work,
      uninstall: work,
      ownClients: async () => ["claude-cli"],
    },
  };
}

/** Settings with a provider from that source; changes are remembered. */
function configWith(source: string): {
  readonly config: Local["config"];
  readonly set: string[];
} {
  const set: string[] = [];
  return {
    set,
    config: {
      path: () => "config.toml",
      get: (key) => [{ key: key ?? "", value: '"none"', source }],
      set: (key, value) => {
        set.push(`${key} = ${value}`);
        return { key, value, source: "file" };
      },
      edit: async () => undefined,
    },
  };
}

test("install passes on what was asked and reports each step; a failure is status 1", async () => {
  using cli = openTestCli();
  const { setup, asked } = setupThat({
    failed: true,
    steps: [
      { state: "done", text: "hooks in settings.json" },
      { state: "failed", text: "settings.json cannot be written" },
    ],
    importable: [],
  });
  const ran = await cli.run(["install", "--dry-run", "--project"], { deps: { setup } });
  await cli.run(["install", "--plugin", "--statusline"], { deps: { setup } });
  await cli.run(["uninstall", "--project"], { deps: { setup } });
  expect(asked).toEqual([
    { agent: null, dryRun: true, project: true, plugin: false, statusLine: false },
    { agent: null, dryRun: false, project: false, plugin: true, statusLine: true },
    { agent: null, dryRun: false, project: true },
  ]);
  expect(ran).toMatchObject({
    status: 1,
    out: "done hooks in settings.json\n",
    err: "error: settings.json cannot be written\n",
  });
});

test("what could be imported is named with its command, and nothing is imported", async () => {
  using cli = openTestCli();
  const { setup } = setupThat({
    ...done,
    importable: [{ from: "claude-mem", what: "claude-mem's memories" }],
  });
  const ran = await cli.run(["install"], { deps: { setup } });
  expect(ran.out).toContain("continuity import --from claude-mem");
  expect(ran.needs).toEqual([]);
});

test("on a terminal the first installation asks whether to import past sessions, and says what to do now", async () => {
  using cli = openTestCli();
  const { setup } = setupThat({
    ...done,
    importable: [{ from: "claude-code", what: "16 past sessions of Claude Code" }],
  });
  const imported: unknown[] = [];
  const run = (answers: readonly string[], argv: readonly string[] = []) =>
    cli.run(["install", ...argv], {
      answers,
      deps: {
        setup,
        config: configWith("file").config,
        importFrom: async (request) => {
          imported.push(request.source);
          throw new CliFailure("nothing to import");
        },
      },
    });
  const no = await run([""]);
  expect(no.asked).toEqual(["Import them? [y/N] "]);
  expect(no.out).toContain("can be imported: continuity import --from claude-code");
  expect(no.out).toMatch(/Now: restart Claude Code .*\n.*\n$/);
  expect((await run([], ["--dry-run"])).asked).toEqual([]);
  expect(imported).toEqual([]);
  await run(["y"]);
  expect(imported).toEqual(["claude-code"]);
});

test("a model is asked about on a terminal only, once, and a mere return takes the recommended one", async () => {
  using cli = openTestCli();
  const { setup } = setupThat(done);
  const rows = [
    { argv: ["install"], answers: ["ollama"], set: ["llm.provider = ollama"], asked: 1 },
    { argv: ["install"], answers: [""], set: ["llm.provider = claude-cli"], asked: 1 },
    { argv: ["install"], answers: ["none"], set: ["llm.provider = none"], asked: 1 },
    { argv: ["install"], answers: ["y"], set: ["llm.provider = claude-cli"], asked: 1 },
    { argv: ["install"], answers: ["No"], set: ["llm.provider = none"], asked: 1 },
    { argv: ["install"], answers: ["claude", "ollama"], set: ["llm.provider = ollama"], asked: 2 },
    { argv: ["install", "--dry-run"], answers: ["auto"], set: [], asked: 0 },
    { argv: ["install", "--json"], answers: ["auto"], set: [], asked: 0 },
    { argv: ["install", "--llm", "auto"], answers: [], set: ["llm.provider = auto"], asked: 0 },
    { argv: ["install", "--llm", "none"], answers: [], set: ["llm.provider = none"], asked: 0 },
    { argv: ["install", "--llm", "auto", "--dry-run"], answers: [], set: [], asked: 0 },
  ];
  for (const { argv, answers, set, asked } of rows) {
    const config = configWith("default");
    const ran = await cli.run(argv, { answers, deps: { setup, config: config.config } });
    expect({ argv, status: ran.status, set: config.set, asked: ran.asked.length }).toEqual({
      argv,
      status: 0,
      set,
      asked,
    });
  }
  const chosen = configWith("file");
  const again = await cli.run(["install"], {
    answers: ["auto"],
    deps: { setup, config: chosen.config },
  });
  expect([again.asked, chosen.set]).toEqual([[], []]);
  const piped = configWith("default");
  expect((await cli.run(["install"], { deps: { setup, config: piped.config } })).asked).toEqual([]);
});

test("an answer that names no provider is asked for again, and the third changes nothing", async () => {
  using cli = openTestCli();
  const { setup } = setupThat(done);
  const { config, set } = configWith("default");
  const deps = { setup: { ...setup, ownClients: async () => [] }, config };
  const ran = await cli.run(["install"], { answers: ["y", "claude", "gpt"], deps });
  expect(ran.asked).toHaveLength(3);
  expect(ran.asked[1]).toMatch(/^"y" is none of these:\n {2}claude-cli {3}to Anthropic/);
  expect(ran).toMatchObject({ status: 2, out: "" });
  expect(set).toEqual([]);
});

test("whoever chooses a model is told before what it costs, and only then", async () => {
  using cli = openTestCli();
  const { setup } = setupThat(done);
  const costs = /2,000 to 5,000 tokens a session, a long one up to 24,000.+tokens_per_day/s;
  const run = (...argv: string[]) =>
    cli.run(argv, { answers: ["auto"], deps: { setup, config: configWith("default").config } });
  const asked = await run("install");
  expect(asked.asked.join()).toMatch(costs);
  expect(asked.out).not.toMatch(costs);
  expect((await run("install", "--llm", "auto")).out).toMatch(costs);
  expect((await run("install", "--llm", "none")).out).not.toMatch(costs);
});

test("the question says what is sent where, what it costs, what is kept without, and what Enter takes", async () => {
  using cli = openTestCli();
  const { setup } = setupThat(done);
  const { config } = configWith("default");
  const ran = await cli.run(["install"], { answers: [""], deps: { setup, config } });
  const [question = ""] = ran.asked;
  expect(question).toMatch(/Sent: +what you typed/);
  expect(question).toContain("To:      Anthropic, through your Claude login (claude-cli)\n");
  expect(question).toMatch(
    /Cost: +2,000 to 5,000 tokens a session.*1\.4 to 3\.4 % of what a median/s,
  );
  expect(question).toMatch(/Without: only your orders .* and what the agent saves are kept/);
  expect(question).toEndWith("[Y/n, or ? for other models] ");
  for (const line of question.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
});

test("`?` lists every model on a line with where a session goes, and asks again", async () => {
  using cli = openTestCli();
  const { setup } = setupThat(done);
  const { config, set } = configWith("default");
  const ran = await cli.run(["install"], { answers: ["?", "ollama"], deps: { setup, config } });
  const [, list = ""] = ran.asked;
  expect(list).toContain("  auto         to the first of these that works");
  expect(list).toContain("  ollama       to a model on this machine; nothing leaves it\n");
  expect(list).toEndWith("One of these names, or Enter for claude-cli: ");
  expect(set).toEqual(["llm.provider = ollama"]);
  expect(ran.out).toContain("done model: ollama, to a model on this machine");
});

test.each([
  ["codex-cli", "OpenAI, through your Codex login"],
  ["gemini-cli", "Google, through your Gemini login"],
  ["opencode-cli", "the provider that your OpenCode is set to"],
  ["copilot-cli", "GitHub, through your Copilot login"],
])("where Claude is not there the question names %s, and Enter takes it", async (name, sent) => {
  using cli = openTestCli();
  const { setup } = setupThat(done);
  const { config, set } = configWith("default");
  const deps = { setup: { ...setup, ownClients: async () => [name] }, config };
  const ran = await cli.run(["install"], { answers: [""], deps });
  expect(ran.asked.join()).toContain(sent);
  expect(ran.asked.join()).toContain("adds 4,000 to 12,000 of its own to each");
  expect(set).toEqual([`llm.provider = ${name}`]);
});

test("where no client of an agent is there Enter takes none", async () => {
  using cli = openTestCli();
  const { setup } = setupThat(done);
  const { config, set } = configWith("default");
  const deps = { setup: { ...setup, ownClients: async () => [] }, config };
  const ran = await cli.run(["install"], { answers: [""], deps });
  expect(ran.asked.join()).toEndWith("[N, or ? for models] ");
  expect(set).toEqual(["llm.provider = none"]);
});

test("without a terminal none is chosen, and one line says once how to choose", async () => {
  using cli = openTestCli();
  const said = /note no language model:.*\n.*continuity config set llm\.provider codex-cli\n/;
  const run = async (report: typeof done, source: "default" | "file" = "default") => {
    const { setup } = setupThat(report);
    const { config, set } = configWith(source);
    const deps = { setup: { ...setup, ownClients: async () => ["codex-cli"] }, config };
    const ran = await cli.run(["install"], { deps });
    expect(set).toEqual([]);
    return ran.out;
  };
  expect((await run(done)).match(new RegExp(said, "g"))).toHaveLength(1);
  const again = { ...done, steps: [{ state: "unchanged" as const, text: "hooks" }] };
  expect(await run(again)).not.toMatch(said);
  expect(await run(done, "file")).not.toMatch(said);
});

test.each([
  { argv: ["install", "--llm", "gpt"], answers: undefined },
  { argv: ["install"], answers: ["gpt", "gpt", "gpt"] },
])("an unknown model is refused before anything is changed: $argv", async ({ argv, answers }) => {
  using cli = openTestCli();
  const { setup, asked } = setupThat(done);
  const { config, set } = configWith("default");
  const ran = await cli.run(argv, {
    ...(answers === undefined ? {} : { answers }),
    deps: { setup, config },
  });
  expect(ran.status).toBe(2);
  expect([asked, set]).toEqual([[], []]);
});
