/** Routes over the archive: sessions, what happened when, what was given and why. */
import { Hono } from "hono";
import { nowHeader } from "#domain";
import type { ClockDep } from "#kit";
import { defined } from "./defined.ts";
import { demand } from "./errors.ts";
import { pageAsked } from "./filters.ts";
import { param, query } from "./parse.ts";
import { nowOf, type ServerEnv } from "./peer.ts";
import { pageLimit, type ServiceDep } from "./routes-memories.ts";
import { projectQuery, sessionParam, sessionsQuery } from "./schemas.ts";
import { sessionQuery, sessionTimelineQuery, timelineQuery } from "./schemas-pages.ts";

/** Entries around a moment: what fits on a screen or two. */
const timelineLimit = 40;

export const sessionRoutes = ({ clock, service }: ClockDep & ServiceDep) =>
  new Hono<ServerEnv>()
    .get("/api/sessions", query(sessionsQuery), (c) => {
      const asked = c.req.valid("query");
      const listed = service.sessions({
        projects: asked.project ?? null,
        ...defined({ status: asked.status, sinceMs: asked.since, untilMs: asked.until }),
        ...pageAsked(asked, pageLimit),
      });
      return c.json(demand(listed), 200);
    })
    .get("/api/sessions/:sessionId", param(sessionParam), query(sessionQuery), (c) => {
      const { sessionId } = c.req.valid("param");
      return c.json(demand(service.session(sessionId, c.req.valid("query"))), 200);
    })
    .get(
      "/api/sessions/:sessionId/timeline",
      param(sessionParam),
      query(sessionTimelineQuery),
      (c) => {
        const page = pageAsked(c.req.valid("query"), pageLimit);
        return c.json(demand(service.sessionTimeline(c.req.valid("param").sessionId, page)), 200);
      },
    )
    .get("/api/timeline", query(timelineQuery), (c) => {
      const asked = c.req.valid("query");
      const found = service.timeline({
        around: asked.around ?? null,
        projects: asked.project ?? null,
        kinds: asked.kind ?? null,
        ...pageAsked(asked, timelineLimit),
        nowMs: nowOf(c.req.header(nowHeader), clock),
      });
      return c.json(demand(found), 200);
    })
    .get("/api/context/:sessionId", param(sessionParam), query(projectQuery), (c) => {
      const project = c.req.valid("query").project ?? null;
      const nowMs = nowOf(c.req.header(nowHeader), clock);
      const given = service.context(c.req.valid("param").sessionId, { project, nowMs });
      return c.json(demand(given), 200);
    })
    .get("/api/why/:sessionId", param(sessionParam), (c) =>
      c.json(demand(service.why(c.req.valid("param").sessionId)), 200),
    );
