/**
 * JSON schemas as each API takes them. The schema that a caller gives is the wish; what comes back is checked by the
 * caller's own parser in any case, so constraints that an API rejects are dropped here without harm. Pure.
 */
import type { JsonSchema } from "#domain";
import { isObject } from "./read-json.ts";

/** Bounds that constrained decoding does not know: Anthropic and OpenAI answer 400 to some of them. */
const bounds: ReadonlySet<string> = new Set([
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "default",
  "$schema",
]);

/** Objects closed and bounds left out: what constrained decoding wants. */
export const closedSchema = (schema: JsonSchema): JsonSchema =>
  mapSchema(schema, (node) => ({
    ...without(node, bounds),
    ...(isObject(node["properties"]) ? { additionalProperties: false } : {}),
  }));

/** OpenAI's strict mode also wants every property to be required; then it is asked for, else not. */
export const isStrict = (schema: JsonSchema): boolean => {
  let isFit = true;
  mapSchema(schema, (node) => {
    const { properties, required } = node;
    if (isObject(properties)) {
      const names = Array.isArray(required) ? required : [];
      if (Object.keys(properties).some((name) => !names.includes(name))) isFit = false;
    }
    return node;
  });
  return isFit;
};

const notInOpenApi: ReadonlySet<string> = new Set([
  "additionalProperties",
  "$schema",
  "const",
  "default",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "uniqueItems",
]);

/** Gemini's `responseSchema`, a part of OpenAPI 3.0: no closed objects, `nullable` instead of a type `null`. */
export const openApiSchema = (schema: JsonSchema): JsonSchema =>
  mapSchema(schema, (node) => ({
    ...without(node, notInOpenApi),
    ...("const" in node ? { enum: [node["const"]] } : {}),
    ...nullableType(node["type"]),
  }));

function nullableType(type: unknown): JsonSchema {
  if (!Array.isArray(type)) return {};
  const others = type.filter((one) => one !== "null");
  return { type: others[0], ...(others.length < type.length ? { nullable: true } : {}) };
}

const without = (node: JsonSchema, names: ReadonlySet<string>): JsonSchema =>
  Object.fromEntries(Object.entries(node).filter(([name]) => !names.has(name)));

type Change = (node: JsonSchema) => JsonSchema;

/** Applies a change to every schema within a schema, the innermost first. Names of properties are not keywords. */
function mapSchema(schema: JsonSchema, change: Change): JsonSchema {
  const inner = (value: unknown): unknown => (isObject(value) ? mapSchema(value, change) : value);
  const inAll = (value: unknown): unknown =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one)]))
      : value;
  const mapped = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => {
      if (name === "properties" || name === "$defs" || name === "definitions")
        return [name, inAll(value)];
      if (name === "items") return [name, inner(value)];
      if (["anyOf", "allOf", "oneOf"].includes(name) && Array.isArray(value))
        return [name, value.map(inner)];
      return [name, value];
    }),
  );
  return change(mapped);
}
