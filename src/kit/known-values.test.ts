import { expect, test } from "bun:test";
import { createValueBook, foldedValue, knownValues, withoutValues } from "./known-values.ts";

const hide = (text: string, values: readonly string[]): string =>
  withoutValues(text, knownValues(values.flatMap((one) => foldedValue(one) ?? [])), {
    mark: "[x]",
    isOpen: () => false,
  });

test.each([
  ["try Plum.Harbor.7, then `plum.harbor.7`!", "try [x], then `[x]`!"],
  ["curl -u ops:Plum.Harbor.7@host", "curl -u ops:[x]@host"],
  ["パスワードはPlum.Harbor.7です", "パスワードは[x]です"],
  ["Plum.Harbor.77 and xPlum.Harbor.7", "Plum.Harbor.77 and xPlum.Harbor.7"],
  ["the words horse battery staple, twice", "the words [x], twice"],
])("a known value goes where it stands for itself: %s", (text, hidden) => {
  expect(hide(text, ["Plum.Harbor.7", "horse battery staple"])).toBe(hidden);
});

test("of two values that begin together the longest goes", () => {
  expect(hide("set kite-blue-9 now", ["kite-blue", "kite-blue-9"])).toBe("set [x] now");
});

test.each(["abc", "2024", "8000", "1024", "****", "x".repeat(201)])(
  "%s is nothing to be known by",
  (value) => expect(foldedValue(value)).toBeNull(),
);

test.each([
  ["4471", "4471"],
  ["Zebra9", "zebra9"],
])("%s is", (value, folded) => expect(foldedValue(value)).toBe(folded));

test("a book hides what it was given and what was known before it", () => {
  const book = createValueBook(knownValues(["zebra9"]));
  const how = { mark: "[x]", isOpen: () => false };
  expect(book.hide("zebra9 quokka7", how)).toBe("[x] quokka7");
  book.add(["Quokka7"]);
  expect(book.hide("zebra9 quokka7", how)).toBe("[x] [x]");
});
