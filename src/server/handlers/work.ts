/** Background work and upkeep: jobs, what models cost, near duplicates, trusted folders. */
import { demand } from "../errors.ts";
import type { Handlers, ServiceDep } from "../handler.ts";
import { demandPerson } from "../peer.ts";

export const workHandlers = ({ service }: ServiceDep) =>
  ({
    "GET /api/jobs": () => service.jobs(),
    "POST /api/jobs/retry": ({ body }) => demand(service.retryJobs(body.ids)),
    "POST /api/jobs/drop": ({ body }) => demand(service.dropJobs(body.ids)),
    "GET /api/usage": ({ query }) => service.usage(query.since ?? null, query.zone),
    "GET /api/backfill": () => service.backfill(),
    "POST /api/backfill": () => demand(service.startBackfill()),
    "POST /api/llm/test": () => service.tryModel(),
    "POST /api/consolidate": ({ body }) => demand(service.consolidate(body)),
    "POST /api/projects/trust": ({ body }, c) => {
      demandPerson(c);
      return demand(service.trustPlace(body));
    },
  }) satisfies Partial<Handlers>;
