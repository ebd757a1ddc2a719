/** Routes about background work: jobs, and what models cost. */
import { Hono } from "hono";
import { demand } from "./errors.ts";
import { body, query } from "./parse.ts";
import type { ServerEnv } from "./peer.ts";
import type { ServiceDep } from "./routes-memories.ts";
import { jobsBody, trialBody, usageQuery } from "./schemas.ts";

export const workRoutes = ({ service }: ServiceDep) =>
  new Hono<ServerEnv>()
    .get("/api/jobs", (c) => c.json(service.jobs(), 200))
    .post("/api/jobs/retry", body(jobsBody), (c) =>
      c.json(demand(service.retryJobs(c.req.valid("json").ids)), 200),
    )
    .post("/api/jobs/drop", body(jobsBody), (c) =>
      c.json(demand(service.dropJobs(c.req.valid("json").ids)), 200),
    )
    .get("/api/usage", query(usageQuery), (c) =>
      c.json(service.usage(c.req.valid("query").since ?? null), 200),
    )
    .post("/api/llm/test", body(trialBody), async (c) =>
      c.json(await service.tryModel(c.req.valid("json").purpose), 200),
    );
