/** Parsing at the HTTP edge: zod schemas as middleware, typed for the client on one side and the handler on the other. */
import type { MiddlewareHandler } from "hono";
import type { z } from "zod";
import { wrongValue } from "#kit";
import { HttpFailure } from "./errors.ts";
import type { ServerEnv } from "./peer.ts";

/** Parses the query string. A parameter given twice arrives as an array; an empty one as absent. */
export const query =
  <Schema extends z.ZodType<object>, Path extends string>(
    schema: Schema,
  ): MiddlewareHandler<
    ServerEnv,
    Path,
    { in: { query: z.input<Schema> }; out: { query: z.output<Schema> } }
  > =>
  async (c, next) => {
    const given: Record<string, string | string[]> = {};
    for (const [name, values] of Object.entries(c.req.queries())) {
      const present = values.filter((value) => value !== "");
      if (present.length > 0) given[name] = present.length === 1 ? (present[0] ?? "") : present;
    }
    c.req.addValidatedData("query", parsed(schema, given));
    await next();
  };

/** Parses a JSON body; an empty body counts as `{}`. */
export const body =
  <Schema extends z.ZodType<object>, Path extends string>(
    schema: Schema,
  ): MiddlewareHandler<
    ServerEnv,
    Path,
    { in: { json: z.input<Schema> }; out: { json: z.output<Schema> } }
  > =>
  async (c, next) => {
    c.req.addValidatedData("json", parsed(schema, jsonOf(await c.req.text())));
    await next();
  };

/** Parses path parameters. */
export const param =
  <Schema extends z.ZodType<object>, Path extends string>(
    schema: Schema,
  ): MiddlewareHandler<
    ServerEnv,
    Path,
    { in: { param: z.input<Schema> }; out: { param: z.output<Schema> } }
  > =>
  async (c, next) => {
    c.req.addValidatedData("param", parsed(schema, c.req.param()));
    await next();
  };

/** A JSON document out of a body. */
export function jsonOf(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new HttpFailure("request.invalid", "The body is not JSON.");
  }
}

function parsed<Schema extends z.ZodType<object>>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const result = schema.safeParse(value, { error: wrongValue });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  throw new HttpFailure("request.invalid", `${place}${issue?.message ?? "is not valid"}`);
}
