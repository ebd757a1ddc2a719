/**
 * Chooses the provider that answers: the one that the configuration names, or for `auto` the first
 * that works. The reason is for `status`, in words that say what to do.
 */
import {
  agentCliNames,
  type LlmSettings,
  noModelWords,
  type Provider,
  type ProviderCall,
  type ProviderName,
} from "#domain";
import { err, ok, type Result, tokensOf, parseJson } from "#kit";
import { z } from "zod";
import {
  addressOf,
  findKey,
  keepLoopbackDirect,
  type Key,
  missingKey,
  trustingFetch,
} from "./key.ts";
import { createAgentCli } from "./agent-clis.ts";
import { createAnthropic } from "./anthropic.ts";
import { createClaudeCli } from "./claude-cli.ts";
import { createGemini } from "./gemini.ts";
import { type HttpContext, httpProvider, type ModelContext, textOf } from "./http.ts";
import { createOpenAi } from "./openai.ts";
import { llmLimits } from "./breaker.ts";
import type { Meter } from "./meter.ts";
import { type Answer, answerOf, foreign } from "./read-json.ts";

export interface ChosenProvider {
  readonly provider: Provider | null;
  readonly name: ProviderName;
  /** For people. */
  readonly reason: string;
  /** With `auto`: what was looked at, in order. */
  readonly considered: readonly Considered[];
}

export interface Considered {
  readonly name: Provider["name"];
  readonly usable: boolean;
  readonly reason: string;
}

/** docs/design/extraction.md, "Models": what is paid for already, then what is free, then keys. */
const order: readonly Provider["name"][] = [
  "claude-cli",
  "ollama",
  "anthropic",
  "gemini",
  "openrouter",
  // Last: nobody who has one of the others is switched to a client that came with an update.
  ...agentCliNames,
];

/**
 * Chooses as the configuration says. Only `auto` sends requests, and only those that cost nothing. The caller
 * closes the provider it gets.
 */
export async function chooseProvider(
  deps: ModelContext,
  settings: LlmSettings,
): Promise<ChosenProvider> {
  const { provider: name } = settings;
  if (name === "none") return noProvider(noModelWords, []);
  if (name === "auto") return chooseFirst(deps, settings);
  const made = createProvider(deps, settings, name);
  return made.ok
    ? { provider: made.value, name, reason: "chosen in the settings", considered: [] }
    : noProvider(`${name} is configured, but ${made.error}`, []);
}

async function chooseFirst(deps: ModelContext, settings: LlmSettings): Promise<ChosenProvider> {
  const considered: Considered[] = [];
  for (const name of order) {
    const made = createProvider(deps, settings, name);
    const probed = made.ok ? await made.value.probe() : { usable: false, reason: made.error };
    considered.push({ name, ...probed });
    if (made.ok && probed.usable)
      return { provider: made.value, name, reason: `auto: ${probed.reason}`, considered };
    if (made.ok) await made.value.close();
  }
  const reasons = considered.map(({ name, reason }) => `${name}: ${reason}`).join("; ");
  return noProvider(`auto found none that works (${reasons}): set up one of them`, considered);
}

const noProvider = (reason: string, considered: readonly Considered[]): ChosenProvider => ({
  provider: null,
  name: "none",
  reason,
  considered,
});

/** A provider as configured, without asking it anything; or in words what is missing. */
export function createProvider(
  deps: ModelContext,
  settings: LlmSettings,
  name: Provider["name"],
): Result<Provider, string> {
  switch (name) {
    case "claude-cli":
      return claudeCli(deps, settings);
    case "codex-cli":
    case "gemini-cli":
    case "opencode-cli":
    case "copilot-cli":
      return ok(createAgentCli(deps, name));
    case "ollama":
      return ollama(deps, settings);
    case "anthropic":
    case "gemini":
      return withKey(deps, settings, name);
    case "openrouter":
      return openRouter(deps, settings);
    default:
      return name satisfies never;
  }
}

function claudeCli(deps: ModelContext, { claudeCli: own }: LlmSettings): Result<Provider, string> {
  const key = keyOf(deps, "claude-cli", own.apiKeyEnv);
  if (!key.ok) return key;
  const address = own.baseUrl === "" ? ok(null) : addressOf(own.baseUrl, { hasKey: true });
  if (!address.ok) return err(`llm.claude-cli.base_url: ${address.error}`);
  return ok(
    createClaudeCli(deps, {
      path: own.path,
      key: key.value?.value ?? null,
      baseUrl: address.value,
    }),
  );
}

function ollama(deps: ModelContext, settings: LlmSettings): Result<Provider, string> {
  const address = addressOf(settings.ollama.endpoint, { hasKey: false });
  if (!address.ok) return err(`llm.ollama.endpoint: ${address.error}`);
  const model = settings.model === "" ? settings.ollama.model : settings.model;
  return ok(overHttp(deps, (http) => createOllama(http, { endpoint: address.value, model })));
}

function withKey(
  deps: ModelContext,
  settings: LlmSettings,
  name: "anthropic" | "gemini",
): Result<Provider, string> {
  const { apiKeyEnv, baseUrl } = settings[name];
  const key = keyOf(deps, name, apiKeyEnv);
  if (!key.ok) return key;
  if (key.value === null) return err(missingKey(placeOf(deps, name, apiKeyEnv)));
  const { value } = key.value;
  const isAnthropic = name === "anthropic";
  // People know these addresses with and without the version; the path is ours.
  const address = addressOf(baseUrl, { hasKey: true, drop: isAnthropic ? /\/v1$/ : /\/v1beta$/ });
  if (!address.ok) return err(`llm.${name}.base_url: ${address.error}`);
  const create = isAnthropic ? createAnthropic : createGemini;
  return ok(overHttp(deps, (http) => create(http, { baseUrl: address.value, key: value })));
}

function openRouter(deps: ModelContext, { openrouter }: LlmSettings): Result<Provider, string> {
  const key = keyOf(deps, "openrouter", openrouter.apiKeyEnv);
  if (!key.ok) return key;
  const value = key.value?.value ?? null;
  const address = addressOf(openrouter.baseUrl, {
    hasKey: value !== null,
    drop: /\/chat\/completions$/,
  });
  if (!address.ok) return err(`llm.openrouter.base_url: ${address.error}`);
  // Servers in one's own network rarely want a key; OpenRouter does.
  if (value === null && new URL(address.value).protocol === "https:")
    return err(missingKey(placeOf(deps, "openrouter", openrouter.apiKeyEnv)));
  return ok(overHttp(deps, (http) => createOpenAi(http, { baseUrl: address.value, key: value })));
}

const placeOf = (deps: ModelContext, provider: string, variable: string) => ({
  home: deps.home,
  env: deps.env,
  provider,
  variable,
});

const keyOf = (
  deps: ModelContext,
  provider: string,
  variable: string,
): Result<Key | null, string> => findKey(placeOf(deps, provider, variable));

/** Adds what all who speak HTTP share: an end that stops whatever is under way. */
function overHttp(
  deps: ModelContext,
  create: (http: HttpContext) => Omit<Provider, "close">,
): Provider {
  keepLoopbackDirect(process.env);
  const closing = new AbortController();
  const http: HttpContext = {
    fetch: deps.fetch ?? trustingFetch(process.env),
    clock: deps.clock,
    closing: closing.signal,
  };
  return { ...create(http), close: async () => closing.abort() };
}

// Ollama's /api/chat, on this machine or another. Not as a stream: closing the connection stops the model as well.

interface OllamaOptions {
  readonly endpoint: string;
  /** The model that the probe looks for. */
  readonly model: string;
}

export const createOllama = (
  deps: HttpContext,
  { endpoint, model }: OllamaOptions,
): Omit<Provider, "close"> =>
  httpProvider(deps, {
    name: "ollama",
    headers: {},
    secret: null,
    isFree: true,
    url: () => `${endpoint}/api/chat`,
    body: bodyOf,
    read,
    probeUrl: `${endpoint}/api/tags`,
    verdict: (asked) => {
      if (!asked.ok) return { usable: false, reason: `no Ollama answers at ${endpoint}` };
      const { data } = Tags.safeParse(parseJson(asked.value));
      const isThere = data?.models.some(({ name }) => name === model || name === `${model}:latest`);
      const said = `Ollama at ${endpoint} has`;
      return isThere === true
        ? { usable: true, reason: `${said} ${model}` }
        : { usable: false, reason: `${said} no model ${model}; run \`ollama pull ${model}\`` };
    },
  });

/** Contexts that are asked for: a power of two, since a change makes Ollama load the model again. */
const contextTokensMin = 4_096;
const contextTokensMax = 32_768;

/** Ollama cuts a prompt that is longer than its context without a word, and its own default is short. */
function contextFor(call: ProviderCall): number {
  const needed = tokensOf(call.system) + tokensOf(call.prompt) + call.replyTokensMax;
  // A quarter more: small models have small vocabularies, and templates add their part.
  const roomy = 2 ** Math.ceil(Math.log2(needed * 1.25));
  return Math.min(contextTokensMax, Math.max(contextTokensMin, roomy));
}

const bodyOf = (call: ProviderCall): unknown => ({
  model: call.model,
  stream: false,
  format: call.schema,
  // A model that thinks would do so within the reply's limit.
  think: false,
  messages: [
    { role: "system", content: call.system },
    { role: "user", content: call.prompt },
  ],
  options: { num_predict: call.replyTokensMax, num_ctx: contextFor(call), temperature: 0 },
});

const Tags = z.object({ models: z.array(z.object({ name: z.string() })) });

const Reply = z.object({
  message: z.object({ content: z.string() }),
  done_reason: z.string().optional(),
  prompt_eval_count: z.number().optional(),
  eval_count: z.number().optional(),
});

async function read(response: Response, meter: Meter): Promise<Answer> {
  const body = await textOf(response, llmLimits.replyBytesMax);
  const { data: reply } = Reply.safeParse(parseJson(body));
  if (reply === undefined) return foreign(response);
  meter.count({ inputTokens: reply.prompt_eval_count, outputTokens: reply.eval_count });
  const reason = reply.done_reason ?? "stop";
  const end = reason === "length" ? "cut-off" : "done";
  return answerOf({ text: reply.message.content, reason, end }, meter);
}
