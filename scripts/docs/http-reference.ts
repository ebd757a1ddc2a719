/** The HTTP reference, rendered from the route table and the schemas that parse the requests. */
import { z } from "zod";
import { routes } from "#api/server";

type Route = (typeof routes)[number];

/** Markdown for docs/reference/http.md. */
export function httpReference(): string {
  const head = [
    "# HTTP API",
    "",
    "Generated from the route table and its schemas; do not edit. Times are epoch milliseconds in answers, epoch " +
      "milliseconds or ISO 8601 in requests. Lists are repeated parameters or comma-separated. Long lists come in " +
      "pages: pass `next_cursor` of an answer as `cursor`. Answers have the fields that `--json` has in the " +
      "command-line reference.",
    "",
    "Every route but those marked open needs `Authorization: Bearer <token>` over TCP; the Unix socket does not. " +
      "A read of a node carries an `ETag` for `If-Match`. Writes need " +
      '`Content-Type: application/json`. Errors are `{"error": {"type", "message"}}`. The header ' +
      "`Continuity-Now` sets the time of one request.",
    "",
    "| route | answer |",
    "|---|---|",
    ...routes.map(({ method, path, answer }) => `| \`${method} ${path}\` | \`${answer}\` |`),
    "",
  ];
  return [...head, ...routes.map(sectionOf)].join("\n");
}

function sectionOf({ method, path, summary, query, body, answer, isOpen }: Route): string {
  return [
    `## ${method} ${path}`,
    "",
    `${summary}. Answers \`${answer}\`.${isOpen === true ? " Open: needs no token." : ""}`,
    "",
    ...fieldTable("parameter", query),
    ...fieldTable("field of the body", body),
  ].join("\n");
}

interface Property {
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly type?: string;
  readonly anyOf?: readonly Property[];
}

function fieldTable(title: string, schema: z.ZodType | undefined): readonly string[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
  }) as {
    readonly properties?: Readonly<Record<string, Property>>;
    readonly required?: readonly string[];
  };
  const rows = Object.entries(properties).map(([name, property]) => {
    const need = required.includes(name) ? "required" : defaultOf(property);
    return `| \`${name}\` | ${need} | ${meaningOf(property)} |`;
  });
  return rows.length === 0 ? [] : [`| ${title} | | meaning |`, "|---|---|---|", ...rows, ""];
}

const defaultOf = ({ default: value }: Property): string =>
  value === undefined ? "" : `default \`${JSON.stringify(value)}\``;

function meaningOf(property: Property): string {
  const choices = property.enum ?? property.anyOf?.find(({ enum: values }) => values)?.enum;
  const { description = "" } = property;
  const named = (choices ?? []).map(String).filter((choice) => !description.includes(choice));
  return named.length === 0 ? description : `${description}: ${named.join(", ")}`;
}
