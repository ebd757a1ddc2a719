/** The search route. */
import { Hono } from "hono";
import { documentKinds, nowHeader } from "#domain";
import type { ClockDep } from "#kit";
import { defined } from "./defined.ts";
import { demand } from "./errors.ts";
import { filtersOf } from "./filters.ts";
import { query } from "./parse.ts";
import { nowOf, type ServerEnv } from "./peer.ts";
import type { ServiceDep } from "./routes-memories.ts";
import { searchQuery } from "./schemas.ts";

const searchLimit = 10;
export const searchRoutes = ({ clock, service }: ClockDep & ServiceDep) =>
  new Hono<ServerEnv>().get("/api/search", query(searchQuery), async (c) => {
    const asked = c.req.valid("query");
    const { q, mode, format, kind, limit, sort, home, reader, min_score: minScore } = asked;
    // A model is asked what a question is after only where more than one look is wanted.
    const parts = mode === "search" ? await service.understand(q, reader ?? null) : null;
    const found = service.search({
      ...filtersOf(asked),
      ...defined({ concept: asked.concept, type: asked.type, minScore }),
      text: q,
      parts,
      mode,
      format: format ?? (mode === "find" ? "index" : "overview"),
      kinds: kind ?? documentKinds,
      limit: limit ?? searchLimit,
      sort,
      home: home ?? null,
      reader: reader ?? null,
      nowMs: nowOf(c.req.header(nowHeader), clock),
    });
    return c.json(demand(found), 200);
  });
