import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { jsonIn, openSchema } from "./read-json.ts";

test.each([
  ['{"a": 1}', { a: 1 }],
  [' \n{"a": 1}\n', { a: 1 }],
  ['```json\n{"a": 1}\n```', { a: 1 }],
  ['```\r\n{"a": 1}\r\n```', { a: 1 }],
  ['Here you are:\n```JSON\n{"a": {"b": "}"}}\n```\nAnything else?', { a: { b: "}" } }],
  ['Sure! {"a": "\\"{"} Done.', { a: '"{' }],
  ['{"error": "none", "word": "x"}', { error: "none", word: "x" }],
  ['"{}"', {}],
  ['"{\\"a\\": 1}"', { a: 1 }],
  ['{"type": "decision", "message": "m"}', { type: "decision", message: "m" }],
])("%j holds an answer", (text, value) => expect(jsonIn(text)).toEqual({ ok: true, value }));

test.each([
  ["", "the reply is empty"],
  [" \n\t", "the reply is empty"],
  ["I cannot do that.", "there is no JSON in the reply"],
  ["[1, 2]", "the reply is no JSON object"],
  ['"text"', "there is no JSON in the reply"],
  ["null", "there is no JSON in the reply"],
  ['{"a": "hal', "the reply breaks off"],
  ['{"a": [{"b": 1}', "the reply breaks off"],
  ['Sure: {"a": 1} or {"a": 2}', "there is more than one object in the reply"],
  ['```json\n{"a": 1}\n```\n```json\n{"a": 2}\n```', "there is more than one object in the reply"],
  ["use {braces} here", "there is no JSON in the reply"],
  [
    '{"type": "error", "error": {"type": "overloaded_error"}}',
    "the reply is an error, not an answer",
  ],
  ['API Error: 529 {"type": "error", "word": "x"}', "the reply is an error, not an answer"],
  ['{"error": {"message": "m"}, "status": 500}', "the reply is an error, not an answer"],
  ['{"error": "model not found"}', "the reply is an error, not an answer"],
  ['{"object": "error", "message": "m"}', "the reply is an error, not an answer"],
])("%j holds none", (text, error) => expect(jsonIn(text)).toEqual({ ok: false, error }));

test("whatever a model says around an object that is no error, the object is found, or nothing is", () => {
  const prose = fc.string().filter((text) => !/[{}`]/.test(text));
  fc.assert(
    fc.property(
      prose,
      fc.dictionary(fc.string(), fc.jsonValue()),
      prose,
      (before, object, after) => {
        const found = jsonIn(before + JSON.stringify(object) + after);
        if (found.ok) expect(found.value).toEqual(JSON.parse(JSON.stringify(object)));
        else expect(["type", "error", "object"].some((name) => name in object)).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});

test("reading never throws and always ends", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("{", "}", '"', "\\", "`", "\n", "a") }),
      (text) => {
        jsonIn(text);
      },
    ),
    { numRuns: 500 },
  );
});

test("a schema for Gemini has no closed objects, however deep", () => {
  const closed = { type: "object", properties: {}, required: [], additionalProperties: false };
  const open = { type: "object", properties: {}, required: [] };
  expect(openSchema({ ...closed, properties: { list: { type: "array", items: closed } } })).toEqual(
    {
      ...open,
      properties: { list: { type: "array", items: open } },
    },
  );
});
