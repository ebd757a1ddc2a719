/** A name with another number: "we use Java 11", and then "we moved to Java 21". Pure. */
import { stopWords, tellsChange } from "#language";
import { wordsAsWritten } from "./statement.ts";

/** Prepositions of a move, before the name and the number that it leads to. */
const moved = new RegExp(
  String.raw`(?:(?<!\p{L})(?:to|auf|zu|à|al?|para|pra|на)\s|[到至成])\s*` +
    String.raw`(?<name>\p{L}[\p{L}.+#-]{1,30})\s?(?<number>\p{N}[\p{N}.]{0,10})`,
  "giu",
);

/** Past forms of a move, beside the cues of any change. */
const hasMoved = new RegExp(
  String.raw`(?<!\p{L})(?:moved|switched|upgraded|migrated|bumped|umgestiegen|gewechselt|pasado|cambiado|migrado` +
    String.raw`|actualizado|passés?|migré|mud(?:amos|ou|aram)|migramos|passamos|atualizamos|переш\p{L}+|обновил\p{L}+` +
    String.raw`|переехал\p{L}*)(?!\p{L})|升级|换|迁移|移行|更新|上げ`,
  "iu",
);

/**
 * True when the newer statement moves to another number of a name that the older one gives with its number, and speaks
 * of all else of it but the word before the name, its verb.
 */
export function movesToVersion(newer: string, older: string): boolean {
  if (!tellsChange(newer) && !hasMoved.test(newer)) return false;
  const words = new Set(wordsAsWritten(newer));
  return [...newer.normalize("NFKC").matchAll(moved)].some(({ groups = {} }) => {
    const { name = "", number = "" } = groups;
    const before = numberOf(name, older);
    if (before === null || before === number) return false;
    const ours = wordsAsWritten(older);
    const verb = ours[ours.indexOf(name.toLowerCase()) - 1];
    const known = (word: string): boolean =>
      word === before || word === verb || stopWords.has(word) || words.has(word);
    return ours.every(known);
  });
}

/** Number behind a name; null where the statement does not give one. */
function numberOf(name: string, statement: string): string | null {
  const pattern = new RegExp(
    String.raw`(?<!\p{L})${RegExp.escape(name)}\s?(\p{N}[\p{N}.]{0,10})(?![\p{N}])`,
    "iu",
  );
  return pattern.exec(statement.normalize("NFKC"))?.[1] ?? null;
}
