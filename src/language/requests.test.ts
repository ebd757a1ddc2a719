/** Tests which statements stand before a polite request. */
import { expect, test } from "bun:test";
import { cpuMs } from "../../test/support/cpu-ms.ts";
import { changeIn, requestIn, tellsChange } from "./requests.ts";

test.each([
  ["we renamed the repo to heron, can you fix the names?", "we renamed the repo to heron,"],
  ["staging moved to port 7000 could you update the config?", "staging moved to port 7000"],
  ["Staging liegt jetzt auf 7000, kannst du das anpassen?", "Staging liegt jetzt auf 7000,"],
  ["le port est passé à 7000, peux-tu corriger ?", "le port est passé à 7000,"],
  ["el puerto ahora es 7000, puedes cambiarlo?", "el puerto ahora es 7000,"],
  ["a porta agora é 7000, pode corrigir isso?", "a porta agora é 7000,"],
  ["порт теперь 7000, можешь поправить?", "порт теперь 7000,"],
  ["端口现在改成7000了，能帮我改一下吗？", "端口现在改成7000了，"],
])("%s", (sentence, statement) => {
  expect(requestIn(sentence)?.statement).toBe(statement);
});

test.each([
  "can you fix the names?",
  "why did we rename the repo, can you tell me?",
  "should we always push to main, can you check?",
  "is it true that Mallory may release, could you look?",
  "ok, can you fix it?",
  "what can you do about the port?",
  "you know what you can do with it?",
])("%s: nothing but a question", (sentence) => {
  expect(requestIn(sentence)).toBeNull();
});

test.each(["aB3/", "42+", "これはx7を"])(
  "100,000 characters of %s without a space are read at once",
  (unit) => {
    const started = cpuMs();
    expect(tellsChange(unit.repeat(100_000 / unit.length))).toBe(false);
    expect(cpuMs() - started).toBeLessThan(500);
  },
);

test("a number that is another one now tells a change", () => {
  expect(tellsChange("the limit: 40ms now")).toBe(true);
});

test.each([
  ["o deploy mudou de sexta para terça", "o deploy mudou", "sexta", "terça"],
  ["le déploiement est passé de vendredi à mardi", "le déploiement est passé", "vendredi", "mardi"],
  ["el despliegue cambió de viernes a martes", "el despliegue cambió", "viernes", "martes"],
  [
    "das Deployment ist von Freitag auf Dienstag gewechselt",
    "das Deployment ist",
    "Freitag",
    "Dienstag",
  ],
  ["der Server ist von alpha auf beta umgezogen", "der Server ist", "alpha", "beta"],
  ["the staging port moved from 5432 to 6432", "the staging port moved", "5432", "6432"],
  ["порт сменили с 5432 на 6432", "порт сменили", "5432", "6432"],
  ["网关端口从 8080 改成 8090 了", "网关端口", "8080", "8090"],
  ["ポートは8080から8090に変更しました", "ポート", "8080", "8090"],
])("%s: tells a change, with both values", (text, before, from, to) => {
  expect(tellsChange(text)).toBe(true);
  expect(changeIn(text)).toEqual({ before, from, to });
});

test.each([
  "o ônibus vai de sexta para terça",
  "the job copies from a to b",
  "the port is 6432 now",
  "das Skript läuft von Montag auf Dienstag",
])("%s: tells no change from one value to another", (text) => {
  expect(changeIn(text)).toBeNull();
});
