/** Lists of memories, a page at a time. */
import {
  projectLabels,
  type Category,
  type Maker,
  type NodeFilter,
  type NodeSort,
  type NodeStatus,
  type Origin,
} from "#domain";
import { ok, type Result } from "#kit";
import type { MemoryPageJson } from "../forms-memory.ts";
import type { ServiceError } from "./errors.ts";
import { cursorAfter, type PageAsk, pageOf, scopeOf } from "./scope.ts";
import { memoryToJson } from "./views.ts";
import type { Context } from "./context.ts";

export interface ListAsk extends PageAsk {
  readonly sort: NodeSort;
  /** Project keys or names; null = all. */
  readonly projects: readonly string[] | null;
  readonly categories?: readonly Category[];
  readonly tag?: string;
  readonly file?: string;
  readonly session?: string;
  readonly maker?: Maker;
  readonly origin?: Origin;
  readonly statuses?: readonly NodeStatus[];
  readonly sinceMs?: number;
  readonly untilMs?: number;
  readonly pinned?: boolean;
  /** Only what was ever used, or never. */
  readonly used?: boolean;
  /** Its line or overview contains this. */
  readonly text?: string;
  /** Leaves of the archive instead of memories. */
  readonly archive?: boolean;
  /** Only what had expired by then, instead of all but that. */
  readonly expired?: boolean;
  /** What had expired by then is left out. */
  readonly nowMs: number;
}

/** What is asked of a list as the store understands it: projects by their keys. */
export function filterOf(
  context: Context,
  asked: Omit<ListAsk, "sort" | keyof PageAsk>,
): Result<NodeFilter, ServiceError> {
  const scope = scopeOf(context, { projects: asked.projects, home: null });
  if (!scope.ok) return scope;
  const { text: containing, expired = false, nowMs, ...rest } = asked;
  const filter = {
    ...rest,
    projects: scope.value,
    ...(expired ? { expiredMs: nowMs } : { nowMs }),
  };
  return ok(containing === undefined ? filter : { ...filter, containing });
}

/** One page of memories, or of the archive. */
export function list(context: Context, ask: ListAsk): Result<MemoryPageJson, ServiceError> {
  const page = pageOf(ask);
  if (!page.ok) return page;
  const { limit: _limit, cursor: _cursor, offset: _offset, sort, ...rest } = ask;
  const asked = filterOf(context, rest);
  if (!asked.ok) return asked;
  const total = context.store.nodes.count(asked.value);
  const nodes = context.store.nodes.list(asked.value, sort, page.value);
  const shown = new Set(nodes.map(({ project }) => project));
  const all = context.store.admin.projectNames();
  const labels = projectLabels(all);
  const named = all.filter(({ key }) => shown.has(key));
  return ok({
    items: nodes.map(memoryToJson),
    project_names: Object.fromEntries(named.map(({ key, name }) => [key, labels.get(key) ?? name])),
    total,
    next_cursor: cursorAfter(page.value, total),
  });
}
