/** Everything a caller can do wrong, or be too early for. The server maps each type to a status in one table. */
import { isAgentCli, type LlmError, type LlmSettings, type ProviderName } from "#domain";
import { isoTime, msPerSecond } from "#kit";

type With<Name extends string, Value = string> = Readonly<Record<Name, Value>>;

/** Messages for users by error type: one sentence, with the next step where there is one. */
const messages = {
  "memory.not-found": ({ uri }: With<"uri">) => `No memory at ${uri}.`,
  "memory.ambiguous": (error: With<"uri"> & With<"candidates", readonly string[]>) =>
    `${error.uri} is ambiguous: ${error.candidates.join(", ")}.`,
  "memory.is-directory": ({ uri }: With<"uri">) =>
    `${uri} is a directory; name the memories in it one by one.`,
  "memory.uri-invalid": ({ uri }: With<"uri">) =>
    `${uri} is not a place in the memory tree; it should look like mem://user/profile/name.`,
  "memory.empty": () => "There is no text to remember.",
  "memory.only-id": ({ id }: With<"id">) =>
    `Nothing was stored: this session saved no memory ${id}; give \`line\` in words.`,
  "memory.only-secret": () =>
    "Nothing was stored: without the secret, which is never kept, the text says nothing. Say what it is for, or " +
    "name words that are no secret in `privacy.allow`.",
  "memory.private": () => "The whole text is private, so nothing was stored.",
  "memory.forgotten": () => "The user deleted this; only the user can add it again.",
  "memory.changed": ({ uri }: With<"uri">) => `${uri} has changed since; read it again.`,
  "memory.pending": ({ uri }: With<"uri">) =>
    `${uri} is pending review; accept or reject it first.`,
  "memory.category-fixed": ({ uri }: With<"uri">) => `${uri} cannot be moved to another category.`,
  "undo.nothing": () => "There is no change to undo.",
  "undo.no-step": ({ id }: With<"id", number>) =>
    `No change has the number ${id}; \`continuity undo --list\` shows them.`,
  "as-of.future": () => "That time has not come yet; name one in the past.",
  "as-of.of-team": ({ uri }: With<"uri">) => `${uri} is a team's; its members decide what it says.`,
  "as-of.not-learnt": ({ uri }: With<"uri">) => `${uri} had not been learnt then.`,
  "code.no-repository": ({ folder }: With<"folder">) => `${folder} is in no git repository.`,
  "revision.not-found": ({ uri }: With<"uri">) =>
    `${uri} has no such revision to go back to or compare.`,
  "review.not-found": ({ id }: With<"id", number>) => `No pending memory with the id ${id}.`,
  "guard.not-found": ({ id }: With<"id", number>) => `No guard with the number ${id}.`,
  "guard.unclear": () =>
    "These words forbid nothing that can be seen in a command or a path; " +
    "name a command or a folder, such as never run `git push`.",
  "moment.unknown": ({ around }: With<"around">) => `Unknown time, memory or turn: ${around}.`,
  "config.unknown-key": ({ message }: With<"message">) => message,
  "config.value": ({ message }: With<"message">) => message,
  "config.unreadable": ({ message }: With<"message">) => message,
  "config.locked": ({ key }: With<"key">) =>
    `${key} can be changed in the file and with \`continuity config set\` only.`,
  "injection.not-found": ({ id }: With<"id", number>) => `No injection ${id}.`,
  "session.headless": () =>
    "Nothing was stored: a program runs this session, where only /remember makes a memory (capture.headless).",
  "session.private": () =>
    "Nothing was stored: the user's prompt is private, or is not to be remembered, and so is this turn.",
  "turn.none": () => "Nothing was deleted: no running turn of this session is known.",
  "turn.stays": ({ reason, uri }: With<"reason"> & With<"uri">) =>
    `The turn stays on the record: ${reason}. The user deletes it with \`continuity forget ${uri}\`.`,
  "session.not-found": ({ sessionId }: With<"sessionId">) => `No session ${sessionId}.`,
  "session.ambiguous": (error: With<"sessionId"> & With<"candidates", readonly string[]>) =>
    `Several sessions begin with ${error.sessionId}: ${error.candidates.join(", ")}.`,
  "project.unknown": ({ project }: With<"project">) => `No project named ${project}.`,
  "project.ambiguous": ({ project }: With<"project">) =>
    `${project} is ambiguous; use the key of the project.`,
  "project.same": ({ project }: With<"project">) => `${project} is that project already.`,
  "project.no-merge": () => "No joining of projects is left to take apart.",
  "cursor.invalid": () => "Invalid cursor; start again without it.",
  "service.read-only": () => "The database is open read-only; writing needs the daemon.",
} as const;

type Messages = typeof messages;

export type ServiceError = {
  readonly [Type in keyof Messages]: { readonly type: Type } & (Parameters<Messages[Type]> extends [
    infer Fields,
  ]
    ? Fields
    : object);
}[keyof Messages];

export const messageOf = (error: ServiceError): string =>
  // The table has a line for each type and takes what that type holds; a union cannot say so.
  (messages[error.type] as (error: ServiceError) => string)(error);

// Says for people what went wrong with a language model: what happened, where, and what to do next. Pure.

/** The provider that was asked, and what the user can look at. */
export interface LlmPlace {
  readonly provider: ProviderName;
  /** An address, or the program. */
  readonly address: string;
  /** Settings that decide what is asked, and where. */
  readonly addressKey: string;
  readonly modelKey: string;
  /** The value of llm.provider; `provider` is "none" when that one cannot be had. */
  readonly configured: LlmSettings["provider"];
  /** The setting or file to look at when it refuses the key. */
  readonly access: string;
}

/** `home`: $CONTINUITY_HOME, for key files. */
export function llmPlaceOf(
  provider: ProviderName | "auto",
  llm: LlmSettings,
  home: string,
): LlmPlace {
  const place = (of: Omit<LlmPlace, "provider" | "configured" | "modelKey">) =>
    ({
      provider: provider === "auto" ? "none" : provider,
      configured: llm.provider,
      modelKey: "llm.model",
      ...of,
    }) as const;
  if (isAgentCli(provider)) {
    const program = provider.replace(/-cli$/u, "");
    const access = `run \`${program}\` and log in`;
    return place({ address: `the ${program} client`, addressKey: "llm.provider", access });
  }
  switch (provider) {
    case "anthropic":
    case "gemini":
    case "openrouter":
      return place({
        address: llm[provider].baseUrl,
        addressKey: `llm.${provider}.base_url`,
        access: `check the key in ${home}/keys/${provider}`,
      });
    case "ollama":
      return {
        ...place({
          address: llm.ollama.endpoint,
          addressKey: "llm.ollama.endpoint",
          access: "check llm.ollama.endpoint: Ollama itself asks for no login",
        }),
        modelKey: "llm.ollama.model",
      };
    case "claude-cli":
      return place({
        address: llm.claudeCli.path === "" ? "the Claude CLI" : llm.claudeCli.path,
        addressKey: "llm.claude-cli.path",
        access: "run `claude auth login`",
      });
    case "auto":
    case "none": {
      const access = "choose one with `continuity config set llm.provider NAME`";
      const none = place({ address: "no model", addressKey: "llm.provider", access });
      return { ...none, modelKey: "llm.provider" };
    }
    default:
      return provider satisfies never;
  }
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
      return `${address} received too many requests: ${again(error.retryAfterMs)}`;
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

/**
 * `none` words why a configured provider cannot be had; each reason ends in its own next step
 * (src/models/llm/choose.ts).
 */
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
