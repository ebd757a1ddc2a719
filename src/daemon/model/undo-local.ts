/**
 * Undoes what the local rules did at once with the words of a session, where its reading does not
 * bear it out: memories they made, memories they ended, memories they changed. No other work is
 * undone. Then what the reading says holds no more.
 */
import { endedBy } from "#memory";
import type { MemoryNode, RevisionCause } from "#domain";
import { isPlanned, withoutPlanMark } from "#models";
import { index, isTouched } from "../jobs/remember.ts";
import { atMsOf, type Reading } from "./replies.ts";
import { isOfTurns, lastBefore, localNodes } from "./known.ts";
import type { WorkerContext } from "../context.ts";

/** `kept`: memories that say something of the reading. */
export function undoLocal(deps: WorkerContext, reading: Reading, kept: ReadonlySet<number>): void {
  const { store, vectors } = deps;
  const { session, turns } = reading;
  const isOurs = isOfTurns(session.sessionId, turns);
  for (const node of localNodes(store, session.sessionId, turns)) {
    const isDoubtful =
      isGuess(node, reading) &&
      !kept.has(node.id) &&
      (node.status === "active" || node.status === "pending") &&
      node.evidence.every(isOurs) &&
      !isTouched(store, node);
    if (!isDoubtful) continue;
    store.nodes.retract(
      node.id,
      causeOf(reading, "retract", "not confirmed by the session's reading"),
    );
    vectors.remove(node.id);
    restoreEnded(deps, reading, { by: node, except: [] });
  }
  for (const { id } of reading.known) if (!kept.has(id)) asItWas(deps, reading, id);
}

/**
 * Made without announcing words, or taken for a decision by a likelihood that was learnt. What was asked for by name
 * and rules stay; so does what a reading had no room for.
 */
const isGuess = ({ maker, tags }: MemoryNode, { reply }: Reading): boolean =>
  maker === "stop" ||
  (maker === "signal" && tags.includes("decision") && reply.refused.length === 0);

/**
 * `restoreEnded` brings back a memory that one of the local rules had ended: a different subject
 * never ends another.
 */
export function restoreEnded(
  deps: WorkerContext,
  reading: Reading,
  { by, except }: { readonly by: MemoryNode; readonly except: readonly MemoryNode[] },
): void {
  const { store } = deps;
  for (const old of endedBy(store.nodes, by.id)) {
    const ended = store.history.latest(old.id);
    const isLocal = ended !== null && isLocalJob(ended.by, reading);
    const isEnded = old.status === "superseded" && ended?.action === "supersede";
    if (!isLocal || !isEnded || except.some(({ id }) => id === old.id)) continue;
    const cause = causeOf(reading, "revert", "not replaced, by the session's reading");
    index(deps, store.nodes.update(old.id, { status: "active", validTo: null }, cause));
  }
}

/** An older memory that the local rules changed at once says again what it said. */
function asItWas(deps: WorkerContext, reading: Reading, id: number): void {
  const { store } = deps;
  const node = store.nodes.byId(id);
  const last = store.history.latest(id);
  if (node?.status !== "active" || last?.action !== "merge" || !isLocalJob(last.by, reading))
    return;
  const before = lastBefore(store, node, reading.turns[0]?.startedAt ?? 0);
  if (before === null || before.l0 === node.l0 || isTouched(store, node)) return;
  const { l0, l1, l2, status, fields } = before;
  const { uri: _uri, category: _category, ...rest } = fields;
  const cause = causeOf(reading, "revert", "not changed, by the session's reading");
  index(deps, store.nodes.update(id, { ...rest, l0, l1, l2, status }, cause));
}

/** The job of a turn of this session. What was asked for by name (a signal) stays. */
const isLocalJob = (by: string, { session }: Reading): boolean =>
  by.startsWith(`turn:${session.sessionId}:`);

const causeOf = (
  { job, session }: Reading,
  action: RevisionCause["action"],
  reason: string,
): RevisionCause => ({ atMs: atMsOf(job, session), action, by: job.key, reason });

/** Known plans that were carried out lose their mark; undoable. */
export function confirmBuilt(deps: WorkerContext, reading: Reading): void {
  for (const { id } of reading.reply.built) {
    const node = deps.store.nodes.byId(id);
    if (node?.status !== "active" || !isPlanned(node.l0)) continue;
    const cause = causeOf(reading, "edit", "carried out, by a later session");
    index(deps, deps.store.nodes.update(id, { l0: withoutPlanMark(node.l0) }, cause));
  }
}

/** Known memories that hold no more; undoable. */
export function endEnded(
  { store, vectors }: WorkerContext,
  { job, reply, session }: Reading,
): void {
  for (const { id } of reply.ended) {
    if (store.nodes.byId(id)?.status !== "active") continue;
    const reason = "holds no more, by a later session";
    const cause = { atMs: atMsOf(job, session), action: "retract", by: job.key, reason } as const;
    store.nodes.retract(id, cause);
    vectors.remove(id);
  }
}
