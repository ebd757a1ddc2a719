/**
 * The identifier-aware form of a text: what the word tokeniser of the index cannot see in code.
 *
 * The tokeniser already splits `a_b`, `--a-b` and `src/a.ts` at their marks. Added here are the parts of `parseConfig`
 * and `TS2345`, the glued whole of each, so that `parseConfig`, `parse_config` and `--parse-config` find each other, and
 * a word for each picture. Pure. Queries need nothing of this: their terms match either form as they are.
 */
import { letterPairs, pictureWords } from "#kit";

/** Bounds what one huge document may add to the index. */
const formsMax = 400;
const textCharsMax = 40_000;
/** Longer runs are keys, hashes or base64. */
const atomCharsMax = 64;

/** Distinct forms in order: for each identifier its parts as a phrase (`parse config`) and glued (`parseconfig`). */
export function identifiersOf(text: string): readonly string[] {
  const forms = new Set<string>();
  for (const atom of text.slice(0, textCharsMax).match(atoms) ?? []) {
    if (forms.size >= formsMax) break;
    if (atom.length > atomCharsMax) continue;
    const parts = partsOf(atom);
    if (parts.length < 2) continue;
    forms.add(parts.join(" "));
    forms.add(parts.join(""));
  }
  const bounded = text.slice(0, textCharsMax);
  for (const form of [...pairsOf(bounded), ...pictureWords(bounded)]) {
    if (forms.size >= formsMax) break;
    forms.add(form);
  }
  return [...forms];
}

/** Letters and digits, held together by the marks inside identifiers. Dots and slashes end one: paths are phrases. */
const atoms = /[\p{L}\p{N}][\p{L}\p{M}\p{N}_$-]*[\p{L}\p{M}\p{N}]/gu;

/** `parseHTTPHeader2` → parse http header 2; words without a letter (dates, versions) stay the tokeniser's. */
function partsOf(atom: string): readonly string[] {
  if (!/\p{L}/u.test(atom)) return [];
  return atom
    .replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ")
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, "$1 ")
    .replace(/(\p{L})(?=\p{N})|(\p{N})(?=\p{L})/gu, "$1$2 ")
    .toLowerCase()
    .split(/[\s_$-]+/u)
    .filter((part) => part !== "");
}

/** Scripts written without spaces: the tokeniser takes a whole sentence for one word. */
const unspaced = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}]{2,}/gu;

/** Every pair of neighbours in text written without spaces, in order: 配置文件 → 配置 置文 文件. */
export function pairsOf(text: string): readonly string[] {
  return (text.match(unspaced) ?? []).flatMap(letterPairs);
}
