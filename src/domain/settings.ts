/** Settings as the product uses them. config/ reads them from config.toml and CONTINUITY_* variables. */

export interface Settings {
  readonly server: {
    readonly port: number;
    readonly autostart: boolean;
    /** Minutes; null = never leaves. */
    readonly idleExitMinutes: number | null;
  };
  readonly capture: {
    /** Tools whose text is not kept. */
    readonly boring: readonly string[];
    readonly archive: boolean;
  };
  readonly privacy: {
    /** Globs of paths that are never captured. */
    readonly exclude: readonly string[];
    /** Extra regular expressions to redact, as `[redacted:custom]`. */
    readonly redact: readonly string[];
  };
  readonly moments: { readonly enabled: boolean; readonly threshold: number };
  readonly retrieval: {
    readonly lexicalWeight: number;
    readonly relevanceWeight: number;
    readonly projectWeight: number;
    readonly importanceWeight: number;
  };
  readonly inject: {
    readonly startTokens: number;
    readonly promptTokens: number;
    readonly prompt: boolean;
    readonly eagerness: "low" | "normal" | "high";
  };
  readonly decay: {
    readonly halfLifeDays: number;
    readonly momentHalfLifeDays: number;
    readonly floor: number;
  };
  readonly log: { readonly level: "debug" | "info" | "warn" | "error" };
}

/** 10-capture, "What is kept of an event". */
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

export const defaultSettings: Settings = {
  server: { port: 37_777, autostart: true, idleExitMinutes: 30 },
  capture: { boring: boringTools, archive: true },
  privacy: { exclude: [], redact: [] },
  moments: { enabled: true, threshold: 0.3 },
  retrieval: {
    lexicalWeight: 0.6,
    relevanceWeight: 0.1,
    projectWeight: 0.1,
    importanceWeight: 0.05,
  },
  inject: { startTokens: 2_000, promptTokens: 500, prompt: true, eagerness: "normal" },
  decay: { halfLifeDays: 90, momentHalfLifeDays: 7, floor: 0.1 },
  log: { level: "info" },
};
