import { expect, test } from "bun:test";
import type { LexicalIndex } from "#domain";
import { otherForms } from "#language";
import { chooseTerms, queryTerms, readCommonTerms } from "./limits.ts";

/** An index that only knows how often words occur, and complains when asked for documents. */
const counting = (documents: number, counts: Readonly<Record<string, number>>): LexicalIndex => ({
  frequencies: (_kind, terms) => ({
    documents,
    byTerm: new Map(terms.map((term) => [term, counts[term] ?? 0])),
  }),
  match: () => {
    throw new Error("nothing is to be matched here");
  },
  newest: () => {
    throw new Error("nothing is to be matched here");
  },
});

const choose = (documents: number, counts: Readonly<Record<string, number>>, text: string) =>
  chooseTerms(counting(documents, counts), "memory", queryTerms(text).terms);

test("the eight rarest words that occur are ranked by, however many others were typed", () => {
  const words = Array.from({ length: 20 }, (_, i) => `word${"abcdefghijklmnopqrst"[i]}`);
  const counts = Object.fromEntries(words.slice(8).map((word, i) => [word, i + 1]));
  expect(choose(150, counts, words.join(" ")).ranked).toEqual(words.slice(8, 16));
});

test("a word in every other document only re-ranks, unless there is nothing rarer", () => {
  const counts = { crane: 400, hook: 450, rope: 4 };
  expect(choose(1_000, counts, "crane hook rope").ranked).toEqual(["rope"]);
  expect(choose(1_000, counts, "crane hook").ranked).toEqual(["crane", "hook"]);
  // In a young store every word is common.
  expect(choose(100, { crane: 50, rope: 4 }, "crane rope").ranked).toEqual(["rope", "crane"]);
});

test.each([1_000, 100_000, 1_000_000])(
  "of %i documents only a bounded number is ranked",
  (documents) => {
    const share = (part: number): number => Math.floor(documents * part);
    const counts = {
      crane: share(0.14),
      hook: share(0.1),
      pulley: share(0.05),
      rope: share(0.002),
    };
    const { ranked, common } = choose(documents, counts, "crane hook pulley rope");
    const budget = Math.max(1_000, 10 * Math.sqrt(documents));
    const spent = ranked.reduce((sum, word) => sum + (counts[word as keyof typeof counts] ?? 0), 0);
    expect(spent).toBeLessThanOrEqual(budget * 4);
    expect(ranked.length + common.length).toBe(4);
  },
);

test("a document with every word scores about as much as it can, ranked or not", () => {
  const few = choose(1_000, { crane: 3, hook: 5 }, "crane hook");
  const many = choose(1_000_000, { crane: 90_000, hook: 140_000 }, "crane hook");
  expect(many.ranked).toEqual([]);
  const gain = readCommonTerms(many).gainOf("the crane's hook");
  expect(gain).toBeCloseTo(1 / 1.3, 5);
  expect(few.scoreMax).toBeGreaterThan(many.scoreMax);
});

test.each([
  { text: "Cranes were moved", gains: true },
  { text: "CRANE", gains: true },
  { text: "a hovercrane", gains: false },
  { text: "nothing of it", gains: false },
  { text: "", gains: false },
])("crane in $text: $gains", ({ text, gains }) => {
  const { gainOf } = readCommonTerms(choose(10_000, { crane: 4_500, rope: 1 }, "crane rope"));
  expect(gainOf(text) > 0).toBe(gains);
});

test("irregular forms are one word: they count together and weigh once", () => {
  expect(otherForms("bought")).toEqual(["buy"]);
  expect(otherForms("crane")).toEqual([]);
  const both = choose(1_000, { buy: 3, bought: 2 }, "who bought the crane");
  expect(both.ranked).toEqual(["bought", "buy"]);
  const one = choose(1_000, { bought: 5 }, "who bought the crane");
  expect(both.scoreMax).toBe(one.scoreMax);
  expect(choose(1_000, { buy: 3, bought: 2 }, "buy what was bought").ranked).toEqual([
    "buy",
    "bought",
  ]);
});
