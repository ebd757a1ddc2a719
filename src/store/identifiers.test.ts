import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { identifiersOf, pairsOf } from "./indexes.ts";

test.each([
  { name: "camel case", text: "call parseConfig()", expected: ["parse config", "parseconfig"] },
  {
    name: "capitals in a row",
    text: "HTTPHeaderMap",
    expected: ["http header map", "httpheadermap"],
  },
  { name: "snake case", text: "MAX_RETRY_COUNT", expected: ["max retry count", "maxretrycount"] },
  { name: "a flag", text: "git push --no-verify", expected: ["no verify", "noverify"] },
  { name: "an error code", text: "error TS2345:", expected: ["ts 2345", "ts2345"] },
  {
    name: "a path by its segments",
    text: "src/openStore/my_file.ts",
    expected: ["open store", "openstore", "my file", "myfile"],
  },
  { name: "each only once", text: "aB aB a_b", expected: ["a b", "ab"] },
  {
    name: "plain words not at all",
    text: "the quick fox, 2026-02-25 v1.2.3 ENOENT",
    expected: ["v 1", "v1"],
  },
  { name: "nor keys and hashes", text: `x_${"a1".repeat(60)}`, expected: [] },
])("identifiers are split and whole: $name", ({ text, expected }) => {
  expect(identifiersOf(text)).toEqual(expected);
});

test("text without spaces is indexed by neighbouring pairs", () => {
  expect(pairsOf("看配置文件 ok")).toEqual(["看配", "配置", "置文", "文件"]);
  expect(identifiersOf("ポート番号")).toEqual(["ポー", "ート", "ト番", "番号"]);
});

test("any text gives a bounded list", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), (text) => {
      expect(identifiersOf(text).length).toBeLessThanOrEqual(401);
    }),
  );
  expect(
    identifiersOf(Array.from({ length: 9_000 }, (_, i) => `a_${i}`).join(" ")).length,
  ).toBeLessThan(402);
});
