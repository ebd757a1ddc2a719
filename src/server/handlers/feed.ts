/** The live feed: pages of what happened, and a stream of what happens. */
import { demand, HttpFailure } from "../errors.ts";
import { pageAsked } from "../filters.ts";
import type { Handlers, ServiceDep } from "../handler.ts";
import type { Live } from "../live.ts";

export interface LiveDep {
  readonly live: Live;
}

const feedLimit = 50;

export const feedHandlers = ({ live, service }: LiveDep & ServiceDep) =>
  ({
    "GET /api/feed": ({ query }) =>
      demand(service.feed({ ...pageAsked(query, feedLimit), kinds: query.kind ?? null })),
    "GET /api/events": (_, c) => {
      const stream = live.open(c.req.header("last-event-id") ?? null);
      if (stream === null)
        throw new HttpFailure("feed.full", "Too many are listening already; close one.");
      return c.body(stream, 200, { "Content-Type": "text/event-stream; charset=utf-8" });
    },
  }) satisfies Partial<Handlers>;
