import { expect, test } from "bun:test";
import { editOf, fieldsOf, rebased } from "./edit-fields.ts";

const before = {
  l0: "one line",
  l1: "",
  l2: "long",
  tags: "a, b",
  importance: 3,
  category: "entities",
  project: null,
};

test("an edit holds what changed and nothing else", () => {
  expect(editOf(before, before)).toEqual({});
  expect(editOf(before, { ...before, importance: 5 })).toEqual({ importance: 5 });
  expect(editOf(before, { ...before, l0: "  another line \n" })).toEqual({ l0: "another line" });
});

test("another category and project are an edit; a project is taken away by null", () => {
  expect(editOf(before, { ...before, category: "cases", project: "git/shop" })).toEqual({
    category: "cases",
    project: "git/shop",
  });
  expect(editOf({ ...before, project: "git/shop" }, before)).toEqual({ project: null });
});

test("a tier that is emptied is taken out; tags lose what is no word", () => {
  expect(editOf(before, { ...before, l2: "  " })).toEqual({ l2: null });
  expect(editOf(before, { ...before, tags: " x ,, y," })).toEqual({ tags: ["x", "y"] });
  expect(editOf(before, { ...before, tags: "" })).toEqual({ tags: [] });
});

test("an empty abstract is sent as it is, so that the daemon says why it does not do", () => {
  expect(editOf(before, { ...before, l0: " " })).toEqual({ l0: "" });
});

test("fields of a memory without longer tiers are empty", () => {
  const memory = { l0: "x", l1: null, tags: ["a", "b"], importance: 2, project: "git/shop" };
  expect(fieldsOf({ ...memory, category: "cases" })).toEqual({
    l0: "x",
    l1: "",
    l2: "",
    tags: "a, b",
    importance: 2,
    category: "cases",
    project: "git/shop",
  });
});

test("what somebody else changed meanwhile is taken over, and what was written here stays", () => {
  const mine = { ...before, l0: "mine" };
  const now = { ...before, l1: "theirs", tags: "c" };
  expect(rebased(before, mine, now)).toEqual({
    fields: { ...now, l0: "mine" },
    clashes: [],
  });
});

test("what both changed is a clash, unless both made the same of it; nothing written here is lost", () => {
  const mine = { ...before, l0: "mine", importance: 5 };
  const now = { ...before, l0: "theirs", importance: 5 };
  expect(rebased(before, mine, now)).toEqual({ fields: mine, clashes: ["l0"] });
});
