/** The model that is asked. The only place that knows names of models. */
import { defaultSettings, isAgentCli } from "#domain";
import type { LlmSettings, Provider } from "#domain";

/**
 * What stands in for Claude's names with the others: the same model where it is sold, else the provider's own small
 * one. Never the largest tier.
 */
const elsewhere: Readonly<Record<"gemini" | "openrouter", string>> = {
  gemini: "gemini-3.5-flash-lite",
  openrouter: "anthropic/claude-haiku-4.5",
};

/** The user's choice for sessions, else their choice for all work, else the provider's default. */
export function modelFor(provider: Provider["name"], settings: LlmSettings): string {
  const { model: own } = settings.session;
  const { model: usual } = defaultSettings.llm.session;
  if (own !== "" && own !== usual) return own;
  if (settings.model !== "") return settings.model;
  // The one that the client is set to.
  if (isAgentCli(provider)) return "";
  switch (provider) {
    case "claude-cli":
    case "anthropic":
      return usual;
    case "ollama":
      return settings.ollama.model;
    case "gemini":
    case "openrouter":
      return elsewhere[provider];
    default:
      return provider satisfies never;
  }
}
