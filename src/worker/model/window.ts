/** Recorded turns in the form that prompts take: what was said, and one line for each tool call. */
import type { CondenseTurn, WindowTurn } from "#prompts";
import type { Store, ToolUse, Turn } from "#domain";
import { oneLine } from "#kit";

/** Turns of a stretch that are over and not private, oldest first. */
export const turnsOf = (
  { sessions }: Pick<Store, "sessions">,
  sessionId: string,
  stretch: { readonly from: number; readonly to: number },
): readonly Turn[] =>
  sessions
    .turnsBefore(sessionId, stretch.to + 1, Math.max(0, stretch.to - stretch.from + 1))
    .filter(({ n, prompt, status }) => n >= stretch.from && prompt !== null && status !== "open")
    .toReversed();

/** A turn as a prompt shows it; gated text only. */
export const windowTurnOf = ({ sessions }: Pick<Store, "sessions">, turn: Turn): WindowTurn => ({
  n: turn.n,
  prompt: turn.prompt,
  answers: turn.answer === null ? [] : [turn.answer],
  tools: sessions.toolUses(turn.sessionId, turn.n).map(toolLine),
});

/** A turn as a session's record takes it; gated text only. */
export const condenseTurnOf = (
  { sessions }: Pick<Store, "sessions">,
  turn: Turn,
): CondenseTurn => ({
  n: turn.n,
  prompt: turn.prompt ?? "",
  answer: turn.answer,
  interrupted: turn.status === "interrupted",
  files: turn.filesEdited,
  tools: turn.toolCount === 0 ? [] : sessions.toolUses(turn.sessionId, turn.n),
});

/** `Bash: pnpm test → error: 2 failed` */
function toolLine({ tool, target, outcome, text }: ToolUse): string {
  const name = target === null ? tool : `${tool}: ${oneLine(target)}`;
  if (outcome === "ok") return name;
  const reason = text?.split("\n").find((line) => line.trim() !== "") ?? "";
  return reason === "" ? `${name} → error` : `${name} → error: ${oneLine(reason)}`;
}
