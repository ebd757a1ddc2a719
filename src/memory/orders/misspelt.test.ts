/** Misspelt orders, and what surrounds the fact of an order, in eight languages. All texts are invented. */
import { expect, test } from "bun:test";
import { turnOf } from "../../../test/support/memory/turns.ts";
import { ordersOf } from "./orders.ts";

const kept = (prompt: string): readonly string[] => ordersOf(turnOf(prompt)).map(({ l0 }) => l0);

test.each([
  "rember that",
  "pls rembmer that",
  "dont froget that",
  "don't forgt:",
  "keep in mnd that",
  "kepp in mind that",
  "merk dri dass",
  "merkdir dass",
  "vergis nicht dass",
  "denk drann dass",
  "noublie pas que",
  "souviens toi que",
  "rapelle-toi que",
  "retien que",
  "no te olbides que",
  "recuerad que",
  "recuerda q",
  "lenbra que",
  "não esqueçe que",
  "имей ввиду, что",
  "незабудь, что",
  "запомини, что",
])("%s", (order) => expect(kept(`${order} port 4711`)).toEqual(["port 4711"]));

test.each([
  ["别忘啦,端口是4711", "端口是4711"],
  ["ポートは4711だと覚えといて", "ポートは4711だ"],
])("%s", (prompt, fact) => expect(kept(prompt)).toEqual([fact]));

test.each([
  "form now on use tabs in makefiles",
  "from now always use tabs in makefiles",
  "ab jetz immer Tabs in Makefiles nehmen",
  "desormais utilise des tabulations",
  "apartir de ahora usa tabuladores",
  "a partir de agr usa tabs nos makefiles",
])("%s", (rule) => expect(kept(rule)).toEqual([rule]));

test.each([
  [
    "À noter : le colis arrive deux fois. Rends le handler idempotent.",
    "le colis arrive deux fois.",
  ],
  ["Retiens : le colis arrive deux fois. Réduis les doublons.", "le colis arrive deux fois."],
  ["Retiens que le colis arrive deux fois. Définis un identifiant.", "le colis arrive deux fois."],
  ["Note : le colis arrive deux fois. Prends la dernière version.", "le colis arrive deux fois."],
  [
    "Retiens : les quais ferment à 20 h. Après les travaux ils ferment à 22 h.",
    "les quais ferment à 20 h. Après les travaux ils ferment à 22 h.",
  ],
  ["keep in mind for other times that the vpn drops", "the vpn drops"],
  ["merk dir für andere Male, dass das VPN abbricht", "das VPN abbricht"],
  ["retiens pour les autres fois que le vpn coupe", "le vpn coupe"],
  ["ten en cuenta para otras veces que la vpn corta", "la vpn corta"],
  ["apunta para otras ocasiones que la vpn corta", "la vpn corta"],
  ["anota pras próximas vezes que a vpn cai", "a vpn cai"],
  ["запомни на другие разы, что vpn рвётся", "vpn рвётся"],
])("what surrounds a fact is none of it: %s", (prompt, fact) =>
  expect(kept(prompt)).toEqual([fact]),
);
