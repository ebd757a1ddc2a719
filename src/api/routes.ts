/**
 * Every route, once: router, OpenAPI document, typed client and HTTP reference are made of this table. Its types say
 * what a handler is given and answers, and what the typed client asks.
 */
import type { Hono } from "hono";
import type { z } from "zod";
import type { Form } from "./form.ts";
import type { Forms } from "./forms.ts";
import type { OtherAnswers, RouteSpec } from "./route.ts";
import { memoryRoutes } from "./routes-memories.ts";
import { processRoutes } from "./routes-process.ts";
import { sessionRoutes } from "./routes-sessions.ts";

const table = { ...memoryRoutes, ...sessionRoutes, ...processRoutes };

/** A route of the table with its name taken apart. */
export interface Route extends RouteSpec {
  readonly method: string;
  readonly path: string;
}

export const routes: readonly Route[] = Object.entries<RouteSpec>(table).map(([name, spec]) => {
  const [method = "", path = ""] = name.split(" ");
  return Object.assign({ method, path }, spec);
});

type Rows = typeof table;

/** A route as `GET /api/nodes`. */
export type RouteName = keyof Rows;

type Part = "param" | "query" | "body";

type Parsed<R, P extends Part> =
  R extends Readonly<Record<P, infer Schema extends z.ZodType>> ? z.output<Schema> : undefined;

/** A request of this route, read by the route's schemas. */
export interface Asked<Name extends RouteName> {
  readonly param: Parsed<Rows[Name], "param">;
  readonly query: Parsed<Rows[Name], "query">;
  readonly body: Rows[Name] extends { readonly takesOther: true }
    ? unknown
    : Parsed<Rows[Name], "body">;
  /** Time of the request: what it says, else the clock's. */
  readonly nowMs: number;
}

type AnswerOf<Name> = Name extends keyof Forms
  ? Form<Forms[Name]>
  : Name extends keyof OtherAnswers
    ? OtherAnswers[Name]
    : never;

/** The answer of this route: JSON of its form, or a response where it is no JSON. */
export type Answer<Name extends RouteName> = Rows[Name] extends { readonly type: string }
  ? Response
  : AnswerOf<Rows[Name]["answer"]>;

type Given<R, P extends Part, Key extends string> =
  R extends Readonly<Record<P, infer Schema extends z.ZodType>>
    ? Readonly<Record<Key, z.input<Schema>>>
    : object;

/** No interface: the client asks for an index signature, which those have not. */
type Endpoint<R extends RouteSpec> = {
  input: Given<R, "param", "param"> & Given<R, "query", "query"> & Given<R, "body", "json">;
  output: AnswerOf<R["answer"]>;
  outputFormat: "json";
  status: 200;
};

type PathOf<Name> = Name extends `${string} ${infer Path}` ? Path : never;

type ApiSchema = {
  [P in PathOf<RouteName>]: {
    [
      Name in RouteName as Name extends `${infer Method} ${P}` ? `$${Lowercase<Method>}` : never
    ]: Endpoint<Rows[Name]>;
  };
};

/** The API as the typed client knows it. */
export type Api = Hono<object, ApiSchema>;
