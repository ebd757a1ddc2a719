/**
 * Carries out what merge decided for a candidate: skip, create or supersede. Runs inside the caller's
 * transaction.
 *
 * Deciding is `memory/merge`; this file only does. Running it twice with the same candidate leaves what once leaves:
 * the second time the plan is `skip` without reinforcement.
 */
import {
  type Candidate,
  communicationUri,
  embeddedText,
  isWork,
  liftForgotten,
  type MemoryNode,
  type Neighbour,
  type NodeStatus,
  nodeStatuses,
  proposalOf,
  type RevisionCause,
  type Store,
} from "#domain";
import {
  applyableDraft,
  freshLeafUri,
  opposedBy,
  overtakenBy,
  planCandidate,
  withoutLabel,
  wordsSaid,
  type Finder,
  type MergePlan,
  type Orders,
} from "#memory";
import { isoDate } from "#kit";
import type { WorkerContext } from "../context.ts";

export interface Remembered {
  readonly plan: MergePlan["type"];
  /** The node that now says it; null when the text was forgotten by the user before. */
  readonly node: MemoryNode | null;
  /** True for what the user had forgotten and orders anew. */
  readonly isAgain?: true;
  /** The orders that were not kept as they were typed. */
  readonly orders?: Orders;
  /** The memory that an order to forget ended, or that several may be meant; `node` is null then. */
  readonly ended?: MemoryNode | "unclear";
  /** Subject of an order to forget what was said about it, where no memory says it. */
  readonly saidAbout?: string;
}

const neighboursMax = 12;

/** As `remember`, for an order as it is typed: one that was forgotten before it was typed is a new decision. */
export function rememberOrder(deps: WorkerContext, order: Candidate, by: string): Remembered {
  const texts = [order.l0, order.evidence.quote];
  if (order.origin !== "user" || !liftForgotten(deps.store, texts, order.atMs))
    return remember(deps, order, by);
  return { ...remember(deps, { ...order, isAgain: true }, by), isAgain: true };
}

/** `by` is a job key, `signal` or `user`: who the revision names. */
export function remember(deps: WorkerContext, candidate: Candidate, by: string): Remembered {
  const { store } = deps;
  if (store.nodes.isForgotten(candidate.l0) || store.nodes.isForgotten(candidate.evidence.quote))
    return { plan: "skip", node: null };
  const { nearest, known, others } = comparedWith(deps, candidate);
  const planned = planCandidate(candidate, [...nearest, ...others, ...known]);
  const named = namedBy(store, candidate).filter(({ status }) => status === "active");
  const held = heldFor(candidate, { planned, named, nearest });
  if (held !== null) return { plan: "create", node: holdBack(deps, { candidate, ...held, by }) };
  if (candidate.waits == null && planned.type === "skip" && named.length > 0)
    return replaceNamed(deps, { candidate, planned, named, by });
  const plan = candidate.maker === "import" ? withoutOverwriting(store, planned) : planned;
  const node = carryOut(deps, { candidate, plan, by });
  contradict(store, node, candidate);
  outdoTeam(store, node, candidate.atMs);
  const newer =
    plan.type === "create" && node.status === "active"
      ? overtakenBy(candidate, [...nearest, ...others])
      : null;
  if (newer === null) return { plan: plan.type, node };
  // A turn that is judged late must not bring back what was changed since.
  const reason = "already superseded when it was processed";
  supersede(deps, {
    old: node,
    by: newer,
    cause: { atMs: candidate.atMs, action: "supersede", by, reason },
  });
  return { plan: plan.type, node };
}

/** Lists what a candidate is held against: near memories, those of its slot or that it names, and its words again. */
function comparedWith({ store, finder }: WorkerContext, candidate: Candidate) {
  const isRecord = candidate.origin === "import";
  const known = isRecord ? sayingTheSame(store, candidate) : endedOf(store, candidate);
  return {
    nearest: isRecord ? [] : nearestTo(finder, candidate),
    others: [...ofSlot(store, candidate), ...namedBy(store, candidate)].map(asNeighbour),
    known: known.map(asNeighbour),
  };
}

/**
 * `heldFor` gives the reason why a candidate waits for review, and the memory that it would
 * replace; null = it holds at once.
 */
function heldFor(
  candidate: Candidate,
  {
    planned,
    named,
    nearest,
  }: {
    readonly planned: MergePlan;
    readonly named: readonly MemoryNode[];
    readonly nearest: readonly Neighbour[];
  },
): { readonly reason: string; readonly named: readonly MemoryNode[] } | null {
  if (candidate.waits != null && bringsMore(planned, named))
    return { reason: candidate.waits, named };
  const opposed = planned.type === "skip" ? [] : opposedBy(candidate, nearest);
  return opposed.length === 0 ? null : { reason: againstUser, named: opposed };
}

const againstUser = "an agent's word does not stand against the user's";

/** Says something new, or ends another memory than the one that says it already. */
const bringsMore = (planned: MergePlan, named: readonly MemoryNode[]): boolean =>
  planned.type !== "skip" || named.some(({ id }) => id !== planned.node.id);

interface Named {
  readonly candidate: Candidate;
  readonly named: readonly MemoryNode[];
  readonly by: string;
}

/** Inserts a candidate that waits for review: accepted, it replaces what is named. */
export function holdBack(
  deps: WorkerContext,
  { candidate, reason, named, by }: Named & { readonly reason: string },
): MemoryNode {
  const why = proposalOf(reason, "replaces", named);
  const cause = { atMs: candidate.atMs, action: "create", by, ...why } as const;
  return insert(deps, candidate, cause, "pending");
}

/** Ends what the writer named; what says the same already takes its place. */
function replaceNamed(
  deps: WorkerContext,
  { candidate, planned, named, by }: Named & { readonly planned: MergePlan },
): Remembered {
  const cause = (action: RevisionCause["action"], reason: string): RevisionCause => ({
    atMs: candidate.atMs,
    action,
    by,
    reason,
  });
  const known = planned.type === "skip" && !named.some(({ id }) => id === planned.node.id);
  const node = known ? planned.node : insert(deps, candidate, cause("create", "new"));
  for (const old of named)
    if (old.id !== node.id)
      supersede(deps, { old, by: node, cause: cause("supersede", "named by the writer") });
  return { plan: "supersede", node };
}

/** The writer of a revision that no person asked for: a job, by its key, or the program itself. */
const isOwn = (by: string): boolean => by === "system" || isWork(by);

/** True when it was used, pinned, edited or reverted: then no job retracts or rewords it. */
export const isTouched = (store: Store, node: MemoryNode): boolean =>
  node.pinned ||
  node.accessCount > 0 ||
  node.lastAccess !== null ||
  store.nodes.revisions(node.id).some(({ by }) => !isOwn(by));

/** An old record from elsewhere never changes what has been used, pinned or edited here. */
const withoutOverwriting = (store: Store, plan: MergePlan): MergePlan =>
  plan.type === "supersede" && plan.ended.some((node) => isTouched(store, node))
    ? { type: "skip", node: plan.ended[0], reason: "already changed here", reinforce: false }
    : plan;

/** Relates it to the memories that its writer names without a proof. */
function contradict({ nodes }: Store, { id }: MemoryNode, { doubts = [], atMs }: Candidate): void {
  for (const old of doubts) if (old !== id) nodes.relate(id, old, "contradicts", atMs);
}

/** `outdoTeam` lets a colleague's memory of the same slot give way to the user's, and wait for review. */
function outdoTeam({ team, nodes }: Store, node: MemoryNode, atMs: number): void {
  if (node.slot === null || node.origin !== "user" || node.status !== "active") return;
  for (const row of team.inSlot(node.project, node.slot)) {
    const theirs = row.nodeId === null ? null : nodes.byId(row.nodeId);
    if (theirs?.origin !== "team" || theirs.status !== "active") continue;
    const reason = `from ${theirs.author ?? "a colleague"}; you say otherwise: ${node.uri}`;
    nodes.update(theirs.id, { status: "pending" }, { atMs, action: "edit", by: "team", reason });
    team.putItem({ ...row, stood: "pending" });
  }
}

const asNeighbour = (node: MemoryNode): Neighbour => ({
  node,
  lexical: 0,
  similarity: null,
  fused: 0,
});

const ofSlot = ({ nodes }: Store, { project, slot = null }: Candidate): readonly MemoryNode[] =>
  slot === null ? [] : nodes.bySlot(project, slot);

const namedBy = ({ nodes }: Store, { replaces = [] }: Candidate): readonly MemoryNode[] =>
  replaces.length === 0 ? [] : nodes.byIds(replaces);

const endedMax = 100;

/**
 * `endedOf` lists memories of the same words that have been replaced since: a turn whose signal was
 * taken at once is judged later, and must find that its words were known.
 */
const endedOf = (store: Store, { evidence }: Candidate): readonly MemoryNode[] =>
  store.nodes.list(
    { projects: null, session: evidence.sessionId, statuses: ["superseded"] },
    "recent",
    { limit: endedMax },
  );

/** Memories with the same words that are looked at; consolidation finds what is left. */
const alikeMax = 64;
/** As many words of a text are looked up, the longest first; none has more characters than these. */
const wordsMax = 32;
const wordCharsMax = 100;

/**
 * Lists memories that have the longest words of a text, as whoever says the same has: nothing is ranked, hardly a row
 * read. Empty for a text without words. With `wordsFirst` so few words are asked for as long as they leave room; that
 * takes half the time, and is for whoever compares the texts afterwards.
 */
export function withSameWords(
  { lexical, nodes }: Store,
  { l0, project }: Omit<Said, "atMs">,
  statuses: readonly NodeStatus[],
  wordsFirst = wordsMax,
): readonly MemoryNode[] {
  const words = [...new Set(wordsSaid(l0))]
    .filter((word) => /[\p{L}\p{N}]/u.test(word) && word.length <= wordCharsMax)
    .toSorted((a, b) => b.length - a.length)
    .map((word) => [word]);
  if (words.length === 0) return [];
  const filters = { projects: project === null ? [] : [project], statuses };
  const having = (count: number): readonly number[] =>
    lexical.newest("memory", words.slice(0, count), filters, alikeMax);
  const few = having(wordsFirst);
  const ids = few.length === alikeMax && wordsFirst < wordsMax ? having(wordsMax) : few;
  return nodes.byIds(ids).filter(({ uri }) => uri !== communicationUri);
}

/**
 * Memories that may say exactly what an imported record says. It replaces nothing that resembles it, so that comparing
 * its neighbours would tell nothing more, and takes most of the time of a large import.
 */
const sayingTheSame = (store: Store, { l0, project }: Candidate): readonly MemoryNode[] =>
  withSameWords(store, { l0: withoutLabel(l0), project }, nodeStatuses).filter(
    ({ origin }) => origin !== "team",
  );

/** A line of a project, said at a time. */
interface Said {
  readonly l0: string;
  readonly project: string | null;
  readonly atMs: number;
}

/** Current memories that a candidate is compared with. */
export const nearestTo = (finder: Finder, { l0, project, atMs }: Said): readonly Neighbour[] =>
  finder
    .neighbours(l0, {
      projects: project === null ? [] : [project],
      nowMs: atMs,
      limit: neighboursMax,
    })
    .filter(({ node }) => node.uri !== communicationUri);

/** Does what a plan says; returns the node that now says what the candidate says. */
export function carryOut(
  deps: WorkerContext,
  work: { readonly candidate: Candidate; readonly plan: MergePlan; readonly by: string },
): MemoryNode {
  const { candidate, plan, by } = work;
  const cause = (action: RevisionCause["action"]): RevisionCause => ({
    atMs: candidate.atMs,
    action,
    by,
    reason: plan.reason,
  });
  if (plan.type !== "skip" && isHeld(deps, candidate)) return hold(deps, candidate, plan, cause);
  switch (plan.type) {
    case "skip":
      return plan.reinforce ? reinforce(deps, plan.node, candidate, cause("reinforce")) : plan.node;
    case "create":
    case "supersede": {
      const created = insert(deps, candidate, cause("create"));
      for (const old of plan.type === "supersede" ? plan.ended : [])
        supersede(deps, { old, by: created, cause: cause("supersede") });
      for (const old of plan.doubted)
        deps.store.nodes.relate(created.id, old.id, "contradicts", candidate.atMs);
      return created;
    }
  }
}

/** Does it wait for the user's review? What the user says never waits. */
const isHeld = ({ settings }: WorkerContext, { origin }: Candidate): boolean => {
  const held = settings().review.hold;
  return origin === "tool" ? held !== "off" : origin === "agent" && held === "inferred";
};

/** Stands beside what it would have changed, and does nothing until it is accepted. */
function hold(
  deps: WorkerContext,
  candidate: Candidate,
  plan: Exclude<MergePlan, { readonly type: "skip" }>,
  cause: (action: RevisionCause["action"]) => RevisionCause,
): MemoryNode {
  const told = plan.type === "create" ? plan.reason : `${plan.reason}: ${plan.ended[0].uri}`;
  return insert(deps, candidate, { ...cause("create"), reason: told }, "pending");
}

/** Known already: one more piece of evidence, and the larger importance. */
function reinforce(
  deps: WorkerContext,
  node: MemoryNode,
  candidate: Candidate,
  cause: RevisionCause,
): MemoryNode {
  return deps.store.nodes.update(
    node.id,
    {
      evidenceCount: node.evidenceCount + 1,
      importance: Math.max(node.importance, candidate.importance),
      evidence: [...node.evidence, candidate.evidence].slice(-evidencePerNodeMax),
    },
    cause,
  );
}

const evidencePerNodeMax = 10;

function insert(
  deps: WorkerContext,
  candidate: Candidate,
  cause: RevisionCause,
  status: NodeStatus = "active",
): MemoryNode {
  // Merge has decided that this is a new statement, so a taken name gets a suffix, never the other's place.
  const uri = freshLeafUri(
    {
      category: candidate.category,
      slug: candidate.uriHint,
      project: candidate.project,
      projectName: candidate.project === null ? null : projectLabel(candidate.project),
      date: isoDate(candidate.atMs),
    },
    (taken) => deps.store.nodes.byUri(taken),
  );
  const node = deps.store.nodes.insert({ ...applyableDraft(candidate, uri), status }, cause);
  index(deps, node);
  return node;
}

/** Name of a project for a URI: the last part of its key. */
const projectLabel = (key: string): string => key.split(/[/:]/).at(-1) ?? key;

export function supersede(
  deps: WorkerContext,
  change: { readonly old: MemoryNode; readonly by: MemoryNode; readonly cause: RevisionCause },
): void {
  const { old, by, cause } = change;
  deps.store.nodes.update(old.id, { status: "superseded", validTo: cause.atMs }, cause);
  deps.store.nodes.relate(by.id, old.id, "supersedes", cause.atMs);
}

/** Puts the vector of L0 beside the node, in the file and in memory; one that has to be fetched follows later. */
export function index(deps: WorkerContext, node: MemoryNode): void {
  const { embedder, store, vectors } = deps;
  if (embedder.remote !== undefined) {
    vectors.remove(node.id);
    embedder.remote.owe(node.id);
    return;
  }
  const vector = embedder.embed(embeddedText(node.l0, node.aliases, node.maker));
  // An empty one says that none of the words is known, so that it is not looked for again.
  store.vectors.put(node.id, embedder.identity.id, vector ?? new Float32Array(0));
  if (vector === null) vectors.remove(node.id);
  else vectors.put(node.id, vector);
}
