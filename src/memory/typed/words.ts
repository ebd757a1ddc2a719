/** Words of what was typed and of what an agent saves, as they are compared: names, numbers and content words. Pure. */
import { letterPairs, unspacedLetters } from "#kit";
import {
  deniedValuesIn,
  denies,
  foldText,
  identifiersOf,
  isCommon,
  readWords,
  roughStem,
  withoutDenied,
} from "#language";

/** The first name, number, command, path or URL of a text that the source lacks; null when it has them all. */
export const addedBy = (text: string, source: string): string | null =>
  allAddedBy(text, source)[0] ?? null;

/** All of them, without those that are part of another. */
export function allAddedBy(text: string, source: string): readonly string[] {
  const added = hardWords(text).filter((word) => !hasWord(source, word) && !hasHost(source, word));
  const folded = added.map((word) => word.toLowerCase());
  return added.filter((_, at) => {
    const word = folded[at] ?? "";
    return !folded.some((one, n) => one.includes(word) && (one !== word || n < at));
  });
}

/** "kiln-head, port 8642" says `kiln-head:8642`. */
function hasHost(source: string, word: string): boolean {
  const [, host = "", port = ""] = /^([\p{L}\p{N}.-]+):(\d{1,5})$/u.exec(word) ?? [];
  return /\p{L}/u.test(host) && hasWord(source, host) && hasWord(source, port);
}

export function hardWords(text: string): readonly string[] {
  // In a script without blanks, a word in other letters is a name: "受注CSVは" holds "CSV".
  const spaced = text.replaceAll(unspaced, " ");
  const tokens = spaced.match(/[^\s"“”«»„「」『』()[\]{},;!?。、，：！？]+/gu) ?? [];
  const marked = tokens
    .map((token) => token.replace(/^[`'*±]+|[`'*.:]+$/gu, ""))
    .filter((token) => /\p{N}|[/\\_@#$=|<>~]|^-|\p{L}[.:]\p{L}|\p{Ll}\p{Lu}/u.test(token));
  const capital = [
    ...text.matchAll(
      /(?<=[\p{L}\p{N},;)"'] )\p{Lu}[\p{L}\p{N}]+|(?<![\p{L}\p{N}])\p{Lu}{2,}\d*(?![\p{L}])/gu,
    ),
  ].map(([word]) => word);
  const spans = [...text.matchAll(/`([^`]+)`/gu)].map(([, span]) => span ?? "");
  return [...new Set([...marked, ...capital, ...spans, ...identifiersOf(spaced)])].filter(
    (word) => /[\p{L}\p{N}|<>]/u.test(word) && !abbreviation.test(word),
  );
}

/** `e.g`, `i.e`, `z.B`: no names. */
const abbreviation = /^\p{L}(?:\.\p{L})+\.?$/u;

/** Does it stand there as a whole? `80` is not `8080`. */
export function hasWord(source: string, word: string): boolean {
  const wanted = looseOf(word);
  const isLatin = (letter = ""): boolean => /[a-z0-9]/u.test(letter);
  const before = isLatin(wanted[0]) ? "(?<![a-z0-9])" : "";
  const after = isLatin(wanted.at(-1)) ? "(?![a-z0-9])" : "";
  return new RegExp(before + RegExp.escape(wanted) + after, "u").test(looseOf(source));
}

/** `hard-to-read` is "hard to read"; `--force` and `v1-2` are names. */
const looseOf = (text: string): string =>
  foldText(text)
    .replaceAll(/(?<![\p{L}\p{N}_/.@-])\p{L}+(?:-\p{L}+)+(?![\p{L}\p{N}_/@-])/gu, (word) =>
      word.replaceAll("-", " "),
    )
    .replaceAll(/\s+/gu, " ");

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu;

/** Words that carry something; of scripts without blanks, pairs of letters. */
export const wordsIn = (text: string): readonly string[] => {
  const pairs = (text.match(unspaced) ?? []).flatMap(letterPairs);
  const { plain } = readWords(foldText(text).replaceAll(unspaced, " "));
  const words = plain.filter((word) => !isCommon(word)).map(roughStem);
  return [...new Set([...words.map(withoutEnding), ...pairs])];
};

/** Cuts a Russian word to what its forms share: `аллокациям` and `аллокации` are one. */
const withoutEnding = (word: string): string =>
  word.replace(
    /(?<=[а-яё]{3})(?:иями|ями|ами|иям|иях|ием|ого|его|ому|ему|ыми|ими|ах|ях|ам|ям|ом|ем|ов|ев|ей|ий|ый|ой|ая|яя|ое|ее|ие|ые|ую|юю|ия|ью|ии|ить|ать|им|у|ю|а|я|о|е|ы|и|ь)$/u,
    "",
  );

/** Share of a line's words that a source holds; of a line without content words ("never do that again"), of all. */
export function shareIn(line: string, source: string): number {
  const content = wordsIn(line);
  const words = content.length > 0 ? content : readWords(line).plain;
  const held = new Set(content.length > 0 ? wordsIn(source) : readWords(source).plain);
  return words.length === 0 ? 0 : words.filter((word) => held.has(word)).length / words.length;
}

/** Leaves out text in quotation marks that is longer than a name: the user repeats it there and does not say it. */
export const withoutQuoted = (text: string): string =>
  text.replaceAll(citation, (cited) => (isShort(cited) ? cited : " "));

/** Text in quotation marks, with its marks. */
export const citationsIn = (text: string): readonly string[] => text.match(citation) ?? [];

const citation =
  /"[^"\n]+"|“[^”\n]+”|„[^“”\n]+[“”]|«[^»\n]+»|「[^」\n]+」|『[^』\n]+』|(?<![\p{L}\p{N}])'[^'\n]+'(?![\p{L}\p{N}])|‘[^’\n]+’|`[^`\n]+`/gu;

const isShort = (cited: string): boolean =>
  cited.trim().split(/\s+/u).length <= (cited.startsWith("`") ? 5 : 3) &&
  unspacedLetters(cited) <= 6;

/** Parts of sentences between marks. */
export const clausesOf = (text: string): readonly string[] =>
  text
    .split(/[,;:.!?…](?=\s|$)|[、，；：。！？—–\n]|\s-+\s/u)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "");

/** True for a line that denies where the quote does not, but for what the quote leaves or replaces: "not eslint". */
export function deniesMore(told: string, own: string, known: readonly string[]): boolean {
  const isLeft = (value: string): boolean =>
    hasWord(own, value)
      ? deniedValuesIn(own).some((one) => hasWord(one, value))
      : known.some((line) => hasWord(line, value));
  const isOldValue = (clause: string): boolean =>
    !/[\p{L}\p{N}]/u.test(withoutDenied(clause)) && deniedValuesIn(clause).every(isLeft);
  return !denies(own) && clausesOf(told).some((clause) => denies(clause) && !isOldValue(clause));
}
