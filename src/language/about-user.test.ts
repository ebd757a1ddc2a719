/** Sentences that say who their user is, by their grammar, and those that speak of the work. */
import { expect, test } from "bun:test";
import { describesUser } from "./about-user.ts";

test.each([
  "I am red-green blind",
  "I'm red-green blind.",
  "I’m left-handed",
  "I am not a native speaker",
  "I'm a backend developer",
  "ich bin rot-grün-blind",
  "ich farbenblind bin.",
  "Ich bin Linkshänder",
  "je suis daltonien",
  "je suis une développeuse",
  "soy daltónico",
  "yo soy zurda",
  "eu sou canhoto",
  "я дальтоник",
  "我是红绿色盲",
  "私は色弱です",
])("who the user is: %s", (sentence) => {
  expect(describesUser(sentence)).toBe(true);
});

test.each([
  "I am on the staging branch",
  "I am the only maintainer of the tide tables",
  "I'm the release manager here",
  "I am working on the importer",
  "I am testing",
  "I'm blocked",
  "I'm not allowed to push",
  "I am using Postgres 16",
  "I am admin of tide_prod",
  "I am red-green blind, so use blue and orange in charts",
  "my branch is feature/tide",
  "my port is 4000",
  "ich bin auf dem Release-Branch",
  "ich bin der Betreuer der Karten",
  "ich auf Urlaub bin",
  "je suis sur la branche principale",
  "je suis en vacances",
  "estoy probando",
  "soy el responsable del mapa",
  "sou o responsável pelo mapa",
  "я в отпуске",
  "я работаю",
  "я сделал",
  "我是这个项目的维护者",
  "我在测试",
  "私はこのプロジェクトの担当です",
  "we are left-handed",
])("of the work, or not plain: %s", (sentence) => {
  expect(describesUser(sentence)).toBe(false);
});
