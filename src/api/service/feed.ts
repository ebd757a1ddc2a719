/**
 * The live feed: what comes in, in the order in which it is recorded, and pages back from the latest, in the order of
 * time. It is read from the records each time, so that it survives a restart, and nothing that was forgotten lingers in
 * a buffer.
 */
import {
  activityKinds,
  attributed,
  type Activity,
  type ActivityKind,
  type ActivityMarks,
  type ActivityPlace,
} from "#domain";
import { err, ok, oneLine, type Result } from "#kit";
import type { ServiceError } from "./errors.ts";
import type { FeedJson, FeedPageJson } from "../forms-search.ts";
import { cursorOf, numbersIn, type PageAsk } from "./scope.ts";
import type { Context, Query } from "./context.ts";

/** The entries since the last look; `reset`: look at everything anew. */
export type FeedSince =
  | { readonly type: "entries"; readonly entries: readonly FeedJson[]; readonly lastId: string }
  | { readonly type: "reset"; readonly reason: "forgotten" | "too-far"; readonly lastId: string };

/** Entries on a page. */
const limitDefault = 50;

/** Entries of one kind that are handed out at a time; a client that missed more starts anew. */
const missedMax = 200;

/** `feedNow` gives the feed's present position. */
export const feedNow = ({ store: { activity } }: Context): string =>
  idOf(activity.marks(), activity.forgets());

type FeedAsk = Omit<Query<"GET /api/feed">, "cursor"> & Pick<PageAsk, "cursor">;

/** Pages back from the latest. */
export function feed(
  { store }: Context,
  { cursor = null, limit = limitDefault, kind: kinds = activityKinds }: FeedAsk,
): Result<FeedPageJson, ServiceError> {
  const from = cursor === null ? null : placeIn(cursor);
  if (cursor !== null && from === null) return err({ type: "cursor.invalid" });
  const now = store.activity.marks();
  const forgets = store.activity.forgets();
  // One more than asked for tells whether there is more.
  const found = store.activity.before(from, limit + 1, kinds);
  const taken = found.slice(0, limit);
  const last = taken.at(-1);
  return ok({
    items: taken.map((activity) =>
      entryOf(activity, idOf({ ...now, [activity.kind]: activity.id }, forgets)),
    ),
    next_cursor: found.length > taken.length && last !== undefined ? cursorAt(last) : null,
    last_id: idOf(now, forgets),
  });
}

const cursorAt = ({ atMs, kind, id }: ActivityPlace): string =>
  cursorOf("f", [atMs, activityKinds.indexOf(kind), id]);

function placeIn(cursor: string): ActivityPlace | null {
  const [atMs = 0, at = -1, id = 0] = numbersIn("f", cursor, 3) ?? [];
  const kind = activityKinds[at];
  return kind === undefined ? null : { atMs, kind, id };
}

/** The entries behind an id; an id that was never given counts as too far away. */
export function feedSince({ store }: Context, id: string): FeedSince {
  const now = store.activity.marks();
  const forgets = store.activity.forgets();
  const lastId = idOf(now, forgets);
  const numbers = numbersIn("", id, activityKinds.length + 1);
  if (numbers === null) return { type: "reset", reason: "too-far", lastId };
  let marks = marksOf(numbers);
  if (numbers.at(-1) !== forgets) return { type: "reset", reason: "forgotten", lastId };
  // A restored backup may stand behind what a client has seen.
  const isAhead = activityKinds.some((kind) => marks[kind] > now[kind]);
  const lists = isAhead ? [] : store.activity.since(marks, missedMax + 1);
  if (isAhead || lists.some((list) => list.length > missedMax))
    return { type: "reset", reason: "too-far", lastId };
  const entries = interleaved(lists).map((activity) => {
    marks = { ...marks, [activity.kind]: activity.id };
    return entryOf(activity, idOf(marks, forgets));
  });
  return { type: "entries", entries, lastId };
}

/** Several lists as one, the earliest first: each keeps its own order, whatever the times in it say. */
function interleaved(lists: readonly (readonly Activity[])[]): readonly Activity[] {
  const rest = lists.map((list) => [...list]);
  const found: Activity[] = [];
  for (;;) {
    const heads = rest.filter((list) => list.length > 0);
    const [next] = heads.toSorted(([a], [b]) => (a && b ? a.atMs - b.atMs : 0));
    const first = next?.shift();
    if (first === undefined) return found;
    found.push(first);
  }
}

const numbersOf = (marks: ActivityMarks): readonly number[] =>
  activityKinds.map((kind) => marks[kind]);

function marksOf(numbers: readonly number[]): ActivityMarks {
  const of = (kind: ActivityKind): number => numbers[activityKinds.indexOf(kind)] ?? 0;
  return {
    memory: of("memory"),
    prompt: of("prompt"),
    injection: of("injection"),
    checkpoint: of("checkpoint"),
    call: of("call"),
  };
}

const idOf = (marks: ActivityMarks, forgets: number): string =>
  cursorOf("", [...numbersOf(marks), forgets]);

const entryOf = (activity: Activity, id: string): FeedJson => ({
  key: `${activity.kind}.${activity.id}`,
  id,
  at: activity.atMs,
  kind: activity.kind,
  session_id: activity.sessionId,
  project: activity.project,
  uri: activity.uri,
  title: oneLine(activity.kind === "prompt" ? attributed(activity.title) : activity.title),
  detail: activity.detail,
  tokens: activity.tokens,
  action: activity.action,
  category: activity.category,
});
