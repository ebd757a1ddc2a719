/**
 * Keeps what a person shares, by project. The table holds which memories and what was told of them
 * last; the words are read from the memories when somebody asks, so that what was forgotten is
 * nowhere else.
 */
import {
  teamCategories,
  type MemoryNode,
  type TeamItem,
  type TeamShare,
  type TeamText,
} from "#domain";
import { sha256 } from "#kit";
import { cleanText, hashOf, type TeamContext } from "./text.ts";

/** Proposals of a rule that are shown at a time. */
const proposedMax = 1_000;
/** Memories looked at in one step: hooks wait as long. */
const perStepMax = 100;

/** The shareable part of a memory; a few words why nothing is. */
type Shareable =
  | { readonly text: TeamText; readonly project: string }
  | { readonly refused: string };

/** May it leave this machine at all? Never what is about a person, what is private, or what no person has read. */
export function shareable(deps: TeamContext, node: MemoryNode): Shareable {
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
  const { l0, l1, slot, tags, files, importance, updatedAt: saidAt } = node;
  const said: TeamText = { category, l0, l1, slot, tags, files, importance, saidAt };
  const text = cleanText(deps, said, Math.max(deps.clock.nowMs(), saidAt));
  const isClean = text?.l0 === l0 && deps.gate.clean(l1 ?? "").redactions === 0;
  return isClean ? { text, project } : { refused: "the privacy gate found something in it" };
}

/** The text of a memory as it may be given in a project; null when it may not. */
function textIn(deps: TeamContext, project: string, node: MemoryNode | null): TeamText | null {
  const found = node === null ? null : shareable(deps, node);
  // One that moved to another project is told there once somebody shares it.
  return found !== null && "text" in found && found.project === project ? found.text : null;
}

/** Revisions that are looked through for a person's word. */
const revisionsMax = 100;

const isReviewed = ({ store }: TeamContext, { id }: MemoryNode): boolean =>
  store.history
    .page(id, { order: "newest", afterId: null, limit: revisionsMax })
    .some(({ by, action }) => by === "user" && (action === "accept" || action === "edit"));

/** Shares one memory. The answer is empty, or says why it is not shared. */
export function share(deps: TeamContext, node: MemoryNode): string {
  const found = shareable(deps, node);
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

/** The newest memories that a rule proposes and nobody has decided on; `more`: those that wait behind them. */
export function proposed(
  deps: TeamContext,
  project: string,
): { readonly nodes: readonly MemoryNode[]; readonly more: number } {
  const ids = undecided(deps, project).toReversed();
  const nodes: MemoryNode[] = [];
  for (const [at, id] of ids.entries()) {
    if (nodes.length === proposedMax) return { nodes, more: ids.length - at };
    const node = deps.store.nodes.byId(id);
    if (node !== null && textIn(deps, project, node) !== null) nodes.push(node);
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

/**
 * Returns what changed behind a cursor (0 = everything), in order; of each memory the last state only. The same
 * question gives the same or more. `more` without items: not everything was looked at yet, ask again.
 */
export function itemsSince(
  deps: TeamContext,
  project: string,
  cursor: number,
  limit: number,
): { readonly items: readonly TeamItem[]; readonly cursor: number; readonly more: boolean } {
  const { store } = deps;
  if (!store.transaction(() => lookOn(deps, project))) return { items: [], cursor, more: true };
  const rows = store.team.sharesAfter(project, cursor, limit);
  return {
    items: rows.map((row) => itemOf(deps, row)),
    cursor: rows.at(-1)?.seq ?? cursor,
    more: rows.length === limit,
  };
}

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
  const node = deps.store.nodes.byId(nodeId);
  const text = known?.isWanted === false ? null : textIn(deps, project, node);
  const hash = text === null ? "" : hashOf(text);
  if (hash === (known?.hash ?? "")) return [];
  const row = known ?? (node === null ? null : newShare(deps, project, node));
  // Also ahead of what a database that was restored since has told.
  return row === null ? [] : [{ ...row, hash, clock: Math.max(row.clock + 1, deps.clock.nowMs()) }];
}

function itemOf(
  deps: TeamContext,
  { item: id, clock, nodeId, hash, project }: TeamShare,
): TeamItem {
  const node = deps.store.nodes.byId(nodeId);
  const text = hash === "" ? null : textIn(deps, project, node);
  return { v: 1, id, clock, text, ...(node === null ? { isForgotten: true } : {}) };
}
