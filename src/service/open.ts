/** What sessions of a project left open, as far as nothing shows that it was finished since. */
import { openEndKey, openEndsIn, type Session, type StoreDep } from "#domain";
import { msPerDay, oneLine } from "#kit";
import type { OpenEndJson, OpenJson } from "#api";
import type { PauseDep } from "./deps.ts";

export interface OpenApi {
  /** This branch first, then the latest. */
  readonly open: (ask: {
    readonly project: string | null;
    readonly branch: string | null;
    readonly nowMs: number;
  }) => OpenJson;
}

const sessionsMax = 60;
const shownMax = 8;
const days = 30;

export const createOpenApi = ({ store, pause }: PauseDep & StoreDep): OpenApi => ({
  open: ({ project, branch, nowMs }) => {
    const items = store.sessions
      .recentCheckpoints(project === null ? [] : [project], sessionsMax)
      .filter(({ atMs }) => atMs > nowMs - days * msPerDay)
      .flatMap((one): readonly OpenEndJson[] => {
        const session = store.sessions.byId(one.sessionId);
        const open = openOf(store, session, one.nextSteps);
        if (session === null || open.length === 0) return [];
        const { sessionId, atMs, l0, completed } = one;
        const done = oneLine(completed);
        const title = l0 === "" ? (session.title ?? "") : l0;
        return [{ session_id: sessionId, at: atMs, branch: session.branch, title, done, open }];
      });
    const isHere = (one: OpenEndJson): boolean => branch !== null && one.branch === branch;
    const ordered = [...items.filter(isHere), ...items.filter((one) => !isHere(one))];
    return { ...pause.state(nowMs), items: ordered.slice(0, shownMax) };
  },
});

/** The open ends of a session's checkpoint that nothing has finished. */
export function openOf(
  { openEnds }: StoreDep["store"],
  session: Pick<Session, "project" | "sessionId"> | null,
  nextSteps: string,
): readonly string[] {
  const items = openEndsIn(nextSteps);
  if (session === null || session.project === null || items.length === 0) return items;
  const closed = new Set(openEnds.of(session.project).closed);
  return items.filter((item) => !closed.has(openEndKey(session.sessionId, item)));
}
