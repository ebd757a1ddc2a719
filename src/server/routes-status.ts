/** Routes about the product itself: health, figures, settings, logs, pause. */
import { Hono } from "hono";
import { demand } from "./errors.ts";
import { body, query } from "./parse.ts";
import type { ServerEnv } from "./peer.ts";
import type { ServiceDep } from "./routes-memories.ts";
import { emptyBody, logsQuery, pauseBody, statusLineQuery } from "./schemas.ts";
import { configBody, statsQuery, viewBody } from "./schemas-pages.ts";

const tailDefault = 100;
const daysDefault = 30;

export const statusRoutes = ({ service }: ServiceDep) =>
  new Hono<ServerEnv>()
    .get("/api/health", (c) => c.json(service.health(), 200))
    .get("/api/status", (c) => c.json(service.status(), 200))
    .get("/api/statusline", query(statusLineQuery), (c) => {
      const { session, cwd, age_ms: ageMs } = c.req.valid("query");
      const ask = { sessionId: session, cwd: cwd ?? null, ageMs: ageMs ?? null };
      return c.json(service.statusLine(ask), 200);
    })
    .get("/api/stats", query(statsQuery), (c) =>
      c.json(service.stats(c.req.valid("query").days ?? daysDefault), 200),
    )
    .get("/api/config", (c) => c.json(demand(service.settings()), 200))
    .patch("/api/config", body(configBody), (c) => {
      const { key, value } = c.req.valid("json");
      return c.json(demand(service.setSetting(key, value)), 200);
    })
    .get("/api/views", (c) => c.json(service.savedViews(), 200))
    .post("/api/views", body(viewBody), (c) => {
      const { name, address } = c.req.valid("json");
      return c.json(demand(service.saveView(name, address)), 200);
    })
    .get("/api/logs", query(logsQuery), (c) =>
      c.json(service.logs(c.req.valid("query").tail ?? tailDefault), 200),
    )
    .post("/api/pause", body(pauseBody), (c) =>
      c.json(demand(service.pause(c.req.valid("json").for_ms)), 200),
    )
    .post("/api/resume", body(emptyBody), (c) => c.json(demand(service.resume()), 200));
