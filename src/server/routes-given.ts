/** Routes over what was given, or would be: every injection, one explained, a person's word on it, and a preview. */
import { Hono } from "hono";
import { nowHeader } from "#domain";
import type { ClockDep } from "#kit";
import { defined } from "./defined.ts";
import { demand } from "./errors.ts";
import { pageAsked } from "./filters.ts";
import { body, param, query } from "./parse.ts";
import { nowOf, type ServerEnv } from "./peer.ts";
import { pageLimit, type ServiceDep } from "./routes-memories.ts";
import {
  feedbackBody,
  injectionParam,
  injectionsQuery,
  previewBody,
  todayQuery,
} from "./schemas-given.ts";

export const givenRoutes = ({ clock, service }: ClockDep & ServiceDep) =>
  new Hono<ServerEnv>()
    .get("/api/injections", query(injectionsQuery), (c) => {
      const asked = c.req.valid("query");
      const found = service.injections({
        projects: asked.project ?? null,
        ...defined({ session: asked.session, uri: asked.uri, kind: asked.kind }),
        ...pageAsked(asked, pageLimit),
      });
      return c.json(demand(found), 200);
    })
    .get("/api/injections/:id", param(injectionParam), (c) =>
      c.json(demand(service.injection(c.req.valid("param").id)), 200),
    )
    .post("/api/injections/:id", param(injectionParam), body(feedbackBody), (c) => {
      const { feedback } = c.req.valid("json");
      return c.json(demand(service.judgeInjection(c.req.valid("param").id, feedback)), 200);
    })
    .get("/api/today", query(todayQuery), (c) => {
      const { since, until } = c.req.valid("query");
      return c.json(service.today({ sinceMs: since, untilMs: until }), 200);
    })
    .post("/api/preview", body(previewBody), (c) => {
      const nowMs = nowOf(c.req.header(nowHeader), clock);
      return c.json(demand(service.preview({ ...c.req.valid("json"), nowMs })), 200);
    });
