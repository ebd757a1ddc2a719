import { expect, test } from "bun:test";
import { presentOf } from "./moved.ts";

test.each([
  ["#/today?day=2026-09-10", "#/?day=2026-09-10"],
  ["#/feed?kind=prompt", "#/"],
  ["#/given", "#/"],
  ["#/given?kind=silent", "#/?kind=silent"],
  ["#/given/17", "#/prompts/17"],
  ["#/preview", "#/?try=+"],
  ["#/preview?q=which+port%3F", "#/?try=which+port%3F"],
  ["#/search?q=port&category=cases", "#/memories?q=port&category=cases"],
  ["#/profile", "#/memories?list=you"],
  ["#/tree", "#/memories"],
  ["#/tree?uri=mem%3A%2F%2Fuser%2Fentities", "#/memory?uri=mem%3A%2F%2Fuser%2Fentities"],
  ["#/stats", "#/settings/statistics"],
  ["#/setup", "#/settings/setup"],
])("%s leads to %s", (old, now) => {
  expect(presentOf(old)).toBe(now);
});

test.each([
  "",
  "#/",
  "#/memories?q=x",
  "#/prompts/3",
  "#/session/a%2Fb",
  "#code=abcdefgh",
  "#/constructor",
])("%p stays as it is", (address) => {
  expect(presentOf(address)).toBe(address);
});
