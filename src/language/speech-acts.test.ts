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

test.each([
  "use project memory for the ticket keys",
  "combine feature ownership and team pager memory",
  "do you remember the port",
  "what do you remember about me?",
  "recall what we decided about invoices",
  "erinnerst du dich an den Port?",
  "tu te souviens du port ?",
  "¿recuerdas el puerto?",
  "помнишь порт?",
  "你还记得端口吗",
])("the memory is named: %s", (text) => expect(namesMemory(text)).toBe(true));

test.each([
  "add a column",
  "remember also that you have the language server",
  "ah I remember now, it was the lock file",
  "I don't remember which error it was",
  "we should write it down so you remember this",
  "fix the memory leak",
  "does it need the whole graph in memory?",
  "measure precision and recall",
])("the memory is not named: %s", (text) => expect(namesMemory(text)).toBe(false));
