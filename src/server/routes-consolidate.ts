/** The route that makes one of memories that say the same. */
import { Hono } from "hono";
import { demand } from "./errors.ts";
import { body } from "./parse.ts";
import type { ServerEnv } from "./peer.ts";
import type { ServiceDep } from "./routes-memories.ts";
import { consolidateBody } from "./schemas.ts";

export const consolidateRoutes = ({ service }: ServiceDep) =>
  new Hono<ServerEnv>().post("/api/consolidate", body(consolidateBody), (c) =>
    c.json(demand(service.consolidate(c.req.valid("json"))), 200),
  );
