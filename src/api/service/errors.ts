/** Everything a caller can do wrong, or be too early for. The server maps each type to a status in one table. */
import {
  type AgentCliName,
  isAgentCli,
  type LlmError,
  type LlmSettings,
  type ProviderName,
} from "#domain";
import { isoTime, msPerSecond } from "#kit";

export type ServiceError =
  | { readonly type: "memory.not-found"; readonly uri: string }
  | {
      readonly type: "memory.ambiguous";
      readonly uri: string;
      readonly candidates: readonly string[];
    }
  | { readonly type: "memory.is-directory"; readonly uri: string }
  | { readonly type: "memory.uri-invalid"; readonly uri: string }
  | { readonly type: "memory.empty" }
  /** What is left without the secret says nothing. */
  | { readonly type: "memory.only-secret" }
  | { readonly type: "memory.private" }
  | { readonly type: "memory.changed"; readonly uri: string }
  | { readonly type: "memory.pending"; readonly uri: string }
  | { readonly type: "memory.category-fixed"; readonly uri: string }
  | { readonly type: "undo.nothing" }
  | { readonly type: "undo.no-step"; readonly id: number }
  | { readonly type: "as-of.future" }
  | { readonly type: "as-of.not-learnt"; readonly uri: string }
  | { readonly type: "as-of.of-team"; readonly uri: string }
  | { readonly type: "revision.not-found"; readonly uri: string }
  | { readonly type: "review.not-found"; readonly id: number }
  | { readonly type: "guard.not-found"; readonly id: number }
  /** Nothing in the words could be held against a command. */
  | { readonly type: "guard.unclear"; readonly words: string }
  | { readonly type: "moment.unknown"; readonly around: string }
  | { readonly type: "config.unknown-key"; readonly message: string }
  | { readonly type: "config.value"; readonly message: string }
  | { readonly type: "config.locked"; readonly key: string }
  | { readonly type: "config.unreadable"; readonly message: string }
  | { readonly type: "memory.forgotten" }
  /** An agent saves in a run whose prompts a program sends. */
  | { readonly type: "session.headless" }
  /** An agent saves in a turn of which something is private, or nothing is to be kept. */
  | { readonly type: "session.private" }
  | { readonly type: "session.not-found"; readonly sessionId: string }
  | {
      readonly type: "session.ambiguous";
      readonly sessionId: string;
      readonly candidates: readonly string[];
    }
  | { readonly type: "injection.not-found"; readonly id: number }
  | { readonly type: "project.unknown"; readonly project: string }
  | { readonly type: "project.ambiguous"; readonly project: string }
  | { readonly type: "project.same"; readonly project: string }
  | { readonly type: "project.no-merge" }
  | { readonly type: "code.no-repository"; readonly folder: string }
  | { readonly type: "cursor.invalid" }
  | { readonly type: "service.read-only" };

// What went wrong with a language model, for people: what happened, where, and what to do next. Pure.

/** Who was asked, and what the user can look at. */
export interface LlmPlace {
  readonly provider: ProviderName;
  /** An address, or the program. */
  readonly address: string;
  /** Settings that decide what is asked, and where. */
  readonly addressKey: string;
  readonly modelKey: string;
  /** What llm.provider says; `provider` is "none" when that one cannot be had. */
  readonly configured: LlmSettings["provider"];
  /** What to look at when it refuses the key. */
  readonly access: string;
}

/** `home`: $CONTINUITY_HOME, for key files. */
export function llmPlaceOf(
  provider: ProviderName | "auto",
  llm: LlmSettings,
  home: string,
): LlmPlace {
  if (isAgentCli(provider)) return placeOfClient(provider, llm);
  const keyed = (name: "anthropic" | "gemini" | "openrouter"): LlmPlace => ({
    provider: name,
    configured: llm.provider,
    address: llm[name].baseUrl,
    addressKey: `llm.${name}.base_url`,
    modelKey: "llm.model",
    access: `check the key in ${home}/keys/${name}`,
  });
  switch (provider) {
    case "anthropic":
    case "gemini":
    case "openrouter":
      return keyed(provider);
    case "ollama":
      return {
        provider,
        configured: llm.provider,
        address: llm.ollama.endpoint,
        addressKey: "llm.ollama.endpoint",
        modelKey: "llm.ollama.model",
        access: "check llm.ollama.endpoint: Ollama itself asks for no login",
      };
    case "claude-cli":
      return {
        provider,
        configured: llm.provider,
        address: llm.claudeCli.path === "" ? "the Claude CLI" : llm.claudeCli.path,
        addressKey: "llm.claude-cli.path",
        modelKey: "llm.model",
        access: "run `claude auth login`",
      };
    case "auto":
    case "none":
      return {
        provider: "none",
        configured: llm.provider,
        address: "no model",
        addressKey: "llm.provider",
        modelKey: "llm.provider",
        access: "choose one with `continuity config set llm.provider NAME`",
      };
    default:
      return provider satisfies never;
  }
}

/** Another agent's own client. */
function placeOfClient(provider: AgentCliName, llm: LlmSettings): LlmPlace {
  const program = provider.replace(/-cli$/u, "");
  return {
    provider,
    configured: llm.provider,
    address: `the ${program} client`,
    addressKey: "llm.provider",
    modelKey: "llm.model",
    access: `run \`${program}\` and log in`,
  };
}

/** One line: what happened, with the address, and the next step. */
export function explainLlmError(error: LlmError, place: LlmPlace): string {
  const { address, addressKey, modelKey, access } = place;
  switch (error.type) {
    case "llm.none":
      return none(error.detail, place);
    case "llm.timeout":
      return (
        `no answer from ${address} within ${Math.round(error.afterMs / msPerSecond)} s: check ` +
        "that it is running, or raise llm.timeout_seconds"
      );
    case "llm.unauthorised":
      return `${address} denied access (${error.detail}): ${access}`;
    case "llm.rate-limited":
      return `${address} received too many requests: ${again(error.retryAfterMs)}, or lower llm.concurrency`;
    case "llm.unavailable":
      return unavailable(error.detail, place);
    case "llm.refused":
      return error.status === 200
        ? `${address}: ${error.detail}: choose another model with ${modelKey}`
        : `${address} rejected the request (${withStatus(error)}): check ${modelKey} and ${addressKey}`;
    case "llm.unreadable":
      return (
        `${address} sent an answer that does not fit the schema (${error.detail}): choose ` +
        `another model with ${modelKey}`
      );
    case "llm.budget":
      return `the budget of ${error.limit} tokens per ${error.scope} is used up: raise llm.tokens_per_${error.scope}${
        error.scope === "day" ? ", or wait until midnight" : ""
      }`;
    case "llm.breaker-open":
      return (
        `${address} failed several times in a row: it is tried again at ` +
        `${isoTime(error.untilMs)}; \`continuity status\` shows the failure`
      );
    default:
      return error satisfies never;
  }
}

/** Why a provider that is configured cannot be had ends in its own step (src/models/llm/choose.ts). */
function none(detail: string, { configured, provider, addressKey, access }: LlmPlace): string {
  if (provider === "claude-cli") return `${detail}: install Claude Code, or set ${addressKey}`;
  if (isAgentCli(provider)) return `${detail}: install it, or choose another ${addressKey}`;
  return provider === "none" && configured !== "none" ? detail : `${detail}: ${access}`;
}

const again = (afterMs: number | null): string =>
  afterMs === null ? "try again later" : `try again in ${Math.ceil(afterMs / msPerSecond)} s`;

const withStatus = ({ status, detail }: { readonly status: number; readonly detail: string }) =>
  detail.startsWith(`${status} `) ? detail : `${status} ${detail}`;

/** Codes of Bun and of the system when no server listens, or the name leads nowhere. */
const notThere = /refused|ENOTFOUND|FailedToOpenSocket|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/i;

function unavailable(detail: string, { access, address, addressKey, provider }: LlmPlace): string {
  if (provider === "claude-cli")
    return `${address} failed (${detail}): run \`claude -p hello\` to see it, or set ${addressKey}`;
  if (isAgentCli(provider))
    return `${address} failed (${detail}): ${access}, or run \`continuity status --test-model\``;
  if (notThere.test(detail))
    return `nothing answers at ${address} (${detail}): start the server, or check ${addressKey}`;
  if (detail.endsWith("which is no answer of this API"))
    return (
      `${address} answered ${detail}: check ` +
      `${addressKey}${provider === "openrouter" ? ", which usually ends in /v1" : ""}`
    );
  return `${address} is unavailable (${detail}): try again later, or check ${addressKey}`;
}
