/** Guards: what is offered, what acts, and what a person decides. */
import { demand } from "../errors.ts";
import type { Handlers, ServiceDep } from "../handler.ts";

export const guardHandlers = ({ service }: ServiceDep) =>
  ({
    "GET /api/guards": () => service.guards(),
    "POST /api/guards": ({ body, nowMs }) => demand(service.addGuard({ ...body, nowMs })),
    "POST /api/guards/test": ({ body }) => demand(service.testGuards(body)),
    "POST /api/guards/:id": ({ param: { id }, body }) =>
      demand(service.decideGuard({ ...body, id })),
  }) satisfies Partial<Handlers>;
