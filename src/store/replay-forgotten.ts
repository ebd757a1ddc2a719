/** After a restore: what was forgotten since the backup was made is forgotten once more. */
import type { PortableRecord, Store } from "#domain";
import { spansOf } from "#kit";
import { stringsIn } from "./forgotten-texts.ts";

/**
 * Takes over fingerprints and forgets whatever they are of. Returns how many texts were found. Reads everything: a few
 * seconds for 100,000 memories.
 */
export function replayForgotten(
  store: Store,
  fingerprints: readonly PortableRecord[],
  nowMs: number,
): number {
  store.transaction(() => fingerprints.forEach((record) => store.portable.put(record)));
  if (store.portable.fingerprints().length === 0) return 0;
  const texts = new Set<string>();
  const uris = new Set<string>();
  for (const record of store.portable.records()) {
    const found = forgottenIn(store, record);
    found.forEach((text) => texts.add(text));
    const { uri } = record;
    if (found.length > 0 && record.kind === "node" && typeof uri === "string") uris.add(uri);
  }
  if (texts.size === 0) return 0;
  const ids = [...uris].flatMap((uri) => store.nodes.byUri(uri)?.id ?? []);
  store.nodes.forget(ids, [...texts], nowMs);
  store.admin.purge();
  return texts.size;
}

/**
 * Fingerprints are of whole texts: a record repeats one as a text of its own, a line or a sentence. Of a memory its one
 * line and its evidence tell; a longer text that merely quotes something stays.
 */
function forgottenIn({ nodes }: Store, record: PortableRecord): readonly string[] {
  const texts =
    record.kind === "node" ? stringsIn([record["l0"], record["evidence"]]) : stringsIn(record);
  return texts.flatMap(spansOf).filter(nodes.isForgotten);
}
