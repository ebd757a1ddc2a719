/** What a day brought, by project, and what it left to do. */
import {
  type MemoryNode,
  openEndKey,
  openEndsIn,
  type Session,
  type SpanCount,
  type Store,
} from "#domain";
import { msPerDay, oneLine } from "#kit";
import type { DayMemoryJson, OpenEndJson, OpenJson, TodayJson } from "../forms-given.ts";
import { headToJson } from "./given.ts";
import type { Context } from "./context.ts";

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

export const createTodayApi = (context: Context): TodayApi => ({
  today: ({ sinceMs, untilMs }) => {
    const changed = (action: "create" | "supersede"): readonly MemoryNode[] =>
      context.store.nodes.byIds(
        context.store.figures.changedInSpan(action, sinceMs, untilMs, shownMax),
      );
    const replaced = changed("supersede");
    const successors = context.store.nodes.successors(replaced.map(({ id }) => id));
    return {
      projects: byProject(context.store.figures.inSpan(sinceMs, untilMs)),
      learnt: changed("create")
        .filter(({ status }) => status !== "pending")
        .map(told),
      replaced: replaced.flatMap((old) => {
        const now = successors.get(old.id);
        return now === undefined ? [] : [{ old: told(old), now: told(now) }];
      }),
      given: context.store.exposure
        .injectionHeads({ projects: null, kind: "given", sinceMs, untilMs }, first)
        .map(headToJson),
      open: openEnds(context, untilMs),
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
function openEnds({ store }: Context, untilMs: number): TodayJson["open"] {
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

// What sessions of a project left open, as far as nothing shows that it was finished since.

export interface OpenApi {
  /** This branch first, then the latest. */
  readonly open: (ask: {
    readonly project: string | null;
    readonly branch: string | null;
    readonly nowMs: number;
  }) => OpenJson;
}

const openSessionsMax = 60;
const openShownMax = 8;
const days = 30;

export const createOpenApi = ({ store, pause }: Context): OpenApi => ({
  open: ({ project, branch, nowMs }) => {
    const items = store.sessions
      .recentCheckpoints(project === null ? [] : [project], openSessionsMax)
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
    return { ...pause.state(nowMs), items: ordered.slice(0, openShownMax) };
  },
});

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
