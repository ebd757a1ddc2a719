/** Which statements stand before a polite request. */
import { expect, test } from "bun:test";
import { cpuMs } from "../../test/support/cpu-ms.ts";
import { requestIn, tellsChange } from "./requests.ts";

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
