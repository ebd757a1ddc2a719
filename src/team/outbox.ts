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
import type { TeamDeps } from "./deps.ts";
import { cleanText, hashOf } from "./text.ts";

/** Of a rule, looked at at a time. */
const ruleMax = 1_000;

/** What of a memory is given; a few words why nothing is. */
export type Shareable =
  | { readonly text: TeamText; readonly project: string }
  | { readonly refused: string };

/** May it leave this machine at all? Never what is about a person, what is private, or what no person has read. */
export function shareable(deps: TeamDeps, node: MemoryNode, nowMs: number): Shareable {
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

const isReviewed = ({ store }: TeamDeps, { id }: MemoryNode): boolean =>
  store.history
    .page(id, { order: "newest", afterId: null, limit: revisionsMax })
    .some(({ by, action }) => by === "user" && (action === "accept" || action === "edit"));

/** Shares one memory. The answer is empty, or says why it is not shared. */
export function share(deps: TeamDeps, node: MemoryNode): string {
  const found = shareable(deps, node, deps.clock.nowMs());
  if ("refused" in found) return found.refused;
  want(deps, node, found.project);
  return "";
}

function want({ store }: TeamDeps, node: MemoryNode, project: string): void {
  const known = store.team.shares(project).find(({ nodeId }) => nodeId === node.id);
  if (known?.isWanted === true) return;
  // All machines of one person call a synced memory the same.
  const item =
    known?.item ??
    store.sync.subjectOf(node.id)?.subject ??
    sha256(JSON.stringify([project, node.createdAt, node.id]), 32);
  store.team.putShare({
    project,
    item,
    nodeId: node.id,
    clock: 0,
    hash: "",
    ...known,
    isWanted: true,
  });
}

/** Ends the sharing of a memory; members lose it with their next sync. False = it was not shared. */
export function unshare({ store }: TeamDeps, nodeId: number): boolean {
  const shared = store.team
    .sharing()
    .flatMap((project) => store.team.shares(project))
    .filter((one) => one.nodeId === nodeId && one.isWanted);
  for (const { seq: _, ...one } of shared) store.team.putShare({ ...one, isWanted: false });
  return shared.length > 0;
}

/** Memories that a rule proposes and that nobody has decided on. */
export function proposed(deps: TeamDeps, project: string): readonly MemoryNode[] {
  const { store, clock } = deps;
  const categories = store.team.rule(project)?.categories ?? [];
  if (categories.length === 0) return [];
  const known = new Set(store.team.shares(project).map(({ nodeId }) => nodeId));
  return store.nodes
    .list({ projects: [project], categories, statuses: ["active"] }, "recent", {
      limit: ruleMax,
      offset: 0,
    })
    .filter((node) => node.project === project && !known.has(node.id))
    .filter((node) => !("refused" in shareable(deps, node, clock.nowMs())));
}

/** Which categories of a project are proposed, or shared at once; none = no rule. */
export function setSharing(
  { store }: TeamDeps,
  project: string,
  ask: { readonly categories: readonly TeamCategory[]; readonly share: TeamRule["share"] },
): void {
  const arrive = store.team.rule(project)?.arrive ?? "review";
  store.team.putRule(project, { ...ask, arrive });
}

/** The TeamOutbox port over a store. */
export const createOutbox = (deps: TeamDeps): TeamOutbox => ({
  projects: () => {
    const names = new Map(deps.store.admin.projectNames().map(({ key, name }) => [key, name]));
    return deps.store.team.sharing().map((key) => ({ key, name: names.get(key) ?? key }));
  },
  since: (project, cursor, limit) => {
    const { store } = deps;
    store.transaction(() => collect(deps, project));
    const rows = store.team.sharesAfter(project, cursor, limit);
    return {
      items: rows.map((row) => itemOf(deps, row)),
      cursor: rows.at(-1)?.seq ?? cursor,
      more: rows.length === limit,
    };
  },
});

/** Notes what changed since it was told last. */
function collect(deps: TeamDeps, project: string): void {
  const { store, clock } = deps;
  if (store.team.rule(project)?.share === "auto")
    for (const node of proposed(deps, project)) want(deps, node, project);
  for (const { seq: _, ...row } of store.team.shares(project)) {
    const text = row.isWanted ? textOf(deps, row) : null;
    const hash = text === null ? "" : hashOf(text);
    if (hash === row.hash) continue;
    // Also ahead of what a database that was restored since has told.
    store.team.putShare({ ...row, hash, clock: Math.max(row.clock + 1, clock.nowMs()) });
  }
}

function textOf(
  deps: TeamDeps,
  { nodeId, project }: Pick<TeamShare, "nodeId" | "project">,
): TeamText | null {
  const node = deps.store.nodes.byId(nodeId);
  const found = node === null ? null : shareable(deps, node, deps.clock.nowMs());
  // One that moved to another project is told there once somebody shares it.
  return found !== null && "text" in found && found.project === project ? found.text : null;
}

function itemOf(deps: TeamDeps, row: TeamShare): TeamItem {
  const { item: id, clock, nodeId } = row;
  const text = row.hash === "" ? null : textOf(deps, row);
  if (text !== null) return { v: 1, id, clock, text };
  const isForgotten = deps.store.nodes.byId(nodeId) === null;
  return { v: 1, id, clock, text, ...(isForgotten ? { isForgotten } : {}) };
}
