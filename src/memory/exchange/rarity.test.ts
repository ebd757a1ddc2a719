/** How rare a word is, told by its stem: a common word stays common however it is cut. */
import { expect, test } from "bun:test";
import { openFixture } from "../retrieval/find-fixtures.ts";
import { rarityOfStems, stemsOf } from "./traits.ts";

test("a word that every exchange says is no rare one because its stem is no word", () => {
  using fixture = openFixture();
  for (let n = 0; n < 10; n += 1) fixture.add(`the line of pier ${n} has a code`);
  fixture.add("the harbour has a lantern");
  const words = ["lines", "code", "lantern"];
  const rarity = rarityOfStems(fixture.store.lexical, stemsOf(words.join(" ")));
  const [line = 0, code = 0, lantern = 0] = words.flatMap((word) =>
    Array.from(stemsOf(word), rarity),
  );
  expect(line).toBeLessThan(lantern / 2);
  expect(code).toBeLessThan(lantern / 2);
});
