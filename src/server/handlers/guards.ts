/** Guards: what is offered, what acts, and what a person decides. */
import { demand } from "../errors.ts";
import type { Handlers, ServiceDep } from "../handler.ts";
import { demandPerson } from "../peer.ts";

export const guardHandlers = ({ service }: ServiceDep) =>
  ({
    "GET /api/guards": () => service.guards(),
    "POST /api/guards": ({ body, nowMs }, c) => {
      demandPerson(c);
      return demand(service.addGuard({ ...body, nowMs }));
    },
    "POST /api/guards/test": ({ body }) => demand(service.testGuards(body)),
    "POST /api/guards/:id": ({ param: { id }, body }, c) => {
      demandPerson(c);
      return demand(service.decideGuard({ ...body, id }));
    },
  }) satisfies Partial<Handlers>;
