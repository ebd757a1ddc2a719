/** Memories from elsewhere: the same dedup and merge that all others go through. */
import {
  type Candidate,
  categoryRules,
  embeddedText,
  type Embedder,
  holdsForgotten,
  type ImportSource,
  type MemoryNode,
  type Store,
  type VectorIndex,
} from "#domain";
import { applyableDraft, archiveUri, freshLeafUri } from "#memory";
import { isoDate, type Clock } from "#kit";
import {
  created,
  type ImportedMemory,
  type ItemOf,
  type ItemOutcome,
  type MemoryCounts,
  merged,
  reasons,
  skipped,
} from "./items.ts";

/** Origin and maker are the channel's, whatever an item says. */
const candidateOf = (memory: ImportedMemory, origin: "import" | "user"): Candidate => ({
  ...memory,
  origin,
  maker: "import",
});

const learn = (
  deps: Applying,
  memory: ImportedMemory,
  origin: "import" | "user" = "import",
): ReturnType<Applying["remember"]> => deps.remember(candidateOf(memory, origin), deps.by);

/** All sentences of one turn: its user typed them, here or on another day. */
export function rememberAll(deps: Applying, memories: readonly ImportedMemory[]): MemoryCounts {
  const counts = { created: 0, merged: 0, skipped: 0 };
  for (const memory of memories) {
    const { plan, node } = learn(deps, memory, "user");
    if (node === null) counts.skipped += 1;
    else if (plan === "create" || plan === "supersede") counts.created += 1;
    else counts.merged += 1;
  }
  return counts;
}

/** Puts the vector of L0 beside the node, in the file and in memory. */
export function keepVector({ embedder, store, vectors }: Applying, node: MemoryNode): void {
  const vector = embedder.embed(embeddedText(node.l0, node.aliases, node.maker));
  if (vector === null) return;
  store.vectors.put(node.id, embedder.identity.id, vector);
  vectors.put(node.id, vector);
}

export function applyMemory(deps: Applying, item: ItemOf<"memory">): ItemOutcome {
  const { store, source } = deps;
  if (store.imports.find(source, item.key) !== null) return skipped(reasons.before);
  const { memory } = item;
  if (holdsForgotten(store, [memory.l0, memory.l1, memory.l2])) return skipped(reasons.forgotten);
  if (item.isSentence === true) {
    note(deps, item.key, keepSentence(deps, memory));
    return created;
  }
  const { plan, node } = learn(deps, memory);
  note(deps, item.key, node);
  if (node === null) return skipped(reasons.forgotten);
  relate(deps, node, item);
  return plan === "create" || plan === "supersede" ? created : merged(reasons.known);
}

/** Links the memory to the items that it belongs with, as far as they were taken. */
function relate({ store, source }: Applying, node: MemoryNode, item: ItemOf<"memory">): void {
  for (const { key, relation } of item.links) {
    const other = store.imports.find(source, key)?.nodeId ?? null;
    if (other !== null && other !== node.id && store.nodes.byId(other) !== null)
      store.nodes.relate(node.id, other, relation, item.memory.atMs);
  }
}

const note = ({ store, source, clock }: Applying, key: string, node: MemoryNode | null): void =>
  store.imports.save(source, key, { nodeId: node?.id ?? null, extent: null }, clock.nowMs());

/**
 * A sentence for the archive: made where it would stand as a memory, and put away at once, so that what it would have
 * been is in its history and can be brought back.
 */
function keepSentence(deps: Applying, memory: ImportedMemory): MemoryNode {
  const { nodes, sessions } = deps.store;
  const candidate = candidateOf(memory, "import");
  const { sessionId } = candidate.evidence;
  const { by } = deps;
  const uri = freshLeafUri(
    {
      category: candidate.category,
      slug: candidate.uriHint,
      project: candidate.project,
      projectName: candidate.project?.split(/[/:]/).at(-1) ?? null,
      date: isoDate(candidate.atMs),
    },
    (taken) => nodes.byUri(taken),
  );
  const { atMs } = candidate;
  const made = nodes.insert(applyableDraft(candidate, uri), {
    atMs,
    action: "create",
    by,
    reason: "a note of another program",
  });
  const isKnown = sessionId !== "" && sessions.byId(sessionId) !== null;
  const kept = nodes.update(
    made.id,
    { category: "sessions", uri: sentenceUri(isKnown ? sessionId : null, made.id) },
    { atMs, action: "archive", by, reason: "says what was seen on the way" },
  );
  keepVector(deps, kept);
  return kept;
}

/** Place of a sentence in the archive: with its session, or apart where that is not known. */
const sentenceUri = (sessionId: string | null, n: number): string =>
  sessionId === null
    ? `${categoryRules.sessions.root}/sentences/${n}`
    : archiveUri({ sessionId, part: "sentences", n });

// What taking items needs: the store, the write path of memories, and the source they come from.

export interface ApplyDeps {
  readonly clock: Clock;
  /** Dedup, then create, merge, supersede or skip; inside the caller's transaction. */
  readonly remember: (
    candidate: Candidate,
    by: string,
  ) => {
    readonly plan: "create" | "supersede" | "skip";
    readonly node: MemoryNode | null;
  };
  readonly store: Store;
  readonly embedder: Embedder;
  readonly vectors: VectorIndex;
  /**
   * A batch came: whatever else rewrites memories waits, so that an import ends alike however often it was broken off.
   */
  readonly onBatch: () => void;
  /** Fills vectors that are missing. Returns how many. */
  readonly embedMissing: () => number;
}

export interface Applying extends ApplyDeps {
  readonly source: ImportSource;
  /** This run of the import, as revisions name it: `undo` takes back what it brought as a whole. */
  readonly by: string;
}

/** The ledger's key of a session. */
export const sessionKey = (sessionId: string): string => `session:${sessionId}`;
