/**
 * Words of lists/off-record.txt, each with the signs of its list. Runs when the program is built, which then holds the
 * text alone (scripts/build.ts): a hook has no time to read the lists.
 */
import text from "./lists/off-record.txt" with { type: "text" };
import { allListsOf, folded } from "./lists.ts";

function sortedSigns(): string {
  const signs = new Map<string, string>();
  for (const [heading, lines] of allListsOf(text))
    for (const word of folded(lines.join(" ")).replaceAll("'", "").split(" "))
      if (!signs.has(word)) signs.set(word, heading.replace(/^.* = ?/u, ""));
  const lines = Array.from(signs, ([word, sign]) => `${word} ${sign}\n`);
  return lines.toSorted((a, b) => (a < b ? -1 : 1)).join("");
}

/** Lines of a word or phrase, a blank and its signs, in ascending order; `_` joins the words of a phrase. */
export default sortedSigns();
