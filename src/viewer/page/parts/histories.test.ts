import { expect, test } from "bun:test";
import { folded } from "./histories.ts";

const one = (uri: string, superseded_by: string | null = null) => ({ uri, superseded_by });
const uris = (some: readonly { readonly uri: string }[] = []): readonly string[] =>
  some.map(({ uri }) => uri);

test("a value that was replaced stands under the one that holds, however long the chain", () => {
  const { current, earlier, left } = folded([one("b"), one("c"), one("a1", "a2"), one("a2", "c")]);
  expect(uris(current)).toEqual(["b", "c"]);
  expect(uris(earlier.get("c"))).toEqual(["a1", "a2"]);
  expect(left).toEqual([]);
});

test("what was replaced by something that is not there is left over, and so is a circle", () => {
  const { current, left } = folded([one("a", "gone"), one("x", "y"), one("y", "x")]);
  expect(current).toEqual([]);
  expect(uris(left)).toEqual(["a", "x", "y"]);
});
