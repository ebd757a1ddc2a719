/** Lists what happened around a moment, or in one session: a page of it, and where to look for more. */
import {
  attributed,
  momentKinds,
  openEndKey,
  openEndsIn,
  type Session,
  type SpanCount,
  type Store,
  type TimelineEntry,
  type TimelineFilter,
  type TimelinePlace,
} from "#domain";
import { err, msPerDay, ok, oneLine, parseNow, type Result } from "#kit";
import type { ServiceError } from "./errors.ts";
import type { TimelineItemJson, TimelineJson } from "../forms-search.ts";
import { nodeAt } from "./memories.ts";
import {
  cursorOf,
  defined,
  numbersIn,
  type PageAsk,
  pageLimit,
  scopeOf,
  sessionAt,
} from "./scope.ts";
import type { Context, Query, TimedQuery } from "./context.ts";
import type { OpenEndJson, OpenJson, TodayJson } from "../forms-given.ts";

export type TimelineAsk = TimedQuery<"GET /api/timeline">;

/** Entries around a moment: what fits on a screen or two. */
const limitDefault = 40;

type Side = "earlier" | "later";

export function timeline(context: Context, ask: TimelineAsk): Result<TimelineJson, ServiceError> {
  const scope = scopeOf(context, { project: ask.project });
  if (!scope.ok) return scope;
  const atMs = ask.around === undefined ? ok(ask.nowMs) : momentOf(context, ask.around);
  if (!atMs.ok) return atMs;
  const filter = { projects: scope.value, sessionId: null, kinds: ask.kind ?? momentKinds };
  const asked = { limit: limitDefault, ...defined(ask) };
  return page(context.store, asked, { atMs: atMs.value, filter, isFromStart: false });
}

export function sessionTimeline(
  context: Context,
  sessionId: string,
  ask: PageAsk,
): Result<TimelineJson, ServiceError> {
  const session = sessionAt(context, sessionId);
  if (!session.ok) return session;
  const { startedAt: atMs, sessionId: id } = session.value;
  const filter = { projects: null, sessionId: id, kinds: momentKinds };
  return page(context.store, ask, { atMs, filter, isFromStart: true });
}

/** A session that was replayed may hold things that are older than its start. */
const beforeAll: TimelinePlace = { atMs: Number.MIN_SAFE_INTEGER, kind: momentKinds[0], id: -1 };

function page(
  { timeline: table }: Store,
  { limit = pageLimit, cursor }: PageAsk,
  on: { readonly atMs: number; readonly filter: TimelineFilter; readonly isFromStart: boolean },
): Result<TimelineJson, ServiceError> {
  const { atMs, filter, isFromStart } = on;
  const look = (place: TimelinePlace, side: Side, most: number): Half => {
    // One more than asked for tells whether there is more.
    const found = most === 0 ? [] : table.beside(place, side, filter, most + 1);
    return { entries: found.slice(0, most), isCut: found.length > most };
  };
  if (cursor != null) {
    const from = placeIn(cursor);
    if (from === null) return err({ type: "cursor.invalid" });
    const half = look(from.place, from.side, limit);
    return ok(answer(atMs, from.side, half, from.place));
  }
  const middle: TimelinePlace = isFromStart ? beforeAll : { atMs, kind: momentKinds[0], id: -1 };
  const before = look(middle, "earlier", isFromStart ? 0 : Math.floor(limit / 2));
  const after = look(middle, "later", limit - before.entries.length);
  const entries = [...before.entries.toReversed(), ...after.entries];
  return ok({
    around: atMs,
    items: entries.map(itemOf),
    earlier: before.isCut ? cursorAt("earlier", entries.at(0)) : null,
    later: after.isCut ? cursorAt("later", entries.at(-1)) : null,
  });
}

interface Half {
  readonly entries: readonly TimelineEntry[];
  readonly isCut: boolean;
}

/** A page on one side; the way back is where it was asked from. */
function answer(around: number, side: Side, half: Half, from: TimelinePlace): TimelineJson {
  const more = half.isCut ? cursorAt(side, half.entries.at(-1)) : null;
  const isEarlier = side === "earlier";
  const back = cursorAt(isEarlier ? "later" : "earlier", half.entries.at(0) ?? from);
  const items = isEarlier ? half.entries.toReversed() : half.entries;
  return {
    around,
    items: items.map(itemOf),
    earlier: isEarlier ? more : back,
    later: isEarlier ? back : more,
  };
}

const cursorAt = (side: Side, place: TimelinePlace | undefined): string | null =>
  place === undefined
    ? null
    : cursorOf(side === "earlier" ? "e" : "l", [
        place.atMs,
        momentKinds.indexOf(place.kind),
        place.id,
      ]);

function placeIn(cursor: string): { readonly side: Side; readonly place: TimelinePlace } | null {
  const side = cursor.startsWith("e") ? "earlier" : "later";
  const numbers = numbersIn(side === "earlier" ? "e" : "l", cursor, 3);
  const [atMs = 0, at = -1, id = 0] = numbers ?? [];
  const kind = momentKinds[at];
  return numbers === null || kind === undefined ? null : { side, place: { atMs, kind, id } };
}

const shownText = ({ kind }: TimelineEntry, text: string): string =>
  kind === "prompt" ? attributed(text) : text;

const itemOf = (entry: TimelineEntry): TimelineItemJson => ({
  kind: entry.kind,
  at: entry.atMs,
  session_id: entry.sessionId,
  turn: entry.turn,
  project: entry.project,
  uri: entry.uri,
  status: entry.status,
  title: oneLine(shownText(entry, entry.title)),
  text: entry.text === null ? null : shownText(entry, entry.text),
});

/** Epoch milliseconds or ISO 8601; a date's reader would take much else for a time. */
const timeForm = /^(?:-?\d+|\d{4}-\d{2}-\d{2}(?:[T ].*)?)$/;

/** A turn's own address, or `session/3`. */
const turnForm = /^(?:(?:mem:\/\/)?sessions\/([\w.:-]+)\/turns|([\w.:-]+))\/(\d{1,6})$/;

function startOfTurn(
  context: Context,
  around: string,
  [, inUri, alone, n]: readonly (string | undefined)[],
): Result<number, ServiceError> {
  const session = sessionAt(context, inUri ?? alone ?? "");
  if (!session.ok) return session;
  const found = context.store.sessions.turn(session.value.sessionId, Number(n));
  return found === null ? err({ type: "moment.unknown", around }) : ok(found.startedAt);
}

function momentOf(context: Context, around: string): Result<number, ServiceError> {
  const { sessions } = context.store;
  const turn = turnForm.exec(around);
  if (turn !== null) return startOfTurn(context, around, turn);
  const atMs = timeForm.test(around) ? parseNow(around) : null;
  if (atMs !== null && sessions.byId(around) === null) return ok(atMs);
  const session = sessionAt(context, around);
  if (session.ok) return ok(session.value.startedAt);
  if (session.error.type === "session.ambiguous") return session;
  const node = nodeAt(context, around);
  if (node.ok) return ok(node.value.createdAt);
  return /^(?:mem:\/\/|#)/.test(around) ? node : err({ type: "moment.unknown", around });
}

// Sums up a day by project, with what sessions left to do.

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
  const recent =
    project === undefined ? [] : store.sessions.recentCheckpoints(project, openSessionsMax);
  const items = recent
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
