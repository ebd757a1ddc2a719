import { expect, test } from "bun:test";
import { isoDate, msPerDay } from "#kit";
import { saidEndOf } from "./said-end.ts";

const nowMs = Date.UTC(2026, 10, 22, 12);
const lastDayOf = (text: string): string | null => {
  const end = saidEndOf(text, nowMs);
  return end === null ? null : isoDate(end - msPerDay);
};

test.each([
  "Use the staging bucket until 2 December",
  "Use the staging bucket until Wednesday, December 2nd",
  "No deploys till 2026-12-02.",
  "Keine Deployments bis zum 2. Dezember",
  "Pas de déploiement jusqu’au 2 décembre 2026",
  "No despliegues hasta el 2 de diciembre",
  "Sem deploy até o dia 2 de dezembro",
  "Не деплоить до 2 декабря",
  "12月2日まではデプロイしない",
  "直到12月2日都不要部署",
])("%p ends after the day it names", (text) => {
  expect(lastDayOf(text)).toBe("2026-12-02");
});

test("without a year the next such day is meant, also over the turn of the year", () => {
  expect(lastDayOf("Freeze until 10 January")).toBe("2027-01-10");
});

test.each([
  ["no end", "The port is 5433"],
  ["a date that is no end", "The release was on 2 December 2026"],
  ["until something else", "Wait until the build has passed"],
  ["a day that is over", "Use the staging bucket until 2 December 2025"],
  ["a day that has just gone by", "The office was closed until 2 November"],
  ["two days", "Logs from 1 December until 5 December are in the archive"],
  ["either of two days", "Use the staging bucket until 03/04/2027"],
  ["no day of the calendar", "Use the staging bucket until 31 June 2027"],
  ["another statement beside it", "No deploys until 2 December. The port is 5433."],
])("%s: no end", (_, text) => {
  expect(lastDayOf(text)).toBeNull();
});
