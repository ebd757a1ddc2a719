import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { defaultSettings } from "#domain";
import { describeConfigError, describeConfigWarning } from "./kinds.ts";
import { defaultOf, settingKeys } from "./keys.ts";
import { readSettings, type ReadSettings } from "./read.ts";
import { configReference } from "../../scripts/docs/config-reference.ts";

const path = "/home/me/.continuity/config.toml";
const read = (text: string | null, env: Readonly<Record<string, string>> = {}) =>
  readSettings({ path, env, readFile: (asked) => (asked === path ? text : "wrong = 1") });

function good(text: string | null, env: Readonly<Record<string, string>> = {}): ReadSettings {
  const result = read(text, env);
  if (!result.ok) throw new Error(describeConfigError(result.error));
  return result.value;
}

const fault = (text: string, env: Readonly<Record<string, string>> = {}): string => {
  const result = read(text, env);
  return result.ok ? "no error" : describeConfigError(result.error);
};

test("without a file everything is at its default", () => {
  const { settings, warnings, sources } = good(null);
  expect(settings).toEqual(defaultSettings);
  expect(warnings).toEqual([]);
  expect(new Set(sources.values())).toEqual(new Set(["default"]));
});

test("the file wins over the default and the environment over the file", () => {
  const text = `
[server]
port = 4000
idle_exit = "2h"
[inject]
prompt = "off"
eagerness = "high"
[privacy]
exclude = ["~/secret/**"]
redact = ['PROJ-\\d+']
[decay]
half_life_days = 30
`;
  const { settings, sources } = good(text, {
    CONTINUITY_PORT: "5000",
    CONTINUITY_AUTOSTART: "off",
  });
  expect(settings.server).toEqual({ port: 5_000, autostart: false, idleExitMinutes: 120 });
  expect(settings.inject).toEqual({ ...defaultSettings.inject, prompt: false, eagerness: "high" });
  expect(settings.privacy).toEqual({
    exclude: ["~/secret/**"],
    redact: [String.raw`PROJ-\d+`],
    allow: [],
  });
  expect(settings.decay.halfLifeDays).toBe(30);
  expect(settings.log).toEqual(defaultSettings.log);
  expect(sources.get("server.port")).toBe("CONTINUITY_PORT");
  expect(sources.get("inject.prompt")).toBe("file");
  expect(sources.get("log.level")).toBe("default");
});

test.each([
  ["CONTINUITY_IDLE_EXIT", "never", "server", { idleExitMinutes: null }],
  ["CONTINUITY_IDLE_EXIT", "45", "server", { idleExitMinutes: 45 }],
  ["CONTINUITY_IDLE_EXIT", "1h", "server", { idleExitMinutes: 60 }],
  ["CONTINUITY_INJECT_PROMPT_TOKENS", "300", "inject", { promptTokens: 300 }],
  ["CONTINUITY_INJECT_PROMPT", "on", "inject", { prompt: true }],
  ["CONTINUITY_CAPTURE_BORING", "Read, Glob", "capture", { boring: ["Read", "Glob"] }],
  ["CONTINUITY_CAPTURE_BORING", '["Read"]', "capture", { boring: ["Read"] }],
  ["CONTINUITY_LOG_LEVEL", "debug", "log", { level: "debug" }],
  ["CONTINUITY_PORT", "", "server", { port: 37_777 }],
] as const)("%s=%s", (variable, value, section, expected) => {
  expect(good(null, { [variable]: value }).settings[section]).toMatchObject(expected);
});

test.each([
  [
    '[server]\n\nport = "4000"',
    `${path}:3: server.port must be an integer from 0 to 65535, not "4000"`,
  ],
  [
    "[server]\nport = 70000",
    `${path}:2: server.port must be an integer from 0 to 65535, not 70000`,
  ],
  [
    "server = { port = [1] }",
    `${path}:1: server.port must be an integer from 0 to 65535, not a list`,
  ],
  ["# c\nserver.autostart = 1", `${path}:2: server.autostart must be true or false, not 1`],
  ["server = 3", `${path}:1: server must be a table, not 3`],
  ["[[server]]\nport = 1", `${path}:1: server must be a table, not a list`],
  [
    "[log]\nlevel = 2026-01-01",
    `${path}:2: log.level must be one of "debug", "info", "warn", "error", not a date`,
  ],
  [
    "[privacy]\nredact = ['(']",
    `${path}:2: privacy.redact must be a list of regular expressions, not a list`,
  ],
  [
    '[server]\nidle_exit = "soon"',
    `${path}:2: server.idle_exit must be a duration such as "30m" or "2h" (at least a minute), or "never", not "soon"`,
  ],
  ["[decay]\nfloor = nan", `${path}:2: decay.floor must be a number from 0 to 1, not NaN`],
])("a wrong value is an error that names file and line: %j", (text, message) => {
  expect(fault(text)).toBe(message);
});

test("tables within tables are read, in every way that TOML writes them", () => {
  for (const text of [
    '[llm]\nprovider = "ollama"\n[llm.session]\nmodel = "m"\n[llm.claude-cli]\npath = "/opt/claude"\n',
    'llm.provider = "ollama"\nllm.session.model = "m"\nllm.claude-cli.path = "/opt/claude"\n',
    'llm = { provider = "ollama", session.model = "m", claude-cli = { path = "/opt/claude" } }\n',
  ]) {
    const { settings, warnings, sources } = good(text, { CONTINUITY_LLM_MODEL: "big" });
    expect(warnings).toEqual([]);
    expect(settings.llm).toEqual({
      ...defaultSettings.llm,
      provider: "ollama",
      session: { model: "m" },
      model: "big",
      claudeCli: { ...defaultSettings.llm.claudeCli, path: "/opt/claude" },
    });
    expect(sources.get("llm.session.model")).toBe("file");
    expect(sources.get("llm.model")).toBe("CONTINUITY_LLM_MODEL");
  }
});

test.each([
  ["[llm]\nsession = 3", `${path}:2: llm.session must be a table, not 3`],
  [
    '[llm]\nprovider = "openai"',
    `${path}:2: llm.provider must be one of "none", "auto", "claude-cli", "codex-cli", "gemini-cli", "opencode-cli", ` +
      `"copilot-cli", "anthropic", "ollama", "gemini", "openrouter", not "openai"`,
  ],
  [
    '[llm.gemini]\nbase_url = "gemini"',
    `${path}:2: llm.gemini.base_url must be an address that begins with http:// or https://, or an empty string, ` +
      `not "gemini"`,
  ],
  [
    '[llm.anthropic]\napi_key_env = "sk-ant-api03-abc"',
    `${path}:2: llm.anthropic.api_key_env must be the name of an environment variable, or an empty string, not ` +
      "something else",
  ],
])(
  "a wrong value in a table within a table is an error that repeats no key: %j",
  (text, message) => {
    expect(fault(text)).toBe(message);
  },
);

test("unknown keys and tables within a table warn with the nearest name", () => {
  const { warnings } = good(
    '[llm]\nprovidr = "auto"\n[llm.sesion]\nmodel = "m"\n[llm.session]\nmodle = "m"\n[llm.wholly-other]\nx = 1\n',
  );
  expect(warnings.map(describeConfigWarning)).toEqual([
    `${path}:2: unknown key llm.providr is ignored; did you mean llm.provider?`,
    `${path}:3: unknown key llm.sesion is ignored; did you mean llm.session?`,
    `${path}:6: unknown key llm.session.modle is ignored; did you mean llm.session.model?`,
    `${path}:7: unknown key llm.wholly-other is ignored`,
  ]);
});

test("the environment, which a project can shape, does not say where a key is sent or what is run", () => {
  const env = Object.fromEntries(
    ["BASE_URL", "API_KEY_ENV", "PATH", "ENDPOINT"].flatMap((key) =>
      ["ANTHROPIC", "GEMINI", "OPENROUTER", "OLLAMA", "CLAUDE_CLI"].map((table) => [
        `CONTINUITY_LLM_${table}_${key}`,
        "http://evil.example",
      ]),
    ),
  );
  expect(good(null, env).settings).toEqual(defaultSettings);
});

test("a wrong variable is an error that names it", () => {
  expect(fault("", { CONTINUITY_PORT: "many" })).toBe(
    'CONTINUITY_PORT: server.port must be an integer from 0 to 65535, not "many"',
  );
});

test("a file that is no TOML is an error that names line and column", () => {
  const result = read('[server]\nport = \n[log]\nlevel = "info"\n');
  expect(result.ok).toBe(false);
  if (result.ok || result.error.type !== "config.syntax")
    throw new Error("a syntax error is expected");
  expect([result.error.line, result.error.column]).toEqual([2, 8]);
  expect(describeConfigError(result.error)).toStartWith(`${path}:2:8: `);
});

test("unknown keys warn with the nearest name and change nothing", () => {
  const text =
    `[server]\nprot = 4000\n[injekt]\nprompt = "off"\n[log]\nlvl = "debug"\nidle_exit = ` +
    `"1h"\nwholly_different = 1\n`;
  const { settings, warnings } = good(text, {
    CONTINUITY_PROT: "1",
    CONTINUITY_HOME: "/x",
    OTHER: "1",
  });
  expect(settings).toEqual(defaultSettings);
  expect(warnings.map(describeConfigWarning)).toEqual([
    `${path}:2: unknown key server.prot is ignored; did you mean server.port?`,
    `${path}:3: unknown key injekt is ignored; did you mean inject?`,
    `${path}:6: unknown key log.lvl is ignored`,
    `${path}:7: unknown key log.idle_exit is ignored; did you mean server.idle_exit?`,
    `${path}:8: unknown key log.wholly_different is ignored`,
    "environment: unknown key CONTINUITY_PROT is ignored; did you mean CONTINUITY_PORT?",
  ]);
});

test("names of JavaScript's own do no harm", () => {
  const { settings } = good('[__proto__]\nport = 1\n[server]\nconstructor = 1\n"__proto__" = 2\n');
  expect(settings).toEqual(defaultSettings);
  expect(({} as { port?: number }).port).toBeUndefined();
});

test("a byte order mark and Windows line ends are read", () => {
  expect(good("\ufeff[server]\r\nport = 4000\r\n").settings.server.port).toBe(4_000);
});

test("every setting has its key, and every key its default", () => {
  const isTable = (value: unknown): value is object =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  const countOf = (value: object): number =>
    Object.values(value).reduce((sum, field) => sum + (isTable(field) ? countOf(field) : 1), 0);
  expect(settingKeys.length).toBe(countOf(defaultSettings));
  expect(new Set(settingKeys.map((key) => key.name)).size).toBe(settingKeys.length);
  for (const key of settingKeys) {
    const { settings } = good(`[${key.section}]\n${key.key} = ${defaultOf(key)}\n`);
    expect(settings).toEqual(defaultSettings);
  }
});

test("reading never throws, whatever the file holds", () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "[server]",
      "[[a]]",
      "port = 1",
      'a = """',
      "b = [",
      "x = {y=1",
      "# c",
      "server.port = 2",
      "''' = 1",
    ),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
      read(lines.join("\n"));
    }),
    { numRuns: 500 },
  );
});

test("the reference lists each key with default, type, effect and variable", () => {
  const reference = configReference();
  for (const key of settingKeys) {
    expect(reference).toContain(`| \`${key.key}\` | \`${defaultOf(key)}\` |`);
    if (key.variable !== null) expect(reference).toContain(`\`${key.variable}\``);
    expect(key.effect).toEndWith(".");
  }
  expect(reference).toContain("`CONTINUITY_IDLE_EXIT`");
  expect(reference).toContain("`CONTINUITY_INJECT_START_TOKENS`");
  expect(reference).toEndWith("\n");
});
