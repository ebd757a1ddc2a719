import { expect, test } from "bun:test";
import { byUri, rowsOf, type PromptHead } from "./prompt-rows.ts";

const head = (id: number, session: string): PromptHead => ({
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
  expect(byUri(rows)("3")).toBe(2);
  expect(byUri(rows)("9")).toBe(-1);
});

test("no prompt is no row", () => {
  expect(rowsOf([])).toEqual([]);
});
