import { expect, test } from "bun:test";
import { holds } from "./measure.ts";

test("a short anchor is a word of its own, a long one the beginning of a word", () => {
  expect(holds("Customers sit in the EU.", "eu")).toBe(true);
  expect(holds("the queue is neutral", "eu")).toBe(false);
  expect(holds("no summaries, please", "summar")).toBe(true);
  expect(holds("write ‹br› for it", "<br>")).toBe(true);
});
