/** A result of another project follows the own ones by its score. */
import { expect, test } from "bun:test";
import { documentKinds, type FoundDocument } from "#domain";
import { home, openFixture, queryFor } from "../../../test/support/memory/finding.ts";
import { worthElsewhere } from "./elsewhere.ts";

const found = (project: string, score: number): FoundDocument => ({
  kind: "memory",
  node: null,
  uri: `mem://user/entities/${score}`,
  l0: "The cache is Redis",
  project,
  atMs: 1,
  score,
  explanation: { lexicalRank: null, lexical: 0, similarity: null, fused: score, nudges: {} },
  supersededBy: null,
});

test.each([
  { own: 0.5, other: 0.61, follows: true },
  { own: 0.5, other: 0.59, follows: false },
  // Near nothing, however far the own results are off.
  { own: 0.1, other: 0.29, follows: false },
])("$other follows an own $own: $follows", ({ own, other, follows }) => {
  using fixture = openFixture();
  const [mine, theirs] = [found(home, own), found("github.com/acme/other", other)];
  const worth = worthElsewhere({
    query: queryFor("which cache?", { kinds: documentKinds, projects: [home] }),
    own: [mine],
    all: [theirs, mine],
    exact: null,
    mayShow: () => true,
    nodes: fixture.store.nodes,
  });
  expect(worth).toEqual(follows ? [theirs] : []);
});
