import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { defaultSettings } from "#domain";
import { getSetting, setSetting } from "./edit.ts";
import { describeConfigError } from "./kinds.ts";
import { settingKeys } from "./keys.ts";
import { readSettings } from "./read.ts";

function set(text: string, key: string, value: string): string {
  const result = setSetting(text, key, value);
  return result.ok ? result.value : describeConfigError(result.error);
}

test.each([
  ["", "server.port", "4000", "[server]\nport = 4000\n"],
  ["# mine\n", "server.port", "4000", "# mine\n\n[server]\nport = 4000\n"],
  ["[server]\nport = 1 # old\n", "server.port", "2", "[server]\nport = 2 # old\n"],
  ["[server]\n  port   =   1\n", "server.port", "2", "[server]\n  port   =   2\n"],
  ["[server] # s\n", "server.port", "2", "[server] # s\nport = 2\n"],
  ["[server]", "server.port", "2", "[server]\nport = 2"],
  [
    '[server]\nport = 1 # one\n\n[log]\nlevel = "info"\n',
    "server.idle_exit",
    "never",
    '[server]\nport = 1 # one\nidle_exit = "never"\n\n[log]\nlevel = "info"\n',
  ],
  [
    "server.port = 1\n[log]\n",
    "server.autostart",
    "off",
    "server.port = 1\nserver.autostart = false\n[log]\n",
  ],
  [
    "server = { port = 1 }\n",
    "server.autostart",
    "off",
    "server = { port = 1, autostart = false }\n",
  ],
  ["server = {}\n", "server.port", "2", "server = { port = 2 }\n"],
  ["server = { port = 1 }\n", "server.port", "2", "server = { port = 2 }\n"],
  [
    "[server]\r\nport = 1\r\n",
    "server.autostart",
    "no",
    "[server]\r\nport = 1\r\nautostart = false\r\n",
  ],
  [
    '[capture]\nboring = [\n  "Read", # port = 1\n]\n',
    "capture.boring",
    "LS, Glob",
    '[capture]\nboring = ["LS", "Glob"]\n',
  ],
  [
    "[privacy]\nredact = ['''\n[server]\nport = 9\n''']\n",
    "server.port",
    "2",
    "[privacy]\nredact = ['''\n[server]\nport = 9\n''']\n\n[server]\nport = 2\n",
  ],
  ['["server"]\n"port" = 1\n', "server.port", "2", '["server"]\n"port" = 2\n'],
  ['[log]\nlevel = "info"', "server.port", "2", '[log]\nlevel = "info"\n\n[server]\nport = 2\n'],
  ["[inject]\n", "inject.prompt", "false", '[inject]\nprompt = "off"\n'],
  ["[server]\n", "server.idle_exit", '"90m"', '[server]\nidle_exit = "90m"\n'],
  ["[server]\n", "server.idle_exit", "60m", '[server]\nidle_exit = "1h"\n'],
  ["", "llm.session.model", "m", '[llm.session]\nmodel = "m"\n'],
  ["[llm.session]\n", "llm.provider", "auto", '[llm.session]\n\n[llm]\nprovider = "auto"\n'],
  [
    '[llm]\nprovider = "auto"\n[llm.session]\n',
    "llm.tokens_per_day",
    "3",
    '[llm]\nprovider = "auto"\ntokens_per_day = 3\n[llm.session]\n',
  ],
  ["llm = {}\n", "llm.session.model", "m", 'llm = { session.model = "m" }\n'],
  [
    'llm = { session = { model = "a" } }\n',
    "llm.session.model",
    "b",
    'llm = { session = { model = "b" } }\n',
  ],
  [
    'llm = { ollama = { model = "a" } }\n',
    "llm.ollama.endpoint",
    "http://box:1",
    'llm = { ollama = { model = "a", endpoint = "http://box:1" } }\n',
  ],
  [
    'llm.session.model = "a"\n',
    "llm.provider",
    "auto",
    'llm.session.model = "a"\nllm.provider = "auto"\n',
  ],
  [
    '[llm]\nollama.model = "a"\nprovider = "auto"\n',
    "llm.ollama.endpoint",
    "http://box:1",
    '[llm]\nollama.model = "a"\nollama.endpoint = "http://box:1"\nprovider = "auto"\n',
  ],
])("%j with %s = %s", (text, key, value, expected) => {
  expect(set(text, key, value)).toBe(expected);
});

test.each([
  ["server.prot", "1", "unknown key server.prot; did you mean server.port?"],
  ["port", "1", "unknown key port; did you mean server.port?"],
  ["nonsense", "1", "unknown key nonsense"],
  ["server.port", "many", 'server.port must be an integer from 0 to 65535, not "many"'],
  [
    "privacy.redact",
    '["("]',
    'privacy.redact must be a list of regular expressions, not "[\\"(\\"]"',
  ],
  [
    "llm.anthropic.api_key_env",
    "sk-ant-api03-abc",
    "llm.anthropic.api_key_env must be the name of an environment variable, or an empty string, not something else",
  ],
])("setting %s to %s fails clearly", (key, value, message) => {
  expect(set("", key, value)).toBe(message);
});

test("a file that is no TOML is not touched", () => {
  expect(set("[server\nport = 1", "server.port", "2")).toStartWith("config.toml:1:");
});

test("a key is shown as the file would write it", () => {
  expect(getSetting(defaultSettings, "server.idle_exit")).toEqual({ ok: true, value: '"30m"' });
  expect(getSetting(defaultSettings, "inject.prompt")).toEqual({ ok: true, value: '"on"' });
  expect(getSetting(defaultSettings, "server.prot")).toEqual({
    ok: false,
    error: { type: "config.unknown-key", key: "server.prot", nearest: "server.port" },
  });
});

const starts = [
  "",
  "# c\n",
  "[server]\nport = 1\n",
  "server.port = 1\n",
  "server = { port = 1 }\n",
  '[log]\nlevel = "warn" # x\n[inject]\n',
  "[privacy]\nexclude = [\n 'a', # b\n]\n\n[moments]\n",
  "[decay]\r\nfloor = 0.2\r\n",
  "[server]\n\n\n[capture]\narchive = false",
  '[llm]\nprovider = "auto"\n[llm.session]\n# c\n[llm.ollama]\nmodel = "x"\n',
  'llm = { provider = "auto", session = {} }\n',
  'llm.ollama.model = "x"\n[llm.session]\n',
];

test("whatever stands in the file, a key that was set is read back, and the others stay", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...starts),
      fc.array(fc.constantFrom(...settingKeys), { minLength: 1, maxLength: 6 }),
      (start, keys) => {
        const read = (text: string) => {
          const result = readSettings({ path: "c", env: {}, readFile: () => text });
          if (!result.ok) throw new Error(describeConfigError(result.error));
          return result.value;
        };
        let text = start;
        for (const key of keys) {
          const before = read(text).settings;
          const result = setSetting(text, key.name, key.write(defaultSettings));
          if (!result.ok) throw new Error(describeConfigError(result.error));
          text = result.value;
          const after = read(text);
          expect(after.sources.get(key.name)).toBe("file");
          for (const other of settingKeys)
            expect(other.write(after.settings)).toBe(
              other === key ? key.write(defaultSettings) : other.write(before),
            );
        }
      },
    ),
    { numRuns: 200 },
  );
});
