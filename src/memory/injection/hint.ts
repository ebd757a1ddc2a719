/** A line that reminds the agent to save, with the nearest memory that is known. Pure. */
import { cutToTokens, tokensOf } from "#kit";
import { contentWords, sharedCount } from "#language";
import { wrapBare } from "./lines.ts";
import { neutralise } from "./neutral.ts";
import { quote } from "./quote.ts";

/** Events after which something may be worth saving. */
export type HintCause = "stopped" | "meanwhile" | "answered" | "plan" | "fixed" | "changed";

/** In tokens: one hint, its block included. */
const hintTokensMax = 45;
/** A memory of fewer tokens than this is not shown. */
const nearTokensMin = 4;

const heads: Readonly<Record<HintCause, string>> = {
  stopped: "User stopped you: if the reason lasts, save it:",
  meanwhile: "Typed meanwhile: if it lasts, save it:",
  answered: "User chose: if it lasts, save it with why:",
  plan: "Plan accepted: save decisions that last:",
  fixed: "Fixed: save cause and cure:",
  changed: "Changed value? Save it, old one in replaces:",
};

/** Words that a text shares with a memory that it may be about. */
const sharedMin = 2;

export const sharesWords = (text: string, line: string): boolean =>
  sharedCount(new Set(contentWords(text)), new Set(contentWords(line))) >= sharedMin;

export { tellsChange } from "#language";

export interface Near {
  /** Short id. */
  readonly id: string;
  readonly line: string;
}

/** One line in its block; the known memory as far as it fits. */
export function composeHint(cause: HintCause, tool: string, near: Near | null): string {
  const head = `${heads[cause]} ${tool}.`;
  const block = (line: string): string => wrapBare("hint", [line]);
  if (near === null) return block(head);
  const named = (text: string): string => block(`${head} Known: ${near.id}${text}`);
  const left = hintTokensMax - tokensOf(named(' ""'));
  if (left < nearTokensMin) return named("");
  return named(` ${quote(cutToTokens(neutralise(near.line), left))}`);
}
