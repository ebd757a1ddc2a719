/** What extraction is given of a turn: gated text only. Pure. */
import type { ToolUse } from "#domain";
import { readPrompt } from "#reader";

export interface TurnContext {
  readonly sessionId: string;
  /** Turn number from 1. */
  readonly turn: number;
  readonly project: string | null;
  readonly projectName: string | null;
  readonly branch: string | null;
  /** Event time of the prompt, epoch ms. */
  readonly atMs: number;
  readonly prompt: string | null;
  /** The assistant's last message of the turn; null while the turn is open or when it was interrupted. */
  readonly answer: string | null;
  readonly interrupted: boolean;
  readonly previousPrompt: string | null;
  /** What the assistant had last said before this prompt: the subject of "no, it's eu-central-1". */
  readonly previousAnswer: string | null;
  readonly tools: readonly ToolUse[];
  /** True when a program sent the prompt: only `/remember` is an order then. */
  readonly isHeadless?: boolean;
}

const rememberCommand = /^\/(?:continuity:)?remember\s+\S/iu;

/** True for `/remember` with a text. */
export function isRememberCommand(prompt: string | null): boolean {
  const { kind, typed } = readPrompt(prompt ?? "", null);
  return kind === "command" && rememberCommand.test(typed);
}

/** What the user typed of the turn's prompt; empty when nothing was. */
export const typedOf = ({
  prompt,
  previousAnswer,
}: Pick<TurnContext, "previousAnswer" | "prompt">): string =>
  prompt === null ? "" : readPrompt(prompt, previousAnswer).typed;
