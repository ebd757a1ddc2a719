/**
 * Follows the open ends of a project's sessions: finished by what a later session did, told once at
 * a start; and what it has not committed.
 */
import {
  editingTools,
  openEndKey,
  openEndsIn,
  type OpenEndsStore,
  type Session,
  type Store,
  type ToolUse,
  type Turn,
} from "#domain";
import { closedBy } from "#memory";

const sessionsMax = 24;

/** Open ends that earlier sessions of the project left, finished meanwhile or not. */
export const openEndsBefore = (
  { sessions }: Store,
  { sessionId, project, startedAt }: Session,
): readonly { readonly sessionId: string; readonly item: string }[] =>
  (project === null ? [] : sessions.recentNextSteps(project, sessionsMax))
    .filter((one) => one.sessionId !== sessionId && one.atMs <= startedAt)
    .flatMap((one) =>
      openEndsIn(one.nextSteps).map((item) => ({ sessionId: one.sessionId, item })),
    );

/** Inside the transaction of a checkpoint: notes what these turns finished of earlier sessions. */
export function closeOpenEnds(
  store: Store,
  session: Session,
  later: { readonly turns: readonly Turn[]; readonly toolUses: readonly ToolUse[] },
): void {
  const { openEnds } = store;
  const { project } = session;
  if (project === null) return;
  const state = openEnds.of(project);
  const known = new Set(state.closed);
  const numbers = new Set(later.turns.map(({ n }) => n));
  const work = { ...later, toolUses: later.toolUses.filter(({ turn }) => numbers.has(turn)) };
  const open = openEndsBefore(store, session)
    .map(({ sessionId, item }) => ({ item, key: openEndKey(sessionId, item) }))
    .filter(({ key }) => !known.has(key));
  const finished = new Set(
    closedBy(
      open.map(({ item }) => item),
      work,
    ),
  );
  const closed = open.flatMap(({ item, key }) => (finished.has(item) ? [key] : []));
  if (closed.length > 0) openEnds.put(project, { ...state, closed: [...state.closed, ...closed] });
}

export function noteTold(
  openEnds: OpenEndsStore,
  { project, sessionId }: { readonly project: string | null; readonly sessionId: string },
  keys: readonly string[],
): void {
  if (project === null || keys.length === 0) return;
  const state = openEnds.of(project);
  const fresh = keys.map((key) => [key, sessionId] as const);
  openEnds.put(project, { ...state, told: [...state.told, ...fresh] });
}

// Finds the edited files that a session has not committed, from its tool record: no git process is started for it.

const filesMax = 50;

/** Files edited after the last successful `git commit`, oldest first. */
export function uncommittedFiles(uses: readonly ToolUse[]): readonly string[] {
  const lastCommit = uses.findLastIndex(
    ({ outcome, target }) =>
      outcome === "ok" && target !== null && /\bgit\b[^|;&]*\bcommit\b/.test(target),
  );
  const edited = uses
    .slice(lastCommit + 1)
    .filter(({ tool, outcome }) => editingTools.has(tool) && outcome === "ok")
    .flatMap(({ files }) => files);
  return [...new Set(edited)].slice(-filesMax);
}
