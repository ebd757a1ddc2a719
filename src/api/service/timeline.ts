/** Lists what happened around a moment, or in one session: a page of it, and where to look for more. */
import {
  attributed,
  momentKinds,
  type Store,
  type TimelineEntry,
  type TimelineFilter,
  type TimelinePlace,
} from "#domain";
import { err, ok, oneLine, parseNow, type Result } from "#kit";
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
import type { Context, TimedQuery } from "./context.ts";

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

/** One session from its beginning. */
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
