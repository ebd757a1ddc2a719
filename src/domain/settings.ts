/**
 * Settings as the product uses them. config/ reads them from config.toml and CONTINUITY_* variables, and says in its
 * table of keys what each does.
 */
import type { ProviderName } from "./llm.ts";
import { defaultPort } from "./vocabulary.ts";
import type { Clock, Log, Random } from "#kit";
import type { HomePaths } from "./home.ts";

/** A model for one kind of work. */
interface ModelChoice {
  /** Name as the provider knows it. At its default it gives way to `llm.model` and to other providers' defaults. */
  readonly model: string;
}

/** A model API with a key. */
interface ApiSettings {
  /** Name of the variable that holds the key. A key file in the home folder wins over it. */
  readonly apiKeyEnv: string;
  readonly baseUrl: string;
}

export interface LlmSettings {
  readonly provider: ProviderName | "auto";
  /** For every kind of work whose own model is at its default; empty = none. */
  readonly model: string;
  /** Input plus output, per UTC day; 0 = no call is made. */
  readonly tokensPerDay: number;
  readonly tokensPerSession: number;
  /** Most seconds that one call may take; 0 = as long as its kind of work is given. */
  readonly timeoutSeconds: number;
  readonly session: ModelChoice;
  readonly claudeCli: ApiSettings & {
    /** The executable; empty = the first `claude` on the PATH. */
    readonly path: string;
  };
  readonly anthropic: ApiSettings;
  readonly gemini: ApiSettings;
  readonly openrouter: ApiSettings;
  readonly ollama: { readonly endpoint: string; readonly model: string };
}

export interface EmbedderSettings {
  /** `embedded`: no text leaves this machine. The others send memories and questions to a server. */
  readonly provider: "embedded" | "ollama" | "openai" | "voyage";
  /** Empty = the provider's usual one. */
  readonly model: string;
  /** Empty = the provider's own. */
  readonly baseUrl: string;
  /** Name of the variable that holds the key; empty = the provider's usual one. A key file wins over it. */
  readonly apiKeyEnv: string;
  /** 0 = as the model is known to have. */
  readonly dimension: number;
}

export interface Settings {
  readonly server: {
    readonly port: number;
    readonly autostart: boolean;
    /** Minutes; null = never leaves. */
    readonly idleExitMinutes: number | null;
  };
  readonly capture: {
    readonly boring: readonly string[];
    readonly archive: boolean;
    readonly headless: "archive" | "off" | "full";
  };
  readonly privacy: {
    readonly exclude: readonly string[];
    readonly redact: readonly string[];
    readonly allow: readonly string[];
  };
  /** Lines for the user in the client, which the model does not get. */
  readonly announce: {
    readonly remembered: boolean;
    readonly start: boolean;
    readonly faults: boolean;
  };
  readonly review: {
    readonly hold: "off" | "tool" | "inferred";
  };
  readonly llm: LlmSettings;
  readonly embedder: EmbedderSettings;
  /** The way to model servers. The daemon takes none of it from the environment of the hook that started it. */
  readonly net: {
    /** Empty = the one of the daemon's own environment, or none. */
    readonly proxy: string;
    readonly noProxy: readonly string[];
    /** Certificates (PEM) that are trusted besides the usual ones; empty = none. */
    readonly caFile: string;
  };
  readonly retrieval: {
    /** Null = what was measured with the embedder in use. */
    readonly lexicalWeight: number | null;
    readonly relevanceWeight: number;
    readonly projectWeight: number;
    readonly importanceWeight: number;
  };
  readonly inject: {
    readonly startTokens: number;
    readonly promptTokens: number;
    readonly prompt: boolean;
    readonly eagerness: "low" | "normal" | "high";
    readonly subagentTokens: number;
    readonly tools: boolean;
    readonly hints: boolean;
  };
  readonly decay: {
    readonly halfLifeDays: number;
    readonly floor: number;
  };
  readonly backup: {
    readonly daily: boolean;
  };
  readonly log: { readonly level: "debug" | "info" | "warn" | "error" };
}

/** Tools whose text is not kept (docs/design/capture.md, "What is kept"). */
export const boringTools = [
  "Read",
  "Glob",
  "Grep",
  "LS",
  "ToolSearch",
  "TodoRead",
  "TodoWrite",
  "TaskList",
  "TaskGet",
  "ListMcpResourcesTool",
] as const;

const haiku: ModelChoice = { model: "claude-haiku-4-5-20251001" };

/** No tokens are spent unasked, and none on the largest tier (docs/design/extraction.md, "Models"). */
const defaultLlm: LlmSettings = {
  provider: "none",
  model: "",
  tokensPerDay: 300_000,
  tokensPerSession: 60_000,
  timeoutSeconds: 0,
  session: haiku,
  claudeCli: { path: "", apiKeyEnv: "", baseUrl: "" },
  anthropic: { apiKeyEnv: "ANTHROPIC_API_KEY", baseUrl: "https://api.anthropic.com" },
  gemini: {
    apiKeyEnv: "GEMINI_API_KEY",
    baseUrl: "https://generativelanguage.googleapis.com",
  },
  openrouter: { apiKeyEnv: "OPENROUTER_API_KEY", baseUrl: "https://openrouter.ai/api/v1" },
  ollama: { endpoint: "http://localhost:11434", model: "llama3.2" },
};

export const defaultSettings: Settings = {
  server: { port: defaultPort, autostart: true, idleExitMinutes: 30 },
  capture: { boring: boringTools, archive: true, headless: "archive" },
  privacy: { exclude: [], redact: [], allow: [] },
  announce: { remembered: true, start: true, faults: true },
  review: { hold: "off" },
  llm: defaultLlm,
  embedder: {
    provider: "embedded",
    model: "",
    baseUrl: "",
    apiKeyEnv: "",
    dimension: 0,
  },
  net: { proxy: "", noProxy: [], caFile: "" },
  retrieval: {
    lexicalWeight: null,
    relevanceWeight: 0.1,
    projectWeight: 0.1,
    importanceWeight: 0.05,
  },
  inject: {
    startTokens: 450,
    promptTokens: 120,
    prompt: true,
    eagerness: "normal",
    subagentTokens: 120,
    tools: true,
    hints: true,
  },
  decay: { halfLifeDays: 90, floor: 0.1 },
  backup: { daily: true },
  log: { level: "info" },
};

// Everything that a process of the program has; functions take it whole. Tests build it by test/support/context.ts.

/** Settings as they are now: the file is read again when it changed. */
export interface SettingsSource {
  readonly current: () => Settings;
  /** Warnings and errors of the last reading, each with what to do. */
  readonly warnings: () => readonly string[];
  /** False while nothing is captured, since what is excluded cannot be read. */
  readonly isKnown: () => boolean;
}

export interface Context {
  readonly paths: HomePaths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  readonly version: string;
  readonly settings: SettingsSource;
  /** The program and its first arguments; absent where nothing is started in the background. */
  readonly command?: readonly string[];
}
