import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { cause, draft, openOk, tempStore } from "../../test/support/store.ts";
import { initialsOf, mayContain } from "./indexes.ts";

test.each([
  ["retries", "maxRetries of the queue\nmax\nretries", true],
  ["deploying", "Deploys", true],
  ["cafe", "Café", true],
  ["src/lock.ts", "the src folder", true],
  ["zebra", "the quokka", false],
  ["...", "anything", true],
])("%s in %j: %p", (term, text, expected) => {
  expect(mayContain(initialsOf([text]) ?? new Set(), term)).toBe(expected);
});

test("of a long document nothing is said", () => {
  expect(initialsOf(["word ".repeat(1_000)])).toBeNull();
});

const words = [
  "quokka",
  "quokkas",
  "zebra",
  "deploy",
  "deployed",
  "parseConfig",
  "Café",
  "v2.1",
  "日本",
];
const step = fc.record({
  act: fc.constantFrom("insert", "insert", "insert", "edit", "forget"),
  words: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }),
  project: fc.constantFrom("p", "q", null),
  pick: fc.nat(),
});

test("remembered counts are those that counting anew would give", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
      using store = tempStore();
      const ids: number[] = [];
      let n = 0;
      for (const { act, words: said, project, pick } of steps) {
        const l0 = said.join(" ");
        const id = ids[pick % Math.max(1, ids.length)];
        if (act === "insert" || id === undefined) {
          n += 1;
          const uri = `mem://user/entities/n${n}`;
          ids.push(store.nodes.insert(draft({ uri, l0, project }), cause()).id);
        } else if (act === "edit") store.nodes.update(id, { l0 }, cause({ action: "edit" }));
        else {
          store.nodes.forget([id], [], 1);
          ids.splice(ids.indexOf(id), 1);
        }
        using fresh = openOk(store.folder.database, { mode: "readonly" });
        for (const projects of [null, ["p"]])
          expect(store.lexical.frequencies("memory", words, projects)).toEqual(
            fresh.lexical.frequencies("memory", words, projects),
          );
      }
    }),
    { numRuns: 6 },
  );
});
