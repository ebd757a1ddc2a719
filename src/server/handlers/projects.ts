/** Projects: what there is of each, and what a person makes of them. */
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
  }) satisfies Partial<Handlers>;
