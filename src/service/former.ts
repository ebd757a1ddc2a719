/** Addresses that answered once: of records that are kept otherwise now, and of memories that were edited since. */
import type { MemoryNode, StoreDep } from "#domain";

/** One record is kept of a turn: its exchange answers for the moment, narrative and observation of earlier versions. */
const formerPart = /\/(?:moments|narrative|observations)\/(\d+)$/u;

/** The node that answers for a URI of earlier times; null when none does. */
export function formerlyAt({ store }: StoreDep, uri: string): MemoryNode | null {
  const kept = store.nodes.byUri(uri.replace(formerPart, "/exchanges/$1"));
  if (kept !== null) return kept;
  const id = store.history.formerly(uri);
  return id === null ? null : store.nodes.byId(id);
}
