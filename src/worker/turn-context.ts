/** Gathers what extraction is given of a turn from the store. */
import type { Session, Store, Turn } from "#domain";
import type { TurnContext } from "#memory";

export function turnContextOf(store: Store, turn: Turn): TurnContext {
  const session = store.sessions.byId(turn.sessionId);
  const [previous] = store.sessions.turnsBefore(turn.sessionId, turn.n, 1);
  return {
    sessionId: turn.sessionId,
    turn: turn.n,
    ...projectOfSession(session),
    atMs: turn.startedAt,
    prompt: turn.prompt === "" ? null : turn.prompt,
    answer: turn.answer,
    interrupted: turn.status === "interrupted",
    previousPrompt: previous?.isPrivate === true ? null : (previous?.prompt ?? null),
    previousAnswer: previous?.answer ?? null,
    isHeadless: turn.isHeadless === true,
    tools: store.sessions.toolUses(turn.sessionId, turn.n),
  };
}

/** When a turn was over: what was made of it as a whole, or said in its answer, is of that time. */
export const endOfTurn = ({ startedAt, endedAt }: Pick<Turn, "endedAt" | "startedAt">): number =>
  Math.max(startedAt, endedAt ?? startedAt);

const projectOfSession = (
  session: Session | null,
): Pick<TurnContext, "project" | "projectName" | "branch"> => ({
  project: session?.project ?? null,
  projectName: session?.projectName ?? null,
  branch: session?.branch ?? null,
});
