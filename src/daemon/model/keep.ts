/**
 * Puts a session's memories beside what is known: the same slot with another value supersedes, with the same statement
 * confirms; what the local rules made of the same words is worded anew; what they made and the reading does not bear
 * out is undone. A different subject never ends another.
 *
 * Runs inside the transaction that completes the job. Every change is a revision that can be undone.
 */
import type { MemoryNode, RevisionCause } from "#domain";
import type { KnownSlot, SessionReply } from "#models";
import { confirmed, covers, mayStandBeside, planCandidate, tellsValue } from "#memory";
import { carryOut, holdBack, index, isTouched, nearestTo, supersede } from "../jobs/remember.ts";
import { atMsOf, type Reading } from "./replies.ts";
import { isOfTurns, isRuleOfUser, localNodes } from "./known.ts";
import { proposeHabit } from "./habit.ts";
import {
  isCounted,
  isForgotten,
  mayEnd,
  type Proposal,
  proposalsOf,
  rewording,
  targetsOf,
} from "./proposal.ts";
import { confirmBuilt, endEnded, restoreEnded, undoLocal } from "./undo-local.ts";
import type { WorkerContext } from "../context.ts";

/** Counts the outcome of each memory of a reply; every one is counted once. */
export interface Account {
  /** A new memory, or one of this session worded anew. */
  readonly kept: number;
  /** Known already, or what was known says it now in other words. */
  readonly known: number;
  readonly review: number;
  /** Given as rules, and kept as decisions, since no words of the user make them rules. */
  readonly decisions: number;
  /** Reasons why nothing of a memory is stored. */
  readonly dropped: readonly string[];
}

export function keepMemories(deps: WorkerContext, reading: Reading): Account {
  const { reply } = reading;
  const told = reply.kept.map((memory) => proposalsOf(deps, reading, memory));
  const proposals = told.flat().filter((proposal) => !isForgotten(deps, proposal));
  const pairs = pairsOf(deps, reading, proposals);
  const done = new Map<Proposal, Done>();
  for (const proposal of proposals) {
    const local = pairs.get(proposal.candidate);
    const outcome =
      local === undefined
        ? settle(deps, reading, proposal)
        : proposal.wasRule && isRuleOfUser(local)
          ? { node: withSlot(deps, reading, { node: local, proposal }), isNew: false }
          : reword(deps, reading, { proposal, local });
    endCovered(deps, reading, { proposal, by: outcome.node });
    done.set(proposal, outcome);
  }
  undoLocal(deps, reading, new Set([...done.values()].flatMap(({ node }) => node?.id ?? [])));
  endEnded(deps, reading);
  confirmBuilt(deps, reading);
  const dropped = reply.refused.flatMap((refusal) => refuse(deps, reading, refusal));
  const ofEach = told.map((some) => some.flatMap((proposal) => done.get(proposal) ?? []));
  const stored = ofEach.filter((some) => some.length > 0);
  const kept = stored.filter((some) => some.some(({ isNew }) => isNew)).length;
  return {
    kept,
    known: stored.length - kept,
    review: reply.refused.length - dropped.length,
    decisions: reply.kept.filter(({ wasRule }) => wasRule === true).length,
    dropped: [...dropped, ...ofEach.filter((some) => some.length === 0).map(() => "forgotten")],
  };
}

/** The reason, when nothing of a refused memory is stored; nothing when it waits for the user. */
function refuse(
  deps: WorkerContext,
  reading: Reading,
  { memory, reason, replaces }: SessionReply["refused"][number],
): readonly string[] {
  if (memory === null) {
    putInDoubt(deps, reading, replaces);
    return [reason];
  }
  const proposals = proposalsOf(deps, reading, memory).filter((one) => !isForgotten(deps, one));
  for (const proposal of proposals)
    if (reason === "habit") proposeHabit(deps, reading, proposal);
    else
      review(deps, reading, {
        proposal,
        old: reason === "order" ? [] : targetsOf(deps, proposal).filter(isAgainst(proposal)),
        reason,
      });
  return proposals.length === 0 ? ["forgotten"] : [];
}

interface Done {
  readonly node: MemoryNode | null;
  readonly isNew: boolean;
}

/**
 * A refused memory waits for the user, and so does what it would have ended: neither is current. But what the user said
 * waits only where the user typed the new value as well; else it stands until the refused one is accepted.
 */
function review(
  deps: WorkerContext,
  reading: Reading,
  held: {
    readonly proposal: Proposal;
    readonly old: readonly MemoryNode[];
    readonly reason: string;
  },
): void {
  const { proposal, reason } = held;
  const { store, vectors } = deps;
  const isTyped = reading.turns.some(({ prompt }) => tellsValue(prompt ?? "", proposal.value));
  const old = held.old.filter(({ status }) => status === "active");
  // Whoever accepts it ends them all.
  const node = holdBack(deps, {
    candidate: proposal.candidate,
    reason: `refused: ${refusals[reason] ?? reason}`,
    named: old,
    by: reading.job.key,
  });
  for (const one of old)
    if (isTyped || mayEnd(deps, proposal, one)) {
      const reason = `a refused memory would replace it: ${node.uri}`;
      const cause = causeOf(reading, proposal, { action: "edit", reason });
      store.nodes.update(one.id, { status: "pending" }, cause);
      vectors.remove(one.id);
    }
}

/** The review's words for each refusal. */
const refusals: Readonly<Partial<Record<string, string>>> = {
  "no-quote": "nobody said what it quotes",
  length: "its line is too short or too long",
  order: "an order that you did not give",
};

/** A memory that one that must not be kept would have ended is current no more either. */
function putInDoubt(
  { store, vectors }: WorkerContext,
  { job, session }: Reading,
  replaced: readonly KnownSlot[],
): void {
  for (const { id } of replaced) {
    if (store.nodes.byId(id)?.status !== "active") continue;
    const reason = "a refused memory would replace it";
    const cause = { atMs: atMsOf(job, session), action: "edit", by: job.key, reason } as const;
    store.nodes.update(id, { status: "pending" }, cause);
    vectors.remove(id);
  }
}

/**
 * `pairsOf` pairs memories with those that the local rules made of the same words at once: a memory
 * of this session, or an older one that they changed.
 */
function pairsOf(
  { finder, store }: WorkerContext,
  { session, turns }: Reading,
  proposals: readonly Proposal[],
): ReturnType<typeof confirmed> {
  const isOurs = isOfTurns(session.sessionId, turns);
  const candidates = proposals.map(({ candidate }) => candidate);
  const older = candidates
    .flatMap((candidate) => nearestTo(finder, candidate))
    .map(({ node }) => node)
    .filter(({ evidence, maker }) => maker !== "extract" && evidence.some(isOurs));
  const nodes = [...localNodes(store, session.sessionId, turns), ...older].filter(
    ({ status }) => status === "active",
  );
  return confirmed(candidates, [...new Map(nodes.map((node) => [node.id, node])).values()]);
}

/** Says it in the words of the reading, unless the memory was used or changed, and ends its rivals. */
function reword(
  deps: WorkerContext,
  reading: Reading,
  { proposal, local }: { readonly proposal: Proposal; readonly local: MemoryNode },
): Done {
  const { candidate } = proposal;
  const maySay =
    (candidate.origin === "user" || local.origin !== "user") && !isTouched(deps.store, local);
  // Category and project of the model win; both stand in a memory's address.
  if (local.project !== candidate.project || local.category !== candidate.category) {
    const done = settle(deps, reading, proposal, maySay ? local : null);
    const { node: by } = done;
    if (by?.status === "active" && by.id !== local.id && mayEnd(deps, proposal, local)) {
      const cause = causeOf(reading, proposal, { action: "supersede", reason: "worded anew" });
      supersede(deps, { old: local, by, cause });
    }
    return done;
  }
  const node = maySay
    ? deps.store.nodes.update(
        local.id,
        rewording(proposal, local),
        causeOf(reading, proposal, {
          action: "merge",
          reason: "refined by the model after the session",
        }),
      )
    : local;
  index(deps, node);
  restoreEnded(deps, reading, { by: node, except: targetsOf(deps, proposal) });
  endRivals(deps, reading, { proposal, node });
  return { node, isNew: true };
}

/**
 * A memory that the local rules did not have: new, known already, or another value of something known. `raw`: what they
 * made of the same words, which it takes the place of.
 */
function settle(
  deps: WorkerContext,
  reading: Reading,
  proposal: Proposal,
  raw: MemoryNode | null = null,
): Done {
  const { candidate, slot } = proposal;
  const { job } = reading;
  const { store } = deps;
  const reinforce = (node: MemoryNode): Done => {
    const reason = "said again";
    const plan = { type: "skip", node, reason, reinforce: !isCounted(node, proposal) } as const;
    const confirmedNode = carryOut(deps, { candidate, by: job.key, plan });
    return { node: withSlot(deps, reading, { node: confirmedNode, proposal }), isNew: false };
  };
  const targets = targetsOf(deps, proposal).filter(({ id }) => id !== raw?.id);
  const same = targets.find((node) => saysTheSame(proposal, node));
  if (same !== undefined) return reinforce(same);
  // The agent's word does not end the user's: both stand as a contradiction, and `review` asks. The slot is the user's.
  const doubted = targets
    .filter((node) => node.status === "active" && !mayEnd(deps, proposal, node))
    .filter((node) => isAgainst(proposal)(node) && !isSaidLater(proposal, node));
  const known = planCandidate(
    candidate,
    nearestTo(deps.finder, candidate).filter(
      ({ node }) => node.id !== raw?.id && !targets.some(({ id }) => id === node.id),
    ),
  );
  // A statement that looks the same and has no slot, or this one.
  const isSame = known.type === "skip" && [null, slot].includes(known.node.slot);
  if (targets.length === 0 && isSame)
    return reinforce(store.nodes.byId(known.node.id) ?? known.node);
  const reason =
    (targets.length === 0 ? "new" : "another value of the same slot") +
    (proposal.wasRule ? `; ${noRule}` : "");
  const isTaken = doubted.some((old) => old.slot === slot);
  const node = carryOut(deps, {
    candidate: isTaken ? { ...candidate, slot: null } : candidate,
    by: job.key,
    plan: { type: "create", reason, doubted },
  });
  if (node.status !== "active") return { node, isNew: true };
  const isOwn = endRivals(deps, reading, { proposal, node });
  return { node, isNew: !isOwn };
}

/** Told in the history of a memory. */
const noRule = "proposed as a rule, kept as a decision: your words do not make it a rule";

function withSlot(
  deps: WorkerContext,
  reading: Reading,
  { node, proposal }: { readonly node: MemoryNode; readonly proposal: Proposal },
): MemoryNode {
  if (node.slot !== null || node.status !== "active") return node;
  const cause = causeOf(reading, proposal, {
    action: "merge",
    reason: "the model named its subject",
  });
  return deps.store.nodes.update(node.id, { slot: proposal.slot }, cause);
}

/** Same words, or the value that the memory has already and that the reading does not call replaced. */
function saysTheSame({ candidate, replaces, value }: Proposal, node: MemoryNode): boolean {
  if (node.status !== "active") return false;
  if (plain(node.l0) === plain(candidate.l0)) return true;
  return (
    replaces.length === 0 && value !== "" && ` ${plain(node.l0)} `.includes(` ${plain(value)} `)
  );
}

const isAgainst =
  ({ candidate: { l0 }, value }: Proposal) =>
  (old: MemoryNode): boolean =>
    !mayStandBeside({ l0, value }, old);

/** Said by the user later in the session: it is newer than what the agent had found by then. */
const isSaidLater = ({ candidate: { evidence, origin } }: Proposal, old: MemoryNode): boolean =>
  origin !== "user" &&
  old.origin === "user" &&
  old.evidence.some(
    ({ sessionId, turn }) => sessionId === evidence.sessionId && (turn ?? 0) > (evidence.turn ?? 0),
  );

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}._/-]+/gu, " ")
    .replace(/[._/-]+(?=\s|$)/gu, "")
    .trim();

/**
 * Ends what said another value of the slot; a memory that came too late is itself ended by the newer one. True when one
 * that this session had made before went.
 */
function endRivals(
  deps: WorkerContext,
  reading: Reading,
  { proposal, node }: { readonly proposal: Proposal; readonly node: MemoryNode },
): boolean {
  let isOwn = false;
  const rivals = targetsOf(deps, proposal).filter(
    ({ id, status, nodeType }) => id !== node.id && status === "active" && nodeType === "leaf",
  );
  for (const old of rivals) {
    const reason = "another value of the same slot";
    const isLate =
      old.sourceSession === reading.session.sessionId
        ? isSaidLater(proposal, old) && isAgainst(proposal)(old)
        : old.updatedAt > proposal.candidate.atMs;
    if (isLate) {
      const cause = causeOf(reading, proposal, { action: "supersede", reason: `late: ${reason}` });
      supersede(deps, { old: node, by: old, cause });
      return isOwn;
    }
    if (!mayEnd(deps, proposal, old)) continue;
    const cause = causeOf(reading, proposal, { action: "supersede", reason });
    supersede(deps, { old, by: node, cause });
    isOwn ||= old.sourceSession === reading.session.sessionId && old.maker === "extract";
  }
  return isOwn;
}

/** A raw quote goes once a worded memory says all of it: twins would both be given. */
function endCovered(
  deps: WorkerContext,
  reading: Reading,
  { proposal, by }: { readonly proposal: Proposal; readonly by: MemoryNode | null },
): void {
  if (by?.status !== "active") return;
  const near = nearestTo(deps.finder, proposal.candidate).flatMap(
    ({ node: { id } }) => deps.store.nodes.byId(id) ?? [],
  );
  const cause = causeOf(reading, proposal, { action: "supersede", reason: "worded anew" });
  for (const old of near)
    if (old.id !== by.id && old.project === by.project && isCovered(deps, proposal, old))
      supersede(deps, { old, by, cause });
}

const isCovered = (deps: WorkerContext, proposal: Proposal, old: MemoryNode): boolean =>
  old.status === "active" &&
  old.maker === "signal" &&
  old.slot === null &&
  mayEnd(deps, proposal, old) &&
  covers(proposal.candidate, old) &&
  !isTouched(deps.store, old);

const causeOf = (
  { job }: Reading,
  { candidate }: Proposal,
  rest: Omit<RevisionCause, "atMs" | "by">,
): RevisionCause => ({ atMs: candidate.atMs, by: job.key, ...rest });
