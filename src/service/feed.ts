/**
 * The live feed: what happened just now, in the order in which it was recorded. It is read from the records each time, so
 * that it survives a restart, and nothing that was forgotten lingers in a buffer.
 */
import {
  activityKinds,
  type Activity,
  type ActivityKind,
  type ActivityMarks,
  type StoreDep,
} from "#domain";
import { err, ok, oneLine, type Result } from "#kit";
import type { ServiceError } from "./errors.ts";
import type { FeedJson, FeedPageJson } from "#api";
import { cursorOf, numbersIn, type PageAsk } from "./paging.ts";

/** What came since somebody looked; `reset`: look at everything anew. */
export type FeedSince =
  | { readonly type: "entries"; readonly entries: readonly FeedJson[]; readonly lastId: string }
  | { readonly type: "reset"; readonly reason: "forgotten" | "too-far"; readonly lastId: string };

export interface FeedApi {
  /** Pages back from the latest. */
  readonly feed: (ask: FeedAsk) => Result<FeedPageJson, ServiceError>;
  /** Where the feed stands now. */
  readonly feedNow: () => string;
  /** What came behind an id; an id that nobody gave out counts as too far away. */
  readonly feedSince: (id: string) => FeedSince;
}

interface FeedAsk extends PageAsk {
  /** Null or absent: all of them. */
  readonly kinds?: readonly ActivityKind[] | null;
}

/** Entries of one kind that are handed out at a time; whoever missed more starts anew. */
const missedMax = 200;

export const createFeedApi = (deps: StoreDep): FeedApi => ({
  feed: (ask) => feed(deps, ask),
  feedNow: () => idOf(deps.store.activity.marks(), deps.store.activity.forgets()),
  feedSince: (id) => since(deps, id),
});

function feed(
  { store }: StoreDep,
  { cursor, limit, kinds = null }: FeedAsk,
): Result<FeedPageJson, ServiceError> {
  const now = store.activity.marks();
  const numbers = cursor === null ? null : numbersIn("f", cursor, activityKinds.length);
  if (cursor !== null && numbers === null) return err({ type: "cursor.invalid" });
  const from = numbers === null ? now : marksOf(numbers);
  const forgets = store.activity.forgets();
  const lists = store.activity.until(from, limit + 1, kinds ?? activityKinds);
  const taken = interleaved(lists.toReversed(), (a, b) => b.atMs - a.atMs).slice(0, limit);
  const total = lists.reduce((sum, list) => sum + list.length, 0);
  let marks = from;
  const items = taken.map((activity) => {
    marks = { ...marks, [activity.kind]: activity.id - 1 };
    return entryOf(activity, idOf({ ...now, [activity.kind]: activity.id }, forgets));
  });
  return ok({
    items,
    next_cursor: total > taken.length ? cursorOf("f", numbersOf(marks)) : null,
    last_id: idOf(now, forgets),
  });
}

function since({ store }: StoreDep, id: string): FeedSince {
  const now = store.activity.marks();
  const forgets = store.activity.forgets();
  const lastId = idOf(now, forgets);
  const numbers = numbersIn("", id, activityKinds.length + 1);
  if (numbers === null) return { type: "reset", reason: "too-far", lastId };
  let marks = marksOf(numbers);
  if (numbers.at(-1) !== forgets) return { type: "reset", reason: "forgotten", lastId };
  // A restored backup may stand behind what somebody has seen.
  const isAhead = activityKinds.some((kind) => marks[kind] > now[kind]);
  const lists = isAhead ? [] : store.activity.since(marks, missedMax + 1);
  if (isAhead || lists.some((list) => list.length > missedMax))
    return { type: "reset", reason: "too-far", lastId };
  const entries = interleaved(lists, (a, b) => a.atMs - b.atMs).map((activity) => {
    marks = { ...marks, [activity.kind]: activity.id };
    return entryOf(activity, idOf(marks, forgets));
  });
  return { type: "entries", entries, lastId };
}

/** Several lists as one: each keeps its own order, whatever the times in it say. */
function interleaved(
  lists: readonly (readonly Activity[])[],
  compare: (a: Activity, b: Activity) => number,
): readonly Activity[] {
  const rest = lists.map((list) => [...list]);
  const found: Activity[] = [];
  for (;;) {
    const heads = rest.filter((list) => list.length > 0);
    const [next] = heads.toSorted(([a], [b]) => (a && b ? compare(a, b) : 0));
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
    observation: of("observation"),
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
  title: oneLine(activity.title),
  detail: activity.detail,
  tokens: activity.tokens,
  action: activity.action,
  category: activity.category,
});
