/**
 * The Claude CLI as a language model, with the real client against a scripted API: it answers, and it is no session.
 * No hook fires, nothing is remembered or read from memory, nothing is left running.
 */
import { afterAll, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultSettings, type LlmSettings, type Provider, type ProviderCall } from "#domain";
import { systemClock, systemRandom } from "#kit";
import { createProvider } from "#models";
import {
  startFakeAnthropic,
  type FakeAnthropic,
  type ScriptedTurn,
} from "../support/fake-anthropic.ts";
import { installClient } from "../support/real-client.ts";

const client = installClient();
const program = client.path ?? "";
const root = mkdtempSync(join(tmpdir(), "continuity-claude-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Access = "login" | "key" | "nothing";

interface Stage {
  readonly home: string;
  readonly api: FakeAnthropic;
  readonly provider: Provider;
  readonly hooksFired: () => string;
  /** Files below the client's folder of transcripts and memories. */
  readonly projectFiles: () => readonly string[];
}

const hookEvents = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "Stop",
  "SessionEnd",
];

/** A user with hooks, instructions and memories of their own, and one of two ways to pay. */
function stage(name: string, access: Access, turns: readonly ScriptedTurn[]): Stage {
  const home = join(root, name);
  const claude = join(home, ".claude");
  const continuity = join(home, ".continuity");
  const fired = join(home, "hooks.log");
  const hook = { type: "command", command: `echo fired >> '${fired}'` };
  // The client's memory of our working folder.
  const memory = join(
    claude,
    "projects",
    join(continuity, "model-cwd").replaceAll(/[^a-zA-Z0-9]/g, "-"),
    "memory",
  );
  mkdirSync(memory, { recursive: true });
  mkdirSync(join(continuity, "keys"), { recursive: true });
  writeFileSync(join(memory, "MEMORY.md"), "- CANARY of the client's memory\n");
  writeFileSync(join(claude, "CLAUDE.md"), "CANARY of the user\n");
  writeFileSync(join(continuity, "CLAUDE.md"), "CANARY above the working folder\n");
  writeFileSync(
    join(claude, "settings.json"),
    JSON.stringify({
      hooks: Object.fromEntries(hookEvents.map((event) => [event, [{ hooks: [hook] }]])),
      autoMemoryEnabled: true,
    }),
  );
  if (access === "login")
    writeFileSync(
      join(claude, ".credentials.json"),
      JSON.stringify({
        claudeAiOauth: {
          accessToken: "sk-ant-oat01-not-a-token",
          refreshToken: "sk-ant-ort01-not-a-token",
          expiresAt: 4_102_444_800_000,
          scopes: ["user:inference", "user:profile"],
          subscriptionType: "max",
        },
      }),
    );
  if (access === "key")
    writeFileSync(join(continuity, "keys", "claude-cli"), "not-a-key\n", { mode: 0o600 });
  const api = startFakeAnthropic({ script: { structured: turns } });
  const settings: LlmSettings = {
    ...defaultSettings.llm,
    provider: "claude-cli",
    claudeCli: { path: program, apiKeyEnv: "", baseUrl: api.url },
  };
  const made = createProvider(
    {
      home: continuity,
      // A project's key must not reach the client.
      env: {
        PATH: process.env["PATH"],
        HOME: home,
        ANTHROPIC_API_KEY: "of-a-project",
        LANG: "C.UTF-8",
      },
      clock: systemClock,
      random: systemRandom,
    },
    settings,
    "claude-cli",
  );
  if (!made.ok) throw new Error(made.error);
  const listing = (): readonly string[] =>
    readdirSync(join(claude, "projects"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name);
  return {
    home,
    api,
    provider: made.value,
    hooksFired: () => (existsSync(fired) ? readFileSync(fired, "utf8") : ""),
    projectFiles: listing,
  };
}

const call = (over: Partial<ProviderCall> = {}): ProviderCall => ({
  model: "claude-haiku-4-5-20251001",
  system: "You give one word.",
  prompt: "The data: quetzal.",
  schema: {
    type: "object",
    properties: { word: { type: "string" } },
    required: ["word"],
    additionalProperties: false,
  },
  replyTokensMax: 700,
  timeoutMs: 60_000,
  ...over,
});

const answer = (word: string): ScriptedTurn => ({
  tools: [{ name: "StructuredOutput", input: { word } }],
});

/** Processes that run the client or were started by a call of this home. Linux only; elsewhere none are seen. */
function processesOf(home: string): readonly string[] {
  if (!existsSync("/proc")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
        const isOurs = environment.includes(`HOME=${home}`);
        return isOurs ? readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ") : "";
      } catch {
        return ""; // Gone, or somebody else's.
      }
    })
    .filter((line) => line !== "");
}

test.skipIf(client.path === null).each<Access>(["login", "key"])(
  "with a %s: a structured reply, no hook, no file, no memory, one request",
  async (access) => {
    const t = stage(`ok-${access}`, access, [answer("hi")]);
    const before = t.projectFiles();
    const answered = await t.provider.call(call());
    await t.provider.close();
    await t.api.stop();

    expect(answered).toMatchObject({
      ok: true,
      value: {
        reply: { word: "hi" },
        usage: {
          model: "claude-haiku-4-5-20251001",
          inputTokens: 100,
          outputTokens: 20,
          costUsd: 0.0002,
        },
      },
    });
    expect(t.hooksFired()).toBe("");
    expect(t.projectFiles()).toEqual(before);
    expect(processesOf(t.home)).toEqual([]);
    expect(readdirSync(join(t.home, ".continuity", "model-cwd"))).toEqual([]);
    expect(t.api.requests).toHaveLength(1);
    const [request] = t.api.requests;
    expect(request?.text).toContain("The data: quetzal.");
    expect(request?.text).toContain("You give one word.");
    expect(request?.text).not.toContain("CANARY");
    expect(request?.body).toMatchObject({ max_tokens: 700 });
    expect(request?.body.tools?.map(({ name }) => name)).toEqual(["StructuredOutput"]);
    expect(JSON.stringify(request?.body)).not.toContain("cache_control");
  },
  60_000,
);

test.skipIf(client.path === null)(
  "a probe looks at the login, asks nobody and costs nothing",
  async () => {
    const loggedIn = stage("probe-login", "login", []);
    expect(await loggedIn.provider.probe()).toEqual({
      usable: true,
      isLoggedIn: true,
      reason: `${program}, logged in (claude.ai)`,
    });
    expect(loggedIn.api.requests).toEqual([]);
    expect(loggedIn.hooksFired()).toBe("");
    await loggedIn.api.stop();

    const stranger = stage("probe-nothing", "nothing", []);
    expect(await stranger.provider.probe()).toEqual({
      usable: false,
      reason: `${program} is not logged in; run it and type /login`,
    });
    expect(await stranger.provider.call(call())).toMatchObject({
      ok: false,
      error: { type: "llm.unauthorised" },
    });
    expect(stranger.api.requests).toEqual([]);
    await stranger.api.stop();
  },
  60_000,
);

test.skipIf(client.path === null).each([
  [401, { type: "llm.unauthorised" }],
  [403, { type: "llm.unauthorised" }],
  [429, { type: "llm.rate-limited" }],
  [500, { type: "llm.unavailable" }],
  [529, { type: "llm.unavailable" }],
] as const)(
  "%d is an error, at once and never an answer",
  async (status, error) => {
    const t = stage(
      `status-${status}`,
      "login",
      Array.from({ length: 5 }, () => ({ status })),
    );
    expect(await t.provider.call(call())).toMatchObject({ ok: false, error });
    await t.api.stop();
    // A login is renewed once, by the client itself.
    expect(t.api.requests.length).toBeLessThanOrEqual(status === 401 ? 2 : 1);
    expect(t.hooksFired()).toBe("");
  },
  60_000,
);

test.skipIf(client.path === null).each<readonly [string, readonly ScriptedTurn[]]>([
  ["prose", ["I would rather chat.", "Still chatting."]],
  [
    "an answer of the wrong shape",
    [1, 2, 3].map(() => ({ tools: [{ name: "StructuredOutput", input: { words: 1 } }] })),
  ],
])(
  "%s is unreadable, after two requests at most, and what they used is counted",
  async (name, turns) => {
    const t = stage(`unreadable-${name.length}`, "login", turns);
    const answered = await t.provider.call(call());
    await t.api.stop();
    expect(answered).toMatchObject({ ok: false, error: { type: "llm.unreadable" } });
    const asked = t.api.requests.length;
    expect(asked).toBeLessThanOrEqual(2);
    expect(answered.ok ? null : answered.error.usage).toMatchObject({ inputTokens: 100 * asked });
  },
  60_000,
);

test.skipIf(client.path === null)(
  "a call that hangs is over when its time is, with nothing left, and its prompt was never an argument",
  async () => {
    const t = stage("hang", "login", [{ delayMs: 30_000, text: "late" }, answer("next")]);
    const called = t.provider.call(call({ timeoutMs: 8_000 }));
    const queued = t.provider.call(call({ prompt: "Another." }));
    while (t.api.requests.length === 0) await Bun.sleep(20);
    const running = processesOf(t.home);
    if (existsSync("/proc")) expect(running).toHaveLength(1); // One at a time.
    expect(running.join()).not.toContain("quetzal");
    expect(await called).toEqual({ ok: false, error: { type: "llm.timeout", afterMs: 8_000 } });
    expect(await queued).toMatchObject({ ok: true, value: { reply: { word: "next" } } });
    expect(processesOf(t.home)).toEqual([]);
    expect(t.hooksFired()).toBe("");
    await t.api.stop();
  },
  60_000,
);

test.skipIf(client.path === null)(
  "closing ends a call that is under way, with nothing left",
  async () => {
    const t = stage("close", "login", [{ delayMs: 30_000, text: "late" }]);
    const called = t.provider.call(call());
    while (t.api.requests.length === 0) await Bun.sleep(20);
    await t.provider.close();
    expect(processesOf(t.home)).toEqual([]);
    expect(await called).toEqual({
      ok: false,
      error: { type: "llm.unavailable", detail: "stopped" },
    });
    await t.api.stop();
  },
  60_000,
);
