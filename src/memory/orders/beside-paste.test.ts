/** The user's own order beside a paste is kept, and the paste is not; a question about the ability is no order. */
import { describe, expect, test } from "bun:test";
import { turnOf } from "../../../test/support/memory/turns.ts";
import { ordersOf } from "./orders.ts";

const kept = (prompt: string): readonly string[] => ordersOf(turnOf(prompt)).map(({ l0 }) => l0);

describe("the user's order is kept", () => {
  test.each([
    [
      "remember that our help line is 7001. can you reply to this:\n\n" +
        "Hi, from now on please always ring me first. Thanks, Ove",
      "our help line is 7001.",
    ],
    [
      "> from now on branches start with a number\n\nthats the other team. for us: note that branches start with initials.",
      "branches start with initials.",
    ],
    [
      "slack:\n\nkofi  09:40\nnever merge before noon\nlena  09:41\nok\n\nso: remember that sign-off is on elm now",
      "sign-off is on elm now",
    ],
    [
      'Tom wrote this:\n"always squash, remember that history is a line"\nbut pls remember we use merge commits',
      "we use merge commits",
    ],
    [
      "$ ./ship.sh\nremember: export HOST first\nerror: no host\n\ndont forget that our host is elm. how do i set it",
      "our host is elm.",
    ],
    [
      "> remember the keys\n\nwho wrote that? anyway: note that elm has the keys",
      "elm has the keys",
    ],
    [
      'Ove said "never use alder". Remember that Ove runs the ferry team.',
      "Ove runs the ferry team.",
    ],
    [
      "Tilda schrieb: „Nie wieder Erle nehmen“. Merk dir, dass Tilda die Lotsin ist.",
      "Tilda die Lotsin ist.",
    ],
    [
      "Odile a écrit : « toujours vider le bac ». Retiens que Odile part lundi.",
      "Odile part lundi.",
    ],
    ["Rui disse: “nunca apague o farol”. Lembre que Rui é o capitão.", "Rui é o capitão."],
    [
      "ticket text:\n```\nAs a pilot I want tides. Remember: limit is 500 " +
        "rows.\n```\nFrom now on, name branches after the ticket.",
      "From now on, name branches after the ticket.",
    ],
    [
      "error:\n```\nTypeError: tide is undefined\n```\nfrom now on check for undefined before calling draw",
      "from now on check for undefined before calling draw",
    ],
    [
      "README of the lib:\n\n    Always call init_tide() before use.\n\nok. note: we " +
        "vendor this lib under third_party/",
      "we vendor this lib under third_party/",
    ],
  ])("%s", (prompt, line) => expect(kept(prompt)).toEqual([line]));
});

describe("nothing of a paste is kept", () => {
  test.each([
    "what does this mail want from me?\n\nHi team,\n\n" +
      "please remember that the quay shuts at six. From now on latecomers wait.\n\nBest\nTilda",
    "was will diese Mail von mir?\n\nHallo,\n\n" +
      "bitte merkt euch, dass der Hof zu ist. Ab sofort immer klingeln.\n\nGruß\nUte",
    "corrige l'orthographe :\n\nN'oubliez pas que le quai ferme a 19h. Dorénavant toujours prendre un ticket.",
    "исправь опечатки:\n\nЗапомните, что склад закрыт. Отныне всегда звоните.",
    "Proofread this section for me:\n\n## Harbour rules\n\nAlways ring the bell. " +
      "Never commit on pier-b. We decided to use Elm.\n",
    "spellcheck please:\n\n# Handbook\n\nRemember that the cedar room is booked. Never move the desks.",
    "Shorten this please:\n\n## Rules\n\nNever feed the gulls.\n\nWe decided to close on Sundays.",
    "From the wiki:\n\n# Sailing\n1. Always tag with sail-zeta\n2. Never skip the " +
      "canary\n3. Remember to ring\n\nit is outdated, which of these steps does the makefile already do?",
    "our old guidelines:\n- never use alder-lib\n- always squash\n\nwhich ones does eslint enforce?",
    "id,text\n1,remember the alamo-7\n2,never again\nimport this into a table",
    'Ove said "never use alder". Then Ove said: remember that the quay is closed.',
  ])("%s", (prompt) => expect(kept(prompt)).toEqual([]));
});

describe("a question about the ability, without its mark, orders nothing", () => {
  test.each([
    "can you remember things between sessions or do i have to repeat everything",
    "can you remember stuff from last week or not",
    "kannst du dir Sachen von gestern merken oder nicht",
    "merkst du dir eigentlich was ich hier schreibe",
    "tu peux retenir des choses d'une session à l'autre ou pas",
    "puedes recordar cosas entre sesiones o no",
    "você consegue lembrar das coisas entre sessões ou não",
    "ты можешь запоминать вещи между сессиями или нет",
    "你能记住我说过的话吗还是要重复",
  ])("%s", (prompt) => expect(kept(prompt)).toEqual([]));

  test("one that states what is to be remembered does", () =>
    expect(kept("can you remember the staging port is 7432")).toEqual([
      "the staging port is 7432",
    ]));
});
