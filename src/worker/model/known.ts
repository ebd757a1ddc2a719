/** What is known already: what the local form made of a window, and which memories lie near it. */
import type { MemoryNode, Session, Store, Turn } from "#domain";
import type { RememberDeps } from "../remember.ts";

/** Memories that one session can have left; more are not looked at. */
const localsMax = 1_000;

/** Memories that were made at once of these turns. Superseded ones too: what was said is worded anew all the same. */
export function localNodes(
  { nodes }: Pick<Store, "nodes">,
  sessionId: string,
  turns: readonly Turn[],
): readonly MemoryNode[] {
  const isIn = isOfTurns(sessionId, turns);
  return nodes
    .list({ session: sessionId, projects: null }, "uri", { limit: localsMax, offset: 0 })
    .filter(({ maker }) => maker === "stop" || maker === "signal")
    .filter(({ evidence }) => evidence.some(isIn));
}

export const isOfTurns =
  (sessionId: string, turns: readonly Turn[]) =>
  (evidence: MemoryNode["evidence"][number]): boolean =>
    evidence.sessionId === sessionId && turns.some(({ n }) => n === evidence.turn);

/** Looked up for each turn, and taken together. */
const perTurnMax = 6;
/** A prompt can be a whole log; its first words say what it is about. */
const queryCharsMax = 600;

/** Current memories that the turns may repeat or change, the nearest first. */
export function nearestKnown(
  { finder }: Pick<RememberDeps, "finder">,
  session: Session,
  turns: readonly Turn[],
): readonly MemoryNode[] {
  const projects = session.project === null ? [] : [session.project];
  const best = new Map<number, { readonly node: MemoryNode; readonly fused: number }>();
  for (const { prompt, answer, startedAt } of turns)
    for (const text of [prompt ?? "", answer ?? ""].filter((said) => said !== "")) {
      const options = { projects, nowMs: startedAt, limit: perTurnMax };
      for (const { node, fused } of finder.neighbours(text.slice(0, queryCharsMax), options))
        if (fused > (best.get(node.id)?.fused ?? 0)) best.set(node.id, { node, fused });
    }
  return [...best.values()].toSorted((a, b) => b.fused - a.fused).map(({ node }) => node);
}
