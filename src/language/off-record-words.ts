/**
 * The words of lists/off-record.txt, and a quick look for them: most prompts hold no denial beside a word of memory,
 * and whoever sees that need not load what reads orders. Pure.
 */
import { stripInvisible } from "#kit";
import text from "./lists/off-record.txt" with { type: "text" };
import { allListsOf, either } from "./lists.ts";

const lists = allListsOf(text);

/** The words of a list as alternatives of a pattern; empty where there is no such list. */
export const offRecordWords = (name: string): string => either(lists.get(name) ?? []);

/** Every place of what a list names, standing alone. */
export const standing = (name: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}'])(?:${offRecordWords(name)})(?!\p{L})`, "giu");

/** A letter of a script whose words no space parts. */
export const unspacedLetter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Characters of a longer line are looked at in two parts, whose edges cut words. */
export const lineCharsMax = 2_000;

/** Any of these as a word, or behind an elision (l'oublie). */
const holding = (...names: readonly string[]): RegExp =>
  new RegExp(
    String.raw`(?<![\p{L}\p{M}])(?:${either(names.map(offRecordWords))})(?:(?<=')|(?![\p{L}\p{M}]))`,
    "iu",
  );

const withoutDenial = holding("private", "forget");
const denial = holding("not", "phrases: not", "phrases: not in memory");
const memory = holding(
  "remember",
  "store",
  "store in memory",
  "remembered",
  "memory",
  "phrases: remember",
);

/** False only for a prompt in whose lines `forbidsMemory` finds nothing, whichever of them its user typed. */
export function mayForbidMemory(prompt: string): boolean {
  if (prompt.length > lineCharsMax || unspacedLetter.test(prompt)) return true;
  const told = stripInvisible(prompt).normalize("NFC").replaceAll("’", "'");
  return withoutDenial.test(told) || (denial.test(told) && memory.test(told));
}
