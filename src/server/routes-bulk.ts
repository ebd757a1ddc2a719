/** Routes that change many memories in one way. */
import { Hono } from "hono";
import { nowHeader } from "#domain";
import type { ClockDep } from "#kit";
import { defined } from "./defined.ts";
import { demand, HttpFailure } from "./errors.ts";
import { filtersOf } from "./filters.ts";
import { body } from "./parse.ts";
import { nowOf, type ServerEnv } from "./peer.ts";
import type { ServiceDep } from "./routes-memories.ts";
import { bulkBody, bulkUndoBody } from "./schemas-pages.ts";

export const bulkRoutes = ({ clock, service }: ClockDep & ServiceDep) =>
  new Hono<ServerEnv>()
    .post("/api/bulk", body(bulkBody), (c) => {
      const { cursor, change, ...which } = c.req.valid("json");
      const nowMs = nowOf(c.req.header(nowHeader), clock);
      const { add_tags: addTags, remove_tags: removeTags, ...rest } = change;
      const done = service.bulk({
        of: chosen(which, nowMs),
        cursor,
        change: defined({ ...rest, addTags, removeTags }),
        nowMs,
      });
      return c.json(demand(done), 200);
    })
    .post("/api/bulk/undo", body(bulkUndoBody), (c) => {
      const nowMs = nowOf(c.req.header(nowHeader), clock);
      return c.json(demand(service.undoBulk(c.req.valid("json"), nowMs)), 200);
    });

type Which = Pick<ReturnType<typeof bulkBody.parse>, "except" | "filter" | "uris">;

function chosen({ uris, filter, except }: Which, nowMs: number) {
  if (uris !== undefined && filter === undefined) return { uris };
  if (filter === undefined || uris !== undefined)
    throw new HttpFailure("request.invalid", "Name either `uris` or a `filter`.");
  const { archive, pinned, used, text } = filter;
  const listed = { ...filtersOf(filter), ...defined({ archive, pinned, used, text }), nowMs };
  return { filter: listed, except };
}
