/** Domain values to their documented JSON forms. Pure. */
import {
  agentOf,
  type Anchor,
  anchorsIn,
  attributed,
  type Checkpoint,
  type Evidence,
  type InjectionRecord,
  isPlan,
  type MemoryNode,
  type projectLabels,
  type Revision,
  type Session,
  type Turn,
} from "#domain";
import { tokensOf } from "#kit";
import { givenUntil, isDoubt } from "#memory";
import type {
  CheckpointJson,
  InjectionJson,
  JsonValue,
  SessionJson,
  TurnJson,
} from "../forms-session.ts";
import type { LinkJson, MemoryJson, NodeJson, TokenCosts } from "../forms-memory.ts";
import type { RevisionJson } from "../forms-history.ts";
import type { Context } from "./context.ts";

/** `tokenCosts` gives the cost of fetching each tier; a missing tier costs nothing. */
export const tokenCosts = (l0: string, l1: string | null, l2: string | null): TokenCosts => ({
  l0: tokensOf(l0),
  l1: tokensOf(l1 ?? ""),
  l2: tokensOf(l2 ?? ""),
});

export const memoryToJson = (node: MemoryNode): MemoryJson => ({
  id: node.id,
  uri: node.uri,
  category: node.category,
  project: node.project,
  branch: node.branch,
  l0: node.l0,
  l1: node.l1,
  importance: node.importance,
  relevance: node.relevance,
  status: node.status,
  origin: node.origin,
  author: node.author ?? null,
  maker: node.maker,
  pinned: node.pinned,
  tags: node.tags,
  files: node.files,
  evidence_count: node.evidenceCount,
  access_count: node.accessCount,
  last_access: node.lastAccess,
  source_session: node.sourceSession,
  slot: node.slot,
  expires_at: node.expiresAt ?? givenUntil(node),
  created_at: node.createdAt,
  updated_at: node.updatedAt,
});

/** `node`: the one it is a revision of, for what it does not say. */
export const revisionToJson = (revision: Revision, node: MemoryNode): RevisionJson => ({
  id: revision.id,
  at: revision.atMs,
  action: revision.action,
  by: revision.by,
  reason: revision.reason,
  status: revision.status,
  uri: revision.fields.uri ?? node.uri,
  category: revision.fields.category,
  l0: revision.l0,
  l1: revision.l1,
  l2: revision.l2,
  importance: revision.fields.importance,
  tags: revision.fields.tags,
  pinned: revision.fields.pinned,
});

/** `labels` tell projects of one name apart. */
export const sessionToJson = (
  session: Session,
  labels: ReturnType<typeof projectLabels>,
): Omit<SessionJson, "turns"> => ({
  session_id: session.sessionId,
  agent: agentOf(session.sessionId),
  project: session.project,
  project_name: labels.get(session.project ?? "") ?? session.projectName,
  branch: session.branch,
  title: session.title === null ? null : attributed(session.title),
  status: session.status,
  started_at: session.startedAt,
  ended_at: session.endedAt,
  last_event_at: session.lastEventAt,
  parent_session: session.parentSession,
});

export const turnToJson = (turn: Turn): TurnJson => ({
  n: turn.n,
  status: turn.status,
  started_at: turn.startedAt,
  ended_at: turn.endedAt,
  prompt: turn.prompt === null ? null : attributed(turn.prompt),
  prompt_by: turn.prompt !== null && isPlan(turn.prompt) ? "agent" : "user",
  tool_count: turn.toolCount,
  files_read: turn.filesRead,
  files_edited: turn.filesEdited,
});

export const checkpointToJson = (checkpoint: Checkpoint): CheckpointJson => ({
  n: checkpoint.n,
  at: checkpoint.atMs,
  trigger: checkpoint.trigger,
  current: checkpoint.current,
  l0: checkpoint.l0,
  request: checkpoint.request,
  investigated: checkpoint.investigated,
  learned: checkpoint.learned,
  completed: checkpoint.completed,
  next_steps: checkpoint.nextSteps,
  files_read: checkpoint.filesRead,
  files_edited: checkpoint.filesEdited,
  notes: checkpoint.notes,
});

export const injectionToJson = (injection: InjectionRecord): InjectionJson => ({
  id: injection.id,
  at: injection.atMs,
  channel: injection.channel,
  cause: injection.cause,
  tokens: injection.tokens,
  text: injection.text,
  reasons: parseReasons(injection.reasons),
  feedback: injection.feedback,
});

/** Reasons are JSON that we wrote ourselves; an unreadable record is shown as the text it is. */
export function parseReasons(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text; // JSON.parse is the only thing here that throws.
  }
}

// One node whole, as `show` and every change of it answer.

const anchorJson = (anchor: Anchor): NodeJson["anchors"][number] => {
  const { path, symbol, state, commit, branch, movedTo } = anchor;
  return { path, symbol, state, commit, branch, moved_to: movedTo };
};

/** Everything that is known of a node. */
export const nodePage = (context: Context, node: MemoryNode): NodeJson => ({
  ...memoryToJson(node),
  revision: context.store.history.latest(node.id)?.id ?? 0,
  node_type: node.nodeType,
  given_count: context.store.exposure.givenCount(node.id),
  l2: node.l2,
  aliases: node.aliases,
  anchors: anchorsIn(node.anchors).map(anchorJson),
  evidence: evidenceOf(context, node),
  valid_from: node.validFrom,
  valid_to: node.validTo,
  superseded_by: context.store.nodes.successors([node.id]).get(node.id)?.uri ?? null,
  values: valuesOf(context, node),
  links: linksOf(context, node),
  tokens: tokenCosts(node.l0, node.l1, node.l2),
});

/** A turn's transcript line is known only after its memories are: the client writes the transcript late. */
export const evidenceOf = ({ store }: Context, { evidence }: MemoryNode): readonly Evidence[] =>
  evidence.map(({ sessionId, turn, line, quote }) => ({
    sessionId,
    turn,
    line: line ?? (turn === null ? null : (store.sessions.turn(sessionId, turn)?.line ?? null)),
    quote,
  }));

function linksOf({ store }: Context, node: MemoryNode): readonly LinkJson[] {
  const links = store.nodes.links(node.id);
  const others = links.map(({ fromId, toId }) => (fromId === node.id ? toId : fromId));
  const byId = new Map(store.nodes.byIds(others).map((other) => [other.id, other]));
  return links.flatMap((link) => {
    const { fromId, toId } = link;
    const other = byId.get(fromId === node.id ? toId : fromId);
    if (other === undefined) return [];
    const direction = fromId === node.id ? "to" : "from";
    const { uri, l0, status } = other;
    // A pair that somebody decided, or that has lost one of its two, is no contradiction any more.
    const isOpen = isDoubt(link) && [node, other].every((one) => one.status === "active");
    if (link.relation === "contradicts" && !isOpen) return [];
    return [{ relation: link.relation, direction, uri, l0, status } as const];
  });
}

/** Most values of a chain that are shown. */
const valuesMax = 100;

/** The values that replaced one another, the latest first; empty where a memory replaced none and still holds. */
function valuesOf({ store: { nodes } }: Context, { id }: MemoryNode): NodeJson["values"] {
  let latest = id;
  for (const seen = new Set([id]); ; seen.add(latest)) {
    const newer = nodes.successors([latest]).get(latest);
    // Values that replaced each other end where they began.
    if (newer === undefined || seen.has(newer.id)) break;
    latest = newer.id;
  }
  const ids = new Set([latest]);
  for (const newer of ids)
    for (const { relation, fromId, toId } of nodes.links(newer))
      if (relation === "supersedes" && fromId === newer && ids.size < valuesMax) ids.add(toId);
  const found = new Map(nodes.byIds([...ids]).map((node) => [node.id, node]));
  return ids.size < 2
    ? []
    : [...ids].flatMap((one) => {
        const node = found.get(one);
        return node === undefined ? [] : [{ uri: node.uri, l0: node.l0, status: node.status }];
      });
}
