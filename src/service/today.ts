/** What a day brought, by project, and what it left to do. */
import type { MemoryNode, SpanCount, StoreDep } from "#domain";
import { msPerDay } from "#kit";
import { openOf } from "./open.ts";
import { headToJson } from "./given.ts";
import type { DayMemoryJson, TodayJson } from "#api";

export interface TodayApi {
  /** `untilMs` is not part of it. */
  readonly today: (span: { readonly sinceMs: number; readonly untilMs: number }) => TodayJson;
}

const shownMax = 30;
const first = { limit: shownMax, offset: 0 };
/** How long before the end of the span a session may lie whose next steps are still told. */
const openDays = 7;
/** Sessions of those days that are looked at. */
const sessionsMax = 60;

export const createTodayApi = ({ store }: StoreDep): TodayApi => ({
  today: ({ sinceMs, untilMs }) => {
    const changed = (action: "create" | "supersede"): readonly MemoryNode[] =>
      store.nodes.byIds(store.figures.changedInSpan(action, sinceMs, untilMs, shownMax));
    const replaced = changed("supersede");
    const successors = store.nodes.successors(replaced.map(({ id }) => id));
    return {
      projects: byProject(store.figures.inSpan(sinceMs, untilMs)),
      learnt: changed("create")
        .filter(({ status }) => status !== "pending")
        .map(told),
      replaced: replaced.flatMap((old) => {
        const now = successors.get(old.id);
        return now === undefined ? [] : [{ old: told(old), now: told(now) }];
      }),
      given: store.exposure
        .injectionHeads({ projects: null, kind: "given", sinceMs, untilMs }, first)
        .map(headToJson),
      open: openEnds({ store }, untilMs),
    };
  },
});

const told = ({ uri, l0, category, project }: MemoryNode): DayMemoryJson => ({
  uri,
  l0,
  category,
  project,
});

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

/** Of each project only what its last session left: the one after it has seen what came before. */
function openEnds({ store }: StoreDep, untilMs: number): TodayJson["open"] {
  const since = { projects: null, sinceMs: untilMs - openDays * msPerDay, untilMs };
  const sessions = store.sessions.list(since, { limit: sessionsMax, offset: 0 });
  const latest = new Map(sessions.toReversed().map((one) => [one.project, one]));
  return [...latest.values()]
    .toSorted((a, b) => b.lastEventAt - a.lastEventAt)
    .flatMap((session) => {
      const { sessionId, title, project, lastEventAt } = session;
      const left = store.sessions.currentCheckpoint(sessionId)?.nextSteps ?? "";
      const steps = openOf(store, session, left).join("; ");
      return steps === ""
        ? []
        : [{ session_id: sessionId, title, project, at: lastEventAt, next_steps: steps }];
    });
}
