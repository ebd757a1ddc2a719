/** What was given, or would be: every injection, one explained, a person's word on it, the day, and a preview. */
import { demand } from "../errors.ts";
import { defined, pageAsked } from "../filters.ts";
import { type Handlers, pageLimit, type ServiceDep } from "../handler.ts";

export const givenHandlers = ({ service }: ServiceDep) =>
  ({
    "GET /api/injections": ({ query }) => {
      const found = service.injections({
        projects: query.project ?? null,
        ...defined({ session: query.session, uri: query.uri, kind: query.kind }),
        ...pageAsked(query, pageLimit),
      });
      return demand(found);
    },
    "GET /api/injections/:id": ({ param }) => demand(service.injection(param.id)),
    "POST /api/injections/:id": ({ param, body }) =>
      demand(service.judgeInjection(param.id, body.feedback)),
    "GET /api/today": ({ query }) => service.today({ sinceMs: query.since, untilMs: query.until }),
    "GET /api/open": ({ query, nowMs }) =>
      service.open({ project: query.project ?? null, branch: query.branch ?? null, nowMs }),
    "POST /api/preview": ({ body, nowMs }) => demand(service.preview({ ...body, nowMs })),
  }) satisfies Partial<Handlers>;
