/** Routes over the archive: sessions, what they were given and why. */
import { Hono } from "hono";
import type { ClockDep } from "#kit";
import { defined } from "./defined.ts";
import { demand } from "./errors.ts";
import { param, query } from "./parse.ts";
import { nowHeader, nowOf, type ServerEnv } from "./peer.ts";
import { pageLimit, type ServiceDep } from "./routes-memories.ts";
import { projectQuery, sessionParam, sessionsQuery } from "./schemas.ts";

export const sessionRoutes = ({ clock, service }: ClockDep & ServiceDep) =>
  new Hono<ServerEnv>()
    .get("/api/sessions", query(sessionsQuery), (c) => {
      const { project, status, limit, cursor } = c.req.valid("query");
      const listed = service.sessions({
        projects: project ?? null,
        ...defined({ status }),
        limit: limit ?? pageLimit,
        cursor: cursor ?? null,
      });
      return c.json(demand(listed), 200);
    })
    .get("/api/sessions/:sessionId", param(sessionParam), (c) =>
      c.json(demand(service.session(c.req.valid("param").sessionId)), 200),
    )
    .get("/api/context/:sessionId", param(sessionParam), query(projectQuery), (c) => {
      const project = c.req.valid("query").project ?? null;
      const nowMs = nowOf(c.req.header(nowHeader), clock);
      return c.json(service.context(c.req.valid("param").sessionId, { project, nowMs }), 200);
    })
    .get("/api/why/:sessionId", param(sessionParam), (c) =>
      c.json(demand(service.why(c.req.valid("param").sessionId)), 200),
    );
