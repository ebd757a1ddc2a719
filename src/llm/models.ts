/** Which model does which work. The only place that knows names of models. */
import { defaultSettings } from "#domain";
import type { LlmPurpose, LlmSettings, Provider } from "#domain";

type Section = "session" | "search" | "relational";

/** Seven purposes share three settings: what reads a session goes with the session. */
const sectionOf: Readonly<Record<LlmPurpose, Section>> = {
  session: "session",
  evaluate: "session",
  observe: "session",
  narrate: "session",
  summary: "session",
  search: "search",
  relational: "relational",
};

/**
 * What stands in for Claude's names with the others: the same model where it is sold, else the provider's own small
 * one. Never the largest tier.
 */
const elsewhere: Readonly<Record<"gemini" | "openrouter", string>> = {
  gemini: "gemini-3.5-flash-lite",
  openrouter: "anthropic/claude-haiku-4.5",
};

/** The user's choice for this work, else their choice for all work, else the provider's default. */
export function modelFor(
  provider: Provider["name"],
  purpose: LlmPurpose,
  settings: LlmSettings,
): string {
  const section = sectionOf[purpose];
  const { model: own } = settings[section];
  const { model: usual } = defaultSettings.llm[section];
  if (own !== "" && own !== usual) return own;
  if (settings.model !== "") return settings.model;
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
