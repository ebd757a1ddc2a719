/** Rows of words that hold nothing are read in one way each, and so in little time. */
import { expect, test } from "bun:test";
import { allListsOf, distinct } from "./lists.ts";
import text from "./lists/orders.txt" with { type: "text" };
import { orderIn } from "./orders.ts";

const lists = allListsOf(text);
const phrases = distinct(
  ["empty", "filler", "pointer", "that", "lead"].flatMap((name) => lists.get(name) ?? []),
);

test("an alternative of two lists counts once, and one within a group is no alternative", () => {
  expect(distinct(["a|b c|(?:d|e)", "b c|[|f]|\\|"])).toEqual([
    "a",
    "b c",
    "(?:d|e)",
    "[|f]",
    "\\|",
  ]);
});

test.each(["das", "a", "de", "this", "that", "it", "es", "la", "le", "o", "no", "do", "da", "и"])(
  "%p is one phrase of a row",
  (word) => {
    const same = phrases.filter((one) => new RegExp(`^(?:${one})$`, "iu").test(word));
    expect(same).toHaveLength(1);
  },
);

test.each(["das", "das alles", "this for all", "it", "das es", "the cause"])(
  "an order of many %p and a name says it whole",
  (words) => {
    const said = `remember ${`${words} `.repeat(30)}Ada9`;
    expect(orderIn(said)?.matter?.end).toBe(said.length);
  },
);
