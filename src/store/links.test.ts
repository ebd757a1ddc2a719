import { expect, test } from "bun:test";
import type { NodeDraft } from "#domain";
import { cause, draft, noonMs, tempStore } from "../../test/support/store.ts";

const one = (name: string, over: Partial<NodeDraft>): NodeDraft =>
  draft({ uri: `mem://user/entities/${name}`, ...over });

test("the successor of a node is the last that superseded it", () => {
  using store = tempStore();
  const [old, second, third] = ["old", "second", "third"].map(
    (name) => store.nodes.insert(one(name, {}), cause()).id,
  );
  store.nodes.relate(second!, old!, "supersedes", noonMs);
  store.nodes.relate(third!, old!, "supersedes", noonMs + 1);
  store.nodes.relate(third!, second!, "related", noonMs + 1);
  // Linked, but in force all the same: it was undone.
  expect(store.nodes.successors([old!]).size).toBe(0);
  store.nodes.update(old!, { status: "superseded" }, cause({ action: "supersede" }));
  expect([...store.nodes.successors([old!, second!])].map(([id, node]) => [id, node.id])).toEqual([
    [old!, third!],
  ]);
  store.nodes.retract(third!, cause({ action: "retract" }));
  expect(store.nodes.successors([old!]).get(old!)?.id).toBe(second);
});

test("links by use gain weight up to a bound, and nothing links to itself", () => {
  using store = tempStore();
  const a = store.nodes.insert(one("a", {}), cause()).id;
  const b = store.nodes.insert(one("b", {}), cause()).id;
  for (let i = 0; i < 20; i += 1) store.nodes.relate(a, b, "related", noonMs);
  store.nodes.relate(a, a, "related", noonMs);
  store.nodes.link({ fromId: b, toId: a, relation: "contradicts", weight: 0.5, createdAt: noonMs });
  expect(store.nodes.links(a).map(({ relation, weight }) => [relation, weight])).toEqual([
    ["related", 1],
    ["contradicts", 0.5],
  ]);
  expect(() => store.nodes.relate(a, 999, "related", noonMs)).toThrow();
});
