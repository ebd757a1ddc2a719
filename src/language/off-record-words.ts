/**
 * Words of lists/off-record.txt, each with the sign of what it does in "do not remember this". Runs when the program is
 * built, which then holds the text alone (scripts/build.ts): a hook has no time to read the lists.
 */
import { assert } from "#kit";
import text from "./lists/off-record.txt" with { type: "text" };
import { allListsOf, folded } from "./lists.ts";

/** The signs of the words of each list; any other word is an `x`. */
const signsOfLists: Readonly<Record<string, string>> = {
  filler: "",
  "of others": "x",
  // Denials.
  not: "n",
  late: "l",
  wish: "w",
  "may not": "N",
  none: "o",
  "late and nowhere": "lW",
  "none and nowhere": "oW",
  "no memory": "oM",
  "none of this": "oP",
  "not this": "Z",
  // Verbs and nouns of keeping.
  remember: "A",
  "remember this": "AP",
  note: "E",
  store: "B",
  put: "C",
  down: "r",
  memory: "M",
  // Objects of keeping.
  this: "P",
  "article or this": "L",
  words: "S",
  thing: "T",
  that: "h",
  what: "Q",
  said: "e",
  told: "p",
  "will say": "ae",
  // Persons, times and places.
  i: "s",
  you: "u",
  they: "t",
  nowhere: "W",
  later: "y",
  afterwards: "a",
  in: "i",
  "out of": "v",
  // Other orders.
  forget: "F",
  erase: "R",
  pretend: "D",
  stay: "j",
  "between us": "U",
  "off the record": "O",
  treat: "J",
  "to yourself": "K",
  confidential: "V",
  private: "Y",
  "stays here": "X",
  "tell nobody": "G",
  // Words between.
  ask: "q",
  if: "c",
  "if not": "cn",
  is: "z",
  and: "k",
  the: "d",
  "about me": "H",
  my: "m",
  glue: "g",
};

function sortedSigns(): string {
  const signs = new Map<string, string>();
  for (const [name, lines] of allListsOf(folded(text).replaceAll("'", ""))) {
    const sign = signsOfLists[name];
    assert(sign !== undefined, `the list "${name}" has a sign`);
    for (const word of lines.flatMap((line) => line.split(" ")))
      if (!signs.has(word)) signs.set(word, sign);
  }
  const lines = Array.from(signs, ([word, sign]) => `${word} ${sign}\n`);
  return lines.toSorted((a, b) => (a < b ? -1 : 1)).join("");
}

/** Lines of a word or phrase, a blank and its signs, in ascending order; `_` joins the words of a phrase. */
export default sortedSigns();
