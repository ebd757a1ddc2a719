/**
 * Reads one prompt: who made it, and which of its lines the user typed for it.
 */

/**
 * `typed`: a person wrote it; `command`: a slash command; `plan`: a plan of the agent, put in as a prompt;
 * `client`: the client, a hook, an orchestrator, a skill or a plugin wrote it.
 */
export type PromptKind = "typed" | "command" | "plan" | "client";

export interface ReadPrompt {
  readonly kind: PromptKind;
  /** The typed lines, in order, joined by line breaks; empty when nobody typed anything. */
  readonly typed: string;
  /** Lines that repeat the agent's answer before: the user chose them. */
  readonly quoted: string;
  /** Characters left out because they were pasted. */
  readonly pastedChars: number;
}

const startsOfClient =
  /^\s*"?(?:<teammate-message|<task-notification|<bash-|<local-command|<system-reminder|\[Request interrupted|Full transcript available at|Read the output file to retrieve|Operation stopped by hook|Stop hook feedback|This session is being continued|Caveat: |Base directory for this skill|\[Image: source|You are an? [\w -]{3,60}(?:agent|reviewer|assistant|engineer|expert|subagent)\b)/;
const startsOfPlan = /^\s*(?:implement (?:the following|this) plan|please implement this plan)\b/i;

/** Reads a gated prompt. `answerBefore`: what the agent said last, null at the start of a session. */
export function readPrompt(text: string, _answerBefore: string | null): ReadPrompt {
  if (startsOfClient.test(text)) return nobodys("client", text);
  if (startsOfPlan.test(text)) return nobodys("plan", text);
  const typed = text
    .split(/^[ \t]*(?:```|~~~).*$/m)
    .filter((_, n) => n % 2 === 0)
    .join("\n")
    .trim();
  return { kind: "typed", typed, quoted: "", pastedChars: text.length - typed.length };
}

const nobodys = (kind: PromptKind, text: string): ReadPrompt => ({
  kind,
  typed: "",
  quoted: "",
  pastedChars: text.length,
});
