/** The product itself: health, figures, settings, logs, pause, and the description of this API. */
import { openApi } from "#api/openapi";
import { demand } from "../errors.ts";
import type { Handlers, ServiceDep } from "../handler.ts";
import { demandPerson } from "../peer.ts";

const tailDefault = 100;
const daysDefault = 30;

export const statusHandlers = ({ service }: ServiceDep) => {
  // Made when it is asked for first; it stays the same as long as the program does.
  let document: ReturnType<typeof openApi> | null = null;
  return {
    "GET /api/health": () => service.health(),
    "GET /api/status": () => service.status(),
    "GET /api/statusline": ({ query: { session, cwd, age_ms: ageMs } }) =>
      service.statusLine({ sessionId: session, cwd: cwd ?? null, ageMs: ageMs ?? null }),
    "GET /api/stats": ({ query }) => service.stats(query.days ?? daysDefault, query.zone),
    "GET /api/stats/memory": ({ query }) => service.worth(query.days ?? daysDefault),
    "GET /api/config": () => demand(service.settings()),
    "PATCH /api/config": ({ body }, c) => {
      demandPerson(c);
      return demand(service.setSetting(body.key, body.value));
    },
    "GET /api/logs": ({ query }) => service.logs(query.tail ?? tailDefault),
    "POST /api/pause": ({ body }) => demand(service.pause(body.for_ms)),
    "POST /api/resume": () => demand(service.resume()),
    "GET /api/openapi.json": () => (document ??= openApi(service.health().version)),
  } satisfies Partial<Handlers>;
};
