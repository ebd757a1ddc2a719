/**
 * The store as it stood at a time in the past, as far as a preview reads it: what had not been learnt is not there,
 * what was replaced since holds again, and every memory says what it said then, by its revisions. Read-only.
 */
import type {
  FindQuery,
  FoundDocument,
  MemoryNode,
  NodeFilter,
  NodeOutline,
  NodeSort,
  NodeStatus,
  Page,
  SessionStore,
  Store,
} from "#domain";
import { shownStatuses } from "#domain";
import { standing, type Finder } from "#memory";

interface Present {
  readonly store: Pick<Store, "exposure" | "history" | "nodes" | "sessions">;
  readonly finder: Finder;
}

export interface Past {
  readonly finder: Finder;
  readonly nodes: Pick<Store["nodes"], "byIds" | "byUri" | "linksOf" | "outlines" | "successors">;
  readonly sessions: SessionStore;
  readonly exposure: Pick<Store["exposure"], "injections">;
}

/** Memories that changed since and are looked at for each question, the latest changes first. */
const changedMax = 400;
/** Checkpoints and sessions read to find those of then. */
const sessionsReadMax = 400;
/** What may have been in force then. */
const onceActive: readonly NodeStatus[] = [...shownStatuses, "retracted"];

/** Reads `present` as of `atMs`. A session's summary is there when no later one took its place. */
export function asOf({ store, finder }: Present, atMs: number): Past {
  const { history, nodes, sessions, exposure } = store;
  const past = (node: MemoryNode): MemoryNode | null => {
    if (node.createdAt <= atMs && node.updatedAt <= atMs) return node;
    const then = standing({ history }, node, atMs);
    return then === null ? null : { ...then, updatedAt: Math.min(then.updatedAt, atMs) };
  };
  const outlines = (filter: NodeFilter, sort: NodeSort, page: Page): readonly NodeOutline[] => {
    const wanted = filter.statuses ?? ["active"];
    const all = { limit: page.offset + page.limit, offset: 0 };
    const kept = nodes.list({ ...filter, untilMs: atMs }, sort, all);
    const { pinned: _now, projects: _today, ...rest } = filter;
    const changed = nodes
      .list({ ...rest, statuses: onceActive, sinceMs: atMs + 1, createdUntilMs: atMs }, "recent", {
        limit: changedMax,
        offset: 0,
      })
      .flatMap((node) => past(node) ?? [])
      .filter(
        ({ status, pinned, project }) =>
          wanted.includes(status) &&
          isOf(filter.projects, project) &&
          (filter.pinned === undefined || pinned === filter.pinned),
      );
    return [...changed, ...kept]
      .toSorted((a, b) => b.updatedAt - a.updatedAt || b.id - a.id)
      .slice(page.offset, all.limit);
  };
  return {
    finder: { ...finder, find: (query) => foundAsOf(finder, { query, atMs, past }) },
    nodes: {
      byUri: (uri) => {
        const node = nodes.byUri(uri);
        return node === null ? null : past(node);
      },
      outlines,
      byIds: (ids) => nodes.byIds(ids),
      // Pairs in doubt are of today.
      linksOf: () => [],
      successors: (ids) =>
        new Map(
          [...nodes.successors(ids)].flatMap(([id, now]) => {
            const before = past(now);
            return before === null ? [] : [[id, before] as const];
          }),
        ),
    },
    sessions: sessionsAsOf(sessions, atMs),
    exposure,
  };
}

/** Which project it was of then: it may have moved since. */
const isOf = (projects: readonly string[] | null | undefined, project: string | null): boolean =>
  projects === undefined || projects === null || project === null || projects.includes(project);

function sessionsAsOf(sessions: SessionStore, atMs: number): SessionStore {
  return {
    ...sessions,
    byId: (id) => {
      const session = sessions.byId(id);
      return session === null || session.startedAt > atMs ? null : session;
    },
    list: (filter, { limit, offset }) =>
      sessions
        .list(filter, { limit: sessionsReadMax, offset: 0 })
        .filter(({ startedAt }) => startedAt <= atMs)
        .slice(offset, offset + limit),
    recentCheckpoints: (projects, limit) =>
      sessions
        .recentCheckpoints(projects, sessionsReadMax)
        .filter((one) => one.atMs <= atMs)
        .slice(0, limit),
  };
}

/** What stands as it stood, and what changed since in its words of then: each is looked for by itself. */
function foundAsOf(
  { find }: Finder,
  {
    query,
    atMs,
    past,
  }: {
    readonly query: FindQuery;
    readonly atMs: number;
    readonly past: (node: MemoryNode) => MemoryNode | null;
  },
): readonly FoundDocument[] {
  const wanted = query.statuses ?? onceActive;
  const kept = find({ ...query, untilMs: atMs });
  const changed = find({
    ...query,
    projects: null,
    statuses: onceActive,
    sinceMs: atMs + 1,
    limit: foundMax,
  });
  return [...kept, ...changed]
    .flatMap((document): readonly FoundDocument[] => {
      const node = document.node === null ? null : past(document.node);
      if (node === null || !wanted.includes(node.status)) return [];
      if (!isOf(query.projects, node.project)) return [];
      return [{ ...document, node, uri: node.uri, l0: node.l0, supersededBy: null }];
    })
    .toSorted((a, b) => b.score - a.score)
    .slice(0, query.limit);
}

/** As many as a search answers at most. */
const foundMax = 100;
