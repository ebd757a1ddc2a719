/**
 * Forget: gone for good, everywhere (20-memory, "History"). The store removes rows, revisions, indexes and recorded
 * text; here it is decided which texts and which archive leaves that means.
 */
import type { MemoryNode, StoreDep } from "#domain";
import { err, ok, type Result } from "#kit";
import type { HostDep, VectorIndexDep } from "./deps.ts";
import type { ServiceError } from "./errors.ts";
import type { ForgottenJson } from "./json.ts";
import { nodeAt } from "./memories.ts";

export interface ForgetApi {
  /** Forgets leaves by URI, all or none. */
  readonly forget: (uris: readonly string[], nowMs: number) => Result<ForgottenJson, ServiceError>;
}

type Deps = HostDep & StoreDep & VectorIndexDep & { readonly writable: boolean };

/** Leaves of one session's archive: 30 moments above the threshold, 20 narratives and a margin. */
const archiveLeavesMax = 500;

export const createForgetApi = (deps: Deps): ForgetApi => ({
  forget: (uris, nowMs) => {
    if (!deps.writable) return err({ type: "service.read-only" });
    const nodes: MemoryNode[] = [];
    for (const uri of uris) {
      const found = nodeAt(deps, uri);
      if (!found.ok) return found;
      if (found.value.nodeType === "dir") return err({ type: "memory.is-directory", uri });
      nodes.push(found.value);
    }
    return ok(forgetNodes(deps, nodes, nowMs));
  },
});

function forgetNodes(deps: Deps, nodes: readonly MemoryNode[], nowMs: number): ForgottenJson {
  const { store } = deps;
  const texts = [...new Set(nodes.flatMap((node) => textsOf(deps, node)))];
  const all = new Map([...nodes, ...archiveOf(deps, nodes, texts)].map((node) => [node.id, node]));
  store.transaction(() => store.nodes.forget([...all.keys()], texts, nowMs));
  for (const id of all.keys()) deps.vectors.remove(id);
  // Outside the transaction: vacuuming cannot run inside one.
  store.admin.purge();
  deps.host.scrubFiles(texts);
  return { forgotten: [...all.values()].map(({ uri }) => uri) };
}

/** Every wording the memory ever had, and the words it was learnt from. */
function textsOf({ store }: StoreDep, node: MemoryNode): readonly string[] {
  const tiers = [node, ...store.nodes.revisions(node.id)].flatMap(({ l0, l1, l2 }) => [l0, l1, l2]);
  return [...tiers, ...node.evidence.map(({ quote }) => quote)]
    .map((text) => text?.trim() ?? "")
    .filter((text) => text !== "");
}

/** Moments and narratives of the memory's own sessions that repeat one of its texts. */
function archiveOf(
  { store }: StoreDep,
  nodes: readonly MemoryNode[],
  texts: readonly string[],
): readonly MemoryNode[] {
  const sessions = new Set(nodes.flatMap(({ evidence }) => evidence.map((item) => item.sessionId)));
  return [...sessions].flatMap((session) =>
    store.nodes
      .list({ archive: true, session }, "uri", { limit: archiveLeavesMax, offset: 0 })
      .filter((leaf) => repeats(leaf, texts)),
  );
}

const repeats = (leaf: MemoryNode, texts: readonly string[]): boolean =>
  [leaf.l0, leaf.l1, leaf.l2].some((tier) => texts.some((text) => tier?.includes(text) === true));
