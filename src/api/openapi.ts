/** The API as an OpenAPI 3.1 document, made of the route table and the schemas that parse the requests. */
import { z } from "zod";
import { defaultPort, loopbackHost } from "#domain";

import { type Route, routes } from "./routes.ts";

type Json = Readonly<Record<string, unknown>>;

function schemaOf(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return rest;
}

/** The form of an answer; of one that promises some fields alone, those, and that there may be others. */
function formOf(
  schema: z.ZodType,
  promisedOf: (schema: unknown) => readonly string[] | null,
): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: "output",
    override: ({ zodSchema, jsonSchema }) => {
      const promised = promisedOf(zodSchema);
      if (promised === null) return;
      const { properties = {} } = jsonSchema;
      jsonSchema.properties = Object.fromEntries(
        Object.entries(properties).filter(([name]) => promised.includes(name)),
      );
      jsonSchema.required = promised.filter((name) => jsonSchema.required?.includes(name));
      jsonSchema.additionalProperties = {};
    },
  });
  return rest;
}

const failure: Json = {
  description: "Refused or failed: one line for people, and a type for programs",
  content: {
    "application/json": {
      schema: {
        type: "object",
        required: ["error"],
        properties: {
          error: {
            type: "object",
            required: ["type", "message"],
            properties: { type: { type: "string" }, message: { type: "string" } },
          },
        },
      },
    },
  },
};

/** The document that `/api/openapi.json` answers. */
export async function openApi(version: string): Promise<Json> {
  const paths: Record<string, Record<string, Json>> = {};
  // Forty forms take a moment to make, and most daemons are never asked.
  const { forms, promisedOf } = await import("./forms.ts");
  const answers = new Set<string>(routes.map(({ answer }) => answer));
  const schemas = Object.fromEntries(
    Object.entries(forms)
      .filter(([name]) => answers.has(name))
      .map(([name, form]) => [name, formOf(form, promisedOf)]),
  );
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    const operation = operationOf(route, route.answer in schemas);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Continuity",
      version,
      description:
        "Memory for coding agents, on this machine. Times are epoch milliseconds in answers, " +
        "epoch milliseconds or ISO 8601 in requests.",
    },
    servers: [{ url: `http://${loopbackHost}:${defaultPort}` }],
    security: [{ bearer: [] }],
    components: { schemas, securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
    paths,
  };
}

function operationOf(route: Route, isNamed: boolean): Json {
  const { summary, answer, body } = route;
  return {
    operationId: operationId(route),
    summary,
    ...(route.isOpen === true ? { security: [] } : {}),
    parameters: parametersOf(route),
    ...(body === undefined
      ? {}
      : { requestBody: { content: { "application/json": { schema: schemaOf(body) } } } }),
    responses: {
      "200": {
        description: answer,
        content: {
          [route.type ?? "application/json"]: {
            schema: isNamed ? { $ref: `#/components/schemas/${answer}` } : {},
          },
        },
      },
      default: failure,
    },
  };
}

const operationId = ({ method, path }: Route): string =>
  [method.toLowerCase(), ...path.split("/").filter((part) => part !== "" && part !== "api")]
    .map((part) => part.replace(/\W/g, ""))
    .join("_");

function parametersOf({ path, query }: Route): readonly Json[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const { properties = {}, required = [] } = (query === undefined ? {} : schemaOf(query)) as {
    readonly properties?: Readonly<Record<string, Json>>;
    readonly required?: readonly string[];
  };
  const inQuery = Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    description,
    schema,
  }));
  return [...inPath, ...inQuery];
}
