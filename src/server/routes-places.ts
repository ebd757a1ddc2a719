/** Routes over projects: what there is, what a person makes of them, and which folders are believed. */
import { Hono } from "hono";
import { demand } from "./errors.ts";
import { body, query } from "./parse.ts";
import type { ServerEnv } from "./peer.ts";
import type { ServiceDep } from "./routes-memories.ts";
import {
  mergeProjectsBody,
  oneProjectQuery,
  renameProjectBody,
  splitProjectBody,
} from "./schemas-pages.ts";
import { placeBody } from "./schemas.ts";

export const placeRoutes = ({ service }: ServiceDep) =>
  new Hono<ServerEnv>()
    .get("/api/projects", (c) => c.json(service.projects(), 200))
    .get("/api/projects/one", query(oneProjectQuery), (c) =>
      c.json(demand(service.project(c.req.valid("query").project)), 200),
    )
    .post("/api/projects/rename", body(renameProjectBody), (c) => {
      const { project, name } = c.req.valid("json");
      return c.json(demand(service.renameProject(project, name)), 200);
    })
    .post("/api/projects/merge", body(mergeProjectsBody), (c) => {
      const { project, into } = c.req.valid("json");
      return c.json(demand(service.mergeProjects(project, into)), 200);
    })
    .post("/api/projects/split", body(splitProjectBody), (c) =>
      c.json(demand(service.splitProject(c.req.valid("json"))), 200),
    )
    .post("/api/projects/trust", body(placeBody), (c) =>
      c.json(demand(service.trustPlace(c.req.valid("json"))), 200),
    );
