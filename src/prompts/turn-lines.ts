/** One turn in a few labelled lines, for prompts that take many turns at once. Pure. */
import { tokensOf } from "#kit";
import { cleanText, headAndTail } from "./clean.ts";
import { indented, toolText } from "./window.ts";

export interface TurnToShow {
  readonly n: number;
  readonly prompt: string | null;
  /** The assistant's last message. */
  readonly answer: string | null;
  /** One line a call. */
  readonly tools: readonly string[];
}

/** Parts of a turn's tokens; the answer takes what prompt and tools leave. */
export interface TurnShares {
  readonly tokensMax: number;
  readonly prompt: number;
  readonly tools: number;
}

/** Labels and indents of a turn's lines. */
const labelTokens = 10;

/** `U7: …`, `T7: …`, `A7: …` within the budget; parts without text are left out. */
export function turnLines({ n, prompt, answer, tools }: TurnToShow, shares: TurnShares): string {
  const tokensMax = shares.tokensMax - labelTokens;
  const asks = shortened(prompt ?? "", Math.floor(tokensMax * shares.prompt));
  const calls = toolText(tools, Math.floor(tokensMax * shares.tools));
  const says = shortened(answer ?? "", tokensMax - tokensOf(asks) - tokensOf(calls));
  return [
    { label: "U", text: asks },
    { label: "T", text: calls },
    { label: "A", text: says },
  ]
    .filter(({ text }) => text !== "")
    .map(({ label, text }) => `${label}${n}: ${indented(text)}`)
    .join("\n");
}

/** Both ends of a text, without empty lines. */
export const shortened = (said: string, tokensMax: number): string =>
  headAndTail(
    cleanText(said)
      .trim()
      .replace(/\n\s*\n/g, "\n"),
    tokensMax,
  );
