/**
 * "Forget that the demo account is called heron", typed: the memory that it names ends, undoably, where there is
 * exactly one; "forget what I just said about it" ends all that the session has said. What was said stays on record:
 * deleting it cannot be undone, and is a command of the user. Runs inside the caller's transaction.
 */
import type { MemoryNode } from "#domain";
import { forgetsOf, isMeant, type Forgetting, type TurnContext } from "#memory";
import type { Remembered } from "../jobs/remember.ts";
import type { WorkerContext } from "../context.ts";

const neighboursMax = 24;

export function endOrdered(
  deps: WorkerContext,
  turn: TurnContext,
  { atMs, by }: { readonly atMs: number; readonly by: string },
): readonly Remembered[] {
  return forgetsOf(turn).flatMap((order): readonly Remembered[] => {
    const meant = meantBy(deps, order, turn);
    if (meant.length > 1 && !order.isJustSaid)
      return [{ plan: "skip", node: null, ended: "unclear" }];
    if (meant.length === 0 && order.isSaid)
      return [{ plan: "skip", node: null, saidAbout: order.words }];
    const cause = {
      atMs,
      action: "retract",
      by,
      reason: `the user said: ${turn.prompt ?? ""}`,
    } as const;
    return meant.map((ended) => {
      deps.store.nodes.update(ended.id, { status: "retracted", validTo: atMs }, cause);
      deps.vectors.remove(ended.id);
      return { plan: "skip", node: null, ended };
    });
  });
}

function meantBy(
  { finder }: WorkerContext,
  order: Forgetting,
  { project, atMs, sessionId }: TurnContext,
): readonly MemoryNode[] {
  const projects = project === null ? [] : [project];
  return finder
    .neighbours(order.words, { projects, nowMs: atMs, limit: neighboursMax })
    .map(({ node }) => node)
    .filter(
      ({ status, category, l0, sourceSession }) =>
        status === "active" &&
        category !== "sessions" &&
        (!order.isJustSaid || sourceSession === sessionId) &&
        isMeant(order, l0),
    );
}
