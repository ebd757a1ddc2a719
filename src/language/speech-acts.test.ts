import { expect, test } from "bun:test";
import { isQuestion, namesMemory } from "./requests.ts";

test.each([
  "which port is it",
  "ok so where do the flags live",
  "did we keep the old cookie",
  "Use the log. How long is it kept?",
  "wo liegt die Konfiguration",
  "où est le fichier",
  "cuál es el puerto",
  "где лежат логи",
  "端口是多少",
  "ポートは何番ですか",
])("a question: %s", (text) => expect(isQuestion(text)).toBe(true));

test.each([
  "add a column for the courier",
  "run the tests",
  "was ist Unsinn, lösch das".slice(14),
  "commit and push",
  "commentaire à supprimer",
])("no question: %s", (text) => expect(isQuestion(text)).toBe(false));

test("the memory is named", () => {
  expect(namesMemory("use project memory for the ticket keys")).toBe(true);
  expect(namesMemory("do you remember the port")).toBe(true);
  expect(namesMemory("add a column")).toBe(false);
});
