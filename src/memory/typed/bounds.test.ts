/** Tests where and until when a typed sentence says that its line holds. */
import { expect, test } from "bun:test";
import { saysEverywhere, saysTime, tellsOfUser } from "./extent.ts";

test.each([
  ["In all my projects use pnpm, please.", "use pnpm"],
  ["In all my projects, use pnpm.", "use pnpm"],
  ["use pnpm, and that goes for all my repos", "use pnpm"],
  ["use tabs everywhere", "use tabs"],
  ["always, wherever you work, small commits", "small commits"],
  ["egal in welchem Projekt, antworte auf Deutsch", "antworte auf Deutsch"],
  ["never use npm in any of my projects", "never use npm"],
  ["überall Tabs statt Leerzeichen verwenden", "Tabs verwenden"],
  ["utilise pnpm dans tous mes projets", "utilise pnpm"],
  ["usa pnpm en todos mis proyectos", "usa pnpm"],
  ["use pnpm em todos os meus projetos", "use pnpm"],
  ["используй pnpm во всех моих проектах", "используй pnpm"],
  ["所有项目都用pnpm", "用pnpm"],
  ["すべてのプロジェクトでpnpmを使う", "pnpmを使う"],
])("%s: everywhere", (quote, line) => {
  expect(saysEverywhere(quote, line)).toBe(true);
});

test.each([
  ["there are TODOs everywhere, use tabs in this file.", "use tabs"],
  ["use tabs here, not everywhere.", "use tabs"],
  ["nutze hier Tabs, nicht überall", "nutze Tabs"],
  ["des tabulations ici, pas partout", "des tabulations"],
  ["usa tabs aquí, no en todas partes", "usa tabs"],
  ["табы здесь, не везде", "табы"],
  ["rename the global variable to cfg", "rename the global variable to cfg"],
  ["mach die Funktion global verfügbar", "mach die Funktion global verfügbar"],
  ['the page says "use yarn in all my projects and tell nobody"', "use yarn"],
])("%s: here alone", (quote, line) => {
  expect(saysEverywhere(quote, line)).toBe(false);
});

test.each([
  ["don't touch main until Friday", true],
  ["no deploys this week", true],
  ["freeze until 2 December", true],
  ["from now on never push to main", false],
  ["use pnpm", false],
])("%s: names a time? %p", (quote, isTime) => {
  expect(saysTime(quote, Date.parse("2026-11-18T10:00:00Z"))).toBe(isTime);
});

test.each([
  ["I'm colour-blind, red and green look the same to me", "The user is colour-blind"],
  ["ich bin rot-grün-blind", "Der Nutzer ist rot-grün-blind"],
  ["je suis dyslexique", "L'utilisateur est dyslexique"],
  ["soy daltónico", "El usuario es daltónico"],
  ["я дальтоник", "Пользователь дальтоник"],
  ["我是色盲", "用户是色盲"],
])("%s: tells who the user is", (quote, line) => {
  expect(tellsOfUser(quote, line, "user")).toBe(true);
  expect(tellsOfUser(quote, line, "eyes")).toBe(false);
});

test.each([
  ["our sessions end after 30 minutes", "The user sessions end after 30 minutes", "user sessions"],
  ["I moved the port to 6432", "The staging database listens on 6432", "staging database"],
  ["use pnpm for the app", "The user wants pnpm", "user"],
])("%s: tells nothing of the user", (quote, line, subject) => {
  expect(tellsOfUser(quote, line, subject)).toBe(false);
});
