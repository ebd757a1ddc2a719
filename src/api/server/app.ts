/**
 * The HTTP API: parses, asks the service, renders JSON. One function from Request to Response, mounted on the
 * loopback port and on the Unix socket alike; the transport arrives as `Peer` with each request.
 */
import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { routes } from "../routes.ts";
import { nowHeader } from "#domain";
import { wrongValue } from "#kit";
import type { z } from "zod";
import type { RouteSpec } from "../route.ts";
import {
  answerHeaders,
  createAccess,
  createFailureLimit,
  guard,
  type Guarded,
  limitBody,
} from "./security.ts";
import { faultOf, HttpFailure, type StorageFault } from "./errors.ts";
import { demandPerson, type Handlers, nowOf, type ServerEnv } from "./handler.ts";
import { hookHandlers } from "./handlers/hooks.ts";
import { memoryHandlers } from "./handlers/memories.ts";
import { pageHandlers } from "./handlers/page.ts";
import { recordHandlers, taskHandlers } from "./handlers/records.ts";
import type { ServerContext } from "./context.ts";

/** Builds the app. Call `app.fetch(request, peer)`; without a peer a request counts as TCP and is refused. */
export function createServer(given: ServerContext): Hono<ServerEnv> {
  const context = {
    ...given,
    countFailure: createFailureLimit(given),
    access: createAccess(given),
  };
  const app = new Hono<ServerEnv>().use(answerHeaders).use(guard(context)).use(limitBody());
  mount(app, handlersOver(context), context);
  return app
    .notFound((c) => {
      const { body, status } = new HttpFailure("route.not-found", "Not found.");
      return c.json(body, status);
    })
    .onError((error, c) => {
      const failure = failureOf(error, context.explain?.(error) ?? null);
      if (!(error instanceof HttpFailure) && failure.status >= 500)
        context.log.write("error", failure.type, { method: c.req.method, ...faultOf(error) });
      if (failure.retryAfterSeconds !== null)
        c.header("Retry-After", `${failure.retryAfterSeconds}`);
      return c.json(failure.body, failure.status);
    });
}

const handlersOver = (context: Guarded): Handlers => ({
  ...memoryHandlers(context),
  ...recordHandlers(context),
  ...taskHandlers(context),
  ...pageHandlers(context),
  ...hookHandlers(context),
});

/** A handler of any route, as the loop below calls it. */
type AnyHandler = (asked: unknown, c: Context<ServerEnv>) => unknown;

/** Every route of the table: its request read by its schemas, answered by its handler. */
function mount(app: Hono<ServerEnv>, handlers: Handlers, { clock }: ServerContext): void {
  for (const route of routes) {
    // Each handler takes what its own route asks; a loop over all of them cannot say so.
    const handler = handlers[`${route.method} ${route.path}` as keyof Handlers] as AnyHandler;
    app.on(route.method, route.path, async (c) => {
      const asked = await askedOf(route, c);
      if (route.needsPerson === true) demandPerson(c);
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

// Parsing at the HTTP edge: what a request says, read by the schemas of its route.

/** Path, query string and body of a request; undefined where its route takes none. */
async function askedOf(route: RouteSpec, c: Context<ServerEnv>) {
  return {
    param: route.param === undefined ? undefined : parsed(route.param, c.req.param()),
    query: route.query === undefined ? undefined : parsed(route.query, queryOf(c)),
    body: route.body === undefined ? undefined : await bodyOf(route, route.body, c),
  };
}

/** The query string. A parameter given twice arrives as an array; an empty one as absent. */
function queryOf(c: Context<ServerEnv>): Readonly<Record<string, string | string[]>> {
  const given: Record<string, string | string[]> = {};
  for (const [name, values] of Object.entries(c.req.queries())) {
    const present = values.filter((value) => value !== "");
    if (present.length > 0) given[name] = present.length === 1 ? (present[0] ?? "") : present;
  }
  return given;
}

/** A JSON body; an empty body counts as `{}`. */
async function bodyOf(
  { takesOther }: RouteSpec,
  schema: z.ZodType<object>,
  c: Context<ServerEnv>,
): Promise<unknown> {
  const body = jsonOf(await c.req.text());
  return takesOther === true ? body : parsed(schema, body);
}

function jsonOf(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new HttpFailure("request.invalid", "The body is not JSON.");
  }
}

function parsed(schema: z.ZodType<object>, value: unknown): object {
  const result = schema.safeParse(value, { error: wrongValue });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  throw new HttpFailure("request.invalid", `${place}${issue?.message ?? "is not valid"}`);
}
