/**
 * Reads the snapshot for session start through the store's ports. Read-only and without an embedder, so that a hook
 * process can do it by itself when the daemon is away. Every list is bounded.
 */
import {
  type Anchor,
  anchorsIn,
  type Category,
  communicationUri,
  type ExposureJournal,
  memoryCategories,
  type MemoryNode,
  type NodeFilter,
  type NotesHere,
  type NodeOutline,
  type NodeStore,
  openEndKey,
  openEndsIn,
  type OpenEndsState,
  type OpenEndsStore,
  type Session,
  type SessionStore,
  toolPrefixOf,
} from "#domain";
import { oneLine } from "#kit";
import { anchorMark, isHere } from "../anchors/content.ts";
import { pairMarks } from "./pairs.ts";
import type { AnchorsHere } from "./prompt-types.ts";
import { likelyParent } from "./parent.ts";
import {
  ruleCategories,
  startSourceOf,
  type Replaced,
  type StartDigest,
  type StartSnapshot,
} from "./start-types.ts";

type NodesRead = Pick<NodeStore, "byIds" | "byUri" | "linksOf" | "outlines" | "successors">;

export interface CollectDeps {
  readonly nodes: NodesRead;
  readonly sessions: SessionStore;
  readonly exposure: ExposureJournal;
  /** Absent: no open end was followed. */
  readonly openEnds?: Pick<OpenEndsStore, "of">;
}

export interface StartAsk {
  /** The client's word; one that is not known counts as `startup`. */
  readonly source: string;
  readonly sessionId: string;
  readonly project: string | null;
  readonly projectName: string | null;
  readonly branch: string | null;
  readonly nowMs: number;
  readonly tokensMax: number;
  /** The program as the agent's shell can call it; null where the agent has our MCP tools. */
  readonly command: string | null;
  /** For a fork: how long ago the last answer was, as the client says it. */
  readonly sinceAnswerMs?: number | null;
  /** A memory's anchors as they stand where the session starts; without it as they were seen last. */
  readonly anchorsHere?: AnchorsHere;
  /** The instruction files that the client loads there, with the memories that they state. */
  readonly notesHere?: NotesHere;
  /** The work that a session had in hand, after a compaction or /clear; by default what its current checkpoint says. */
  readonly brief?: (sessionId: string) => string | null;
}

/** More than are ever told: some of these have expired, say the same, or are no rules. */
const latestMax = 60;
const rulesMax = 40;
const pinnedMax = 20;
const profileMax = 8;
const replacedMax = 40;
const digestsReadMax = 24;

/** The snapshot that `composeStart` renders. Same store and ask, same snapshot. */
export function collectStartSnapshot(deps: CollectDeps, ask: StartAsk): StartSnapshot {
  const source = startSourceOf(ask.source);
  const parent = source === "fork" ? parentOf(deps.sessions, ask) : null;
  const cleared = source === "clear" ? clearedSession(deps.sessions, ask) : null;
  const inHand = source === "compact" ? ask.sessionId : cleared;
  const briefOf = ask.brief ?? ((id) => briefFromCheckpoint(deps.sessions, id));
  const here = anchorsBy(ask);
  const isLoud = (node: NodeOutline): boolean => (ask.notesHere?.(node) ?? null) === null;
  const isTold = (node: NodeOutline): boolean =>
    isLoud(node) &&
    isHere(here(node), {
      branch: ask.branch,
      isSeen: ask.anchorsHere !== undefined && node.project === ask.project,
    });
  const latest = latestOf(deps.nodes, ask, memoryCategories, latestMax);
  const isSmall = latest.length < latestMax;
  const of = (categories: readonly Category[], limit: number): readonly NodeOutline[] =>
    // All there is has been read already.
    isSmall
      ? latest.filter(({ category }) => category !== null && categories.includes(category))
      : latestOf(deps.nodes, ask, categories, limit);
  const rules = rulesOf(deps.nodes, ask, { isSmall, latest: of(ruleCategories, rulesMax) });
  const pairs = pairMarks(
    deps.nodes,
    [...rules, ...latest].map(({ id }) => id),
  );
  const isShown = (node: NodeOutline): boolean => isTold(node) && !pairs.isFolded(node.id);
  return {
    source,
    nowMs: ask.nowMs,
    sinceMs: sinceOf(deps.sessions, ask, parent),
    project: ask.project,
    projectName: ask.projectName,
    branch: ask.branch,
    relation: relationOf(deps.nodes, ask),
    rules: rules.filter(isShown),
    profile: of(["profile"], profileMax).filter(
      (node) => node.uri !== communicationUri && isLoud(node),
    ),
    latest: latest.filter((node) => node.uri !== communicationUri && isShown(node)),
    digests: source === "compact" ? [] : digestsOf(deps, ask, [parent?.sessionId, cleared]),
    replaced: source === "compact" ? [] : replacedIn(deps.nodes, ask),
    brief: inHand === null ? null : briefOf(inHand),
    isFirstContact: latest.length === 0 && isFirstContact(deps, ask),
    command: ask.command,
    toolPrefix: toolPrefixOf(ask.sessionId),
    tokensMax: ask.tokensMax,
    anchored: (node) => `${anchorMark(here(node))}${pairs.markOf(node.id)}`,
  };
}

/** The latest in reach that hold: ordering many by importance costs a scan, by recency it does not. */
const latestOf = (
  nodes: NodesRead,
  ask: StartAsk,
  categories: readonly Category[],
  limit: number,
): readonly NodeOutline[] =>
  nodes
    .outlines(inReach(categories, ask), "recent", { limit })
    .filter((node) => isAlive(node, ask));

const inReach = (categories: readonly Category[], { project }: StartAsk): NodeFilter => ({
  categories,
  projects: project === null ? [] : [project],
  statuses: ["active"],
});

const isAlive = (
  { expiresAt }: { readonly expiresAt: number | null },
  { nowMs }: StartAsk,
): boolean => expiresAt === null || expiresAt > nowMs;

/** The anchors of a memory here; most have none. Each is looked at once. */
function anchorsBy({ anchorsHere, project }: StartAsk): (node: NodeOutline) => readonly Anchor[] {
  const known = new Map<number, readonly Anchor[]>();
  return (node) => {
    if (node.anchors.length === 0) return [];
    const isOwn = anchorsHere !== undefined && node.project === project;
    const anchors = known.get(node.id) ?? (isOwn ? anchorsHere(node) : anchorsIn(node.anchors));
    known.set(node.id, anchors);
    return anchors;
  };
}

/** `rulesOf` lists the user's own rules. What is pinned is old at times, so it is asked for. */
function rulesOf(
  nodes: NodesRead,
  ask: StartAsk,
  read: { readonly isSmall: boolean; readonly latest: readonly NodeOutline[] },
): readonly NodeOutline[] {
  const page = { limit: pinnedMax };
  const filter = { ...inReach(ruleCategories, ask), pinned: true };
  const pinned = read.isSmall
    ? []
    : nodes.outlines(filter, "recent", page).filter((node) => isAlive(node, ask));
  const known = new Set(read.latest.map(({ id }) => id));
  return [...read.latest, ...pinned.filter(({ id }) => !known.has(id))].filter(isRuleToldAtStart);
}

/** Is a memory of these categories a rule? Where things lie hangs beside the habits, and is none. */
export const isRuleToldAtStart = ({ origin, tags, pinned }: NodeOutline): boolean =>
  origin === "user" && (pinned || !tags.includes("place"));

function relationOf(nodes: NodesRead, ask: StartAsk): MemoryNode | null {
  const node = nodes.byUri(communicationUri);
  return node !== null && node.status === "active" && isAlive(node, ask) ? node : null;
}

/** The session whose context a fork has; null when nothing is known that it could come from. */
function parentOf(sessions: SessionStore, ask: StartAsk): Session | null {
  const told = sessions.byId(ask.sessionId)?.parentSession ?? null;
  return told === null
    ? likelyParent(sessions, { sinceAnswerMs: null, ...ask, atMs: ask.nowMs })
    : sessions.byId(told);
}

/** Since when things are new to this session: when it last did something; a fork has all that its parent said. */
function sinceOf(sessions: SessionStore, ask: StartAsk, parent: Session | null): number | null {
  if (ask.source === "fork") return parent?.lastEventAt ?? null;
  if (ask.source !== "resume") return null;
  return sessions.turnsBefore(ask.sessionId, Number.MAX_SAFE_INTEGER, 1)[0]?.startedAt ?? null;
}

/** /clear ends a session and starts another at once; longer ago another session ended in that folder. */
const clearMsMax = 60_000;

/** The session that /clear ended: the last one of this project that is over, a moment ago. */
function clearedSession(sessions: SessionStore, ask: StartAsk): string | null {
  const last = sessions
    .list({ projects: [ask.project ?? ""], sinceMs: ask.nowMs - clearMsMax }, { limit: 5 })
    .find(({ sessionId, endedAt }) => sessionId !== ask.sessionId && endedAt !== null);
  return last?.sessionId ?? null;
}

function digestsOf(
  { sessions, openEnds }: CollectDeps,
  ask: StartAsk,
  others: readonly (string | null | undefined)[],
): readonly StartDigest[] {
  if (ask.project === null) return [];
  const told = new Set([ask.sessionId, ...others]);
  const state = openEnds?.of(ask.project) ?? { closed: [], told: [] };
  const isOpen = openFor(state, sessions, ask.sessionId);
  return sessions
    .recentCheckpoints(ask.project, digestsReadMax)
    .filter(({ sessionId }) => !told.has(sessionId))
    .map(({ sessionId, atMs, request, completed, nextSteps, filesEdited, uncommitted }) => {
      const branch = sessions.byId(sessionId)?.branch ?? null;
      const open = openEndsIn(nextSteps).filter((item) => isOpen(sessionId, item));
      const said = { request, completed, nextSteps };
      return Object.assign(said, { sessionId, atMs, filesEdited, uncommitted, branch, open });
    });
}

/** `replacedIn` lists the memories that were replaced last, with those that hold in their place. */
function replacedIn(nodes: NodesRead, ask: StartAsk): readonly Replaced[] {
  const filter: NodeFilter = { ...inReach(memoryCategories, ask), statuses: ["superseded"] };
  const old = nodes.outlines(filter, "recent", { limit: replacedMax });
  if (old.length === 0) return [];
  const successors = nodes.successors(old.map(({ id }) => id));
  return old.flatMap(({ id, l0, slot }) => {
    const now = successors.get(id);
    return now === undefined ? [] : [{ old: l0, now: now.l0, slot }];
  });
}

/**
 * `briefFromCheckpoint` gives the work that was in hand, when there is no brief: the checkpoint
 * that was made before the compaction.
 */
function briefFromCheckpoint(sessions: SessionStore, sessionId: string): string | null {
  const checkpoint = sessions.currentCheckpoint(sessionId);
  if (checkpoint === null) return null;
  const lines: readonly (readonly [string, string])[] = [
    ["Task", checkpoint.currentTask === "" ? checkpoint.request : checkpoint.currentTask],
    ["Open", checkpoint.nextSteps],
    ["Done", checkpoint.completed],
    ["Learned", checkpoint.learned],
    ["Files in hand", checkpoint.filesInHand.join(", ")],
    ["Uncommitted", checkpoint.uncommitted.join(", ")],
    ["Going in circles", checkpoint.thrash.join("; ")],
  ];
  return lines
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}: ${oneLine(value)}`)
    .join("\n");
}

/** No session but this one, and nothing said to it: then the store is new, not merely without memories. */
const isFirstContact = (deps: CollectDeps, ask: StartAsk): boolean =>
  deps.sessions
    .list({ projects: null }, { limit: 2 })
    .every(({ sessionId }) => sessionId === ask.sessionId) &&
  deps.exposure.injections(null, 1).length === 0;

// Chooses the open ends that a session's start still tells. Reads through ports only.

type IsOpenEnd = (sessionId: string, item: string) => boolean;

/**
 * Not what is finished, nor what another session was told that worked then. One that nobody typed in, or that only
 * talked, has taken nothing up.
 */
function openFor(
  { closed, told }: OpenEndsState,
  sessions: SessionStore,
  asking: string,
): IsOpenEnd {
  const hasWorked = (sessionId: string): boolean => {
    const { filesEdited = [], filesRead = [] } = sessions.currentCheckpoint(sessionId) ?? {};
    return filesEdited.length + filesRead.length > 0;
  };
  return (sessionId, item) => {
    const key = openEndKey(sessionId, item);
    return (
      !closed.includes(key) &&
      !told.some(([one, by]) => one === key && by !== asking && hasWorked(by))
    );
  };
}
