/**
 * The HTTP API: parses, asks the service, renders JSON. One function from Request to Response, mounted on the
 * loopback port and on the Unix socket alike; the transport arrives as `Peer` with each request.
 */
import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ClockDep, LogDep } from "#kit";
import { createAccess } from "./access.ts";
import { faultOf, HttpFailure, type StorageFault } from "./errors.ts";
import type { ServerEnv } from "./peer.ts";
import { consolidateRoutes } from "./routes-consolidate.ts";
import { placeRoutes } from "./routes-places.ts";
import { sentenceRoutes } from "./routes-sentences.ts";
import { entityTags } from "./etag.ts";
import { documentRoutes } from "./routes-document.ts";
import { feedRoutes, type LiveDep } from "./routes-feed.ts";
import { givenRoutes } from "./routes-given.ts";
import { nodeRoutes } from "./routes-nodes.ts";
import { pageRoutes, type PageDep } from "./routes-page.ts";
import { turnRoutes } from "./routes-turns.ts";
import { hookRoutes, type HookDep } from "./routes-hooks.ts";
import { importRoutes, type ImportDep } from "./routes-import.ts";
import { memoryRoutes, type ServiceDep } from "./routes-memories.ts";
import { searchRoutes } from "./routes-search.ts";
import { sessionRoutes } from "./routes-sessions.ts";
import { statusRoutes } from "./routes-status.ts";
import { syncRoutes, type SyncDep } from "./routes-sync.ts";
import { workRoutes } from "./routes-work.ts";
import { answerHeaders, createFailureLimit, guard, limitBody, type TokenDep } from "./security.ts";

export interface ServerDeps
  extends ClockDep, HookDep, ImportDep, LiveDep, LogDep, PageDep, ServiceDep, SyncDep, TokenDep {
  /** Null for a fault that is not the file's or the disk's. Without it, none is told from another. */
  readonly explain?: (error: unknown) => StorageFault | null;
  /** Answers MCP; without it there is none. */
  readonly mcp?: (request: Request) => Promise<Response>;
}

/** Builds the app. Call `app.fetch(request, peer)`; without a peer a request counts as TCP and is refused. */
export const createServer = (given: ServerDeps) => {
  const deps = { ...given, failures: createFailureLimit(given), access: createAccess(given) };
  return new Hono<ServerEnv>()
    .use(answerHeaders)
    .use(guard(deps))
    .use(limitBody())
    .use(entityTags)
    .route("/", searchRoutes(deps))
    .route("/", memoryRoutes(deps))
    .route("/", nodeRoutes(deps))
    .route("/", sessionRoutes(deps))
    .route("/", givenRoutes(deps))
    .route("/", statusRoutes(deps))
    .route("/", workRoutes(deps))
    .route("/", consolidateRoutes(deps))
    .route("/", placeRoutes(deps))
    .route("/", sentenceRoutes(deps))
    .route("/", importRoutes(deps))
    .route("/", syncRoutes(deps))
    .route("/", feedRoutes(deps))
    .route("/", turnRoutes(deps))
    .route("/", pageRoutes(deps))
    .route("/", documentRoutes(deps))
    .route("/", hookRoutes(deps))
    .all("/mcp", (c) => deps.mcp?.(c.req.raw) ?? c.notFound())
    .notFound((c) => {
      const { body, status } = new HttpFailure("route.not-found", "Not found.");
      return c.json(body, status);
    })
    .onError((error, c) => {
      const failure = failureOf(error, deps.explain?.(error) ?? null);
      if (!(error instanceof HttpFailure) && failure.status >= 500)
        deps.log.write("error", failure.type, { method: c.req.method, ...faultOf(error) });
      if (failure.retryAfterSeconds !== null)
        c.header("Retry-After", `${failure.retryAfterSeconds}`);
      return c.json(failure.body, failure.status);
    });
};

function failureOf(error: Error, fault: StorageFault | null): HttpFailure {
  if (error instanceof HttpFailure) return error;
  if (fault !== null) return new HttpFailure(fault.type, `${fault.message}.`);
  if (error instanceof HTTPException && error.status < 500)
    return new HttpFailure("request.invalid", "The request is malformed.");
  return new HttpFailure("server.internal", "Internal error; see `continuity logs`.");
}

/** What typed clients import, and nothing else from here. */
export type Api = ReturnType<typeof createServer>;
