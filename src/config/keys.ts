/**
 * Every key of config.toml, once: its kind, its effect, where it goes in Settings. Reading, writing, the environment
 * and the reference are derived from this table; a new key is a new row.
 */
import { agentCliNames, defaultSettings, type LlmSettings, type Settings } from "#domain";
import { ok, type Result } from "#kit";
import {
  boolean,
  choice,
  fraction,
  fractionOrAuto,
  integer,
  minutesOrNever,
  onOff,
  patterns,
  text,
  texts,
  url,
  variableName,
  type Kind,
} from "./kinds.ts";

/** Puts a value that was read into settings. */
export type Change = (settings: Settings) => Settings;

export interface SettingKey {
  /** TOML table: `server`, `llm.session`. */
  readonly section: string;
  readonly key: string;
  /** `section.key`, in parts. */
  readonly path: readonly string[];
  /** `section.key`. */
  readonly name: string;
  /** Its environment variable; null for what only the user's own file may say. */
  readonly variable: string | null;
  readonly expected: string;
  readonly effect: string;
  /** See Kind. */
  readonly isDelicate: boolean;
  /** See Kind. */
  readonly choices: readonly string[] | null;
  /** Writes a value of `settings` as TOML does. */
  readonly write: (settings: Settings) => string;
  /** The change a TOML value asks for, or what was expected. */
  readonly read: (value: unknown) => Result<Change, string>;
  /** The same from an environment variable or the command line. */
  readonly readText: (text: string) => Result<Change, string>;
}

/** A variable is CONTINUITY_ + section + key, the section dropped for `[server]`. */
const variableOf = (section: string, key: string): string =>
  `CONTINUITY_${section === "server" ? "" : `${section}_`}${key}`
    .replaceAll(/[.-]/g, "_")
    .toUpperCase();

interface Row<Value> {
  readonly kind: Kind<Value>;
  readonly effect: string;
  /** TOML name, where it differs from the field's. */
  readonly key?: string;
  /**
   * No variable: a hook's environment, which a project can shape, reaches the daemon it starts. It must not choose
   * where a key is sent or which program is run.
   */
  readonly fileOnly?: true;
}

/** The place of a value in Settings. */
interface Lens<Value> {
  readonly section: string;
  readonly field: string;
  readonly get: (settings: Settings) => Value;
  readonly put: (settings: Settings, value: Value) => Settings;
}

function define<Section extends keyof Settings, Field extends keyof Settings[Section] & string>(
  section: Section,
  field: Field,
  row: Row<Settings[Section][Field]>,
): SettingKey {
  return keyOf(row, {
    section,
    field,
    get: (settings) => settings[section][field],
    put: (settings, value) => ({
      ...settings,
      [section]: { ...settings[section], [field]: value },
    }),
  });
}

/** Fields of LlmSettings that are tables of their own. */
type LlmTable = {
  [Name in keyof LlmSettings]: LlmSettings[Name] extends object ? Name : never;
}[keyof LlmSettings];

function defineLlm<Table extends LlmTable, Field extends keyof LlmSettings[Table] & string>(
  table: Table,
  field: Field,
  row: Row<LlmSettings[Table][Field]>,
): SettingKey {
  return keyOf(row, {
    section: `llm.${table === "claudeCli" ? "claude-cli" : table}`,
    field,
    get: ({ llm }) => llm[table][field],
    put: (settings, value) => ({
      ...settings,
      llm: { ...settings.llm, [table]: { ...settings.llm[table], [field]: value } },
    }),
  });
}

function keyOf<Value>(row: Row<Value>, lens: Lens<Value>): SettingKey {
  const key = row.key ?? lens.field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const change = (read: Result<Value, string>): Result<Change, string> =>
    read.ok ? ok((settings) => lens.put(settings, read.value)) : read;
  return {
    section: lens.section,
    key,
    path: [...lens.section.split("."), key],
    name: `${lens.section}.${key}`,
    variable: row.fileOnly === true ? null : variableOf(lens.section, key),
    expected: row.kind.expected,
    effect: row.effect,
    isDelicate: row.kind.isDelicate,
    choices: row.kind.choices,
    write: (settings) => row.kind.write(lens.get(settings)),
    read: (value) => change(row.kind.read(value)),
    readText: (value) => change(row.kind.readText(value)),
  };
}

/** Key and address of a model API. */
const apiKeys = (
  table: "anthropic" | "gemini" | "openrouter",
  name: string,
): readonly SettingKey[] => [
  defineLlm(table, "apiKeyEnv", {
    kind: variableName,
    fileOnly: true,
    effect:
      `Variable of the daemon's own environment that holds the key for the ${name}. A daemon started by a ` +
      `hook inherits no keys: put the key into \`keys/${table}\` in the home folder (mode 0600), which ` +
      "wins.",
  }),
  defineLlm(table, "baseUrl", {
    kind: url,
    fileOnly: true,
    effect: `Address of the ${name}. A key is never sent over plain http to another machine.`,
  }),
];

/** In the order of the reference. */
export const settingKeys: readonly SettingKey[] = [
  define("server", "port", {
    kind: integer(0, 65_535),
    effect:
      "TCP port on this machine for the viewer and for people; the next nine are tried when it is taken; 0 takes any.",
  }),
  define("server", "autostart", {
    kind: boolean,
    effect:
      "Start the daemon from hooks and commands when it is not running. If false, hooks only write events to the " +
      "spool.",
  }),
  define("server", "idleExitMinutes", {
    key: "idle_exit",
    kind: minutesOrNever,
    effect: "Stop the daemon after this long idle.",
  }),
  define("capture", "boring", {
    kind: texts,
    effect: "Tools whose text is not kept, only the file they looked at.",
  }),
  define("capture", "archive", {
    kind: boolean,
    effect:
      "Transcripts of ended sessions are kept in `archive/`, through the privacy gate and compressed, before the " +
      "client deletes them; at most 500 MB, the oldest go first.",
  }),
  define("capture", "headless", {
    kind: choice("archive", "off", "full"),
    effect:
      "Runs whose prompts a program sends (`claude -p`, the SDKs). `archive`: they are recorded and can be found, but " +
      "only `/remember` makes a memory. `off`: they are not recorded. `full`: their prompts count as yours; choose it " +
      "for a graphical client that runs Claude Code through the SDK.",
  }),
  define("privacy", "exclude", {
    kind: texts,
    effect: "Globs of paths that are never captured.",
  }),
  define("privacy", "redact", {
    kind: patterns,
    effect:
      "Regular expressions, any case, whose matches become `[redacted:custom]`, besides the built-in secret rules.",
  }),
  define("privacy", "allow", {
    kind: texts,
    effect:
      "Words that look like a secret and are none, such as the name of a demo account: they are kept as they are.",
  }),
  define("announce", "remembered", {
    kind: boolean,
    effect:
      "The client shows what was remembered because you said so, as `Remembered: staging listens on port 5433 (#7q)`, " +
      "and that a prompt was not kept because you said so.",
  }),
  define("announce", "start", {
    kind: boolean,
    effect:
      "The first start of a day shows how many rules stand and what the last session was about.",
  }),
  define("announce", "faults", {
    kind: boolean,
    effect:
      "The client shows, once, that capture or the model is broken, such as a login that is missing.",
  }),
  define("review", "hold", {
    kind: choice("off", "tool", "inferred"),
    effect:
      "Memories that need your approval: none (`off`), those from tools (`tool`), or all that you did not state " +
      "yourself (`inferred`).",
  }),
  define("llm", "provider", {
    kind: choice(
      ...(["none", "auto", "claude-cli", ...agentCliNames] as const),
      ...(["anthropic", "ollama", "gemini", "openrouter"] as const),
    ),
    effect:
      "Language model provider for background work. `none` calls nothing; `auto` uses the first that works: " +
      "Claude CLI, a running Ollama, an Anthropic, Gemini or OpenRouter key, the client of Codex, Gemini, OpenCode " +
      "or Copilot with its own login.",
  }),
  define("llm", "model", {
    kind: text,
    effect: "Model for every kind of work whose own key is at its default; empty for none.",
  }),
  define("llm", "tokensPerDay", {
    kind: integer(0, 1_000_000_000),
    effect:
      "Maximum tokens (in and out) per day of yours; above the limit, sessions wait for the next day.",
  }),
  define("llm", "tokensPerSession", {
    kind: integer(0, 1_000_000_000),
    effect: "Maximum tokens (in and out) per session.",
  }),
  define("llm", "timeoutSeconds", {
    kind: integer(0, 86_400),
    effect: "Timeout of one call, in seconds; 0 uses the default of its purpose.",
  }),
  defineLlm("session", "model", {
    kind: text,
    effect:
      "Model for the digest and memories of a session. At its default it gives way to `llm.model` and, with other " +
      "providers, to theirs.",
  }),
  defineLlm("claudeCli", "path", {
    kind: text,
    fileOnly: true,
    effect: "The `claude` to run; empty for the first on the PATH.",
  }),
  defineLlm("claudeCli", "apiKeyEnv", {
    kind: variableName,
    fileOnly: true,
    effect:
      "For users without a login: variable of the daemon's own environment with an Anthropic key; a key in " +
      "`keys/claude-cli` wins. Empty: the client's own login is used.",
  }),
  defineLlm("claudeCli", "baseUrl", {
    kind: url,
    fileOnly: true,
    effect: "Messages API that the client is to use; empty for its own.",
  }),
  ...apiKeys("anthropic", "Anthropic API"),
  ...apiKeys("gemini", "Gemini API"),
  ...apiKeys("openrouter", "OpenRouter API (or any other that speaks OpenAI's chat completions)"),
  defineLlm("ollama", "endpoint", {
    kind: url,
    fileOnly: true,
    effect: "Address of Ollama.",
  }),
  defineLlm("ollama", "model", {
    kind: text,
    effect: "Model for all work that Ollama does, unless one is chosen above.",
  }),
  define("embedder", "provider", {
    kind: choice("embedded", "ollama", "openai", "voyage"),
    fileOnly: true,
    effect:
      "Embedding provider. `embedded` runs in this process; the others send memories and questions to a server " +
      "(`openai`: any that speaks its `/embeddings`). A change takes effect when the daemon restarts; memories " +
      "then get new vectors in the background.",
  }),
  define("embedder", "model", {
    kind: text,
    fileOnly: true,
    effect:
      "Model of the server; empty for nomic-embed-text, text-embedding-3-small or voyage-3.5.",
  }),
  define("embedder", "baseUrl", {
    kind: url,
    fileOnly: true,
    effect: "Address of the server; empty for the provider's own.",
  }),
  define("embedder", "apiKeyEnv", {
    kind: variableName,
    fileOnly: true,
    effect:
      "Variable of the daemon's own environment that holds the key; empty for OPENAI_API_KEY or VOYAGE_API_KEY. A " +
      "key in `keys/openai` or `keys/voyage` wins.",
  }),
  define("embedder", "dimension", {
    kind: integer(0, 8_192),
    fileOnly: true,
    effect: "Length of the model's vectors; 0 where it is known.",
  }),
  define("net", "proxy", {
    kind: url,
    fileOnly: true,
    effect:
      "HTTP proxy for what is sent to model servers; empty for none. Servers on this machine are always reached " +
      "without it. The three keys of `[net]` take effect when the daemon starts again; a daemon that a hook " +
      "started knows no proxy and no certificate but these.",
  }),
  define("net", "noProxy", {
    kind: texts,
    fileOnly: true,
    effect: "Hosts that are reached without the proxy.",
  }),
  define("net", "caFile", {
    kind: text,
    fileOnly: true,
    effect:
      "File with certificates (PEM) to trust besides the usual ones, such as a company's; empty for none.",
  }),
  define("retrieval", "lexicalWeight", {
    kind: fractionOrAuto(0, 1),
    effect:
      "Share of the words in a score; the rest is similarity of meaning. `auto`: as measured with the embedder.",
  }),
  define("retrieval", "relevanceWeight", {
    kind: fraction(0, 1),
    effect: "How much recent use nudges a score.",
  }),
  define("retrieval", "projectWeight", {
    kind: fraction(0, 1),
    effect: "How much the asking project nudges a score.",
  }),
  define("retrieval", "importanceWeight", {
    kind: fraction(0, 1),
    effect: "How much importance nudges a score.",
  }),
  define("inject", "startTokens", {
    kind: integer(0, 2_300),
    effect:
      "Maximum tokens injected at session start (the client cuts at 10,000 characters); 0 injects nothing.",
  }),
  define("inject", "promptTokens", {
    kind: integer(0, 2_300),
    effect: "Maximum tokens injected per prompt; 0 injects nothing.",
  }),
  define("inject", "prompt", {
    kind: onOff,
    effect: "Inject memories into prompts.",
  }),
  define("inject", "eagerness", {
    kind: choice("low", "normal", "high"),
    effect: "How confident a match must be before it is injected into a prompt.",
  }),
  define("inject", "subagentTokens", {
    kind: integer(0, 2_300),
    effect: "Maximum tokens of standing rules that a subagent is given; 0 injects nothing.",
  }),
  define("inject", "tools", {
    kind: onOff,
    effect:
      "Inject what is known of a failure when a tool meets it, and of a file when a session opens it first.",
  }),
  define("inject", "hints", {
    kind: onOff,
    effect:
      "Remind the agent to save after it was stopped, a question was answered, a plan accepted or an order left alone " +
      "beside pasted text, at most 120 tokens a session and in at most 15 % of turns.",
  }),
  define("decay", "halfLifeDays", {
    kind: fraction(1, 36_500),
    effect: "Half-life of an unused memory, in days.",
  }),
  define("decay", "floor", {
    kind: fraction(0, 1),
    effect: "Minimum relevance of a memory.",
  }),
  define("backup", "daily", {
    kind: boolean,
    effect: "The daemon copies the database into `backups/` once a day.",
  }),
  define("log", "level", {
    kind: choice("debug", "info", "warn", "error"),
    effect: "Entries below this level are not written.",
  }),
];

export const defaultOf = (key: SettingKey): string => key.write(defaultSettings);
