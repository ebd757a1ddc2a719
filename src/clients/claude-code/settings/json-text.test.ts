import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { appendChild, parseJsonText, removeChild, valueOf } from "./json-text.ts";

const accepts = (text: string, parse: (text: string) => unknown): boolean => {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
};

test("accepts exactly what JSON.parse accepts", () => {
  const pieces = fc.constantFrom(
    ...Array.from("{}[]:,\"\\ \n\t-+.0123eEtruefalsnu/*'"),
    '"a"',
    "null",
    "1.5e3",
    "01",
    "\\u00e9",
    "\u0001",
    "\u00a0",
  );
  const text = fc.oneof(
    fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join("")),
    fc.json(),
    fc.tuple(fc.json(), fc.nat(40)).map(([json, at]) => json.slice(0, at)),
  );
  fc.assert(
    fc.property(text, (sample) => accepts(sample, parseJsonText) === accepts(sample, JSON.parse)),
    { numRuns: 3_000 },
  );
});

test("appending to any container and removing the child again gives the same bytes", () => {
  const nonEmpty = fc.oneof(
    fc.array(fc.jsonValue(), { minLength: 1, maxLength: 4 }),
    fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1, maxKeys: 4 }),
  );
  const indentation = fc.constantFrom(undefined, 2, 4, "\t");
  fc.assert(
    fc.property(nonEmpty, indentation, fc.jsonValue(), (value, indent, added) => {
      const text = JSON.stringify(value, null, indent);
      const root = parseJsonText(text);
      const key = root.kind === "array" ? null : "added by us";
      const longer = appendChild(text, root, { key, value: added });
      const container = parseJsonText(longer);
      const last = container.children.length - 1;
      const child = container.children[last]!.value;
      expect(valueOf(longer, child)).toEqual(JSON.parse(JSON.stringify(added)));
      expect(removeChild(longer, container, last)).toBe(text);
    }),
    { numRuns: 500 },
  );
});

test("hostile nesting is a fault, not a crash", () => {
  expect(() => parseJsonText("[".repeat(1_000_000))).toThrow("nested too deeply");
});

test("an endless string is refused in linear time", () => {
  expect(() => parseJsonText(`"${"a\\n".repeat(300_000)}`)).toThrow("broken string");
});
