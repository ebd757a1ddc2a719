/**
 * Every key of config.toml, once: its kind, its effect, where it goes in Settings. Reading, writing, the environment
 * and the reference are derived from this table; a new key is a new row.
 */
import { agentCliNames, defaultSettings, type LlmSettings, type Settings } from "#domain";
import { ok, type Result, snakeCase } from "#kit";
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

interface Options {
  /** TOML name, where it differs from the field's. */
  readonly key?: string;
  /**
   * No variable: a hook's environment, which a project can shape, reaches the daemon it starts. It must not choose
   * where a key is sent or which program is run.
   */
  readonly fileOnly?: true;
}

const fileOnly: Options = { fileOnly: true };

/** A row for each field of a table of settings. */
type Rows<Table> = {
  readonly [Field in keyof Table]: readonly [
    kind: Kind<Table[Field]>,
    effect: string,
    options?: Options,
  ];
};

/** A table of settings, and how it is put back. */
interface Place<Table> {
  readonly section: string;
  readonly get: (settings: Settings) => Table;
  readonly put: (settings: Settings, table: Table) => Settings;
}

function keysOf<Table extends object>(
  { section, get, put }: Place<Table>,
  rows: Rows<Table>,
): readonly SettingKey[] {
  const keyOf = (field: keyof Table & string): SettingKey => {
    const [kind, effect, options = {}] = rows[field];
    const key = options.key ?? snakeCase(field);
    const change = (read: Result<Table[keyof Table & string], string>): Result<Change, string> =>
      read.ok ? ok((settings) => put(settings, { ...get(settings), [field]: read.value })) : read;
    return {
      section,
      key,
      path: [...section.split("."), key],
      name: `${section}.${key}`,
      variable: options.fileOnly === true ? null : variableOf(section, key),
      expected: kind.expected,
      effect,
      isDelicate: kind.isDelicate,
      choices: kind.choices,
      write: (settings) => kind.write(get(settings)[field]),
      read: (value) => change(kind.read(value)),
      readText: (value) => change(kind.readText(value)),
    };
  };
  // Rows are written out below and have no keys but their fields.
  return (Object.keys(rows) as (keyof Table & string)[]).map(keyOf);
}

const section = <Section extends Exclude<keyof Settings, "llm">>(
  name: Section,
  rows: Rows<Settings[Section]>,
): readonly SettingKey[] =>
  keysOf(
    {
      section: name,
      get: (settings) => settings[name],
      put: (settings, table) => ({ ...settings, [name]: table }),
    },
    rows,
  );

/** Fields of LlmSettings that are tables of their own. */
type LlmTable = {
  [Name in keyof LlmSettings]: LlmSettings[Name] extends object ? Name : never;
}[keyof LlmSettings];

const llmTable = <Table extends LlmTable>(
  name: Table,
  rows: Rows<LlmSettings[Table]>,
): readonly SettingKey[] =>
  keysOf(
    {
      section: `llm.${name === "claudeCli" ? "claude-cli" : name}`,
      get: ({ llm }) => llm[name],
      put: (settings, table) => ({ ...settings, llm: { ...settings.llm, [name]: table } }),
    },
    rows,
  );

/** Key and address of a model API. */
const apiKeys = (
  table: "anthropic" | "gemini" | "openrouter",
  name: string,
): readonly SettingKey[] =>
  llmTable(table, {
    apiKeyEnv: [
      variableName,
      `Variable of the daemon's own environment that holds the key for the ${name}. A daemon started by a ` +
        `hook inherits no keys: put the key into \`keys/${table}\` in the home folder (mode 0600), which ` +
        "wins.",
      fileOnly,
    ],
    baseUrl: [
      url,
      `Address of the ${name}. A key is never sent over plain http to another machine.`,
      fileOnly,
    ],
  });

/** In the order of the reference. */
export const settingKeys: readonly SettingKey[] = [
  ...section("server", {
    port: [
      integer(0, 65_535),
      "TCP port on this machine for the viewer and for people; the next nine are tried when it is taken; 0 takes any.",
    ],
    autostart: [
      boolean,
      "Start the daemon from hooks and commands when it is not running. If false, hooks only write events to the " +
        "spool.",
    ],
    idleExitMinutes: [
      minutesOrNever,
      "Stop the daemon after this long idle.",
      { key: "idle_exit" },
    ],
  }),
  ...section("capture", {
    boring: [texts, "Tools whose text is not kept, only the file they looked at."],
    archive: [
      boolean,
      "Transcripts of ended sessions are kept in `archive/`, through the privacy gate and compressed, before the " +
        "client deletes them; at most 500 MB, the oldest go first.",
    ],
    headless: [
      choice("archive", "off", "full"),
      "Runs whose prompts a program sends (`claude -p`, the SDKs). `archive`: they are recorded and can be found, but " +
        "only `/remember` makes a memory. `off`: they are not recorded. `full`: their prompts count as yours; choose it " +
        "for a graphical client that runs Claude Code through the SDK.",
    ],
  }),
  ...section("privacy", {
    exclude: [texts, "Globs of paths that are never captured."],
    redact: [
      patterns,
      "Regular expressions, any case, whose matches become `[redacted:custom]`, besides the built-in secret rules.",
    ],
    allow: [
      texts,
      "Words that look like a secret and are none, such as the name of a demo account: they are kept as they are.",
    ],
  }),
  ...section("announce", {
    remembered: [
      boolean,
      "The client shows what was remembered because you said so, as `Remembered: staging listens on port 5433 (#7q)`, " +
        "and that a prompt was not kept because you said so.",
    ],
    start: [
      boolean,
      "The first start of a day shows how many rules stand and what the last session was about.",
    ],
    faults: [
      boolean,
      "The client shows, once, that capture or the model is broken, such as a login that is missing.",
    ],
  }),
  ...section("review", {
    hold: [
      choice("off", "tool", "inferred"),
      "Memories that need your approval: none (`off`), those from tools (`tool`), or all that you did not state " +
        "yourself (`inferred`).",
    ],
  }),
  ...keysOf<Omit<LlmSettings, LlmTable>>(
    {
      section: "llm",
      get: ({ llm }) => llm,
      put: (settings, llm) => ({ ...settings, llm: { ...settings.llm, ...llm } }),
    },
    {
      provider: [
        choice(
          ...(["none", "auto", "claude-cli", ...agentCliNames] as const),
          ...(["anthropic", "ollama", "gemini", "openrouter"] as const),
        ),
        "Language model provider for background work. `none` calls nothing; `auto` uses the first that works: " +
          "Claude CLI, a running Ollama, an Anthropic, Gemini or OpenRouter key, the client of Codex, Gemini, OpenCode " +
          "or Copilot with its own login.",
      ],
      model: [
        text,
        "Model for every kind of work whose own key is at its default; empty for none.",
      ],
      tokensPerDay: [
        integer(0, 1_000_000_000),
        "Maximum tokens (in and out) per day of yours; above the limit, sessions wait for the next day.",
      ],
      tokensPerSession: [integer(0, 1_000_000_000), "Maximum tokens (in and out) per session."],
      timeoutSeconds: [
        integer(0, 86_400),
        "Timeout of one call, in seconds; 0 uses the default of its purpose.",
      ],
    },
  ),
  ...llmTable("session", {
    model: [
      text,
      "Model for the digest and memories of a session. At its default it gives way to `llm.model` and, with other " +
        "providers, to theirs.",
    ],
  }),
  ...llmTable("claudeCli", {
    path: [text, "The `claude` to run; empty for the first on the PATH.", fileOnly],
    apiKeyEnv: [
      variableName,
      "For users without a login: variable of the daemon's own environment with an Anthropic key; a key in " +
        "`keys/claude-cli` wins. Empty: the client's own login is used.",
      fileOnly,
    ],
    baseUrl: [url, "Messages API that the client is to use; empty for its own.", fileOnly],
  }),
  ...apiKeys("anthropic", "Anthropic API"),
  ...apiKeys("gemini", "Gemini API"),
  ...apiKeys("openrouter", "OpenRouter API (or any other that speaks OpenAI's chat completions)"),
  ...llmTable("ollama", {
    endpoint: [url, "Address of Ollama.", fileOnly],
    model: [text, "Model for all work that Ollama does, unless one is chosen above."],
  }),
  ...section("embedder", {
    provider: [
      choice("embedded", "ollama", "openai", "voyage"),
      "Embedding provider. `embedded` runs in this process; the others send memories and questions to a server " +
        "(`openai`: any that speaks its `/embeddings`). A change takes effect when the daemon restarts; memories " +
        "then get new vectors in the background.",
      fileOnly,
    ],
    model: [
      text,
      "Model of the server; empty for nomic-embed-text, text-embedding-3-small or voyage-3.5.",
      fileOnly,
    ],
    baseUrl: [url, "Address of the server; empty for the provider's own.", fileOnly],
    apiKeyEnv: [
      variableName,
      "Variable of the daemon's own environment that holds the key; empty for OPENAI_API_KEY or VOYAGE_API_KEY. A " +
        "key in `keys/openai` or `keys/voyage` wins.",
      fileOnly,
    ],
    dimension: [integer(0, 8_192), "Length of the model's vectors; 0 where it is known.", fileOnly],
  }),
  ...section("net", {
    proxy: [
      url,
      "HTTP proxy for what is sent to model servers; empty for none. Servers on this machine are always reached " +
        "without it. The three keys of `[net]` take effect when the daemon starts again; a daemon that a hook " +
        "started knows no proxy and no certificate but these.",
      fileOnly,
    ],
    noProxy: [texts, "Hosts that are reached without the proxy.", fileOnly],
    caFile: [
      text,
      "File with certificates (PEM) to trust besides the usual ones, such as a company's; empty for none.",
      fileOnly,
    ],
  }),
  ...section("retrieval", {
    lexicalWeight: [
      fractionOrAuto(0, 1),
      "Share of the words in a score; the rest is similarity of meaning. `auto`: as measured with the embedder.",
    ],
    relevanceWeight: [fraction(0, 1), "How much recent use nudges a score."],
    projectWeight: [fraction(0, 1), "How much the asking project nudges a score."],
    importanceWeight: [fraction(0, 1), "How much importance nudges a score."],
  }),
  ...section("inject", {
    startTokens: [
      integer(0, 2_300),
      "Maximum tokens injected at session start (the client cuts at 10,000 characters); 0 injects nothing.",
    ],
    promptTokens: [integer(0, 2_300), "Maximum tokens injected per prompt; 0 injects nothing."],
    prompt: [onOff, "Inject memories into prompts."],
    eagerness: [
      choice("low", "normal", "high"),
      "How confident a match must be before it is injected into a prompt.",
    ],
    subagentTokens: [
      integer(0, 2_300),
      "Maximum tokens of standing rules that a subagent is given; 0 injects nothing.",
    ],
    tools: [
      onOff,
      "Inject what is known of a failure when a tool meets it, and of a file when a session opens it first.",
    ],
    hints: [
      onOff,
      "Remind the agent to save after it was stopped, a question was answered, a plan accepted or an order left alone " +
        "beside pasted text, at most 120 tokens a session and in at most 15 % of turns.",
    ],
  }),
  ...section("decay", {
    halfLifeDays: [fraction(1, 36_500), "Half-life of an unused memory, in days."],
    floor: [fraction(0, 1), "Minimum relevance of a memory."],
  }),
  ...section("backup", {
    daily: [boolean, "The daemon copies the database into `backups/` once a day."],
  }),
  ...section("log", {
    level: [choice("debug", "info", "warn", "error"), "Entries below this level are not written."],
  }),
];

export const defaultOf = (key: SettingKey): string => key.write(defaultSettings);
