/**
 * Language models, as far as this program cares: one question with a schema, one answer that fits it. Providers differ
 * in transport only. Prices in US dollars, tokens as the provider counts them.
 */
import type { Result, ZoneOffsets } from "#kit";

/** Purpose of a call; the ledger of earlier versions has others. */
export type LlmPurpose = "session";

/** Other agents' own clients, with the login that their user has. */
export const agentCliNames = ["codex-cli", "gemini-cli", "opencode-cli", "copilot-cli"] as const;
export type AgentCliName = (typeof agentCliNames)[number];

/** Said of the provider `none`: what that means, and the next step. */
export const noModelWords =
  "your orders and what the agent saves are kept; to use a model: continuity config set llm.provider auto";

export type ProviderName =
  | "none"
  | "claude-cli"
  | AgentCliName
  | "anthropic"
  | "ollama"
  | "gemini"
  | "openrouter";

/** The empty folder below our home in which a client runs as a language model: no session there is the user's. */
export const modelFolderName = "model-cwd";

export const isAgentCli = (name: string): name is AgentCliName =>
  agentCliNames.some((each) => each === name);

/** A JSON schema as every provider understands it: objects, arrays, strings, numbers, booleans, enums. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface LlmRequest<Value> {
  readonly purpose: LlmPurpose;
  /** Instructions: ours alone, never session text. */
  readonly system: string;
  /** Data to work on, fenced. */
  readonly prompt: string;
  readonly schema: JsonSchema;
  /** Checks and bounds what came back; its error says what is wrong in one line, for one retry. */
  readonly parse: (reply: unknown) => Result<Value, string>;
  readonly limits: { readonly replyTokensMax: number; readonly timeoutMs: number };
  /** The session whose budget it counts against besides the day's; null = none. */
  readonly sessionId: string | null;
  /** A person waits for the answer: it is asked for even while a provider that failed is left alone. */
  readonly isByHand?: true;
}

export interface LlmUsage {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** True when the provider did not count one of them: then it is told by the length of the text. */
  readonly isEstimate: boolean;
  /** Null when the provider does not say and no price is known. */
  readonly costUsd: number | null;
  readonly latencyMs: number;
}

export interface LlmReply<Value> {
  readonly value: Value;
  readonly usage: LlmUsage;
}

export type LlmError =
  /** No provider is configured, or none works. */
  | { readonly type: "llm.none"; readonly detail: string }
  | { readonly type: "llm.timeout"; readonly afterMs: number }
  /** 401, 403, a login prompt: nothing gets better by trying again. */
  | { readonly type: "llm.unauthorised"; readonly detail: string }
  | { readonly type: "llm.rate-limited"; readonly retryAfterMs: number | null }
  /** 5xx, 529, a reset: may get better. */
  | { readonly type: "llm.unavailable"; readonly detail: string }
  /** Other 4xx: our request was wrong. */
  | { readonly type: "llm.refused"; readonly status: number; readonly detail: string }
  /** No JSON, empty, truncated, or a wrong schema. */
  | { readonly type: "llm.unreadable"; readonly detail: string }
  | { readonly type: "llm.budget"; readonly scope: "day" | "session"; readonly limit: number }
  | { readonly type: "llm.breaker-open"; readonly untilMs: number };

/**
 * One question, one answer. Counts, limits and retries are inside; the caller falls back to the local form on error.
 */
export interface Llm {
  readonly structured: <Value>(
    request: LlmRequest<Value>,
  ) => Promise<Result<LlmReply<Value>, LlmError>>;
  /** Names the provider, and the reason for its choice. */
  readonly status: () => { readonly provider: ProviderName; readonly reason: string };
}

/** The question to a provider: plain transport, no budget, no retry. */
export interface ProviderCall {
  readonly model: string;
  readonly system: string;
  readonly prompt: string;
  readonly schema: JsonSchema;
  readonly replyTokensMax: number;
  readonly timeoutMs: number;
}

/** A call that failed may still have cost something: what the provider said it used, when it said so. */
export type ProviderError = LlmError & { readonly usage?: LlmUsage };

export interface Provider {
  readonly name: Exclude<ProviderName, "none">;
  /** The reply as parsed JSON; never an error text dressed as an answer. */
  readonly call: (
    call: ProviderCall,
  ) => Promise<Result<{ readonly reply: unknown; readonly usage: LlmUsage }, ProviderError>>;
  /** Is it there and usable? Cheap and free of charge; the reason is for people. */
  readonly probe: () => Promise<{
    readonly usable: boolean;
    readonly reason: string;
    /** It says itself that the user is logged in. */
    readonly isLoggedIn?: boolean;
  }>;
  readonly close: () => Promise<void>;
}

export interface LastCall {
  readonly atMs: number;
  readonly purpose: LlmPurpose;
  readonly provider: ProviderName;
  readonly model: string;
  /** `ok` or the type of the error. */
  readonly outcome: string;
}

export interface LlmCall extends LastCall {
  readonly sessionId: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly isEstimate: boolean;
  readonly costUsd: number | null;
  readonly latencyMs: number;
}

/** The ledger's port; the store implements it on `llm_calls`. */
export interface LlmLedger {
  readonly add: (call: LlmCall) => void;
  /** Tokens in plus out of calls since a time, of one session or of all (null). */
  readonly tokensSince: (sinceMs: number, sessionId: string | null) => number;
  readonly last: () => LastCall | null;
  /** Sums by day (UTC, `YYYY-MM-DD`), purpose and model, newest day first. */
  readonly usage: (
    sinceMs: number,
    days?: ZoneOffsets,
  ) => readonly {
    readonly day: string;
    readonly purpose: string;
    readonly model: string;
    readonly calls: number;
    readonly failed: number;
    /** Calls of these whose tokens are an estimate. */
    readonly estimated: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly costUsd: number | null;
  }[];
}

// Number of questions that a model is asked about a session, by how much it may be shown of it.

/** Characters that one question tells well, and questions about what a session has had since the last one. */
const charsOfOne = 12_000;
const questionsMax = 4;

export const questionsFor = (chars: number): number =>
  Math.min(questionsMax, Math.max(1, Math.ceil(chars / charsOfOne)));
