/** The archive: sessions with their turns, checkpoints, observations and moments. */
import type { SessionStatus, StoreDep } from "#domain";
import { err, ok, type Result } from "#kit";
import type { ServiceError } from "./errors.ts";
import type { PageJson } from "./json.ts";
import type { SessionDetailJson, SessionJson } from "./json-reports.ts";
import { cursorAfter, pageOf, type PageAsk } from "./paging.ts";
import { scopeOf } from "./scope.ts";
import {
  checkpointToJson,
  memoryToJson,
  observationToJson,
  sessionToJson,
  turnToJson,
} from "./views.ts";

export interface SessionsAsk extends PageAsk {
  /** Project keys or names; null = all. */
  readonly projects: readonly string[] | null;
  readonly status?: SessionStatus;
}

export interface SessionsApi {
  /** Sessions, the latest first. */
  readonly sessions: (ask: SessionsAsk) => Result<PageJson<SessionJson>, ServiceError>;
  readonly session: (sessionId: string) => Result<SessionDetailJson, ServiceError>;
}

/** Moments of one session are capped at about 30 by their threshold; this leaves room. */
const momentsMax = 200;

export const createSessionsApi = (deps: StoreDep): SessionsApi => ({
  sessions: (ask) => sessions(deps, ask),
  session: (sessionId) => session(deps, sessionId),
});

function sessions(deps: StoreDep, ask: SessionsAsk): Result<PageJson<SessionJson>, ServiceError> {
  const page = pageOf(ask);
  if (!page.ok) return page;
  const scope = scopeOf(deps, { projects: ask.projects, home: null });
  if (!scope.ok) return scope;
  const { limit, offset } = page.value;
  const status = ask.status === undefined ? {} : { status: ask.status };
  const found = deps.store.sessions.list(
    { projects: scope.value, ...status },
    // One more than asked for tells whether there is another page.
    { limit: limit + 1, offset },
  );
  return ok({
    items: found.slice(0, limit).map(sessionToJson),
    next_cursor: cursorAfter(page.value, offset + found.length),
  });
}

function session({ store }: StoreDep, sessionId: string): Result<SessionDetailJson, ServiceError> {
  const found = store.sessions.byId(sessionId);
  if (found === null) return err({ type: "session.not-found", sessionId });
  const moments = store.nodes.list({ archive: true, session: sessionId }, "uri", {
    limit: momentsMax,
    offset: 0,
  });
  return ok({
    ...sessionToJson(found),
    turns: store.sessions.turns(sessionId).map(turnToJson),
    checkpoints: store.sessions.checkpoints(sessionId).map(checkpointToJson),
    observations: store.sessions.observations(sessionId).map(observationToJson),
    moments: moments.map(memoryToJson),
  });
}
