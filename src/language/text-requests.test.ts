/** Requests about a text and about the work at hand are told apart by what they mean. Not among the examples. */
import { expect, test } from "bun:test";
import { isAboutText } from "./text-requests.ts";

test.each([
  "fix the spelling mistakes",
  "could you translate the notice into Danish",
  "a little more polite please",
  "what would you reply to her?",
  "summarise the article in one sentence",
  "give it a nicer headline",
  "kürze den Aushang",
  "auf Polnisch bitte",
  "rends la phrase plus courte",
  "corrige los errores de ortografía",
  "olha o que o Rui mandou no chat",
  "deixa o texto mais educado",
  "исправь ошибки в тексте",
  "把这封邮件写得客气点",
  "この文章を短くして",
])("about a text: %s", (request) => expect(isAboutText(request)).toBe(true));

test.each([
  "fix the flaky tests",
  "could you bump the version of the parser",
  "why does the pipeline hang?",
  "the login page crashes on my phone",
  "thanks, the build is green",
  "split the module into two files",
  "füge einen Index hinzu",
  "ajoute un cache à l'API",
  "arregla el servidor de pruebas",
  "corrige o teste do servidor",
  "почини сборку",
  "给接口加缓存",
  "サーバーのログを確認して",
  "",
  "???",
])("not about a text: %s", (request) => expect(isAboutText(request)).toBe(false));
