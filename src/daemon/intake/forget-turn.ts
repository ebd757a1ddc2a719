/** A turn that leaves no record: what an earlier prompt of it left is deleted, memories among it. */
import type { MemoryNode, Revision, Turn } from "#domain";
import { archiveUri, endedBy } from "#memory";
import { closeOpenTurn } from "./apply.ts";
import { dropAnswers } from "./delivery.ts";
import { index } from "../jobs/remember.ts";
import type { WorkerContext } from "../context.ts";

interface OffRecord {
  readonly sessionId: string;
  readonly promptId: string | null;
  /** Number of the running turn where its agent takes it off the record; null = a prompt orders it. */
  readonly n: number | null;
  readonly atMs: number;
}

/** Deletes what there is of a turn that is off the record; where a prompt opens it, the turn before is over. */
export function leaveNoRecord(deps: WorkerContext, { n, promptId, ...of }: OffRecord): void {
  const { sessions } = deps.store;
  const session = sessions.byId(of.sessionId);
  if (session === null) return;
  const byId = promptId === null ? null : sessions.turnByPromptId(of.sessionId, promptId);
  const begun = n === null ? byId : sessions.turn(of.sessionId, n);
  if (begun !== null) forgetTurn(deps, begun, of.atMs);
  else if (n === null) closeOpenTurn(deps.store, of, session);
}

/**
 * Removes a turn for good, with the memories that it made; what was known before stands as it did. Upkeep rewrites the
 * file within minutes, or the daemon when it ends.
 */
export function forgetTurn(deps: WorkerContext, turn: Turn, atMs: number): void {
  const { store, vectors } = deps;
  const { nodes, sessions } = store;
  const made = takeBack(deps, turn, atMs);
  sessions.dropTurn(turn.id);
  store.admin.purgeLater();
  dropAnswers(deps, turn.sessionId);
  if (made.length === 0) return;
  const ids = made.map(({ id }) => id);
  // An agent words its saves as it likes: other records that tell the same must not go with them.
  nodes.withdraw(ids, atMs);
  for (const id of ids) vectors.remove(id);
}

/** Puts memories that the turn changed back as they were. Returns those that it made, with its exchange. */
function takeBack(deps: WorkerContext, turn: Turn, atMs: number): readonly MemoryNode[] {
  const { history, nodes, sessions } = deps.store;
  const next = sessions.turns(turn.sessionId).find(({ n }) => n > turn.n);
  const untilMs = next?.startedAt ?? Infinity;
  const byNode = Map.groupBy(history.ofTurn({ ...turn, untilMs }), ({ nodeId }) => nodeId);
  const exchange = archiveUri({ sessionId: turn.sessionId, part: "exchanges", n: turn.n });
  const made = [nodes.byUri(exchange)].filter((node) => node !== null);
  for (const [id, revisions] of byNode) {
    const node = nodes.byId(id);
    const [first] = revisions;
    if (node === null || first === undefined) continue;
    const before = history.before(first);
    if (before === null) made.push(node);
    else putBack(deps, { node, before, revisions, atMs });
  }
  const touched = [...made, ...nodes.byIds([...byNode.keys()])];
  for (const node of touched) standAgain(deps, node, { turn, atMs });
  return made;
}

interface Change {
  readonly node: MemoryNode;
  readonly before: Revision;
  readonly revisions: readonly Revision[];
  readonly atMs: number;
}

/** Restores a memory; one that the user said holds no more stays ended, and only their words go. */
function putBack(deps: WorkerContext, { node, before, revisions, atMs }: Change): void {
  const { history, nodes } = deps.store;
  const { l0, l1, l2, status, fields } = before;
  const { uri: _uri, category: _category, ...rest } = fields;
  const isEnded = revisions.some(({ by }) => by.startsWith("forget:"));
  const as = isEnded ? { status: node.status, validTo: node.validTo } : { status };
  const cause = causeOf(node, isEnded ? "retract" : "revert", atMs);
  const after = nodes.update(node.id, { ...rest, l0, l1, l2, ...as }, cause);
  history.drop(revisions.map(({ id }) => id));
  if (after.status === "active") index(deps, after);
}

/** Memories that one which goes, or is put back, had ended in this turn stand again. */
function standAgain(
  deps: WorkerContext,
  { id }: MemoryNode,
  { turn, atMs }: { readonly turn: Turn; readonly atMs: number },
): void {
  const { history, nodes } = deps.store;
  for (const old of endedBy(nodes, id)) {
    const last = history.latest(old.id);
    if (last?.action !== "supersede" || last.atMs < turn.startedAt) continue;
    const cause = causeOf(old, "revert", atMs);
    index(deps, nodes.update(old.id, { status: "active", validTo: null }, cause));
    history.drop([last.id]);
  }
}

const causeOf = ({ id }: MemoryNode, action: "retract" | "revert", atMs: number) =>
  ({ atMs, action, by: `off-record:${id}`, reason: "its turn left no record" }) as const;
