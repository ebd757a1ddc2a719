/** Memories from elsewhere: the same dedup and merge that all others go through. */
import {
  type Candidate,
  categoryRules,
  holdsForgotten,
  type ImportMark,
  type ImportSource,
  type MemoryNode,
} from "#domain";
import { applyableDraft, archiveUri, freshLeafUri } from "#memory";
import { isoDate } from "#kit";
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
import type { ExchangeContext } from "./sync/log/claim.ts";

/** Store, clock and index of the exchange, with the write path of memories. */
export interface ImportContext extends Omit<ExchangeContext, "forget"> {
  /** Dedup, then create, merge, supersede or skip; inside the caller's transaction. */
  readonly remember: (
    candidate: Candidate,
    by: string,
  ) => {
    readonly plan: "create" | "supersede" | "skip";
    readonly node: MemoryNode | null;
  };
  /**
   * A batch came: whatever else rewrites memories waits, so that an import ends alike however often it was broken off.
   */
  readonly onBatch: () => void;
  /** Fills vectors that are missing. Returns how many. */
  readonly embedMissing: () => number;
}

export interface Applying extends ImportContext {
  readonly source: ImportSource;
  /** This run of the import, as revisions name it: `undo` takes back what it brought as a whole. */
  readonly by: string;
}

/** The ledger's key of a session. */
export const sessionKey = (sessionId: string): string => `session:${sessionId}`;

/** Notes in the ledger that a record was taken. */
export const noteTaken = (
  { store, source, clock }: Applying,
  key: string,
  mark: Partial<ImportMark> = {},
): void => store.imports.save(source, key, { nodeId: null, extent: null, ...mark }, clock.nowMs());

/** Origin and maker are the channel's, whatever an item says. */
const candidateOf = (memory: ImportedMemory, origin: "import" | "user"): Candidate => ({
  ...memory,
  origin,
  maker: "import",
});

/** All sentences of one turn: its user typed them, here or on another day. */
export function rememberAll(run: Applying, memories: readonly ImportedMemory[]): MemoryCounts {
  const counts = { created: 0, merged: 0, skipped: 0 };
  for (const memory of memories) {
    const { plan, node } = run.remember(candidateOf(memory, "user"), run.by);
    if (node === null) counts.skipped += 1;
    else if (plan === "create" || plan === "supersede") counts.created += 1;
    else counts.merged += 1;
  }
  return counts;
}

export function applyMemory(run: Applying, item: ItemOf<"memory">): ItemOutcome {
  const { store, source } = run;
  if (store.imports.find(source, item.key) !== null) return skipped(reasons.before);
  const { memory } = item;
  if (holdsForgotten(store, [memory.l0, memory.l1, memory.l2])) return skipped(reasons.forgotten);
  const candidate = candidateOf(memory, "import");
  if (item.isSentence === true) {
    noteTaken(run, item.key, { nodeId: keepSentence(run, candidate).id });
    return created;
  }
  const { plan, node } = run.remember(candidate, run.by);
  noteTaken(run, item.key, { nodeId: node?.id ?? null });
  if (node === null) return skipped(reasons.forgotten);
  relate(run, node, item);
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

/**
 * A sentence for the archive: made where it would stand as a memory, and put away at once, so that what it would have
 * been is in its history and can be brought back.
 */
function keepSentence({ store, index, by }: Applying, candidate: Candidate): MemoryNode {
  const { nodes, sessions } = store;
  const { atMs, project } = candidate;
  const { sessionId } = candidate.evidence;
  const uri = freshLeafUri(
    {
      category: candidate.category,
      slug: candidate.uriHint,
      project,
      projectName: project?.split(/[/:]/).at(-1) ?? null,
      date: isoDate(atMs),
    },
    nodes.byUri,
  );
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
  index(kept);
  return kept;
}

/** Place of a sentence in the archive: with its session, or apart where that is not known. */
const sentenceUri = (sessionId: string | null, n: number): string =>
  sessionId === null
    ? `${categoryRules.sessions.root}/sentences/${n}`
    : archiveUri({ sessionId, part: "sentences", n });
