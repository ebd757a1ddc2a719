/** Parsing at the HTTP edge: what a request says, read by the schemas of its route. */
import type { Context } from "hono";
import type { z } from "zod";
import type { RouteSpec } from "#api";
import { wrongValue } from "#kit";
import { HttpFailure } from "./errors.ts";
import type { ServerEnv } from "./peer.ts";

/** Path, query string and body of a request; undefined where its route takes none. */
export async function askedOf(route: RouteSpec, c: Context<ServerEnv>) {
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
