/**
 * Puts a session's memories beside what is known: the same slot with another value supersedes, with the same statement
 * confirms; what the local rules made of the same words is worded anew; what they made and the reading does not bear
 * out is undone. A different subject never ends another.
 *
 * Runs inside the transaction that completes the job. Every change is a revision that can be undone.
 */
import type { ProposedMemory } from "#prompts";
import type { MemoryNode, NodePatch, RevisionCause } from "#domain";
import { confirmed, planCandidate, stemsOf } from "#memory";
import { carryOut, index, nearestTo, supersede } from "../remember.ts";
import { isTouched } from "../touched.ts";
import type { ModelDeps, Reading } from "./deps.ts";
import { isOfTurns, localNodes } from "./known.ts";
import { proposalOf, type Proposal } from "./proposal.ts";
import { atMsOf } from "./refining.ts";
import { restoreEnded, undoLocal } from "./undo-local.ts";

/** Returns how many memories the session has now more than before. */
export function keepMemories(deps: ModelDeps, reading: Reading): number {
  const { reply } = reading;
  const kept = reply.kept.flatMap((memory) => proposalOf(deps, reading, memory) ?? []);
  const seenAgain = reply.waiting.flatMap((memory) => secondSighting(deps, reading, memory) ?? []);
  const proposals = [...kept, ...seenAgain].filter((proposal) => !isForgotten(deps, proposal));
  const pairs = pairsOf(deps, reading, proposals);
  const done = proposals.map((proposal) => {
    const local = pairs.get(proposal.candidate);
    return local === undefined
      ? settle(deps, reading, proposal)
      : reword(deps, reading, { proposal, local });
  });
  undoLocal(deps, reading, new Set(done.flatMap(({ node }) => node?.id ?? [])));
  endWrong(deps, reading);
  return done.filter(({ isNew }) => isNew).length;
}

interface Done {
  readonly node: MemoryNode | null;
  readonly isNew: boolean;
}

/** Below the bar: a memory when another session said something of the same slot, else it waits. */
function secondSighting(
  deps: ModelDeps,
  reading: Reading,
  memory: ProposedMemory,
): Proposal | null {
  const proposal = proposalOf(deps, reading, memory);
  const { sightings } = deps.store;
  if (proposal === null || isForgotten(deps, proposal)) return null;
  const { slot, candidate } = proposal;
  const { sessionId } = reading.session;
  const place = { slot, project: candidate.project, sessionId };
  if (sightings.of(place).length > 0 || replacesOwn(deps, reading, memory)) return proposal;
  const { replaces: _shown, ...kept } = memory;
  sightings.add({ ...place, json: JSON.stringify(kept), atMs: candidate.atMs });
  return null;
}

/** What the session itself had said before it changed its mind: the cap does not keep the old one standing. */
function replacesOwn(deps: ModelDeps, { session }: Reading, { replaces }: ProposedMemory): boolean {
  const old = replaces === null ? null : deps.store.nodes.byId(replaces.id);
  return old?.sourceSession === session.sessionId && old.maker === "extract";
}

const isForgotten = ({ store }: ModelDeps, { candidate }: Proposal): boolean =>
  store.nodes.isForgotten(candidate.l0) || store.nodes.isForgotten(candidate.evidence.quote);

/** What the local rules made of the same words at once: a memory of this session, or an older one that they changed. */
function pairsOf(
  { finder, store }: ModelDeps,
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
  deps: ModelDeps,
  reading: Reading,
  { proposal, local }: { readonly proposal: Proposal; readonly local: MemoryNode },
): Done {
  const { candidate } = proposal;
  if (local.project !== candidate.project) return settle(deps, reading, proposal);
  const maySay =
    (candidate.origin === "user" || local.origin !== "user") && !isTouched(deps.store, local);
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

const aliasesMax = 16;

const rewording = ({ candidate, slot }: Proposal, local: MemoryNode): NodePatch => ({
  l0: candidate.l0,
  l1: null,
  slot,
  aliases: [...new Set([...candidate.aliases, ...local.aliases])].slice(0, aliasesMax),
  importance: Math.max(local.importance, candidate.importance),
  tags: [...new Set([...local.tags, ...candidate.tags])],
  files: [...new Set([...local.files, ...candidate.files])],
  expiresAt: candidate.expiresAt ?? local.expiresAt,
});

/** A memory that the local rules did not have: new, known already, or another value of something known. */
function settle(deps: ModelDeps, reading: Reading, proposal: Proposal): Done {
  const { candidate, slot } = proposal;
  const { job } = reading;
  const { store } = deps;
  const reinforce = (node: MemoryNode): Done => {
    const reason = "said again";
    const plan = { type: "skip", node, reason, reinforce: !isCounted(node, proposal) } as const;
    const confirmedNode = carryOut(deps, { candidate, by: job.key, plan });
    return { node: withSlot(deps, reading, { node: confirmedNode, proposal }), isNew: false };
  };
  const targets = targetsOf(deps, proposal);
  const same = targets.find((node) => saysTheSame(proposal, node));
  if (same !== undefined) return reinforce(same);
  const blocked = targets.find((node) => !mayEnd(proposal, node));
  if (blocked !== undefined && blocked.updatedAt <= candidate.atMs) {
    // The agent's word against the user's: what the user said stands.
    deps.log.write("info", "session.refused", { key: job.key, reason: "user-said" });
    return { node: null, isNew: false };
  }
  const known = planCandidate(
    candidate,
    nearestTo(deps.finder, candidate).filter(
      ({ node }) => !targets.some(({ id }) => id === node.id),
    ),
  );
  if (targets.length === 0 && known.type === "skip" && mayShare(slot, known.node.slot))
    return reinforce(store.nodes.byId(known.node.id) ?? known.node);
  const reason = targets.length === 0 ? "new" : "another value of the same slot";
  const node = carryOut(deps, {
    candidate,
    by: job.key,
    plan: { type: "create", reason, doubted: [] },
  });
  store.sightings.drop({ slot, project: candidate.project });
  if (node.status !== "active") return { node, isNew: true };
  const isOwn = endRivals(deps, reading, { proposal, node });
  return { node, isNew: !isOwn };
}

/** A statement that looks the same and has no slot, or this one. */
const mayShare = (slot: string, other: string | null): boolean => other === null || other === slot;

const isCounted = ({ evidence }: MemoryNode, { candidate }: Proposal): boolean =>
  evidence.some(
    ({ sessionId, turn }) =>
      sessionId === candidate.evidence.sessionId && turn === candidate.evidence.turn,
  );

function withSlot(
  deps: ModelDeps,
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

/**
 * Current memories of the slot, and the one that the reply names where it is of the same project: its slot may be
 * called differently by now, but has to be about the same.
 */
function targetsOf(
  { store }: ModelDeps,
  { candidate, replaces, slot }: Proposal,
): readonly MemoryNode[] {
  const named = replaces === null ? null : store.nodes.byId(replaces.id);
  const isRival =
    named !== null &&
    named.project === candidate.project &&
    (named.slot === null || sharesWord(named.slot, slot));
  const all = [...store.nodes.bySlot(candidate.project, slot), ...(isRival ? [named] : [])];
  return [...new Map(all.map((node) => [node.id, node])).values()];
}

/** A content word of subject or attribute that both slots have. */
function sharesWord(a: string, b: string): boolean {
  const words = stemsOf(a);
  return [...stemsOf(b)].some((word) => words.has(word));
}

/** Same words, or the value that the memory has already and that the reading does not call replaced. */
function saysTheSame({ candidate, replaces, value }: Proposal, node: MemoryNode): boolean {
  if (node.status !== "active") return false;
  if (plain(node.l0) === plain(candidate.l0)) return true;
  return replaces === null && value !== "" && ` ${plain(node.l0)} `.includes(` ${plain(value)} `);
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}._/-]+/gu, " ")
    .replace(/[._/-]+(?=\s|$)/gu, "")
    .trim();

/** Only the user's word ends what the user said. */
const mayEnd = ({ candidate }: Proposal, old: MemoryNode): boolean =>
  candidate.origin === "user" || old.origin !== "user";

/**
 * Ends what said another value of the slot; a memory that came too late is itself ended by the newer one. True when one
 * that this session had made before went.
 */
function endRivals(
  deps: ModelDeps,
  reading: Reading,
  { proposal, node }: { readonly proposal: Proposal; readonly node: MemoryNode },
): boolean {
  let isOwn = false;
  const rivals = targetsOf(deps, proposal).filter(
    ({ id, status, nodeType }) => id !== node.id && status === "active" && nodeType === "leaf",
  );
  for (const old of rivals) {
    const reason = "another value of the same slot";
    if (
      old.updatedAt > proposal.candidate.atMs &&
      old.sourceSession !== reading.session.sessionId
    ) {
      const cause = causeOf(reading, proposal, { action: "supersede", reason: `late: ${reason}` });
      supersede(deps, { old: node, by: old, cause });
      return isOwn;
    }
    if (!mayEnd(proposal, old)) continue;
    const cause = causeOf(reading, proposal, { action: "supersede", reason });
    supersede(deps, { old, by: node, cause });
    isOwn ||= old.sourceSession === reading.session.sessionId && old.maker === "extract";
  }
  return isOwn;
}

/** Known memories of this project that the record shows to be false, unless they were used or changed. */
function endWrong(deps: ModelDeps, { job, reply, session }: Reading): void {
  const { store, vectors } = deps;
  for (const { id } of reply.wrong) {
    const node = store.nodes.byId(id);
    const isOurs = node?.project === session.project || node?.project === null;
    if (node?.status !== "active" || !isOurs || isTouched(store, node)) continue;
    store.nodes.retract(id, {
      atMs: atMsOf(job, session),
      action: "retract",
      by: job.key,
      reason: "found wrong in a later session",
    });
    vectors.remove(id);
  }
}

const causeOf = (
  { job }: Reading,
  { candidate }: Proposal,
  rest: Pick<RevisionCause, "action" | "reason">,
): RevisionCause => ({ atMs: candidate.atMs, by: job.key, ...rest });
