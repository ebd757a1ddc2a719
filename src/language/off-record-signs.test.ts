/** Reads the words of "do not remember this": what a misspelling, a pronoun or a filler changes. */
import { expect, test } from "bun:test";
import { signsOf, signsOfOffRecord } from "./off-record-signs.ts";

test.each([
  ["a letter too few, too many or another", "remember", ["rember", "rememmber", "remenber"]],
  ["swapped letters", "storing", ["stroing"]],
  ["accents left out", "mémorise", ["memorise"]],
  ["another case", "Speichern", ["SPEICHERN", "speicern"]],
])("a misspelt verb is read as what it means: %s", (_, verb, typed) => {
  for (const one of typed) expect(signsOf(one)).toBe(signsOf(verb));
});

test.each(["merge", "restore", "decode", "register", "number", "strong", "saliva", "registries"])(
  "another word is no misspelling: %s",
  (word) => {
    expect(signsOf(word)).toBe("x");
  },
);

test("a pronoun at the end of a verb is read", () => {
  expect(signsOf("guardarlo")).toBe(signsOf("guardar esto"));
  expect(signsOf("memorizzarlo")).toBe(signsOf("memorizzare questo"));
});

test("fillers and doubled words are left out", () => {
  expect(signsOf("um please don't don't uh save this")).toBe(signsOf("don't save this"));
  expect(signsOf("请千万不要记住这个")).toBe(signsOf("不要记住这个"));
});

test.each([
  ["order", "Don't keep this one."],
  ["order", "keep nothing of what I said"],
  ["order", "speichere das nicht"],
  ["some", "Don't store passwords in the repo."],
  ["some", "never save files to /tmp"],
  ["none", "run the linter"],
] as const)("has the words of an order, or some: %s, %s", (signs, typed) => {
  expect(signsOfOffRecord(typed)).toBe(signs);
});

test("of a sentence without an end, beginning and end are read", () => {
  const middle = "keep this ".repeat(100_000);
  expect(signsOfOffRecord(`${middle}and don't remember any of it`)).toBe("order");
  expect(signsOfOffRecord(`don't remember any of it and ${middle}`)).toBe("order");
  expect(signsOfOffRecord(middle)).toBe("some");
});

test("the longest phrase counts", () => {
  expect(signsOf("you don't need to")).not.toBe(signsOf("you don't"));
  expect(signsOf("记住")).toHaveLength(1);
});
