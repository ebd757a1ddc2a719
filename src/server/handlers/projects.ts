/** Projects: what there is of each, what a person makes of them, and their map. */
import { demand } from "../errors.ts";
import type { Handlers, ServiceDep } from "../handler.ts";

export const projectHandlers = ({ service }: ServiceDep) =>
  ({
    "GET /api/projects": () => service.projects(),
    "GET /api/projects/one": ({ query }) => demand(service.project(query.project)),
    "POST /api/projects/rename": ({ body }) =>
      demand(service.renameProject(body.project, body.name)),
    "POST /api/projects/merge": ({ body }) => demand(service.mergeProjects(body)),
    "POST /api/projects/unmerge": () => demand(service.unmergeProjects()),
    "POST /api/projects/split": ({ body }) => demand(service.splitProject(body)),
    "GET /api/map": async ({ query }) => demand(await service.map(query.project ?? null)),
  }) satisfies Partial<Handlers>;
