/**
 * Forget: gone for good, everywhere (20-memory, "History"). The store removes rows, revisions, indexes and every record
 * that repeats the text; here it is decided which texts that means, and what lies beside the store is cleaned.
 */
import type { MemoryNode, StoreDep } from "#domain";
import { err, ok, type Result } from "#kit";
import type { HostDep, LearnerDep, VectorIndexDep } from "./deps.ts";
import { communicationUri } from "./edit.ts";
import type { ServiceError } from "./errors.ts";
import type { ForgottenJson } from "./json.ts";
import { exactNodeAt } from "./memories.ts";

export interface ForgetApi {
  /** Forgets leaves by URI, all or none. */
  readonly forget: (uris: readonly string[], nowMs: number) => Result<ForgottenJson, ServiceError>;
}

type Deps = HostDep & LearnerDep & StoreDep & VectorIndexDep & { readonly writable: boolean };

export const createForgetApi = (deps: Deps): ForgetApi => ({
  forget: (uris, nowMs) => {
    if (!deps.writable) return err({ type: "service.read-only" });
    const nodes = new Map<number, MemoryNode>();
    for (const uri of uris) {
      const found = exactNodeAt(deps, uri);
      if (!found.ok) return found;
      if (found.value.nodeType === "dir") return err({ type: "memory.is-directory", uri });
      for (const node of withParts(deps, found.value)) nodes.set(node.id, node);
    }
    return ok(forgetNodes(deps, [...nodes.values()], nowMs));
  },
});

/** What a memory was merged from says the same, and must not come back when the whole is gone. */
function withParts({ store }: StoreDep, node: MemoryNode): readonly MemoryNode[] {
  const found = new Map([[node.id, node]]);
  // Grows while it is walked: parts may have parts.
  for (const { mergedFrom } of found.values())
    for (const part of store.nodes.byIds(mergedFrom))
      if (part.status !== "active") found.set(part.id, part);
  return [...found.values()];
}

function forgetNodes(deps: Deps, nodes: readonly MemoryNode[], nowMs: number): ForgottenJson {
  const { store, host, vectors } = deps;
  const ids = nodes.map(({ id }) => id);
  const texts = [...new Set(nodes.flatMap((node) => textsOf(deps, node)))];
  store.nodes.forget(ids, texts, nowMs);
  for (const id of ids) vectors.remove(id);
  host.scrubFiles(texts);
  return { forgotten: nodes.map(({ uri }) => uri), purged: purge(deps) };
}

/** Every wording the memory ever had, and the words it was learnt from. */
function textsOf({ learner, store }: Deps, node: MemoryNode): readonly string[] {
  const versions = [node, ...store.nodes.revisions(node.id)];
  const tiers = versions.flatMap(({ l0, l1, l2 }) => [l0, l1, l2]);
  // One by one as well: as a whole no session says them again.
  const isProfile = node.uri === communicationUri;
  const statements = isProfile ? versions.flatMap(({ l2 }) => learner.statementsIn(l2)) : [];
  return [...tiers, ...statements, ...node.evidence.map(({ quote }) => quote)]
    .map((text) => text?.trim() ?? "")
    .filter((text) => text !== "");
}

/** Another program that reads the file can hold up cleaning it; the memory is gone all the same. */
function purge({ store }: StoreDep): boolean {
  try {
    store.admin.purge();
    return true;
  } catch {
    return false; // The caller is told; the next purge cleans the file as a whole.
  }
}
