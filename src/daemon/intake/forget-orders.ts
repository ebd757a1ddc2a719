/**
 * "Forget that the demo account is called heron", typed: the memory that it names ends, undoably, where there is
 * exactly one. Runs inside the caller's transaction.
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
    const [only] = meant;
    if (only === undefined) return [];
    if (meant.length > 1) return [{ plan: "skip", node: null, ended: "unclear" }];
    const cause = {
      atMs,
      action: "retract",
      by,
      reason: `the user said: ${turn.prompt ?? ""}`,
    } as const;
    deps.store.nodes.update(only.id, { status: "retracted", validTo: atMs }, cause);
    deps.vectors.remove(only.id);
    return [{ plan: "skip", node: null, ended: only }];
  });
}

function meantBy(
  { finder }: WorkerContext,
  order: Forgetting,
  { project, atMs }: TurnContext,
): readonly MemoryNode[] {
  const projects = project === null ? [] : [project];
  return finder
    .neighbours(order.words, { projects, nowMs: atMs, limit: neighboursMax })
    .map(({ node }) => node)
    .filter(
      ({ status, category, l0 }) =>
        status === "active" && category !== "sessions" && isMeant(order, l0),
    );
}
