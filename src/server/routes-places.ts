/** The route by which a person says that a folder is the project that it says it is. */
import { Hono } from "hono";
import { demand } from "./errors.ts";
import { body } from "./parse.ts";
import type { ServerEnv } from "./peer.ts";
import type { ServiceDep } from "./routes-memories.ts";
import { placeBody } from "./schemas.ts";

export const placeRoutes = ({ service }: ServiceDep) =>
  new Hono<ServerEnv>().post("/api/projects/trust", body(placeBody), (c) =>
    c.json(demand(service.trustPlace(c.req.valid("json"))), 200),
  );
