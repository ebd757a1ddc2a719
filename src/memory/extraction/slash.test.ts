import { expect, test } from "bun:test";
import { spokenIn } from "./slash.ts";

test.each([
  ["/remember we deploy on Tuesdays", "remember that we deploy on Tuesdays"],
  ["/continuity:remember we deploy on Tuesdays", "remember that we deploy on Tuesdays"],
  ["/continuity:remember", ""],
  ["/continuity:learn never mock the database", ""],
  ["/continuity:forget never deploy on Fridays", ""],
  ["/recall what we always do", ""],
  ["/team:review from now on use pnpm", "from now on use pnpm"],
  ["/usr/local is where we always install", "/usr/local is where we always install"],
  ["/tmp/x:y never", "/tmp/x:y never"],
  ["remember the port 5433", "remember the port 5433"],
])("of %p the user said %p", (prompt, said) => {
  expect(spokenIn(prompt)).toBe(said);
});
