/** Lists inside a checkpoint's text fields: one item is plain text, several are lines with a dash. Pure. */
import { cutAtWord } from "#kit";
import { contentWords, jaccard } from "#language";
import { limits } from "../limits.ts";

/** The field's text; cut at a word when it is too long. */
export function textOf(items: readonly string[]): string {
  const kept = items.slice(-limits.checkpointItemsMax);
  const text = kept.length === 1 ? (kept[0] ?? "") : kept.map((item) => `- ${item}`).join("\n");
  return cutAtWord(text, limits.checkpointFieldCharsMax);
}

/** The items of a field's text. */
export const itemsOf = (text: string): readonly string[] =>
  text
    .split("\n")
    .map((line) => line.replace(/^- /, "").trim())
    .filter((line) => line !== "");

/** Share of words from which two items say the same: a re-worded outcome is not a second one. */
const sameItemMin = 0.8;

/** Items of both in order, each said once, the later wording kept. */
export function united(before: readonly string[], now: readonly string[]): readonly string[] {
  const kept: { readonly item: string; readonly words: ReadonlySet<string> }[] = [];
  for (const item of [...before, ...now]) {
    const words = new Set(contentWords(item));
    const same = kept.findIndex(
      (other) => other.item === item || jaccard(other.words, words) >= sameItemMin,
    );
    if (same >= 0) kept.splice(same, 1);
    kept.push({ item, words });
  }
  return kept.map(({ item }) => item);
}
