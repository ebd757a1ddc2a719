/**
 * Reads the snapshot for session start through the store's ports. Read-only and without an embedder, so that a hook
 * process can do it by itself when the daemon is away. Every list is bounded.
 */
import {
  type Category,
  categoryRules,
  defaultSettings,
  type ExposureJournal,
  type MemoryNode,
  memoryCategories,
  type NodeFilter,
  type NodeOutline,
  type NodeStore,
  type SessionStore,
} from "#domain";
import { msPerDay, oneLine } from "#kit";
import { stopWords } from "../retrieval/stop-words.ts";
import { wordsIn } from "../retrieval/words.ts";
import { startSourceOf } from "./start-source.ts";
import type { StartCheckpoint, StartSnapshot } from "./start-types.ts";

export interface CollectDeps {
  readonly nodes: NodeStore;
  readonly sessions: SessionStore;
  readonly exposure: Pick<ExposureJournal, "injections">;
}

export interface StartAsk {
  /** The client's word; one that is not known counts as `startup`. */
  readonly source: string;
  readonly sessionId: string;
  readonly project: string | null;
  readonly projectName: string | null;
  readonly nowMs: number;
  readonly tokensMax: number;
  /** Continuation brief for `compact`; by default what the session's current checkpoint says. */
  readonly brief?: string;
  /** Of a checkpoint's relevance; by default as memories. */
  readonly halfLifeDays?: number;
}

/** 40-retrieval: the last 10 sessions at startup, the last 20 after a compaction. */
const sessionsAtStart = 10;
const sessionsAfterCompact = 20;
const profileMax = 20;
const preferencesMax = 40;
const entitiesReadMax = 150;
/** Few: what the start shows counts as seen, and a prompt that asks for it later gets it at the right place (docs/adr/0010). */
const entitiesShownMax = 4;
const indexReadMax = 200;
const indexShownMax = 60;
/** Turns read per session when looking for entities: the last ones. */
const turnsMax = 20;
/** Who pastes a log names nothing with it. */
const promptCharsMax = 4_000;
/** The relational profile's place (20-memory). */
const relationUri = `${categoryRules.profile.root}/communication`;

/** The snapshot that `composeStart` renders. Same store and ask, same snapshot. */
export function collectStartSnapshot(deps: CollectDeps, ask: StartAsk): StartSnapshot {
  const read = readerFor(deps.nodes, ask);
  const profile = read(["profile"], profileMax);
  const counts = countsByBranch(deps.nodes, ask);
  const isEmpty = Object.values(counts).every((count) => count === 0);
  return {
    source: startSourceOf(ask.source),
    nowMs: ask.nowMs,
    sinceMs: sinceOf(deps.sessions, ask),
    projectName: ask.projectName,
    relation: profile.find(({ uri }) => uri === relationUri) ?? null,
    profile: profile.filter(({ uri }) => uri !== relationUri),
    preferences: homeFirst(read(["preferences"], preferencesMax), ask.project),
    checkpoints: checkpointsOf(deps.sessions, ask),
    entities: activeEntities(deps, ask),
    index: indexCandidates(deps.nodes, ask),
    counts,
    brief: ask.source === "compact" ? (ask.brief ?? briefFromCheckpoint(deps.sessions, ask)) : null,
    isFirstContact: isEmpty && isFirstContact(deps, ask),
    tokensMax: ask.tokensMax,
  };
}

type Reader = (categories: readonly Category[], limit: number) => readonly MemoryNode[];

/** Current memories in reach, the most important first. */
const readerFor =
  (nodes: NodeStore, ask: StartAsk): Reader =>
  (categories, limit) =>
    nodes
      .list(inReach(categories, ask), "importance", { limit, offset: 0 })
      .filter((node) => isAlive(node, ask));

/** The latest in reach, without their texts: ordering many by importance costs a scan, by recency it does not. */
const latest = (
  nodes: NodeStore,
  ask: StartAsk,
  { categories, limit }: { readonly categories: readonly Category[]; readonly limit: number },
): readonly NodeOutline[] =>
  nodes
    .outlines(inReach(categories, ask), "recent", { limit, offset: 0 })
    .filter((node) => isAlive(node, ask));

const inReach = (categories: readonly Category[], ask: StartAsk): NodeFilter => ({
  categories,
  projects: projectsOf(ask),
  statuses: ["active"],
});

const isAlive = (
  { expiresAt }: { readonly expiresAt: number | null },
  { nowMs }: StartAsk,
): boolean => expiresAt === null || expiresAt > nowMs;

const projectsOf = ({ project }: StartAsk): readonly string[] =>
  project === null ? [] : [project];

const homeFirst = (nodes: readonly MemoryNode[], project: string | null): readonly MemoryNode[] => [
  ...nodes.filter((node) => node.project === project),
  ...nodes.filter((node) => node.project !== project),
];

/** Since when things are new to this session: when it (or the one it was forked from) last did something. */
function sinceOf(sessions: SessionStore, ask: StartAsk): number | null {
  if (ask.source !== "resume" && ask.source !== "fork") return null;
  const own = sessions.byId(ask.sessionId);
  const before = ask.source === "fork" ? sessions.byId(own?.parentSession ?? "") : own;
  if (before === null) return null;
  return sessions.turnsBefore(before.sessionId, Number.MAX_SAFE_INTEGER, 1)[0]?.startedAt ?? null;
}

function checkpointsOf(sessions: SessionStore, ask: StartAsk): readonly StartCheckpoint[] {
  if (ask.project === null) return [];
  const halfLifeDays = ask.halfLifeDays ?? defaultSettings.decay.halfLifeDays;
  const limit = ask.source === "compact" ? sessionsAfterCompact : sessionsAtStart;
  return sessions
    .recentCheckpoints([ask.project], limit + 1)
    .filter(({ sessionId }) => sessionId !== ask.sessionId)
    .slice(0, limit)
    .map((checkpoint) =>
      Object.assign({}, checkpoint, {
        relevance: 0.5 ** (Math.max(0, ask.nowMs - checkpoint.atMs) / msPerDay / halfLifeDays),
      }),
    );
}

/** Entities that prompts or files of the project's last sessions name, most named first. */
function activeEntities(deps: CollectDeps, ask: StartAsk): readonly MemoryNode[] {
  if (ask.project === null) return [];
  const entities = latest(deps.nodes, ask, { categories: ["entities"], limit: entitiesReadMax });
  if (entities.length === 0) return [];
  const recent = recentWords(deps.sessions, ask);
  const named = entities
    .map((node) => ({ node, count: namedCount(node, recent) }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count || (a.node.uri < b.node.uri ? -1 : 1))
    .slice(0, entitiesShownMax);
  return named.length === 0 ? [] : deps.nodes.byIds(named.map(({ node }) => node.id));
}

interface RecentWords {
  readonly words: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
}

function recentWords(sessions: SessionStore, ask: StartAsk): RecentWords {
  const prompts: string[] = [];
  const files = new Set<string>();
  const page = { limit: sessionsAtStart, offset: 0 };
  for (const session of sessions.list({ projects: projectsOf(ask) }, page)) {
    for (const turn of sessions.turnsBefore(session.sessionId, Number.MAX_SAFE_INTEGER, turnsMax)) {
      prompts.push((turn.prompt ?? "").slice(0, promptCharsMax));
      for (const file of [...turn.filesRead, ...turn.filesEdited]) files.add(file);
    }
  }
  return { words: wordsIn(prompts.join("\n")), files };
}

/** How many of an entity's own names occur: the words of its slug, and its files. One word of many is chance. */
function namedCount(node: NodeOutline, { words, files }: RecentWords): number {
  const slug = node.uri.slice(node.uri.lastIndexOf("/") + 1);
  const names = slug.split(/[-_.]/u).filter((name) => name.length > 2 && !stopWords.has(name));
  const named = names.filter((name) => words.has(name)).length;
  const touched = node.files.filter((file) => files.has(file)).length;
  return touched + (named >= Math.min(2, names.length) ? named : 0);
}

/** What is not shown elsewhere: of the latest, the weightiest first, all categories mixed. */
function indexCandidates(nodes: NodeStore, ask: StartAsk): readonly NodeOutline[] {
  const weight = (node: NodeOutline): number =>
    node.importance * node.relevance * (node.project === ask.project ? 1 : 0.8);
  return latest(nodes, ask, { categories: memoryCategories, limit: indexReadMax })
    .toSorted((a, b) => weight(b) - weight(a) || (a.uri < b.uri ? -1 : 1))
    .slice(0, indexShownMax);
}

function countsByBranch(nodes: NodeStore, ask: StartAsk): Readonly<Record<string, number>> {
  const byCategory = nodes.countsByCategory(projectsOf(ask));
  return Object.fromEntries(
    memoryCategories.map((category) => [categoryRules[category].root, byCategory[category] ?? 0]),
  );
}

/** What was in hand, when nobody wrote a brief: the checkpoint that was made before the compaction. */
function briefFromCheckpoint(sessions: SessionStore, ask: StartAsk): string | null {
  const checkpoint = sessions.currentCheckpoint(ask.sessionId);
  if (checkpoint === null) return null;
  const lines: readonly (readonly [string, string])[] = [
    ["Task", checkpoint.currentTask === "" ? checkpoint.request : checkpoint.currentTask],
    ["Completed", checkpoint.completed],
    ["Learned", checkpoint.learned],
    ["Next", checkpoint.nextSteps],
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
    .list({ projects: null }, { limit: 2, offset: 0 })
    .every(({ sessionId }) => sessionId === ask.sessionId) &&
  deps.exposure.injections(null, 1).length === 0;
