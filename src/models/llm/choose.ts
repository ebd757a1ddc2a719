/**
 * Chooses the provider that answers: the one that the configuration names, or for `auto` the first
 * that works. The reason is for `status`, in words that say what to do.
 */
import {
  type AgentCliName,
  agentCliNames,
  isAgentCli,
  type LlmSettings,
  noModelWords,
  type Provider,
  type ProviderCall,
} from "#domain";
import { err, ok, type Result, tokensOf, parseJson } from "#kit";
import { z } from "zod";
import { type Access, addressOf, findKey, openAccess } from "./key.ts";
import { createAgentCli } from "./agent-clis.ts";
import { createAnthropic } from "./anthropic.ts";
import { createClaudeCli } from "./claude-cli.ts";
import { createGemini } from "./gemini.ts";
import { httpProvider, type ModelContext, textOf } from "./http.ts";
import { createOpenAi } from "./openai.ts";
import { llmLimits } from "./breaker.ts";
import type { Meter } from "./meter.ts";
import { type Answer, answerOf, foreign } from "./read-json.ts";

export interface ChosenProvider {
  readonly provider: Provider | null;
  /** For people. */
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
  if (name === "none") return noProvider(noModelWords);
  if (name === "auto") return chooseFirst(deps, settings);
  const made = createProvider(deps, settings, name);
  return made.ok
    ? { provider: made.value, reason: "chosen in the settings" }
    : noProvider(`${name} is configured, but ${made.error}`);
}

async function chooseFirst(deps: ModelContext, settings: LlmSettings): Promise<ChosenProvider> {
  const reasons: string[] = [];
  for (const name of order) {
    const made = createProvider(deps, settings, name);
    const probed = made.ok ? await made.value.probe() : { usable: false, reason: made.error };
    if (made.ok && probed.usable) return { provider: made.value, reason: `auto: ${probed.reason}` };
    reasons.push(`${name}: ${probed.reason}`);
    if (made.ok) await made.value.close();
  }
  return noProvider(`auto found none that works (${reasons.join("; ")}): set up one of them`);
}

const noProvider = (reason: string): ChosenProvider => ({ provider: null, reason });

/** A provider as configured, without asking it anything; or in words what is missing. */
export function createProvider(
  deps: ModelContext,
  settings: LlmSettings,
  name: Provider["name"],
): Result<Provider, string> {
  if (name === "claude-cli") return claudeCli(deps, settings.claudeCli);
  if (isAgentCli(name)) return ok(createAgentCli(deps, name));
  const api = apis[name];
  const access = openAccess(deps, api.access(settings));
  if (!access.ok) return access;
  const { close } = access.value;
  return ok({ ...api.create(access.value, settings), close: async () => close() });
}

function claudeCli(
  deps: ModelContext,
  { apiKeyEnv, baseUrl, path }: LlmSettings["claudeCli"],
): Result<Provider, string> {
  const { home, env } = deps;
  const key = findKey({ home, env, provider: "claude-cli", variable: apiKeyEnv });
  if (!key.ok) return key;
  const address = baseUrl === "" ? ok(null) : addressOf(baseUrl, { hasKey: true });
  if (!address.ok) return err(`llm.claude-cli.base_url: ${address.error}`);
  return ok(createClaudeCli(deps, { path, key: key.value, baseUrl: address.value }));
}

interface Api {
  readonly access: (settings: LlmSettings) => Parameters<typeof openAccess>[1];
  readonly create: (access: Access, settings: LlmSettings) => Omit<Provider, "close">;
}

const accessWithKey = (
  provider: "anthropic" | "gemini" | "openrouter",
  drop: RegExp,
  { apiKeyEnv, baseUrl }: LlmSettings["anthropic"],
): ReturnType<Api["access"]> => ({
  setting: `llm.${provider}.base_url`,
  address: baseUrl,
  drop,
  key: { provider, variable: apiKeyEnv },
  // Servers in one's own network that speak as OpenRouter does rarely want a key.
  needsKey: provider !== "openrouter" || /^https:/i.test(baseUrl),
});

/** People know addresses with and without the version; the path is ours. */
const apis: Readonly<Record<Exclude<Provider["name"], AgentCliName | "claude-cli">, Api>> = {
  anthropic: {
    access: ({ anthropic }) => accessWithKey("anthropic", /\/v1$/, anthropic),
    create: createAnthropic,
  },
  gemini: {
    access: ({ gemini }) => accessWithKey("gemini", /\/v1beta$/, gemini),
    create: createGemini,
  },
  openrouter: {
    access: ({ openrouter }) => accessWithKey("openrouter", /\/chat\/completions$/, openrouter),
    create: createOpenAi,
  },
  ollama: {
    access: ({ ollama }) => ({
      setting: "llm.ollama.endpoint",
      address: ollama.endpoint,
      key: null,
      needsKey: false,
    }),
    create: (access, { model, ollama }) =>
      createOllama(access, model === "" ? ollama.model : model),
  },
};

// Ollama's /api/chat, on this machine or another. Not as a stream: closing the connection stops the model as well.

/** `model`: the one that the probe looks for. */
export const createOllama = (access: Access, model: string): Omit<Provider, "close"> =>
  httpProvider(access, {
    name: "ollama",
    headers: {},
    isFree: true,
    url: () => `${access.baseUrl}/api/chat`,
    body: bodyOf,
    read,
    probeUrl: `${access.baseUrl}/api/tags`,
    verdict: (asked) => {
      if (!asked.ok) return { usable: false, reason: `no Ollama answers at ${access.baseUrl}` };
      const { data } = Tags.safeParse(parseJson(asked.value));
      const isThere = data?.models.some(({ name }) => name === model || name === `${model}:latest`);
      const said = `Ollama at ${access.baseUrl} has`;
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
