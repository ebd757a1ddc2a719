/** Many memories changed in one way, and the views that a person keeps. */
import type { Asked } from "#api";
import { demand, HttpFailure } from "../errors.ts";
import { defined, filtersOf } from "../filters.ts";
import type { Handlers, ServiceDep } from "../handler.ts";

export const bulkHandlers = ({ service }: ServiceDep) =>
  ({
    "POST /api/bulk": ({ body: { cursor, change, ...which }, nowMs }) => {
      const { add_tags: addTags, remove_tags: removeTags, ...rest } = change;
      const done = service.bulk({
        of: chosen(which, nowMs),
        cursor,
        change: defined({ ...rest, addTags, removeTags }),
        nowMs,
      });
      return demand(done);
    },
    "POST /api/bulk/undo": ({ body, nowMs }) => demand(service.undoBulk(body, nowMs)),
    "GET /api/views": () => service.savedViews(),
    "POST /api/views": ({ body }) => demand(service.saveView(body.name, body.address)),
  }) satisfies Partial<Handlers>;

type Which = Pick<Asked<"POST /api/bulk">["body"], "except" | "filter" | "uris">;

function chosen({ uris, filter, except }: Which, nowMs: number) {
  if (uris !== undefined && filter === undefined) return { uris };
  if (filter === undefined || uris !== undefined)
    throw new HttpFailure("request.invalid", "Name either `uris` or a `filter`.");
  const { archive, pinned, used, text } = filter;
  const listed = { ...filtersOf(filter), ...defined({ archive, pinned, used, text }), nowMs };
  return { filter: listed, except };
}
