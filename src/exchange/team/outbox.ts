/**
 * What a person shares, by project. The table holds which memories and what was told of them last; the words are read
 * from the memories when somebody asks, so that what was forgotten is nowhere else.
 */
import {
  teamCategories,
  type MemoryNode,
  type TeamCategory,
  type TeamItem,
  type TeamOutbox,
  type TeamRule,
  type TeamShare,
  type TeamText,
} from "#domain";
import { sha256 } from "#kit";
import { cleanText, hashOf, type TeamContext } from "./text.ts";

/** Proposals of a rule that are shown at a time. */
const proposedMax = 1_000;
/** Memories looked at in one step: hooks wait as long. */
const perStepMax = 100;

/** What of a memory is given; a few words why nothing is. */
export type Shareable =
  | { readonly text: TeamText; readonly project: string }
  | { readonly refused: string };

/** May it leave this machine at all? Never what is about a person, what is private, or what no person has read. */
export function shareable(deps: TeamContext, node: MemoryNode, nowMs: number): Shareable {
  const { project } = node;
  const category = teamCategories.find((one) => one === node.category);
  if (category === undefined)
    return {
      refused: `it is in ${node.category ?? "no category"}; only ${teamCategories.join(", ")} are shared`,
    };
  if (project === null) return { refused: "it belongs to no project" };
  if (node.status !== "active") return { refused: `it is ${node.status}` };
  if (node.origin === "team") return { refused: "a colleague said it; adopt it first" };
  if (node.origin === "tool" && !isReviewed(deps, node))
    return { refused: "it came from a tool and was not reviewed" };
  const said: TeamText = {
    category,
    l0: node.l0,
    l1: node.l1,
    slot: node.slot,
    tags: node.tags,
    files: node.files,
    importance: node.importance,
    saidAt: node.updatedAt,
  };
  const text = cleanText(deps, said, Math.max(nowMs, node.updatedAt));
  const isClean =
    text !== null && text.l0 === said.l0 && deps.gate.clean(said.l1 ?? "").redactions === 0;
  return isClean ? { text, project } : { refused: "the privacy gate found something in it" };
}

/** Revisions that are looked through for a person's word. */
const revisionsMax = 100;

const isReviewed = ({ store }: TeamContext, { id }: MemoryNode): boolean =>
  store.history
    .page(id, { order: "newest", afterId: null, limit: revisionsMax })
    .some(({ by, action }) => by === "user" && (action === "accept" || action === "edit"));

/** Shares one memory. The answer is empty, or says why it is not shared. */
export function share(deps: TeamContext, node: MemoryNode): string {
  const found = shareable(deps, node, deps.clock.nowMs());
  if ("refused" in found) return found.refused;
  const { project } = found;
  const known = shareIn(deps, project, node.id);
  if (known?.isWanted === true) return "";
  deps.store.team.putShares([{ ...(known ?? newShare(deps, project, node)), isWanted: true }]);
  deps.looked.delete(project);
  return "";
}

const shareIn = ({ store }: TeamContext, project: string, nodeId: number): TeamShare | null =>
  store.team.sharesOf(nodeId).find((one) => one.project === project) ?? null;

const newShare = (
  { store }: TeamContext,
  project: string,
  { id: nodeId, createdAt }: MemoryNode,
): Omit<TeamShare, "seq"> => ({
  project,
  // All machines of one person call a synced memory the same.
  item:
    store.sync.subjectOf(nodeId)?.subject ??
    sha256(JSON.stringify([project, createdAt, nodeId]), 32),
  nodeId,
  clock: 0,
  hash: "",
  isWanted: true,
});

/** Ends the sharing of a memory; members lose it with their next sync. False = it was not shared. */
export function unshare({ store, looked }: TeamContext, nodeId: number): boolean {
  const shared = store.team.sharesOf(nodeId).filter(({ isWanted }) => isWanted);
  store.team.putShares(shared.map((one) => ({ ...one, isWanted: false })));
  for (const { project } of shared) looked.delete(project);
  return shared.length > 0;
}

interface Proposals {
  /** The newest. */
  readonly nodes: readonly MemoryNode[];
  /** Number of proposals that wait behind those shown. */
  readonly more: number;
}

/** Memories that a rule proposes and that nobody has decided on. */
export function proposed(deps: TeamContext, project: string): Proposals {
  const { store, clock } = deps;
  const ids = undecided(deps, project).toReversed();
  const nodes: MemoryNode[] = [];
  for (let at = 0; at < ids.length; at += perStepMax)
    for (const [n, id] of ids.slice(at, at + perStepMax).entries()) {
      if (nodes.length === proposedMax) return { nodes, more: ids.length - at - n };
      const node = store.nodes.byId(id);
      const found = node === null ? null : shareable(deps, node, clock.nowMs());
      if (node !== null && found !== null && "text" in found && found.project === project)
        nodes.push(node);
    }
  return { nodes, more: 0 };
}

/** Memories that a rule concerns and the table lacks, in the order they were made. */
function undecided({ store }: TeamContext, project: string): readonly number[] {
  const categories = store.team.rule(project)?.categories ?? [];
  if (categories.length === 0) return [];
  const known = new Set(store.team.shares(project).map(({ nodeId }) => nodeId));
  const last = store.nodes.lastId();
  return store.nodes
    .idsAfter({ projects: [project], categories, statuses: ["active"] }, { id: 0, last }, last)
    .filter((id) => !known.has(id));
}

/** Which categories of a project are proposed, or shared at once; none = no rule. */
export function setSharing(
  { store }: TeamContext,
  project: string,
  ask: { readonly categories: readonly TeamCategory[]; readonly share: TeamRule["share"] },
): void {
  const arrive = store.team.rule(project)?.arrive ?? "review";
  store.team.putRule(project, { ...ask, arrive });
}

/** The TeamOutbox port over a store. */
export const createOutbox = (deps: TeamContext): TeamOutbox => ({
  projects: () => {
    const names = new Map(deps.store.admin.projectNames().map(({ key, name }) => [key, name]));
    return deps.store.team.sharing().map((key) => ({ key, name: names.get(key) ?? key }));
  },
  since: (project, cursor, limit) => {
    const { store } = deps;
    if (!store.transaction(() => lookOn(deps, project))) return { items: [], cursor, more: true };
    const rows = store.team.sharesAfter(project, cursor, limit);
    return {
      items: rows.map((row) => itemOf(deps, row)),
      cursor: rows.at(-1)?.seq ?? cursor,
      more: rows.length === limit,
    };
  },
});

/**
 * Notes what changed since it was told last: one step. False = there is more to look at. Everything is looked at once
 * after something happened in this store; what happens meanwhile is seen the next time.
 */
function lookOn(deps: TeamContext, project: string): boolean {
  const { store, looked } = deps;
  const rule = store.team.rule(project);
  const state = `${store.sync.lastRevision()} ${store.activity.forgets()} ${JSON.stringify(rule)}`;
  let walk = looked.get(project);
  if (walk === undefined || (walk.nodes.length === 0 && walk.state !== state)) {
    const shared = store.team.shares(project).map(({ nodeId }) => nodeId);
    const others = rule?.share === "auto" ? undecided(deps, project) : [];
    walk = { state, nodes: [...shared, ...others] };
    looked.set(project, walk);
  }
  const step = walk.nodes.slice(0, perStepMax);
  store.team.putShares(step.flatMap((nodeId) => changed(deps, project, nodeId)));
  walk.nodes.splice(0, step.length);
  return walk.nodes.length === 0;
}

/** The row of a memory if it is to be told, or told anew. */
function changed(
  deps: TeamContext,
  project: string,
  nodeId: number,
): readonly Omit<TeamShare, "seq">[] {
  const known = shareIn(deps, project, nodeId);
  const text = known?.isWanted === false ? null : textOf(deps, nodeId, project);
  const hash = text === null ? "" : hashOf(text);
  if (hash === (known?.hash ?? "")) return [];
  const node = known === null ? deps.store.nodes.byId(nodeId) : null;
  const row = node === null ? known : newShare(deps, project, node);
  // Also ahead of what a database that was restored since has told.
  const clock = Math.max((row?.clock ?? 0) + 1, deps.clock.nowMs());
  return row === null ? [] : [{ ...row, hash, clock }];
}

function textOf(deps: TeamContext, nodeId: number, project: string): TeamText | null {
  const node = deps.store.nodes.byId(nodeId);
  const found = node === null ? null : shareable(deps, node, deps.clock.nowMs());
  // One that moved to another project is told there once somebody shares it.
  return found !== null && "text" in found && found.project === project ? found.text : null;
}

function itemOf(deps: TeamContext, row: TeamShare): TeamItem {
  const { item: id, clock, nodeId } = row;
  const text = row.hash === "" ? null : textOf(deps, nodeId, row.project);
  if (text !== null) return { v: 1, id, clock, text };
  const isForgotten = deps.store.nodes.byId(nodeId) === null;
  return { v: 1, id, clock, text, ...(isForgotten ? { isForgotten } : {}) };
}
