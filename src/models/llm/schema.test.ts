import { expect, test } from "bun:test";
import { closedSchema, isStrict, openApiSchema } from "./read-json.ts";

const schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  required: ["items", "minimum"],
  properties: {
    items: {
      type: "array",
      maxItems: 12,
      items: {
        type: "object",
        properties: {
          name: { type: "string", minLength: 1, maxLength: 9, description: "Its name" },
        },
        required: ["name"],
      },
    },
    // A property may be called like a keyword.
    minimum: { type: ["number", "null"], minimum: 0, maximum: 1 },
    kind: { anyOf: [{ const: "a" }, { type: "object", properties: {} }] },
  },
} as const;

test("constrained decoding gets closed objects without bounds, and properties keep their names", () => {
  expect(closedSchema(schema)).toEqual({
    type: "object",
    additionalProperties: false,
    required: ["items", "minimum"],
    properties: {
      items: {
        type: "array",
        items: {
          type: "object",
          additionalProperties: false,
          properties: { name: { type: "string", description: "Its name" } },
          required: ["name"],
        },
      },
      minimum: { type: ["number", "null"] },
      kind: {
        anyOf: [{ const: "a" }, { type: "object", properties: {}, additionalProperties: false }],
      },
    },
  });
});

test("Gemini gets what OpenAPI knows", () => {
  expect(openApiSchema({ ...schema, additionalProperties: false })).toEqual({
    type: "object",
    required: ["items", "minimum"],
    properties: {
      items: {
        type: "array",
        maxItems: 12,
        items: {
          type: "object",
          properties: {
            name: { type: "string", minLength: 1, maxLength: 9, description: "Its name" },
          },
          required: ["name"],
        },
      },
      minimum: { type: "number", nullable: true, minimum: 0, maximum: 1 },
      kind: { anyOf: [{ enum: ["a"] }, { type: "object", properties: {} }] },
    },
  });
});

test("strict is only what requires all it names, all the way down", () => {
  expect(isStrict(schema)).toBe(false);
  const inner = schema.properties.items;
  expect(isStrict({ type: "object", properties: { items: inner }, required: ["items"] })).toBe(
    true,
  );
  const loose = { ...inner, items: { ...inner.items, required: [] } };
  expect(isStrict({ type: "object", properties: { items: loose }, required: ["items"] })).toBe(
    false,
  );
});
