import { expect, test } from "bun:test";
import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stoppedClock, systemRandom } from "#kit";
import {
  claudeResult,
  hanging,
  isAlive,
  makeFakeClaude,
  printing,
  printingError,
} from "../../../test/support/fake-claude.ts";
import { createClaudeCli, type ClaudeCliOptions } from "./claude-cli.ts";
import { noonMs, tempHome, wordRequest } from "../../../test/support/models/llm.ts";

const ok = printing(claudeResult({ structured_output: { word: "hi" } }));

function open(
  home: string,
  scripts: readonly string[],
  over: Partial<ClaudeCliOptions> & { readonly env?: Readonly<Record<string, string>> } = {},
) {
  const fake = makeFakeClaude(join(home, "bin"), scripts);
  const { env = {}, ...options } = over;
  const provider = createClaudeCli(
    {
      home,
      env: { PATH: process.env["PATH"], HOME: home, ...env },
      clock: stoppedClock(noonMs),
      random: systemRandom,
    },
    { path: fake.program, key: null, baseUrl: null, ...options },
  );
  return { fake, provider };
}

const { system, schema } = wordRequest();
const call = (over: Partial<Parameters<ReturnType<typeof open>["provider"]["call"]>[0]> = {}) => ({
  model: "small",
  system,
  prompt: "The data: quetzal.",
  schema,
  replyTokensMax: 700,
  timeoutMs: 5_000,
  ...over,
});

test("the prompt goes in on stdin; the arguments are the contract's, for a login", async () => {
  using home = tempHome();
  const { fake, provider } = open(home.path, [ok]);
  expect(await provider.call(call())).toMatchObject({ ok: true, value: { reply: { word: "hi" } } });
  const [seen] = fake.calls();
  expect(seen?.input).toBe("The data: quetzal.");
  expect(seen?.args).toEqual([
    "-p",
    "--disable-slash-commands",
    "--model",
    "small",
    "--tools",
    "",
    "--no-session-persistence",
    "--setting-sources",
    "",
    "--strict-mcp-config",
    "--system-prompt",
    system,
    "--settings",
    '{"disableAllHooks":true,"autoMemoryEnabled":false}',
    "--output-format",
    "json",
    "--json-schema",
    JSON.stringify(schema),
  ]);
});

test("with a key of its own the client runs bare, and only then does it see one", async () => {
  using home = tempHome();
  const { fake, provider } = open(home.path, [ok], {
    key: "the-key",
    baseUrl: "http://127.0.0.1:1",
    env: { ANTHROPIC_API_KEY: "of-a-project" },
  });
  await provider.call(call());
  const [seen] = fake.calls();
  expect(seen?.args.slice(0, 2)).toEqual(["-p", "--bare"]);
  expect(seen?.env).toMatchObject({
    ANTHROPIC_API_KEY: "the-key",
    ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
  });
});

test("the environment comes from a list: no key, no session of the caller, our hooks off", async () => {
  using home = tempHome();
  const { fake, provider } = open(home.path, [ok], {
    env: {
      LANG: "C.UTF-8",
      LC_ALL: "C",
      ANTHROPIC_API_KEY: "k",
      ANTHROPIC_BASE_URL: "http://evil.example",
      AWS_SECRET_ACCESS_KEY: "k",
      CLAUDECODE: "1",
      CLAUDE_CODE_SESSION_ID: "s",
      CONTINUITY_LLM_PROVIDER: "auto",
      NODE_OPTIONS: "--require ./evil.js",
    },
  });
  await provider.call(call());
  const { PWD: _pwd, OLDPWD: _old, SHLVL: _level, _: _self, ...env } = fake.calls()[0]?.env ?? {};
  expect(Object.keys(env).toSorted()).toEqual([
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
    "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
    "CLAUDE_CODE_MAX_RETRIES",
    "CONTINUITY_CALL",
    "CONTINUITY_INTERNAL",
    "DISABLE_AUTOUPDATER",
    "DISABLE_ERROR_REPORTING",
    "DISABLE_PROMPT_CACHING",
    "DISABLE_TELEMETRY",
    "HOME",
    "LANG",
    "LC_ALL",
    "MAX_STRUCTURED_OUTPUT_RETRIES",
    "MAX_THINKING_TOKENS",
    "PATH",
  ]);
  expect(env).toMatchObject({ CONTINUITY_INTERNAL: "1", CLAUDE_CODE_MAX_OUTPUT_TOKENS: "700" });
});

test("it works in an empty folder of ours, private and emptied before each call", async () => {
  using home = tempHome();
  const { fake, provider } = open(home.path, ["echo left > CLAUDE.md\n" + ok, ok]);
  await provider.call(call());
  await provider.call(call());
  const cwd = join(home.path, "model-cwd");
  expect(fake.calls().map((seen) => [seen.cwd, seen.inFolder])).toEqual([
    [cwd, ""],
    [cwd, ""],
  ]);
  expect(statSync(cwd).mode & 0o777).toBe(0o700);
});

test("a link in the place of that folder is not followed, and nothing is deleted behind it", async () => {
  using home = tempHome();
  const precious = join(home.path, "precious");
  mkdirSync(precious);
  writeFileSync(join(precious, "file"), "");
  symlinkSync(precious, join(home.path, "model-cwd"));
  const { fake, provider } = open(home.path, [ok]);
  expect(await provider.call(call())).toMatchObject({ error: { type: "llm.unavailable" } });
  expect(existsSync(join(precious, "file"))).toBe(true);
  expect(fake.calls()).toEqual([]);
});

test("one process at a time, for all callers", async () => {
  using home = tempHome();
  const script = `
[ -e "$dir/busy" ] && echo x >> "$dir/overlaps"
touch "$dir/busy"; sleep 0.05; rm "$dir/busy"
${ok}`;
  const { fake, provider } = open(home.path, [script]);
  const answers = await Promise.all(
    [call(), call(), call()].map(async (one) => provider.call(one)),
  );
  expect(answers.every((one) => one.ok)).toBe(true);
  expect(fake.calls()).toHaveLength(3);
  expect(existsSync(join(home.path, "bin", "overlaps"))).toBe(false);
});

test.skipIf(process.platform !== "linux")(
  "after a timeout nothing is left: no child in a group of its own, no orphan",
  async () => {
    using home = tempHome();
    const { fake, provider } = open(home.path, [hanging]);
    expect(await provider.call(call({ timeoutMs: 1_500 }))).toEqual({
      ok: false,
      error: { type: "llm.timeout", afterMs: 1_500 },
    });
    expect(fake.pids()).toHaveLength(4);
    expect(fake.pids().filter(isAlive)).toEqual([]);
  },
);

test.skipIf(process.platform !== "linux")(
  "an answer does not wait for a child that holds the pipe, and the child does not outlive it",
  async () => {
    using home = tempHome();
    const { fake, provider } = open(home.path, [
      `setsid sleep 300 & echo $! >> "$dir/pids"\n${ok}`,
    ]);
    const started = performance.now();
    expect(await provider.call(call())).toMatchObject({ ok: true });
    expect(performance.now() - started).toBeLessThan(3_000);
    expect(fake.pids().filter(isAlive)).toEqual([]);
  },
);

test.skipIf(process.platform !== "linux")(
  "a call that a killed daemon left behind is ended before the next one",
  async () => {
    using home = tempHome();
    const { fake, provider } = open(home.path, [hanging, ok]);
    const module = join(import.meta.dir, "claude-cli.ts");
    const code = `
      const { createClaudeCli } = await import(${JSON.stringify(module)});
      const deps = { home: ${JSON.stringify(home.path)}, env: process.env, clock: { nowMs: () => 0 }, random: { hex: (n) => "0".repeat(n) } };
      const options = { path: ${JSON.stringify(fake.program)}, key: null, baseUrl: null };
      await createClaudeCli(deps, options).call(${JSON.stringify(call({ timeoutMs: 60_000 }))});`;
    const daemon = Bun.spawn([process.execPath, "-e", code], {
      cwd: join(import.meta.dir, "..", "..", ".."),
      stdio: ["ignore", "ignore", "inherit"],
    });
    while (fake.pids().length < 4) await Bun.sleep(10);
    daemon.kill("SIGKILL");
    await daemon.exited;
    expect(fake.pids().filter(isAlive)).toHaveLength(4);
    expect(await provider.call(call())).toMatchObject({ ok: true });
    expect(fake.pids().filter(isAlive)).toEqual([]);
  },
  20_000,
);

test("a prompt larger than a pipe arrives whole, and one that is not read does no harm", async () => {
  using home = tempHome();
  const prompt = "é".repeat(300_000);
  const { fake, provider } = open(home.path, [ok]);
  expect(await provider.call(call({ prompt }))).toMatchObject({ ok: true });
  expect(fake.calls()[0]?.input.length).toBe(prompt.length);
  const deaf = join(home.path, "deaf");
  writeFileSync(deaf, "#!/bin/sh\nexec <&-\necho 'Invalid API key' >&2\nexit 1\n", { mode: 0o755 });
  const other = open(home.path, [ok], { path: deaf });
  expect(await other.provider.call(call({ prompt }))).toMatchObject({
    error: { type: "llm.unauthorised" },
  });
});

test.each([
  ["does not exist", "/no/such/claude"],
  ["is relative", "bin/claude"],
])("a configured program that %s is said to be the reason", async (_, path) => {
  using home = tempHome();
  const { provider } = open(home.path, [ok], { path });
  expect(await provider.call(call())).toMatchObject({
    ok: false,
    error: {
      type: "llm.none",
      detail: `llm.claude-cli.path: ${path} is no program that only you may change`,
    },
  });
});

test("a program that cannot be started is unavailable", async () => {
  using home = tempHome();
  const broken = join(home.path, "broken");
  writeFileSync(broken, "#!/no/such/interpreter\n", { mode: 0o755 });
  const { provider } = open(home.path, [ok], { path: broken });
  expect(await provider.call(call())).toMatchObject({ error: { type: "llm.unavailable" } });
});

test.each([
  [
    "a login",
    printing('{"loggedIn": true, "authMethod": "claude.ai"}'),
    true,
    "logged in (claude.ai)",
  ],
  ["no login", printing('{"loggedIn": false, "authMethod": "none"}', 1), false, "/login"],
  [
    "a client that has no such command",
    printingError("error: unknown command", 1),
    true,
    "not known",
  ],
])("a probe sees %s", async (_, script, usable, words) => {
  using home = tempHome();
  const { fake, provider } = open(home.path, [script]);
  const probed = await provider.probe();
  expect(probed.usable).toBe(usable);
  expect(probed.reason).toContain(words);
  expect(fake.calls().map(({ args }) => args)).toEqual([["auth", "status"]]);
});

test("a probe with a key starts nothing", async () => {
  using home = tempHome();
  const { fake, provider } = open(home.path, [ok], { key: "k" });
  expect(await provider.probe()).toMatchObject({ usable: true });
  expect(fake.calls()).toEqual([]);
});

test("a closed provider starts nothing more", async () => {
  using home = tempHome();
  const { fake, provider } = open(home.path, [ok]);
  await provider.close();
  expect(await provider.call(call())).toEqual({
    ok: false,
    error: { type: "llm.unavailable", detail: "stopped" },
  });
  expect(fake.calls()).toEqual([]);
});
