import { expect, test } from "bun:test";
import type { InjectionHeadJson, TimelineItemJson } from "#api";
import { rowsOf, withoutRepeats } from "./arrange.ts";

const head = (id: number, session: string): InjectionHeadJson => ({
  id,
  session_id: session,
  session_title: null,
  project: null,
  at: id,
  channel: "prompt",
  cause: "wanted",
  tokens: 1,
  turn: 1,
  prompt: "p",
  probability: null,
  threshold: null,
  feedback: null,
  used: null,
});

test("prompts of sessions that ran side by side stand each under their own session", () => {
  const rows = rowsOf([head(5, "b"), head(4, "a"), head(3, "b"), head(2, "a")]);
  expect(rows.map(({ uri }) => uri)).toEqual(["session b", "5", "3", "session a", "4", "2"]);
});

test("no prompt is no row", () => {
  expect(rowsOf([])).toEqual([]);
});

const item = (
  kind: TimelineItemJson["kind"],
  turn: number | null,
  title = "",
): TimelineItemJson => ({
  kind,
  at: 0,
  session_id: "s",
  turn,
  project: null,
  uri: null,
  status: null,
  title,
  text: null,
});
const kinds = (items: readonly TimelineItemJson[]): string =>
  items.map(({ kind, turn }) => `${kind}${turn ?? ""}`).join(" ");

test("a turn is told once: its exchange says no more, its memory follows the answer, one summary is left", () => {
  const items = [
    item("prompt", 1),
    item("memory", 1),
    item("answer", 1),
    item("moment", 1),
    item("checkpoint", null, "first"),
    item("moment", 2),
    item("checkpoint", null, "last"),
  ];
  const told = withoutRepeats(items, null);
  expect(kinds(told)).toBe("prompt1 answer1 memory1 moment2 checkpoint");
  expect(told.at(-1)?.title).toBe("last");
});

test("what was asked for stays, also where it repeats", () => {
  const moment = item("moment", 1);
  expect(kinds(withoutRepeats([item("prompt", 1), moment], moment))).toBe("prompt1 moment1");
});
