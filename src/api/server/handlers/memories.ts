/** Handlers of memories: one memory, and lists of them. */
import type { Answer } from "../../routes.ts";
import type { Context } from "hono";
import { demand, HttpFailure } from "../errors.ts";
import { demandPerson, type Handlers, isAgent, revisionIn, type ServerEnv } from "../handler.ts";
import { defined } from "../../service/scope.ts";
import type { Service } from "../../service/service.ts";
import type { ServerContext } from "../context.ts";
import { eventsIn } from "./hooks.ts";

export const memoryHandlers = (context: ServerContext) => {
  const { service } = context;
  return {
    "GET /api/search": ({ query, nowMs }) => demand(service.search({ ...query, nowMs })),
    "GET /api/tree": ({ query }) => demand(service.tree(query.uri, query)),
    "GET /api/nodes": ({ query: { uri, use, reader }, nowMs }, c) => {
      const how = { use, reader: reader ?? null, nowMs };
      const node = demand(service.read(uri, how));
      c.header("ETag", `"r${node.revision}"`);
      return node;
    },
    "DELETE /api/nodes": ({ query, nowMs }) => demand(service.forget(query.uri, nowMs)),
    "GET /api/memories": ({ query, nowMs }) => demand(service.list({ ...query, nowMs })),
    "POST /api/memories": async ({ body, nowMs }, c) => {
      const { session: sessionId, by, until: untilMs, home, ...given } = body;
      const who = by === "agent" || isAgent(c) ? "agent" : "user";
      const asked = { ...given, ...defined({ home }), sessionId, untilMs, by: who, nowMs } as const;
      const meanwhile = who === "agent" ? await service.typedIn(asked) : [];
      return demand(service.remember({ ...asked, meanwhile }));
    },
    "POST /api/memories/end": async ({ body: { session: sessionId, ...given }, nowMs }) => {
      const asked = { ...given, sessionId };
      return demand(service.end({ ...asked, meanwhile: await service.typedIn(asked), nowMs }));
    },
    "POST /api/turns/forget": ({ body: { session: sessionId, ...given } }) =>
      forgetTurn(context, { ...given, sessionId }),
    "GET /api/profile": ({ query }) => demand(service.profile(query.project ?? null)),
    "PATCH /api/nodes": ({ query: { uri }, body, nowMs }, c) =>
      demand(service.edit({ ...body, uri, expected: expectedOf(c), nowMs })),
    "GET /api/nodes/history": ({ query }) => demand(service.history(query)),
    "GET /api/nodes/diff": ({ query }) => demand(service.diff(query)),
    "POST /api/nodes/revert": ({ body, nowMs }, c) =>
      demand(service.revert({ ...body, expected: expectedOf(c), nowMs })),
    "POST /api/nodes/verify": async ({ body, nowMs }) =>
      demand(await service.verify({ ...body, nowMs })),
    "POST /api/undo": ({ body: { revision }, nowMs }) => demand(service.undo(nowMs, revision)),
    "GET /api/steps": ({ query: { limit = 20 } }) => service.steps(limit),
    "POST /api/restore": ({ body: { as_of: atMs, uri, project, all, apply }, nowMs }) => {
      const named =
        uri !== null ? { uri } : project !== null ? { project } : { all: true as const };
      if ([uri !== null, project !== null, all].filter(Boolean).length !== 1)
        throw new HttpFailure("request.invalid", "Name one of uri, project and all.");
      return demand(service.restoreAsOf({ atMs, of: named, isDry: !apply, nowMs }));
    },
    "GET /api/nodes/evidence": ({ query }) => demand(service.evidence(query.uri)),
    "GET /api/review": ({ query, nowMs }) => demand(service.inbox({ ...query, nowMs })),
    "POST /api/review/:id": ({ param: { id }, body, nowMs }, c) => {
      if (body.action === "accept") demandPerson(c);
      return demand(service.review({ ...body, id, nowMs }));
    },
  } satisfies Partial<Handlers>;
};

/** Sends the event that a prompt with such an order sends, so that the daemon does the same with it. */
async function forgetTurn(
  context: ServerContext,
  asked: Omit<Parameters<Service["turnToForget"]>[0], "meanwhile">,
): Promise<Answer<"POST /api/turns/forget">> {
  const { accept, service } = context;
  // First the events that wait in the spool: they are of this turn as well.
  await accept([], "http");
  const meanwhile = await service.typedIn(asked);
  const leaving = demand(service.turnToForget({ ...asked, meanwhile }));
  if (leaving === null) return { purged: true };
  const { turn, prompt, cwd, transcriptPath } = leaving;
  const told = {
    session_id: turn.sessionId,
    prompt,
    ...defined({ prompt_id: turn.promptId, cwd, transcript_path: transcriptPath }),
  };
  const marks = { off_the_record: true, running_turn: turn.n };
  const events = (eventsIn(context, told, "UserPromptSubmit") ?? []).map((event) =>
    Object.assign(event, { payload: { ...event.payload, ...marks } }),
  );
  await accept(events, "http");
  return demand(service.turnForgotten(turn));
}

/** The revision that `If-Match` names; null = no condition. */
function expectedOf(c: Context<ServerEnv>): number | null {
  const header = c.req.header("if-match");
  if (header === undefined || header.trim() === "*") return null;
  const revision = revisionIn(header);
  if (revision === null)
    throw new HttpFailure("request.invalid", 'If-Match: expected "r" and the id of a revision.');
  return revision;
}
