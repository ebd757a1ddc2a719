/**
 * The HTTP API: parses, asks the service, renders JSON. One function from Request to Response, mounted on the
 * loopback port and on the Unix socket alike; the transport arrives as `Peer` with each request.
 */
import { Hono, type Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { routes } from "#api/routes";
import { nowHeader } from "#domain";
import type { ClockDep, LogDep } from "#kit";
import { createAccess } from "./access.ts";
import { faultOf, HttpFailure, type StorageFault } from "./errors.ts";
import { entityTags } from "./etag.ts";
import type { Handlers, ServiceDep } from "./handler.ts";
import { bulkHandlers, memoryHandlers, nodeHandlers } from "./handlers/memories.ts";
import {
  errandHandlers,
  type ErrandDep,
  importHandlers,
  type ImportDep,
  syncHandlers,
  type SyncDep,
} from "./handlers/tasks.ts";
import { feedHandlers, type LiveDep } from "./handlers/feed.ts";
import {
  givenHandlers,
  guardHandlers,
  projectHandlers,
  sessionHandlers,
  statusHandlers,
  workHandlers,
} from "./handlers/records.ts";
import { hookHandlers, type HookDep } from "./handlers/hooks.ts";
import { pageHandlers, type PageDep } from "./handlers/page.ts";
import { turnHandlers } from "./handlers/turns.ts";
import { askedOf } from "./parse.ts";
import { nowOf, type ServerEnv } from "./peer.ts";
import {
  answerHeaders,
  createFailureLimit,
  guard,
  type GuardDeps,
  limitBody,
  type TokenDep,
} from "./security.ts";

export interface ServerDeps
  extends
    ClockDep,
    ErrandDep,
    HookDep,
    ImportDep,
    LiveDep,
    LogDep,
    PageDep,
    ServiceDep,
    SyncDep,
    TokenDep {
  /** Null for a fault that is not the file's or the disk's. Without it, none is told from another. */
  readonly explain?: (error: unknown) => StorageFault | null;
  /** Answers MCP; without it there is none. */
  readonly mcp?: (request: Request) => Promise<Response>;
}

/** Builds the app. Call `app.fetch(request, peer)`; without a peer a request counts as TCP and is refused. */
export function createServer(given: ServerDeps): Hono<ServerEnv> {
  const deps = { ...given, failures: createFailureLimit(given), access: createAccess(given) };
  const app = new Hono<ServerEnv>()
    .use(answerHeaders)
    .use(guard(deps))
    .use(limitBody())
    .use(entityTags);
  mount(app, handlersOver(deps), deps);
  return app
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
}

const handlersOver = (deps: ServerDeps & GuardDeps): Handlers => ({
  ...memoryHandlers(deps),
  ...nodeHandlers(deps),
  ...bulkHandlers(deps),
  ...projectHandlers(deps),
  ...errandHandlers(deps),
  ...sessionHandlers(deps),
  ...givenHandlers(deps),
  ...guardHandlers(deps),
  ...statusHandlers(deps),
  ...syncHandlers(deps),
  ...workHandlers(deps),
  ...importHandlers(deps),
  ...feedHandlers(deps),
  ...turnHandlers(deps),
  ...pageHandlers(deps),
  ...hookHandlers(deps),
});

/** A handler of any route, as the loop below calls it. */
type AnyHandler = (asked: unknown, c: Context<ServerEnv>) => unknown;

/** Every route of the table: its request read by its schemas, answered by its handler. */
function mount(app: Hono<ServerEnv>, handlers: Handlers, { clock }: ClockDep): void {
  for (const route of routes) {
    // Each handler takes what its own route asks; a loop over all of them cannot say so.
    const handler = handlers[`${route.method} ${route.path}` as keyof Handlers] as AnyHandler;
    app.on(route.method, route.path, async (c) => {
      const asked = await askedOf(route, c);
      const nowMs = nowOf(c.req.header(nowHeader), clock);
      const answer = await handler({ ...asked, nowMs }, c);
      return answer instanceof Response ? answer : c.json(answer, 200);
    });
  }
}

function failureOf(error: Error, fault: StorageFault | null): HttpFailure {
  if (error instanceof HttpFailure) return error;
  if (fault !== null) return new HttpFailure(fault.type, `${fault.message}.`);
  if (error instanceof HTTPException && error.status < 500)
    return new HttpFailure("request.invalid", "The request is malformed.");
  return new HttpFailure("server.internal", "Internal error; see `continuity status --log`.");
}
