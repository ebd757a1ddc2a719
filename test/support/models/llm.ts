/** Parts of a model room that tests put together: a ledger in memory, a log that is kept, a request, a home. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  defaultSettings,
  type LlmCall,
  type LlmLedger,
  type LlmRequest,
  type LlmSettings,
  type LlmUsage,
  type Provider,
} from "#domain";
import { err, ok, type Log, type Result } from "#kit";

/** 2026-03-01T12:00:00Z. */
export const noonMs = 1_772_366_400_000;

export const llmSettings = (over: Partial<LlmSettings> = {}): LlmSettings => ({
  ...defaultSettings.llm,
  ...over,
});

/** `memoryLedger` does the work of the store's ledger over a list. */
export function memoryLedger(): LlmLedger & { readonly calls: readonly LlmCall[] } {
  const calls: LlmCall[] = [];
  return {
    calls,
    add: (call) => void calls.push(call),
    tokensSince: (sinceMs, sessionId) =>
      calls
        .filter(
          (call) => call.atMs >= sinceMs && (sessionId === null || call.sessionId === sessionId),
        )
        .reduce((sum, call) => sum + call.inputTokens + call.outputTokens, 0),
    last: () => calls.at(-1) ?? null,
    usage: () => [],
  };
}

/** Keeps every line as text. */
export function keptLog(): Log & { readonly lines: readonly string[] } {
  const lines: string[] = [];
  return {
    lines,
    write: (level, event, fields = {}) =>
      void lines.push(`${level} ${event} ${JSON.stringify(fields)}`),
  };
}

export interface Word {
  readonly word: string;
}

const wordSchema = {
  type: "object",
  properties: { word: { type: "string" } },
  required: ["word"],
  additionalProperties: false,
} as const;

function parseWord(reply: unknown): Result<Word, string> {
  const word: unknown =
    typeof reply === "object" && reply !== null && "word" in reply ? reply.word : undefined;
  return typeof word === "string" && word !== "" ? ok({ word }) : err("word must be a string");
}

/** Asks for `{word}`; secret words stand in for what must not be logged. */
export const wordRequest = (over: Partial<LlmRequest<Word>> = {}): LlmRequest<Word> => ({
  purpose: "session",
  system: "You give one word.",
  prompt: "The data: quetzal.",
  schema: wordSchema,
  parse: parseWord,
  limits: { replyTokensMax: 100, timeoutMs: 5_000 },
  sessionId: "s",
  ...over,
});

export const usageOf = (over: Partial<LlmUsage> = {}): LlmUsage => ({
  model: "m",
  inputTokens: 100,
  outputTokens: 20,
  isEstimate: false,
  costUsd: null,
  latencyMs: 5,
  ...over,
});

type Answer = Awaited<ReturnType<Provider["call"]>>;

export const saying = (word: string, over: Partial<LlmUsage> = {}): Answer =>
  ok({ reply: { word }, usage: usageOf(over) });

/** Answers from a script, and complains when asked something it has no line for. */
export function scriptedProvider(
  ...script: readonly (Answer | (() => Promise<Answer>))[]
): Provider & {
  readonly calls: readonly Parameters<Provider["call"]>[0][];
  readonly closed: () => boolean;
} {
  const remaining = [...script];
  const calls: Parameters<Provider["call"]>[0][] = [];
  let isClosed = false;
  return {
    name: "anthropic",
    calls,
    closed: () => isClosed,
    call: async (call) => {
      calls.push(call);
      const next = remaining.shift();
      if (next === undefined) throw new Error("script ran out");
      return typeof next === "function" ? next() : next;
    },
    probe: async () => ({ usable: true, reason: "scripted" }),
    close: async () => void (isClosed = true),
  };
}

export interface TempHome extends Disposable {
  readonly path: string;
}

export function tempHome(): TempHome {
  const path = mkdtempSync(join(tmpdir(), "continuity-llm-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
