import { expect, test } from "bun:test";
import { chainOf } from "./chain.ts";

const nodes = ["45", "52", "48", "x"].map((uri) => ({ uri, l0: `${uri} A` }));
const edge = (from: string, to: string, relation = "supersedes") => ({ from, to, relation });
const edges = [edge("48", "52"), edge("52", "45"), edge("48", "x", "related")];

test.each(["45", "52", "48"])("seen from %s the value that holds comes first", (uri) => {
  expect(chainOf({ uri, nodes, edges })).toEqual([
    { uri: "48", l0: "48 A", isReplaced: false },
    { uri: "52", l0: "52 A", isReplaced: true },
    { uri: "45", l0: "45 A", isReplaced: true },
  ]);
});

test("values that replaced each other end where they began", () => {
  const circle = [edge("45", "52"), edge("52", "45")];
  expect(chainOf({ uri: "45", nodes, edges: circle }).map(({ uri }) => uri)).toEqual(["45", "52"]);
});
