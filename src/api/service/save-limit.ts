/** Counts what an agent saved in a session: beyond a limit a save waits for review. */
import type { MemoryNode } from "#domain";
import type { Context } from "./context.ts";

/**
 * Saves of one turn that hold together, of the user's words and of the agent's each; more wait for review. Beyond its
 * first, each save of a turn counts for the rest of the session: in a long session later decisions would wait else.
 */
const savesMax = 8;
const savedReadMax = 400;

/** Memories that agents saved in a session and that hold. */
const savedIn = ({ store }: Context, sessionId: string): readonly MemoryNode[] =>
  store.nodes
    .list({ projects: null, session: sessionId, statuses: ["active"] }, "recent", {
      limit: savedReadMax,
      offset: 0,
    })
    .filter(({ maker }) => maker === "manual");

/** Where a save goes, and the memories that it names to be replaced. */
interface Saving {
  readonly project: string | null;
  readonly sessionId: string | null;
  readonly slot: string | null;
  readonly old: readonly MemoryNode[];
}

/** A changed value is never left out for want of room. */
export function limitOf(
  context: Context,
  { old, project, sessionId, slot }: Saving,
  by: MemoryNode["origin"],
): string | null {
  const { store } = context;
  const inSlot = slot === null ? [] : store.nodes.bySlot(project, slot);
  if (sessionId === null || [...old, ...inSlot].some(({ status }) => status === "active"))
    return null;
  const saved = savedIn(context, sessionId).filter(({ origin }) => origin === by);
  const starts = store.sessions.turns(sessionId).map(({ startedAt }) => startedAt);
  if (saved.length < Math.max(savesMax, starts.length)) return null;
  const turns = saved.map(({ createdAt }) => starts.findLastIndex((at) => at <= createdAt));
  const isFirst = !turns.includes(starts.length - 1);
  const beyond = saved.length - new Set(turns).size;
  return isFirst || beyond < savesMax - 1
    ? null
    : `${saved.length} memories of this kind were saved in this session already`;
}
