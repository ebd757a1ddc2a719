/** Routes of the live feed: pages of what happened, and a stream of what happens. */
import { Hono } from "hono";
import { demand, HttpFailure } from "./errors.ts";
import { pageAsked } from "./filters.ts";
import type { Live } from "./live.ts";
import { query } from "./parse.ts";
import type { ServerEnv } from "./peer.ts";
import type { ServiceDep } from "./routes-memories.ts";
import { feedQuery } from "./schemas-pages.ts";

export interface LiveDep {
  readonly live: Live;
}

const feedLimit = 50;

export const feedRoutes = ({ live, service }: LiveDep & ServiceDep) =>
  new Hono<ServerEnv>()
    .get("/api/feed", query(feedQuery), (c) => {
      const asked = c.req.valid("query");
      const page = demand(
        service.feed({ ...pageAsked(asked, feedLimit), kinds: asked.kind ?? null }),
      );
      return c.json(page, 200);
    })
    .get("/api/events", (c) => {
      const stream = live.open(c.req.header("last-event-id") ?? null);
      if (stream === null)
        throw new HttpFailure("feed.full", "Too many are listening already; close one.");
      return c.body(stream, 200, { "Content-Type": "text/event-stream; charset=utf-8" });
    });
