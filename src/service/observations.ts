/** Tells what the tools of turns brought about, of the leaves that are kept of a session. Pure. */
import {
  evaluationTypes,
  isExchange,
  observationTypes,
  type MemoryNode,
  type ObservationType,
  type Turn,
} from "#domain";
import type { ObservationJson } from "#api";

/** `turns` are those of the session, and tell which files were read and which edited. */
export function observationsIn(
  leaves: readonly MemoryNode[],
  turns: readonly Turn[],
): readonly ObservationJson[] {
  const byNumber = new Map(turns.map((turn) => [turn.n, turn]));
  return leaves.flatMap((leaf) => {
    const type = typeOf(leaf);
    const id = Number(leaf.uri.slice(leaf.uri.lastIndexOf("/") + 1));
    const n = isExchange(leaf.uri) ? id : (leaf.evidence[0]?.turn ?? 0);
    return type === undefined ? [] : [observationOf(leaf, { id, type, turn: byNumber.get(n), n })];
  });
}

function observationOf(
  { createdAt, files, l0, l1, l2, tags, validFrom }: MemoryNode,
  of: Pick<ObservationJson, "id" | "type"> & { readonly turn: Turn | undefined; n: number },
): ObservationJson {
  return {
    id: of.id,
    turn: of.n,
    at: validFrom ?? createdAt,
    type: of.type,
    title: l0,
    subtitle: "",
    narrative: l1 ?? "",
    facts: l2?.split("\n") ?? [],
    concepts: tags.filter((tag) => !types.has(tag)),
    files_read: of.turn?.filesRead ?? [],
    files_modified: of.turn?.filesEdited ?? files,
  };
}

const types: ReadonlySet<string> = new Set([...observationTypes, ...evaluationTypes]);

/** It stands first, or behind the type of the turn. */
const typeOf = ({ tags }: MemoryNode): ObservationType | undefined =>
  observationTypes.find((type) => tags[1] === type) ??
  observationTypes.find((type) => tags[0] === type);
