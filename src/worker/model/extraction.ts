/**
 * Puts a model's reading of a window beside what was remembered of it at once: words anew what the local form had, adds
 * what it had missed, ends what no longer holds, and takes back what the reading does not bear out.
 *
 * Runs inside the transaction that completes the job. Every change is a revision that can be undone.
 */
import type { MergedMemory } from "#prompts";
import { categoryRules } from "#domain";
import type {
  Candidate,
  Job,
  MemoryNode,
  NodePatch,
  Relation,
  RevisionAction,
  RevisionCause,
  Session,
  Turn,
} from "#domain";
import { confirmed, mergeThresholds, overtakenBy, planCandidate } from "#memory";
import type { MergePlan, Neighbour } from "#memory";
import { carryOut, index, nearestTo, supersede } from "../remember.ts";
import { isTouched } from "../touched.ts";
import type { ModelDeps } from "./deps.ts";
import { isOfTurns, localNodes } from "./known.ts";
import { atMsOf } from "./refining.ts";

export interface Extracted {
  readonly candidate: Candidate;
  /** The memory that the reply says is no longer true; one of those it was shown. */
  readonly replaced: MemoryNode | null;
  readonly relation: { readonly uri: string; readonly kind: Relation } | null;
}

export interface Window {
  readonly job: Job;
  readonly session: Session;
  readonly turns: readonly Turn[];
  readonly extracted: readonly Extracted[];
}

type Deps = Pick<ModelDeps, "store" | "embedder" | "vectors" | "finder">;

/** Candidates that would become part of a known memory, with that memory: there two wordings have to be merged. */
export function planLate(
  deps: Deps,
  window: Window,
): readonly { readonly candidate: Candidate; readonly node: MemoryNode }[] {
  const pairs = pairsOf(deps, window);
  return window.extracted.flatMap((each) => {
    if (pairs.has(each.candidate)) return [];
    const { plan } = planned(deps, each);
    return plan.type === "merge" ? [{ candidate: each.candidate, node: plan.node }] : [];
  });
}

/** `merged`: wordings by node; without one the newer statement leads. */
export function applyExtraction(
  deps: Deps,
  window: Window,
  merged: ReadonlyMap<number, MergedMemory>,
): void {
  const pairs = pairsOf(deps, window);
  const kept = new Set<number>();
  for (const each of window.extracted) {
    const { candidate } = each;
    if (isForgotten(deps, candidate)) continue;
    const local = pairs.get(candidate);
    const node =
      local === undefined
        ? add(deps, { each, by: window.job.key, merged })
        : confirm(deps, { each, local, by: window.job.key });
    kept.add(node.id);
    relate(deps, each, node);
  }
  takeBack(deps, window, kept);
}

/** What was made at once of the same words: in this session, or of an older memory that the words changed or confirmed. */
function pairsOf(
  { finder, store }: Deps,
  { extracted, session, turns }: Window,
): ReadonlyMap<Candidate, MemoryNode> {
  const candidates = extracted.map(({ candidate }) => candidate);
  const isOurs = isOfTurns(session.sessionId, turns);
  const older = candidates
    .flatMap((candidate) => nearestTo(finder, candidate))
    .map(({ node }) => node)
    .filter(({ evidence }) => evidence.some(isOurs));
  const nodes = [...localNodes(store, session.sessionId, turns), ...older];
  return confirmed(candidates, [...new Map(nodes.map((node) => [node.id, node])).values()]);
}

const isForgotten = ({ store }: Deps, { l0, evidence }: Candidate): boolean =>
  store.nodes.isForgotten(l0) || store.nodes.isForgotten(evidence.quote);

/** A memory that was made at once of the same words: worded anew, with everything else it has. */
function confirm(
  deps: Deps,
  work: { readonly each: Extracted; readonly local: MemoryNode; readonly by: string },
): MemoryNode {
  const { each, local, by } = work;
  const { candidate } = each;
  const node = maySay(deps, candidate, local)
    ? deps.store.nodes.update(
        local.id,
        rewording(candidate, local),
        causeOf(candidate, { action: "merge", by, reason: "worded by the extractor" }),
      )
    : local;
  index(deps, node);
  const { replaced } = each;
  if (replaced !== null && node.status === "active" && ends(node, candidate, replaced))
    supersede(deps, { old: replaced, by: node, cause: endedBy(candidate, by) });
  return node;
}

/**
 * What somebody has used or changed keeps its words, what a user said is not told in words that are not theirs, and an
 * older memory that the turn merely confirmed was told better when it was new.
 */
const maySay = ({ store }: Deps, candidate: Candidate, local: MemoryNode): boolean =>
  (candidate.origin === "user" || local.origin !== "user") &&
  (local.sourceSession === candidate.evidence.sessionId || local.validFrom === candidate.atMs) &&
  !isTouched(store, local);

const aliasesMax = 16;

const rewording = (candidate: Candidate, local: MemoryNode): NodePatch => ({
  l0: candidate.l0,
  // The local overview quotes the turn; a model's says why.
  l1: candidate.l1 ?? local.l1,
  aliases: [...new Set([...candidate.aliases, ...local.aliases])].slice(0, aliasesMax),
  importance: Math.max(local.importance, candidate.importance),
  tags: [...new Set([...local.tags, ...candidate.tags])],
  files: [...new Set([...local.files, ...candidate.files])],
});

/** A memory that the local form did not have. */
function add(
  deps: Deps,
  work: {
    readonly each: Extracted;
    readonly by: string;
    readonly merged: ReadonlyMap<number, MergedMemory>;
  },
): MemoryNode {
  const { each, by, merged } = work;
  const { candidate, replaced } = each;
  const { plan, nearest } = planned(deps, each);
  const node = carryOut(deps, { candidate, by, plan: worded(plan, merged) });
  if (plan.type === "skip" && replaced !== null && ends(node, candidate, replaced))
    supersede(deps, { old: replaced, by: node, cause: endedBy(candidate, by) });
  if (plan.type !== "create") return node;
  const newer = overtakenBy(candidate, nearest, mergeThresholds(deps.embedder.identity));
  if (newer === null) return node;
  const reason = "had been replaced by the time it was read";
  const cause = causeOf(candidate, { action: "supersede", by, reason });
  supersede(deps, { old: node, by: newer, cause });
  return node;
}

interface Planned {
  readonly plan: MergePlan;
  readonly nearest: readonly Neighbour[];
}

/** The usual plan, unless the extractor names the memory that is no longer true. */
function planned(deps: Deps, { candidate, replaced }: Extracted): Planned {
  const nearest = nearestTo(deps.finder, candidate);
  const nodes = new Map(nearest.map(({ node }) => [node.id, node]));
  // One sentence may hold two memories: what was taken from it before does not stand in the way of the second.
  const bare = nearest.map((each) => ({ ...each, node: { ...each.node, evidence: [] } }));
  const found = planCandidate(candidate, bare, mergeThresholds(deps.embedder.identity));
  const plan = withNode(found, nodes, candidate);
  return plan.type !== "skip" && replaced !== null && ends(null, candidate, replaced)
    ? { plan: replacing(candidate, replaced, plan), nearest }
    : { plan, nearest };
}

/** The plan about the node as it is, evidence and all; the same turn does not count twice. */
function withNode(
  plan: MergePlan,
  nodes: ReadonlyMap<number, MemoryNode>,
  { evidence }: Candidate,
): MergePlan {
  if (plan.type === "create") return plan;
  const node = nodes.get(plan.node.id) ?? plan.node;
  const isCounted = node.evidence.some(
    ({ sessionId, turn }) => sessionId === evidence.sessionId && turn === evidence.turn,
  );
  if (plan.type === "skip") return { ...plan, node, reinforce: plan.reinforce && !isCounted };
  if (plan.type === "supersede") return { ...plan, node };
  const patch = {
    ...plan.patch,
    evidence: [...node.evidence, evidence].slice(-evidencePerNodeMax),
  };
  return { ...plan, node, patch };
}

const evidencePerNodeMax = 10;

function replacing(candidate: Candidate, node: MemoryNode, plan: MergePlan): MergePlan {
  const reason = "no longer true, by the extractor's reading";
  if (plan.type === "merge" && plan.node.id === node.id) return { ...plan, reason };
  const inPlace =
    node.category === candidate.category && categoryRules[candidate.category].mergeable;
  if (!inPlace || node.pinned) return { type: "supersede", node, reason };
  const { l0, l1, l2, aliases, tags, files, atMs, evidence } = candidate;
  return {
    type: "merge",
    node,
    reason,
    patch: {
      l0,
      l1,
      l2,
      aliases,
      tags: [...new Set([...node.tags, ...tags])],
      files: [...new Set([...node.files, ...files])],
      importance: Math.max(node.importance, candidate.importance),
      // The less trusted of the two: a user's memory in an agent's words would be the agent's.
      origin: node.origin === "user" ? candidate.origin : node.origin,
      validFrom: atMs,
      evidenceCount: node.evidenceCount + 1,
      evidence: [...node.evidence, evidence].slice(-evidencePerNodeMax),
    },
  };
}

/**
 * May a candidate end this memory? Only one of its own project (or both of none), still current, not newer, no case
 * (what happened stays true), and only the user ends what the user said.
 */
const ends = (by: MemoryNode | null, candidate: Candidate, old: MemoryNode): boolean =>
  old.id !== by?.id &&
  old.status === "active" &&
  old.nodeType === "leaf" &&
  old.category !== "sessions" &&
  old.category !== "cases" &&
  old.project === (by ?? candidate).project &&
  old.updatedAt <= candidate.atMs &&
  candidate.origin !== "tool" &&
  (candidate.origin === "user" || old.origin !== "user");

/** The plan with the merged wording, when there is one. */
function worded(plan: MergePlan, merged: ReadonlyMap<number, MergedMemory>): MergePlan {
  const text = plan.type === "merge" ? merged.get(plan.node.id) : undefined;
  if (plan.type !== "merge" || text === undefined) return plan;
  const { l0, l1, l2, aliases } = text;
  return { ...plan, patch: { ...plan.patch, l0, l1, l2, aliases } };
}

function relate({ store }: Deps, { candidate, relation }: Extracted, node: MemoryNode): void {
  const other = relation === null ? null : store.nodes.byUri(relation.uri);
  if (relation !== null && other !== null && other.status !== "retracted")
    store.nodes.relate(node.id, other.id, relation.kind, candidate.atMs);
}

/** Memories of the window that the reading does not bear out, unless somebody had to do with them. */
function takeBack(deps: Deps, window: Window, kept: ReadonlySet<number>): void {
  const { store, vectors } = deps;
  const { job, session, turns } = window;
  const isOurs = isOfTurns(session.sessionId, turns);
  for (const node of localNodes(store, session.sessionId, turns)) {
    const isDoubtful =
      node.maker === "stop" &&
      node.status === "active" &&
      !kept.has(node.id) &&
      node.evidence.every(isOurs) &&
      !isTouched(store, node) &&
      !supersedesAny(deps, node);
    if (!isDoubtful) continue;
    store.nodes.retract(node.id, {
      atMs: atMsOf(job, session),
      action: "retract",
      by: job.key,
      reason: "not confirmed by the extractor",
    });
    vectors.remove(node.id);
  }
}

const supersedesAny = ({ store }: Deps, { id }: MemoryNode): boolean =>
  store.nodes.links(id).some(({ fromId, relation }) => fromId === id && relation === "supersedes");

const endedBy = (candidate: Candidate, by: string): RevisionCause =>
  causeOf(candidate, {
    action: "supersede",
    by,
    reason: "no longer true, by the extractor's reading",
  });

const causeOf = (
  { atMs }: Candidate,
  rest: { readonly action: RevisionAction; readonly by: string; readonly reason: string },
): RevisionCause => ({ atMs, ...rest });
