/** The archive: sessions, what happened when, what was given and why. */
import { demand } from "../errors.ts";
import { defined, pageAsked } from "../filters.ts";
import { type Handlers, pageLimit, type ServiceDep } from "../handler.ts";

/** Entries around a moment: what fits on a screen or two. */
const timelineLimit = 40;

export const sessionHandlers = ({ service }: ServiceDep) =>
  ({
    "GET /api/sessions": ({ query }) => {
      const listed = service.sessions({
        projects: query.project ?? null,
        ...defined({ status: query.status, sinceMs: query.since, untilMs: query.until }),
        ...pageAsked(query, pageLimit),
      });
      return demand(listed);
    },
    "GET /api/sessions/:sessionId": ({ param, query }) =>
      demand(service.session(param.sessionId, query)),
    "GET /api/sessions/:sessionId/timeline": ({ param, query }) =>
      demand(service.sessionTimeline(param.sessionId, pageAsked(query, pageLimit))),
    "GET /api/timeline": ({ query, nowMs }) => {
      const found = service.timeline({
        around: query.around ?? null,
        projects: query.project ?? null,
        kinds: query.kind ?? null,
        ...pageAsked(query, timelineLimit),
        nowMs,
      });
      return demand(found);
    },
    "GET /api/context/:sessionId": ({ param, query, nowMs }) => {
      const { project = null } = query;
      return demand(service.context(param.sessionId, { project, nowMs }));
    },
    "GET /api/why/:sessionId": ({ param }) => demand(service.why(param.sessionId)),
  }) satisfies Partial<Handlers>;
