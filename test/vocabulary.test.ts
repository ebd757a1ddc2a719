/** A vocabulary is spelled once: a word added to its list reaches the API, the command line and the viewer alike. */
import { expect, test } from "bun:test";
import { Glob } from "bun";
import * as vocabulary from "../src/domain/vocabulary.ts";

const home = "domain/vocabulary.ts";
/** These say an order or a choice of their own. */
const notASpelling: readonly string[] = [
  // Labels that a person types before an order; places and causes have none.
  "language/orders-patterns.ts: rule, decision, fact",
];

const lists = Object.entries(vocabulary).flatMap(([name, value]) =>
  typeof value === "object" ? [{ name, words: new Set<string>(value) }] : [],
);

async function sources(): Promise<readonly (readonly [path: string, source: string])[]> {
  const paths = [...new Glob("**/*.{ts,tsx}").scanSync("src")].filter(
    (path) => path !== home && !/\.test\.tsx?$|labelled|fixtures|^store\/migrations\//u.test(path),
  );
  return Promise.all(
    paths.map(async (path) => [path, await Bun.file(`src/${path}`).text()] as const),
  );
}

/** Words in a row, as an array or a union has them. */
const rowsIn = (source: string): readonly (readonly string[])[] =>
  [...source.matchAll(/"[\w-]+"(?:\s*[,|]\s*"[\w-]+")+/gu)].map(([row]) =>
    [...row.matchAll(/"([\w-]+)"/gu)].map(([, word = ""]) => word),
  );

/** A row of a list's words and no others, and more than half of them: whoever means a few of many may name them. */
const spells = (row: readonly string[], words: ReadonlySet<string>): boolean =>
  row.length > words.size / 2 &&
  row.length >= Math.min(words.size, 3) &&
  row.every((word) => words.has(word));

test("no file but the vocabulary's own spells one of its lists", async () => {
  const faults: string[] = [];
  const all = await sources();
  for (const [path, source] of all)
    for (const row of rowsIn(source))
      if (lists.some(({ words }) => spells(row, words))) faults.push(`${path}: ${row.join(", ")}`);
  expect(all.length).toBeGreaterThan(500); // A checker that reads nothing passes everything.
  expect(lists.length).toBeGreaterThan(15);
  expect(faults.toSorted()).toEqual(notASpelling.toSorted());
});

test.each([
  ["the header of a caller's clock", /continuity-now/u],
  ["the default port", /37_?777/u],
  ["the daemon's address", /(?:"|:\/\/)127\.0\.0\.1/u],
])("%s stands in the vocabulary alone", async (_, spelling) => {
  const faults = (await sources()).filter(([, source]) => spelling.test(source));
  expect(faults.map(([path]) => path)).toEqual([]);
  expect(await Bun.file(`src/${home}`).text()).toMatch(spelling);
});
