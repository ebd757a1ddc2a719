import { expect, test } from "bun:test";
import { hookEntryFor, registeredEvents } from "#clients";
import { diagnose, type HookRun, selfTest, type SelfTestPorts } from "./diagnose.ts";
import type { Check } from "#domain";
import type { Facts } from "./facts.ts";
import type { InstalledHook, InstallPlace } from "./facts-install.ts";

const nowMs = 1_800_000_000_000;
const binary = "/opt/continuity";

const hookFor = (event: string): InstalledHook => {
  const { command, args, timeout } = hookEntryFor(event, binary);
  return { event, command, args, timeout };
};
const user: InstallPlace = {
  kind: "user",
  isOfProject: false,
  path: "/home/n/.claude/settings.json",
  hooks: registeredEvents.map(hookFor),
  problem: null,
};
const fired = new Map([
  ["start", 1],
  ["submit", 2],
  ["stop", 2],
  ["end", 1],
]);

/** A machine on which everything is well. */
const well: Facts = {
  nowMs,
  version: "1.2.3",
  install: {
    places: [user],
    programs: [
      { path: binary, isTrusted: true, exists: true, isExecutable: true, version: "1.2.3" },
    ],
    switches: [],
    isOffHere: false,
    hasServer: true,
    client: { path: "/usr/bin/claude", version: "2.1.328" },
  },
  home: {
    root: "/home/n/.continuity",
    unwritable: null,
    loose: [],
    freeBytes: 5e10,
    network: null,
    spool: { files: 0, oldestMs: null, aside: 0 },
    lost: null,
    config: [],
    isPaused: false,
  },
  daemon: {
    state: "running",
    pid: 7,
    version: "1.2.3",
    answeredMs: 1,
    port: 37_777,
    wantedPort: 37_777,
    isPortTaken: false,
  },
  store: {
    state: "open",
    problem: "",
    next: "",
    bytes: 1e6,
    hooks: ["start", "submit", "stop", "end"].map((hook) => ({
      hook,
      lastMs: nowMs - 1_000,
      latenciesMs: [9, 7, 5],
    })),
    lastSession: { isEnded: true, fired },
    embedder: { id: "words (256 dimensions)", isEmbedded: true, problem: null },
  },
  model: {
    provider: "none",
    isUsable: true,
    reason: "the default",
    tokensToday: 0,
    tokensPerDay: 9,
    failure: null,
    fault: null,
  },
};

const checksOf = (facts: Facts): readonly Check[] => diagnose(facts);

/** The machine with one part changed. */
const but = <Part extends "install" | "home" | "daemon" | "store" | "model">(
  part: Part,
  change: Partial<Facts[Part]>,
): Facts => ({ ...well, [part]: { ...well[part], ...change } });

test("where all is well nothing is red or yellow, and every hook tells its latency", () => {
  const checks = diagnose(well);
  expect(checks.filter(({ state }) => state === "failed" || state === "warning")).toEqual([]);
  expect(checks.find(({ id }) => id === "hook-submit")?.detail).toContain("takes 7 ms");
});

test("ids are stable and each stands once", () => {
  expect(checksOf(well).map(({ id }) => id)).toEqual([
    "binary",
    "settings",
    "installs",
    "hooks-enabled",
    "mcp",
    "client",
    "hook-start",
    "hook-submit",
    "hook-tool",
    "hook-stop",
    "hook-subagent",
    "hook-compact",
    "hook-end",
    "home",
    "permissions",
    "disk",
    "filesystem",
    "clock",
    "config",
    "spool",
    "daemon",
    "port",
    "database",
    "embedder",
    "model",
    "budget",
  ]);
});

const program = (change: object) => ({
  programs: [
    {
      path: binary,
      isTrusted: true,
      exists: true,
      isExecutable: true,
      version: "1.2.3",
      ...change,
    },
  ],
});
const edited = (hooks: readonly InstalledHook[]) => ({ places: [{ ...user, hooks }] });
const [firstHook = hookFor("Stop"), ...otherHooks] = user.hooks;

test.each<{
  readonly name: string;
  readonly facts: Facts;
  readonly id: string;
  readonly state?: Check["state"];
  readonly fix: RegExp;
  readonly remedy?: string;
}>([
  {
    name: "the binary was moved",
    facts: but("install", program({ exists: false })),
    id: "binary",
    fix: /continuity install/,
    remedy: "install",
  },
  {
    name: "the binary may not be run",
    facts: but("install", program({ isExecutable: false })),
    id: "binary",
    fix: /chmod \+x/,
    remedy: "modes",
  },
  {
    name: "the binary is damaged",
    facts: but("install", program({ version: null })),
    id: "binary",
    fix: /reinstall continuity/,
  },
  {
    name: "the binary is another version",
    facts: but("install", program({ version: "1.0.0" })),
    id: "binary",
    state: "warning",
    fix: /continuity install/,
    remedy: "install",
  },
  {
    name: "a hook is missing",
    facts: but("install", edited(otherHooks)),
    id: "settings",
    fix: /continuity install/,
    remedy: "install",
  },
  {
    name: "a hook was changed",
    facts: but("install", edited([{ ...firstHook, args: ["hook", "stop"] }, ...otherHooks])),
    id: "settings",
    fix: /continuity install/,
    remedy: "install",
  },
  {
    name: "a timeout was shortened",
    facts: but("install", edited([{ ...firstHook, timeout: 1 }, ...otherHooks])),
    id: "settings",
    fix: /continuity install/,
  },
  {
    name: "a hook stands twice",
    facts: but("install", edited([...user.hooks, firstHook])),
    id: "settings",
    fix: /continuity install/,
  },
  {
    name: "nothing is installed",
    facts: but("install", edited([])),
    id: "settings",
    fix: /continuity install/,
  },
  {
    name: "the settings are broken",
    facts: but("install", {
      places: [{ ...user, hooks: [], problem: "line 3, column 1: unexpected end" }],
    }),
    id: "settings",
    fix: /correct that place/,
  },
  {
    name: "two installs",
    facts: but("install", {
      places: [user, { ...user, kind: "project", path: "/w/.claude/settings.json" }],
    }),
    id: "installs",
    state: "warning",
    fix: /uninstall --project/,
  },
  {
    name: "plugin and settings",
    facts: but("install", { places: [user, { ...user, kind: "plugin" }] }),
    id: "installs",
    state: "warning",
    fix: /claude plugin uninstall/,
  },
  {
    name: "hooks are disabled",
    facts: but("install", { switches: [{ name: "disableAllHooks", path: "/s.json" }] }),
    id: "hooks-enabled",
    fix: /take "disableAllHooks" out/,
  },
  {
    name: "this shell is switched off",
    facts: but("install", { isOffHere: true }),
    id: "hooks-enabled",
    state: "warning",
    fix: /unset CONTINUITY_OFF/,
  },
  {
    name: "capture is paused",
    facts: but("home", { isPaused: true }),
    id: "hooks-enabled",
    state: "warning",
    fix: /continuity pause --off/,
  },
  {
    name: "the server is not known",
    facts: but("install", { hasServer: false }),
    id: "mcp",
    state: "warning",
    fix: /continuity install/,
  },
  {
    name: "the client is old",
    facts: but("install", { client: { path: "/c", version: "2.1.9" } }),
    id: "client",
    fix: /claude update/,
  },
  {
    name: "there is no client",
    facts: but("install", { client: null }),
    id: "client",
    state: "warning",
    fix: /PATH/,
  },
  {
    name: "the home cannot be written",
    facts: but("home", { unwritable: "EROFS" }),
    id: "home",
    fix: /CONTINUITY_HOME/,
  },
  {
    name: "others can read the database",
    facts: but("home", { loose: [{ path: "/h/continuity.db", mode: 0o100644, isOwn: true }] }),
    id: "permissions",
    fix: /chmod 600/,
    remedy: "modes",
  },
  {
    name: "others can look into a folder",
    facts: but("home", { loose: [{ path: "/h/spool", mode: 0o040755, isOwn: true }] }),
    id: "permissions",
    fix: /chmod 700/,
    remedy: "modes",
  },
  {
    name: "a file belongs to root",
    facts: but("home", { loose: [{ path: "/h/continuity.db", mode: 0o100600, isOwn: false }] }),
    id: "permissions",
    fix: /chown/,
  },
  {
    name: "the disk is full",
    facts: but("home", { freeBytes: 1e6 }),
    id: "disk",
    fix: /free some disk space/,
  },
  {
    name: "the disk is nearly full",
    facts: but("home", { freeBytes: 1e8 }),
    id: "disk",
    state: "warning",
    fix: /free some disk space/,
  },
  {
    name: "the home lies on a network",
    facts: but("home", { network: "nfs" }),
    id: "filesystem",
    fix: /local folder/,
  },
  {
    name: "the clock was set back",
    facts: but("store", {
      hooks: [{ hook: "start", lastMs: nowMs + 86_400_000, latenciesMs: [] }],
    }),
    id: "clock",
    state: "warning",
    fix: /timedatectl/,
  },
  {
    name: "the clock starts at 1970",
    facts: { ...but("store", { hooks: [], lastSession: null }), nowMs: 1_000 },
    id: "clock",
    fix: /timedatectl/,
  },
  {
    name: "config.toml is broken",
    facts: but("home", { config: ["config.toml:2: nonsense"] }),
    id: "config",
    fix: /config edit/,
  },
  {
    name: "the spool is stuck",
    facts: but("home", { spool: { files: 4, oldestMs: nowMs - 600_000, aside: 0 } }),
    id: "spool",
    fix: /continuity flush/,
    remedy: "flush",
  },
  {
    name: "events were set aside",
    facts: but("home", { spool: { files: 0, oldestMs: null, aside: 2 } }),
    id: "spool",
    state: "warning",
    fix: /continuity status --log/,
  },
  {
    name: "events were lost",
    facts: but("home", { lost: "2 prompts were lost at 2026-11-22T22:05Z: the disk was full" }),
    id: "lost-events",
    state: "warning",
    fix: /free some disk space and repeat what should be remembered/,
    remedy: "clear-lost",
  },
  {
    name: "the home's disk is full",
    facts: but("home", { unwritable: "ENOSPC: no space left on device, write" }),
    id: "home",
    fix: /^free some disk space$/,
  },
  {
    name: "the daemon hangs",
    facts: but("daemon", { state: "hung" }),
    id: "daemon",
    fix: /doctor --fix/,
    remedy: "stop-daemon",
  },
  {
    name: "the socket is somebody else's",
    facts: but("daemon", { state: "foreign" }),
    id: "daemon",
    fix: /daemon\.sock/,
  },
  {
    name: "the daemon is another version",
    facts: but("daemon", { version: "9.0.0" }),
    id: "daemon",
    state: "warning",
    fix: /newer program/,
  },
  {
    name: "the port is taken",
    facts: but("daemon", { isPortTaken: true, port: 37_778 }),
    id: "port",
    state: "warning",
    fix: /server\.port/,
  },
  {
    name: "no port is free",
    facts: but("daemon", { port: null }),
    id: "port",
    fix: /server\.port/,
  },
  {
    name: "the database is corrupt",
    facts: but("store", {
      state: "unusable",
      problem: "it is corrupt",
      next: "put a snapshot in its place",
    }),
    id: "database",
    fix: /snapshot/,
  },
  {
    name: "the embedder's server is away",
    facts: but("store", { embedder: { id: "ollama/x", isEmbedded: false, problem: "no answer" } }),
    id: "embedder",
    fix: /embedder\.provider/,
  },
  {
    name: "the embedded model is damaged",
    facts: but("store", { embedder: { id: "words", isEmbedded: true, problem: "cut off" } }),
    id: "embedder",
    fix: /reinstall continuity/,
  },
  {
    name: "the model is logged out",
    facts: but("model", {
      provider: "claude-cli",
      isUsable: false,
      reason: "/usr/bin/claude is not logged in",
    }),
    id: "model",
    fix: /claude auth login/,
  },
  {
    name: "a key is missing",
    facts: but("model", { provider: "gemini", isUsable: false, reason: "there is no key" }),
    id: "model",
    fix: /key/,
  },
  {
    name: "the model does not exist",
    facts: but("model", {
      provider: "openrouter",
      reason: "https://openrouter.ai accepts the key",
      failure: { atMs: nowMs, model: "nope-99", outcome: "llm.refused" },
    }),
    id: "model",
    state: "warning",
    fix: /llm\.model/,
  },
  {
    name: "the model answers no session",
    facts: but("model", {
      provider: "claude-cli",
      reason: "logged in",
      fault: {
        what: "claude-cli has reached its rate limit",
        next: "see `continuity status --jobs`",
      },
    }),
    id: "model",
    state: "warning",
    fix: /continuity status --jobs/,
  },
  {
    name: "the budget is spent",
    facts: but("model", { provider: "ollama", tokensToday: 9 }),
    id: "budget",
    state: "warning",
    fix: /tokens_per_day/,
  },
  {
    name: "a hook did not fire",
    facts: but("store", {
      lastSession: {
        isEnded: true,
        fired: new Map([
          ["start", 1],
          ["submit", 1],
        ]),
      },
    }),
    id: "hook-stop",
    fix: /restart Claude Code/,
  },
  {
    name: "hooks are slow",
    facts: but("store", {
      hooks: [{ hook: "submit", lastMs: nowMs, latenciesMs: [900] }],
    }),
    id: "hook-submit",
    state: "warning",
    fix: /status --log/,
  },
  {
    name: "no session was seen yet",
    facts: but("store", { hooks: [], lastSession: null }),
    id: "hook-start",
    state: "warning",
    fix: /start a new session/,
  },
])(
  "when $name, that link is named with its fix",
  ({ facts, id, state = "failed", fix, remedy }) => {
    const checks = diagnose(facts);
    const check = checks.find((one) => one.id === id);
    expect(check).toMatchObject({ id, state });
    expect(check?.fix).toMatch(fix);
    expect(checks.some((one) => one.state === "failed")).toBe(state === "failed");
    if (remedy !== undefined) expect(check?.remedy?.type).toBe(remedy as "install");
  },
);

test("a program that only a project names is not run, and said", () => {
  const facts = but("install", program({ isTrusted: false, version: null }));
  expect(checksOf(facts)[0]).toMatchObject({ id: "binary", state: "warning", remedy: null });
});

test("beside a project's or a plugin's hooks, --fix puts none into the user's settings", () => {
  for (const kind of ["project", "local", "plugin"] as const) {
    const facts = but("install", {
      places: [{ ...user, kind, isOfProject: kind !== "plugin", hooks: otherHooks }],
      ...program({ exists: false }),
      hasServer: false,
    });
    expect(checksOf(facts).map(({ remedy }) => remedy?.type)).not.toContain("install");
  }
});

test("every loose file is in one remedy, with the mode of its kind", () => {
  const loose = [
    { path: "/h", mode: 0o040755, isOwn: true },
    { path: "/h/token", mode: 0o100644, isOwn: true },
  ];
  const check = checksOf(but("home", { loose })).find(({ id }) => id === "permissions");
  expect(check?.remedy).toEqual({
    type: "modes",
    changes: [
      { path: "/h", mode: 0o700 },
      { path: "/h/token", mode: 0o600 },
    ],
  });
  expect(check?.detail).toContain("and 1 more");
});

test("a longer timeout and an option behind the hook's name are the user's choice", () => {
  const hooks = user.hooks.map((hook) => ({
    ...hook,
    timeout: 30,
    args: [...(hook.args ?? []), "--x"],
  }));
  expect(checksOf(but("install", edited(hooks))).find(({ id }) => id === "settings")?.state).toBe(
    "ok",
  );
});

test("a session in its first turn owes no Stop yet, and none owes a tool or a compaction", () => {
  const lastSession = {
    isEnded: false,
    fired: new Map([
      ["start", 1],
      ["submit", 1],
    ]),
  };
  const states = checksOf(but("store", { lastSession }))
    .filter(({ id }) => id.startsWith("hook-"))
    .map(({ state }) => state);
  expect(states).not.toContain("failed");
});

/** Ports over hooks that are as good as told. */
function ports(
  over: Partial<SelfTestPorts> & {
    readonly reply?: (event: string, payload: string) => Partial<HookRun>;
  } = {},
) {
  const ran: string[] = [];
  const good: HookRun = { status: 0, out: "", err: "", ms: 5 };
  const all: SelfTestPorts = {
    folder: "/tmp/x",
    settle: async () => true,
    run: async ({ event }, payload) => {
      ran.push(event);
      return { ...good, ...over.reply?.(event, payload) };
    },
    ...over,
  };
  return { ran, all };
}
const tells = (event: string, payload: string): Partial<HookRun> =>
  event === "SessionStart" && payload.includes("doctor-b") ? { out: '{"a":"quillfeather"}' } : {};

test("the self-test drives each registered event once, then the start of a second session", async () => {
  const { ran, all } = ports({ reply: tells });
  const tested = await selfTest(all, user.hooks);
  expect(tested.state).toBe("ok");
  expect(ran.toSorted()).toEqual([...registeredEvents, "SessionStart"].toSorted());
});

test.each([
  {
    name: "ends with a status",
    reply: () => ({ status: 2, err: "no such file" }),
    says: "status 2: no such file",
  },
  { name: "hangs", reply: () => ({ status: null }), says: "timeout" },
  { name: "prints prose", reply: () => ({ out: "hello" }), says: "did not print JSON: hello" },
  { name: "forgets", reply: () => ({}), says: "did not reach the next" },
])("a hook that $name fails the self-test", async ({ reply, says }) => {
  const check = await selfTest(ports({ reply }).all, user.hooks);
  expect(check).toMatchObject({ state: "failed" });
  expect(check.detail).toContain(says);
});

test("a daemon that takes nothing in fails it; without hooks there is nothing to drive", async () => {
  const stuck = await selfTest(ports({ settle: async () => false }).all, user.hooks);
  expect(stuck.detail).toContain("did not process");
  expect((await selfTest(ports().all, [])).state).toBe("skipped");
});
