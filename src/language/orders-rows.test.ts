/** Rows of words that hold nothing are read in one way each, and so in little time. */
import { expect, test } from "bun:test";
import { allListsOf, distinct } from "./lists.ts";
import text from "./lists/orders.txt" with { type: "text" };
import { cpuMs } from "../../test/support/cpu-ms.ts";
import { isLead } from "./orders-patterns.ts";
import { orderIn } from "./orders.ts";
import { isAside } from "./requests.ts";

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

test.each(["ok", "good", "also", "achso", "this", "just so you", "very important"])(
  "rows of %p that lead to nothing are read in less than a second",
  (phrase) => {
    const row = `${phrase} `.repeat(24);
    const started = cpuMs();
    expect(isLead(`${row}"`)).toBe(false);
    expect(isAside(`${row}qq`)).toBe(false);
    expect(orderIn(`${row}" remember this, ${row}qq`)).toBeNull();
    orderIn(`remember ${row}qq`);
    expect(cpuMs() - started).toBeLessThan(1_000);
  },
);

test.each([
  ["ok ok, please also ", true],
  ["just so you can ", true],
  ["> ok - ", true],
  ["", true],
  ["ok, the port ", false],
  ["ok_please", false],
  ["ok please".repeat(2), false],
  ["ok ".repeat(25), false],
])("%j leads to an order: %p", (said, isRow) => {
  expect(isLead(said)).toBe(isRow);
});
