/** Which statements stand before a polite request. */
import { expect, test } from "bun:test";
import { requestIn } from "./requests.ts";

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
