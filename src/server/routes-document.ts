/** The API's own description. */
import { Hono } from "hono";
import { openApi } from "./openapi.ts";
import type { ServerEnv } from "./peer.ts";
import type { ServiceDep } from "./routes-memories.ts";

export const documentRoutes = ({ service }: ServiceDep) =>
  new Hono<ServerEnv>().get("/api/openapi.json", (c) =>
    c.json(openApi(service.health().version), 200),
  );
