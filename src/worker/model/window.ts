/** Recorded turns in the form that the record of a session takes. */
import { localDate } from "#kit";
import type { CondenseTurn } from "#prompts";
import type { Store, Turn } from "#domain";

/** Turns of a stretch that are over, not private and a person's, oldest first. */
export const turnsOf = (
  { sessions }: Pick<Store, "sessions">,
  sessionId: string,
  stretch: { readonly from: number; readonly to: number },
): readonly Turn[] =>
  sessions
    .turnsBefore(sessionId, stretch.to + 1, Math.max(0, stretch.to - stretch.from + 1))
    .filter(
      ({ n, prompt, status, isPrivate, isHeadless }) =>
        n >= stretch.from &&
        prompt !== null &&
        isPrivate !== true &&
        isHeadless !== true &&
        status !== "open",
    )
    .toReversed();

/**
 * A turn as a session's record takes it; gated text only. Paths below `folder`, where the session began, lose it: they
 * cost tokens and say nothing.
 */
export function condenseTurnOf(
  { sessions }: Pick<Store, "sessions">,
  turn: Turn,
  folder: string | null,
): CondenseTurn {
  const near = nearer(folder);
  const uses = turn.toolCount === 0 ? [] : sessions.toolUses(turn.sessionId, turn.n);
  return {
    n: turn.n,
    date: localDate(turn.startedAt),
    prompt: turn.prompt ?? "",
    answer: turn.answer,
    interrupted: turn.status === "interrupted",
    files: turn.filesEdited.map(near),
    tools: uses.map(({ tool, target, outcome, text }) => ({
      tool,
      outcome,
      target: target === null ? null : near(target),
      text: text === null ? null : near(text),
    })),
  };
}

/** Paths inside a folder without it, and `.` for the folder itself. */
function nearer(folder: string | null): (text: string) => string {
  if (folder === null || folder.length < 2) return (text) => text;
  const literal = folder.replace(/[\\/]+$/u, "").replace(/[.*+?^${}()|[\]\\]/gu, "\\$&");
  const path = new RegExp(`(?<![\\p{L}\\p{N}_./-])${literal}(?:(/)|(?![\\p{L}\\p{N}_.-]))`, "gu");
  return (text) => text.replace(path, (_whole, slash?: string) => (slash === undefined ? "." : ""));
}
