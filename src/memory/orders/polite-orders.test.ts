/** An order that is joined to a polite question is kept, or told to the agent, who can see whether it is one. */
import { expect, test } from "bun:test";
import { turnOf } from "../../../test/support/memory/turns.ts";
import { readOrders } from "./orders.ts";

const reading = (prompt: string): string => {
  const { candidates, isDoubtful } = readOrders(turnOf(prompt));
  return candidates.length > 0 ? "kept" : isDoubtful ? "told" : "silent";
};

test.each([
  "hey, can you fix the build and remember that the runner is called otter?",
  "could you please rename the file and keep in mind that we use tabs here?",
  "can you run the tests and note that the port is 4402?",
  "would you mind fixing the header and remembering that the brand color is #0055aa?",
  "kannst du den Test reparieren und dir merken, dass der Runner otter heißt?",
  "könntest du bitte die Datei umbenennen und daran denken, dass wir Tabs nutzen?",
  "peux-tu corriger le build et te souvenir que le runner s'appelle loutre ?",
  "puedes arreglar el build y recordar que el runner se llama nutria?",
  "você pode corrigir o build e lembrar que o runner se chama lontra?",
  "можешь починить сборку и запомнить, что раннер называется выдра?",
  "你能修一下构建,并且记住 runner 叫 otter 吗?",
  "ビルドを直して、ランナー名はotterだと覚えておいてくれる?",
  "quick one: could you rebase it and keep in mind that main is frozen?",
  "would you mind renaming it and keeping in mind that tabs are the rule?",
  "so can you fix that test, and please remember that the clock is UTC?",
  "sag mal, kannst du das Logo tauschen und dir notieren, dass die Farbe #05a ist?",
  "magst du aufräumen und daran denken, dass der Port 4402 ist?",
  "dis, tu peux relancer le build et retenir que le port est 4402 ?",
  "oye, ¿puedes borrar el log y tener en cuenta que el puerto es 4402?",
  "oi, você consegue subir o build e lembrar que a porta é 4402?",
  "слушай, можешь перезапустить тесты и запомнить, что порт 4402?",
  "能不能把按钮改蓝,并记住主色是 #0055aa?",
  "ボタンを青にして、あと主色は#0055aaって覚えておいてくれますか?",
])("%s", (prompt) => expect(reading(prompt)).not.toBe("silent"));

test.each([
  "can you tell me whether it remembers that the box was ticked?",
  "could you fix the login and remember me?",
  "do you remember that we fixed the build?",
  "kannst du den Test reparieren und weißt du noch, dass er rot war?",
])("asks: %s", (prompt) => expect(reading(prompt)).toBe("silent"));
