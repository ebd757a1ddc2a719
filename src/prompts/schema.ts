/**
 * Reply schemas in the subset that every provider understands: closed objects with all fields required (an empty text
 * or list says "none"), no nulls, no bounds. The parsers bound.
 */
import type { JsonSchema } from "#domain";

export const text: JsonSchema = { type: "string" };

export const integer: JsonSchema = { type: "integer" };
export const texts: JsonSchema = { type: "array", items: text };

export const choice = (values: readonly string[]): JsonSchema => ({ type: "string", enum: values });
export const list = (items: JsonSchema): JsonSchema => ({ type: "array", items });
export const object = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
