/** Handlers of what stands around memories: sessions, what was given to them, projects, guards, status and jobs. */
import { openApi } from "../../openapi.ts";
import { demand, HttpFailure } from "../errors.ts";
import { demandPerson, type Handlers, peerOf, type ServerEnv } from "../handler.ts";
import type { Answering, Errands, ServerContext } from "../context.ts";
import type { Context } from "hono";

export const recordHandlers = ({ service }: ServerContext) => {
  // Made when it is asked for first; it stays the same as long as the program does.
  let document: ReturnType<typeof openApi> | null = null;
  return {
    "GET /api/sessions": ({ query }) => demand(service.sessions(query)),
    "GET /api/sessions/:sessionId": ({ param }) => demand(service.session(param.sessionId)),
    "GET /api/sessions/:sessionId/timeline": ({ param, query }) =>
      demand(service.sessionTimeline(param.sessionId, query)),
    "GET /api/timeline": ({ query, nowMs }) => demand(service.timeline({ ...query, nowMs })),
    "GET /api/context/:sessionId": ({ param, query, nowMs }) =>
      demand(service.context(param.sessionId, { ...query, nowMs })),
    "GET /api/why/:sessionId": ({ param }) => demand(service.why(param.sessionId)),
    "GET /api/injections": ({ query }) => demand(service.injections(query)),
    "GET /api/injections/:id": ({ param }) => demand(service.injection(param.id)),
    "POST /api/injections/:id": ({ param, body }) =>
      demand(service.judgeInjection(param.id, body.feedback)),
    "GET /api/today": ({ query }) => service.today(query),
    "GET /api/open": ({ query, nowMs }) => service.open({ ...query, nowMs }),
    "POST /api/preview": ({ body, nowMs }) => demand(service.preview({ ...body, nowMs })),
    "GET /api/projects": () => service.projects(),
    "GET /api/projects/one": ({ query }) => demand(service.project(query.project)),
    "POST /api/projects/rename": ({ body }) =>
      demand(service.renameProject(body.project, body.name)),
    "POST /api/projects/merge": ({ body }) => demand(service.mergeProjects(body)),
    "POST /api/projects/unmerge": () => demand(service.unmergeProjects()),
    "GET /api/guards": () => service.guards(),
    "POST /api/guards": ({ body, nowMs }) => demand(service.addGuard({ ...body, nowMs })),
    "POST /api/guards/test": ({ body }) => demand(service.testGuards(body)),
    "POST /api/guards/:id": ({ param: { id }, body }) =>
      demand(service.decideGuard({ ...body, id })),
    "GET /api/health": () => service.health(),
    "GET /api/status": () => service.status(),
    "GET /api/statusline": ({ query }) => service.statusLine(query),
    "GET /api/stats": ({ query }) => service.stats(query.days),
    "GET /api/stats/memory": ({ query }) => service.worth(query.days),
    "GET /api/config": () => demand(service.settings()),
    "PATCH /api/config": ({ body }) => demand(service.setSetting(body.key, body.value)),
    "GET /api/logs": ({ query }) => service.logs(query.tail),
    "POST /api/pause": ({ body }) => demand(service.pause(body.for_ms)),
    "POST /api/resume": () => demand(service.resume()),
    "GET /api/openapi.json": () => (document ??= openApi(service.health().version)),
    "GET /api/jobs": () => service.jobs(),
    "POST /api/jobs/retry": ({ body }) => demand(service.retryJobs(body.ids)),
    "POST /api/jobs/drop": ({ body }) => demand(service.dropJobs(body.ids)),
    "GET /api/usage": ({ query }) => service.usage(query.since ?? null, query.zone),
    "GET /api/backfill": () => service.backfill(),
    "POST /api/backfill": () => demand(service.startBackfill()),
    "POST /api/backfill/stop": () => demand(service.stopBackfill()),
    "POST /api/llm/test": () => service.tryModel(),
    "POST /api/consolidate": ({ body }) => demand(service.consolidate(body)),
    "POST /api/projects/trust": ({ body }) => demand(service.trustPlace(body)),
  } satisfies Partial<Handlers>;
};

// Handlers of what a process of its own does: import, sync, and errands such as doctor.

/** Questions of the command line by which texts of others come into force. */
const decisions: ReadonlySet<string> = new Set(["trust", "arrive", "adopt"]);

export const taskHandlers = ({ importer, sync, team, errands }: ServerContext) =>
  ({
    "POST /api/import": ({ body: { source, items } }, c) => {
      checkProcess(c, "Imports are taken");
      return writing(importer).apply(source, items);
    },
    "POST /api/import/known": ({ body: { source, sessions } }, c) => {
      checkProcess(c, "Imports are taken");
      return { sessions: writing(importer).known(source, sessions) };
    },
    "POST /api/sync": async ({ body }, c) => {
      checkProcess(c, "Sync is served");
      return answered(sync, body);
    },
    "POST /api/team": async ({ body }, c) => {
      if (decisions.has(body.ask)) demandPerson(c);
      checkProcess(c, "The team is served");
      return answered(team, body);
    },
    "POST /api/doctor": async () => {
      // Loaded by the first who asks: forms take a moment.
      const { forms } = await import("../../forms.ts");
      const told = forms.DoctorJson.safeParse(await able(errands).doctor());
      if (told.success) return told.data;
      throw new HttpFailure(
        "server.internal",
        "`continuity doctor` said nothing; see `continuity status --log`.",
      );
    },
    "GET /api/import/state": () => able(errands).importState(),
    "POST /api/import/start": ({ body }) => able(errands).startImport(body.from),
  }) satisfies Partial<Handlers>;

/**
 * Items come gated by our own reader, and entries from a process that has checked who signed them; over TCP anybody
 * with the token could say so. Windows has no other way.
 */
function checkProcess(c: Context<ServerEnv>, what: string): void {
  if (peerOf(c.env).transport !== "socket" && process.platform !== "win32")
    throw new HttpFailure("auth.socket-only", `${what} over the daemon's socket only.`);
}

/** A port that a process which only reads has not. */
function writing<Port>(port: Port | undefined): Port {
  if (port === undefined) throw new HttpFailure("service.read-only", "This process only reads.");
  return port;
}

async function answered(
  answer: Answering | undefined,
  body: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const given = await writing(answer)(body);
  if (given === null) throw new HttpFailure("request.invalid", "The question is malformed.");
  return given as Readonly<Record<string, unknown>>;
}

function able(errands: Errands | undefined): Errands {
  if (errands === undefined)
    throw new HttpFailure("service.read-only", "This process cannot start the program.");
  return errands;
}
