/** Routes over one memory: change it, look back, take back, and what it hangs together with. */
import { Hono, type Context } from "hono";
import { nowHeader } from "#domain";
import type { ClockDep } from "#kit";
import { defined } from "./defined.ts";
import { demand, HttpFailure } from "./errors.ts";
import { revisionIn } from "./etag.ts";
import { pageAsked } from "./filters.ts";
import { body, param, query } from "./parse.ts";
import { nowOf, type ServerEnv } from "./peer.ts";
import type { ServiceDep } from "./routes-memories.ts";
import {
  diffQuery,
  editBody,
  editQuery,
  evidenceQuery,
  historyQuery,
  linksQuery,
  revertBody,
  reviewBody,
  reviewParam,
  reviewQuery,
} from "./schemas-pages.ts";
import { emptyBody } from "./schemas.ts";

/** A history is read whole unless somebody asks for less. */
const historyLimit = 1_000;
const reviewLimit = 20;

export const nodeRoutes = ({ clock, service }: ClockDep & ServiceDep) =>
  new Hono<ServerEnv>()
    .patch("/api/nodes", query(editQuery), body(editBody), (c) => {
      const edited = service.edit({
        ...defined(c.req.valid("json")),
        uri: c.req.valid("query").uri,
        expected: expectedOf(c),
        nowMs: nowOf(c.req.header(nowHeader), clock),
      });
      return c.json(demand(edited), 200);
    })
    .get("/api/nodes/history", query(historyQuery), (c) => {
      const asked = c.req.valid("query");
      const page = { ...pageAsked(asked, historyLimit), order: asked.order };
      return c.json(demand(service.history(asked.uri, page)), 200);
    })
    .get("/api/nodes/diff", query(diffQuery), (c) => {
      const { uri, from, to } = c.req.valid("query");
      return c.json(demand(service.diff(uri, { from: from ?? null, to: to ?? null })), 200);
    })
    .post("/api/nodes/revert", body(revertBody), (c) => {
      const nowMs = nowOf(c.req.header(nowHeader), clock);
      const expected = expectedOf(c);
      return c.json(demand(service.revert({ ...c.req.valid("json"), expected, nowMs })), 200);
    })
    .post("/api/undo", body(emptyBody), (c) =>
      c.json(demand(service.undo(nowOf(c.req.header(nowHeader), clock))), 200),
    )
    .get("/api/nodes/links", query(linksQuery), (c) => {
      const { uri, depth } = c.req.valid("query");
      return c.json(demand(service.links(uri, depth === "2" ? 2 : 1)), 200);
    })
    .get("/api/nodes/evidence", query(evidenceQuery), (c) =>
      c.json(demand(service.evidence(c.req.valid("query").uri)), 200),
    )
    .get("/api/review", query(reviewQuery), (c) => {
      const nowMs = nowOf(c.req.header(nowHeader), clock);
      const page = pageAsked(c.req.valid("query"), reviewLimit);
      return c.json(demand(service.inbox({ ...page, nowMs })), 200);
    })
    .get("/api/review/:id", param(reviewParam), (c) => {
      const nowMs = nowOf(c.req.header(nowHeader), clock);
      return c.json(demand(service.waiting(c.req.valid("param").id, nowMs)), 200);
    })
    .post("/api/review/:id", param(reviewParam), body(reviewBody), (c) => {
      const { action, edit } = c.req.valid("json");
      const reviewed = service.review({
        id: c.req.valid("param").id,
        action,
        ...(edit === undefined ? {} : { edit: defined(edit) }),
        nowMs: nowOf(c.req.header(nowHeader), clock),
      });
      return c.json(demand(reviewed), 200);
    });

/** The revision that `If-Match` names; null = no condition. */
function expectedOf(c: Context<ServerEnv>): number | null {
  const header = c.req.header("if-match");
  if (header === undefined || header.trim() === "*") return null;
  const revision = revisionIn(header);
  if (revision === null)
    throw new HttpFailure("request.invalid", 'If-Match: expected "r" and the id of a revision.');
  return revision;
}
