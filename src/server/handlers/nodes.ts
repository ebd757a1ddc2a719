/** One memory: change it, look back, take back, and what it hangs together with. */
import type { Context } from "hono";
import { demand, HttpFailure } from "../errors.ts";
import { revisionIn } from "../etag.ts";
import { defined, pageAsked } from "../filters.ts";
import type { Handlers, ServiceDep } from "../handler.ts";
import { demandPerson, type ServerEnv } from "../peer.ts";

/** A history is read whole unless the request names a limit. */
const historyLimit = 1_000;
const reviewLimit = 20;

export const nodeHandlers = ({ service }: ServiceDep) =>
  ({
    "PATCH /api/nodes": ({ query: { uri }, body, nowMs }, c) =>
      demand(service.edit({ ...defined(body), uri, expected: expectedOf(c), nowMs })),
    "GET /api/nodes/history": ({ query }) => {
      const page = { ...pageAsked(query, historyLimit), order: query.order };
      return demand(service.history(query.uri, page));
    },
    "GET /api/nodes/diff": ({ query: { uri, from, to } }) =>
      demand(service.diff(uri, { from: from ?? null, to: to ?? null })),
    "POST /api/nodes/revert": ({ body, nowMs }, c) =>
      demand(service.revert({ ...body, expected: expectedOf(c), nowMs })),
    "POST /api/nodes/verify": async ({ body, nowMs }) =>
      demand(await service.verify({ ...body, nowMs })),
    "POST /api/undo": ({ body: { revision }, nowMs }) => demand(service.undo(nowMs, revision)),
    "GET /api/steps": ({ query: { limit = 20 } }) => service.steps(limit),
    "POST /api/restore": ({ body: { as_of: atMs, uri, project, all, apply }, nowMs }) => {
      const named =
        uri !== null ? { uri } : project !== null ? { project } : { all: true as const };
      if ([uri !== null, project !== null, all].filter(Boolean).length !== 1)
        throw new HttpFailure("request.invalid", "Name one of uri, project and all.");
      return demand(service.restoreAsOf({ atMs, of: named, isDry: !apply, nowMs }));
    },
    "GET /api/nodes/links": ({ query: { uri, depth } }) =>
      demand(service.links(uri, depth === "2" ? 2 : 1)),
    "GET /api/nodes/evidence": ({ query }) => demand(service.evidence(query.uri)),
    "GET /api/review": ({ query, nowMs }) =>
      demand(service.inbox({ ...pageAsked(query, reviewLimit), nowMs })),
    "GET /api/review/:id": ({ param, nowMs }) => demand(service.waiting(param.id, nowMs)),
    "POST /api/review/:id": ({ param: { id }, body: { action, edit }, nowMs }, c) => {
      if (action === "accept") demandPerson(c);
      const changes = edit === undefined ? {} : { edit: defined(edit) };
      return demand(service.review({ id, action, ...changes, nowMs }));
    },
  }) satisfies Partial<Handlers>;

/** The revision that `If-Match` names; null = no condition. */
function expectedOf(c: Context<ServerEnv>): number | null {
  const header = c.req.header("if-match");
  if (header === undefined || header.trim() === "*") return null;
  const revision = revisionIn(header);
  if (revision === null)
    throw new HttpFailure("request.invalid", 'If-Match: expected "r" and the id of a revision.');
  return revision;
}
