/** Routes for the sentences that moved to the archive. */
import { Hono } from "hono";
import { demand } from "./errors.ts";
import { body } from "./parse.ts";
import type { ServerEnv } from "./peer.ts";
import type { ServiceDep } from "./routes-memories.ts";
import { emptyBody, restoreSentencesBody } from "./schemas.ts";

export const sentenceRoutes = ({ service }: ServiceDep) =>
  new Hono<ServerEnv>()
    .post("/api/sentences/restore", body(restoreSentencesBody), (c) =>
      c.json(demand(service.restoreSentences(c.req.valid("json").after)), 200),
    )
    .post("/api/sentences/told", body(emptyBody), (c) =>
      c.json(demand(service.sentencesTold()), 200),
    );
