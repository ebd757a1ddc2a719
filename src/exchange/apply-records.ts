/** Records from elsewhere: sessions, their turns and summaries, and memories, which go the way of all others. */
import {
  type Candidate,
  categoryRules,
  holdsForgotten,
  type ImportCounts,
  type ImportMark,
  type ImportOutcome,
  type ImportSource,
  liftForgotten,
  type MemoryNode,
  type NodeDraft,
  type RevisionCause,
  type Turn,
} from "#domain";
import { isoDate, oneLine } from "#kit";
import { applyableDraft, archiveUri, freshLeafUri } from "#memory";
import {
  created,
  type ImportedMemory,
  type ItemOf,
  merged,
  reasons,
  refused,
  skipped,
  uncounted,
} from "./items.ts";
import type { ExchangeContext } from "./sync/log/claim.ts";

/** A session that hooks captured, or another import brought, is not touched. */
const isOwn = ({ store, source }: Applying, sessionId: string): boolean =>
  store.imports.find(source, sessionKey(sessionId)) !== null;

export function applySession(run: Applying, item: ItemOf<"session">): ImportOutcome {
  const { store } = run;
  if (isOwn(run, item.sessionId)) return skipped(reasons.before);
  if (store.sessions.byId(item.sessionId) !== null) return skipped(reasons.elsewhere);
  const isForgotten = holdsForgotten(store, [item.firstPrompt, item.title]);
  store.sessions.upsert({
    sessionId: item.sessionId,
    ...(item.project === null ? {} : { project: item.project.key, projectName: item.project.name }),
    branch: item.branch,
    cwd: item.cwd,
    title: isForgotten ? null : item.title,
    firstPrompt: isForgotten ? null : item.firstPrompt,
    parentSession: item.parentSession,
    status: "interrupted",
    atMs: item.startedAt,
    endedAt: item.startedAt,
  });
  noteTaken(run, sessionKey(item.sessionId));
  return created;
}

export function applyTurn(run: Applying, item: ItemOf<"turn">): ImportOutcome {
  const { store } = run;
  if (!isOwn(run, item.sessionId)) return skipped(reasons.elsewhere);
  for (const { l0, evidence, atMs } of item.memories)
    liftForgotten(store, [l0, evidence.quote], atMs);
  const isForgotten = holdsForgotten(store, [item.prompt, item.answer]);
  const isHidden = isForgotten || item.prompt === null;
  const added = store.sessions.addTurn(turnOf(item, isHidden));
  if (added === "there") return skipped(reasons.before);
  if (added === "gap") return refused("turns before it are missing");
  if (isHidden) return skipped(isForgotten ? reasons.forgotten : reasons.private);
  for (const use of item.tools) {
    if (holdsForgotten(store, [use.target, use.text])) continue;
    store.sessions.addToolUse({
      ...use,
      sessionId: item.sessionId,
      turn: item.n,
      atMs: item.startedAt,
      agentId: null,
    });
  }
  keepExchange(run, item);
  return { ...created, memories: rememberAll(run, item.memories) };
}

/** Nothing but its place is kept of a turn that is hidden. */
const turnOf = (item: ItemOf<"turn">, isHidden: boolean): Omit<Turn, "id"> => ({
  sessionId: item.sessionId,
  n: item.n,
  promptId: item.promptId,
  line: item.line,
  status: item.interrupted ? "interrupted" : "closed",
  startedAt: item.startedAt,
  endedAt: item.endedAt,
  isPrivate: item.isPrivate === true,
  isHeadless: item.isHeadless === true,
  prompt: isHidden ? null : item.prompt,
  answer: isHidden ? null : item.answer,
  toolCount: isHidden ? 0 : item.toolCount,
  filesRead: isHidden ? [] : item.filesRead,
  filesEdited: isHidden ? [] : item.filesEdited,
});

/** `keepExchange` stores the words of a turn as a leaf of the archive. */
function keepExchange(run: Applying, item: ItemOf<"turn">): void {
  const { exchange } = item;
  const { nodes, sessions } = run.store;
  if (exchange === null || nodes.isForgotten(exchange.l0)) return;
  const uri = archiveUri({ sessionId: item.sessionId, part: "exchanges", n: item.n });
  if (nodes.byUri(uri) !== null) return;
  const session = sessions.byId(item.sessionId);
  const draft: NodeDraft = {
    ...exchange,
    uri,
    category: "sessions",
    project: session?.project ?? null,
    branch: item.branch ?? session?.branch ?? null,
    files: item.filesEdited.slice(0, 8),
    origin: "import",
    maker: "import",
    sourceSession: item.sessionId,
    validFrom: item.startedAt,
  };
  const cause: RevisionCause = {
    atMs: item.endedAt,
    action: "create",
    by: run.by,
    reason: "said in this turn",
  };
  run.index(nodes.insert(draft, cause));
}

export function applySummary(run: Applying, item: ItemOf<"summary">): ImportOutcome {
  const { store, source } = run;
  if (store.imports.find(source, item.key) !== null) return skipped(reasons.before);
  if (!isOwn(run, item.sessionId)) return skipped(reasons.elsewhere);
  if (holdsForgotten(store, textsOf(item.checkpoint))) return skipped(reasons.forgotten);
  store.sessions.addCheckpoint({
    sessionId: item.sessionId,
    project: item.project,
    atMs: item.atMs,
    trigger: "stop",
    ...item.checkpoint,
  });
  noteTaken(run, item.key);
  return created;
}

const textsOf = ({ l0, fields }: ItemOf<"summary">["checkpoint"]): readonly string[] => [
  l0,
  ...Object.values(fields).flat(),
];

/** `applyEnd` ends a session, once: the same end twice changes nothing. */
export function applyEnd(run: Applying, item: ItemOf<"end">): ImportOutcome {
  const { store } = run;
  const session = store.sessions.byId(item.sessionId);
  if (session === null || !isOwn(run, item.sessionId)) return uncounted;
  if (item.checkpoint !== null && !holdsForgotten(store, textsOf(item.checkpoint)))
    addLastCheckpoint(run, item, item.checkpoint);
  // Hooks may have seen it go on since: then they know better how it stands.
  if (session.lastEventAt <= item.endedAt)
    store.sessions.upsert({
      sessionId: item.sessionId,
      status: item.status,
      atMs: item.endedAt,
      endedAt: item.endedAt,
      transcriptPath: item.transcript?.path ?? null,
    });
  saveMarks(run, item);
  return uncounted;
}

/** `saveMarks` notes how far the transcript was read, for the next import and for the hooks. */
function saveMarks(run: Applying, { sessionId, transcript, endedAt }: ItemOf<"end">): void {
  const { sessions } = run.store;
  noteTaken(run, sessionKey(sessionId), { extent: transcript?.bytes ?? null });
  if (transcript === null || transcript.path === null) return;
  if (sessions.transcriptOffset(transcript.path).bytes < transcript.bytes)
    sessions.saveTranscriptOffset(transcript.path, sessionId, transcript, endedAt);
}

function addLastCheckpoint(
  { store }: Applying,
  item: ItemOf<"end">,
  checkpoint: NonNullable<ItemOf<"end">["checkpoint"]>,
): void {
  const current = store.sessions.currentCheckpoint(item.sessionId);
  if (current !== null && current.atMs >= item.endedAt) return;
  store.sessions.addCheckpoint({
    sessionId: item.sessionId,
    project: item.project,
    atMs: item.endedAt,
    trigger: "end",
    l0: oneLine(checkpoint.l0),
    fields: checkpoint.fields,
  });
}

// Memories.

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
  readonly embedMissing: () => number;
}

export interface Applying extends ImportContext {
  readonly source: ImportSource;
  /** This run of the import, as revisions name it: `undo` takes back what it brought as a whole. */
  readonly by: string;
}

export const sessionKey = (sessionId: string): string => `session:${sessionId}`;

const noteTaken = (
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
function rememberAll(run: Applying, memories: readonly ImportedMemory[]): ImportCounts {
  const counts = { created: 0, merged: 0, skipped: 0 };
  for (const memory of memories) {
    const { plan, node } = run.remember(candidateOf(memory, "user"), run.by);
    if (node === null) counts.skipped += 1;
    else if (plan === "create" || plan === "supersede") counts.created += 1;
    else counts.merged += 1;
  }
  return counts;
}

export function applyMemory(run: Applying, item: ItemOf<"memory">): ImportOutcome {
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
