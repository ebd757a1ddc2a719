import { expect, test } from "bun:test";
import { bothEnds, shellWord } from "./text.ts";

test("both ends of a long text are kept, within the limit, and a cut begins with a line where one is near", () => {
  const text = `first\n${"filler line\n".repeat(1_000)}last words`;
  const cut = bothEnds(text, 400);
  expect(cut.length).toBeLessThanOrEqual(400);
  expect(cut).toStartWith("first\n");
  expect(cut).toEndWith("\nlast words");
  expect(cut.split("\n…\n")[1]).toStartWith("filler line\n");
  expect(bothEnds("short", 400)).toBe("short");
});

test("a cut leaves no half of a character", () => {
  for (const max of [40, 41, 42, 43])
    expect(bothEnds("🦜".repeat(100), max).isWellFormed()).toBe(true);
});

test("a word of a command line is quoted where a shell would take it apart", () => {
  expect(shellWord("/opt/memory/continuity")).toBe("/opt/memory/continuity");
  expect(shellWord("/Users/nadia m/it's")).toBe("'/Users/nadia m/it'" + String.raw`\'` + "'s'");
});
