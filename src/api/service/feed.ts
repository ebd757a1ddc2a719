/** Tells listeners what kinds of records came since they looked last. They ask for the records themselves. */
import { activityKinds, type ActivityKind } from "#domain";
import { cursorOf, numbersIn } from "./scope.ts";
import type { Context } from "./context.ts";

/** Kinds of which there is more since the last look; `reset`: look at everything anew. */
export type FeedSince =
  | { readonly type: "news"; readonly kinds: readonly ActivityKind[]; readonly lastId: string }
  | { readonly type: "reset"; readonly lastId: string };

/** `feedNow` gives the feed's present position: the latest id of each kind, and how often something was forgotten. */
export const feedNow = ({ store: { activity } }: Context): string =>
  cursorOf("", [...activityKinds.map((kind) => activity.marks()[kind]), activity.forgets()]);

/** Lists the kinds that came behind a position; a reset for one that was never given, or that lies before a forget. */
export function feedSince(context: Context, id: string): FeedSince {
  const { activity } = context.store;
  const lastId = feedNow(context);
  const seen = numbersIn("", id, activityKinds.length + 1);
  const now = activity.marks();
  const isNews = (kind: ActivityKind, at: number): boolean => (seen?.[at] ?? 0) < now[kind];
  // A restored backup may stand behind what a client has seen.
  const isAhead = activityKinds.some((kind, at) => (seen?.[at] ?? 0) > now[kind]);
  return seen === null || isAhead || seen.at(-1) !== activity.forgets()
    ? { type: "reset", lastId }
    : { type: "news", kinds: activityKinds.filter(isNews), lastId };
}
