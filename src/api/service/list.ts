/** Lists of memories, a page at a time. */
import { projectLabels, type NodeFilter } from "#domain";
import { ok, type Result } from "#kit";
import type { Frozen } from "../form.ts";
import type { MemoryPageJson } from "../forms-memory.ts";
import type { Asked } from "../routes.ts";
import type { ServiceError } from "./errors.ts";
import { cursorAfter, defined, filtersOf, pageOf, scopeOf } from "./scope.ts";
import { memoryToJson } from "./views.ts";
import type { Context, TimedQuery } from "./context.ts";

export type ListAsk = TimedQuery<"GET /api/memories">;

/** `filterOf` translates the query of a list for the store: projects by their keys. */
export function filterOf(
  context: Context,
  asked: Frozen<NonNullable<Asked<"POST /api/bulk">["body"]["filter"]>> & {
    readonly nowMs: number;
  },
): Result<NodeFilter, ServiceError> {
  const scope = scopeOf(context, { project: asked.project });
  if (!scope.ok) return scope;
  const { archive, pinned, used, text: containing, expired, nowMs } = asked;
  return ok({
    ...filtersOf(asked),
    ...defined({ archive, pinned, used, containing }),
    ...(expired === true ? { expiredMs: nowMs } : { nowMs }),
    projects: scope.value,
  });
}

/** One page of memories, or of the archive. */
export function list(context: Context, ask: ListAsk): Result<MemoryPageJson, ServiceError> {
  const page = pageOf(ask);
  if (!page.ok) return page;
  const asked = filterOf(context, ask);
  if (!asked.ok) return asked;
  const total = context.store.nodes.count(asked.value);
  const nodes = context.store.nodes.list(asked.value, ask.sort, page.value);
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
