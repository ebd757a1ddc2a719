/** Orders that name their own end are kept until then, wherever in the sentence it stands. */
import { expect, test } from "bun:test";
import { isoDate, parseNow } from "#kit";
import { turnOf } from "../../../test/support/memory/turns.ts";
import { applyableDraft } from "../merge/plan.ts";
import { ordersOf } from "./orders.ts";

const atMs = parseNow("2026-11-29T12:00:00Z") ?? 0;

test.each([
  ["from now on until tomorrow always run the slow tests too", "slow tests", "2026-11-30"],
  ["until 10 March use the old logo", "old logo", "2027-03-10"],
  ["remember: the test box is down until 10 March.", "test box", "2027-03-10"],
  ["remember that the old API stays up until March 10th, then it's gone", "old API", "2027-03-10"],
  ["ab jetzt bis morgen immer die langsamen Tests laufen lassen", "langsamen", "2026-11-30"],
  [
    "à partir de maintenant jusqu'à vendredi, utilise toujours le miroir nexus",
    "nexus",
    "2026-12-04",
  ],
  ["de ahora en adelante hasta el viernes usa siempre el espejo nexus", "nexus", "2026-12-04"],
  ["с этого момента и до пятницы всегда используй зеркало nexus", "nexus", "2026-12-04"],
  ["从现在起到周五,一律使用 nexus 镜像", "nexus", "2026-12-04"],
  ["今から金曜まで、必ず nexus ミラーを使って", "nexus", "2026-12-04"],
  ["until Friday, always ask before merging", "ask", "2026-12-04"],
  ["bis zum 10. März nimm das alte Logo", "alte Logo", "2027-03-10"],
  ["jusqu'au 10 mars utilise l'ancien logo", "ancien", "2027-03-10"],
  ["hasta el 10 de marzo usa el logo viejo", "logo viejo", "2027-03-10"],
  ["from now on, until 2026-12-10, use the staging mirror", "mirror", "2026-12-10"],
  ["from now on use the staging mirror until Friday", "mirror", "2026-12-04"],
  ["dorénavant et jusqu'à demain, lance toujours les tests lents", "lents", "2026-11-30"],
  ["до 10 марта используй старый логотип", "логотип", "2027-03-10"],
])("%s", (prompt, words, lastDay) => {
  const [candidate, ...more] = ordersOf(turnOf(prompt, { atMs }));
  if (candidate === undefined) throw new Error("nothing is kept");
  expect(more).toEqual([]);
  expect(candidate.l0).toContain(words);
  const { expiresAt = null } = applyableDraft({ ...candidate, zone: "UTC" }, "mem://x");
  expect(expiresAt === null ? null : isoDate(expiresAt - 1)).toBe(lastDay);
});

test.each([
  "until Friday I'm on holiday",
  "until tomorrow use the old logo",
  "bis Freitag ist Mia im Urlaub",
  "hasta mañana no estoy",
  "until 10 March it was fine",
])("holds nothing: %s", (prompt) => expect(ordersOf(turnOf(prompt, { atMs }))).toEqual([]));
