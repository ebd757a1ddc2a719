/** Statements that a new name ends, and those that it leaves. */
import { expect, test } from "bun:test";
import { renames } from "./renamed.ts";
import { changesValueOf } from "./value-change.ts";

test.each([
  ["the CI runner is called mars", "mars got renamed to venus"],
  ["our error tracker is Sentry", "Glitchtip replaces Sentry as error tracker"],
  ["der Testserver heißt kranich", "kranich wurde in reiher umbenannt"],
  ["le runner s'appelle mars", "mars a été renommé en venus"],
  ["el runner se llama marte", "marte pasó a llamarse venus"],
  ["o runner se chama marte", "marte foi renomeado para venus"],
  ["раннер называется марс", "марс переименовали в венеру"],
  ["CI 的 runner 叫 mars", "mars 改名为 venus 了"],
  ["ランナーの名前はmars", "marsはvenusに改名された"],
])("%s: %s", (older, newer) => expect(renames(newer, older)).toBe(true));

test.each([
  ["mars builds the mac app", "mars got renamed to venus"],
  ["the staging database is on heron-4", "heron-5 got renamed to crane-2"],
  ["logs go to Loki", "Tempo replaces Loki for traces"],
  ["logs go to Loki", "we replaced Loki last year"],
  ["the CI runner is called venus, not mars", "mars got renamed to venus"],
])("stays: %s: %s", (older, newer) => expect(renames(newer, older)).toBe(false));

test.each([
  ["el mínimo de python es 3.10", "desde hoy el mínimo de python es 3.12"],
  [
    "la version minimale de go est 1.21",
    "la version minimale de go est 1.23 à partir de maintenant",
  ],
  ["最低 go 版本是 1.21", "从现在起最低 go 版本是 1.23"],
  ["the minimum python is 3.10", "as of today the minimum python is 3.12"],
])("a day ahead tells of a change: %s: %s", (older, newer) =>
  expect(changesValueOf(newer, older)).toBe(true),
);
