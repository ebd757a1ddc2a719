/** The API's own description. */
import { Hono } from "hono";
import { openApi } from "./openapi.ts";
import type { ServerEnv } from "./peer.ts";
import type { ServiceDep } from "./routes-memories.ts";

export const documentRoutes = ({ service }: ServiceDep) => {
  // Made when it is asked for first; it stays the same as long as the program does.
  let document: ReturnType<typeof openApi> | null = null;
  return new Hono<ServerEnv>().get("/api/openapi.json", async (c) => {
    document ??= openApi(service.health().version);
    return c.json(await document, 200);
  });
};
