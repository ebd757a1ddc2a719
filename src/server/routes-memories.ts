/** Routes over memories: tree, nodes, lists, creation, profile. */
import { Hono } from "hono";
import { nowHeader } from "#domain";
import type { ClockDep } from "#kit";
import type { Service } from "#service";
import { demand } from "./errors.ts";
import { defined } from "./defined.ts";
import { body, query } from "./parse.ts";
import { filtersOf, pageAsked } from "./filters.ts";
import { nowOf, type ServerEnv } from "./peer.ts";
import {
  forgetQuery,
  listQuery,
  nodeQuery,
  projectQuery,
  rememberBody,
  treeQuery,
} from "./schemas.ts";

export interface ServiceDep {
  readonly service: Service;
}

/** Items on a page when the request names no limit. */
export const pageLimit = 100;

export const memoryRoutes = ({ clock, service }: ClockDep & ServiceDep) =>
  new Hono<ServerEnv>()
    .get("/api/tree", query(treeQuery), (c) => {
      const asked = c.req.valid("query");
      return c.json(demand(service.tree(asked.uri, pageAsked(asked, pageLimit))), 200);
    })
    .get("/api/nodes", query(nodeQuery), (c) => {
      const { uri, use, reader } = c.req.valid("query");
      const nowMs = nowOf(c.req.header(nowHeader), clock);
      const node = demand(service.read(uri, { use, reader: reader ?? null, nowMs }));
      c.set("revision", node.revision);
      return c.json(node, 200);
    })
    .delete("/api/nodes", query(forgetQuery), (c) => {
      const nowMs = nowOf(c.req.header(nowHeader), clock);
      return c.json(demand(service.forget(c.req.valid("query").uri, nowMs)), 200);
    })
    .get("/api/memories", query(listQuery), (c) => {
      const asked = c.req.valid("query");
      const { sort, archive, pinned, used, text } = asked;
      const listed = service.list({
        ...filtersOf(asked),
        ...defined({ pinned, used, text }),
        ...pageAsked(asked, pageLimit),
        sort,
        archive,
        nowMs: nowOf(c.req.header(nowHeader), clock),
      });
      return c.json(demand(listed), 200);
    })
    .post("/api/memories", body(rememberBody), (c) => {
      const { session, ...asked } = c.req.valid("json");
      const nowMs = nowOf(c.req.header(nowHeader), clock);
      const remembered = demand(service.remember({ ...asked, sessionId: session, nowMs }));
      return c.json(remembered, 200);
    })
    .get("/api/map", query(projectQuery), async (c) =>
      c.json(demand(await service.map(c.req.valid("query").project ?? null)), 200),
    )
    .get("/api/profile", query(projectQuery), (c) =>
      c.json(demand(service.profile(c.req.valid("query").project ?? null)), 200),
    );
