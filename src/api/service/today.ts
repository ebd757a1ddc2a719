/** Sums up a day by project, with what sessions left to do. */
import { openEndKey, openEndsIn, type Session, type SpanCount, type Store } from "#domain";
import { msPerDay, oneLine } from "#kit";
import type { OpenEndJson, OpenJson, TodayJson } from "../forms-given.ts";
import type { Context, Query, TimedQuery } from "./context.ts";

/** `until` is not part of it. */
export const today = (
  { store }: Context,
  { since, until }: Query<"GET /api/today">,
): TodayJson => ({ projects: byProject(store.figures.inSpan(since, until)) });

function byProject(counts: readonly SpanCount[]): TodayJson["projects"] {
  const count = (rows: readonly SpanCount[], what: SpanCount["what"]): number =>
    rows.find((row) => row.what === what)?.count ?? 0;
  return [...Map.groupBy(counts, ({ project }) => project)]
    .map(([project, rows]) => ({
      project,
      learnt: count(rows, "learnt"),
      replaced: count(rows, "replaced"),
      given: count(rows, "given"),
      silent: count(rows, "silent"),
      tokens: count(rows, "tokens"),
      waiting: count(rows, "waiting"),
    }))
    .toSorted(
      (a, b) =>
        b.learnt + b.given - a.learnt - a.given || ((a.project ?? "") < (b.project ?? "") ? -1 : 1),
    );
}

// Open ends of a project's sessions, unless something shows that they were finished since.

const openSessionsMax = 60;
const openShownMax = 8;
const days = 30;

/** This branch first, then the latest. */
export function open(
  { store, pause }: Context,
  { project, branch, nowMs }: TimedQuery<"GET /api/open">,
): OpenJson {
  const items = store.sessions
    .recentCheckpoints(project === undefined ? [] : [project], openSessionsMax)
    .filter(({ atMs }) => atMs > nowMs - days * msPerDay)
    .flatMap((one): readonly OpenEndJson[] => {
      const session = store.sessions.byId(one.sessionId);
      const left = openOf(store, session, one.nextSteps);
      if (session === null || left.length === 0) return [];
      const { sessionId, atMs, l0, completed } = one;
      const done = oneLine(completed);
      const title = l0 === "" ? (session.title ?? "") : l0;
      return [{ session_id: sessionId, at: atMs, branch: session.branch, title, done, open: left }];
    });
  const isHere = (one: OpenEndJson): boolean => branch !== undefined && one.branch === branch;
  const ordered = [...items.filter(isHere), ...items.filter((one) => !isHere(one))];
  return { ...pause.state(nowMs), items: ordered.slice(0, openShownMax) };
}

/** The open ends of a session's checkpoint that nothing has finished. */
function openOf(
  { openEnds }: Store,
  session: Session | null,
  nextSteps: string,
): readonly string[] {
  const items = openEndsIn(nextSteps);
  if (session === null || session.project === null || items.length === 0) return items;
  const closed = new Set(openEnds.of(session.project).closed);
  return items.filter((item) => !closed.has(openEndKey(session.sessionId, item)));
}
