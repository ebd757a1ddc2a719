/** Words of what was typed and of what an agent saves, as they are compared: names, numbers and content words. Pure. */
import { contentWords, foldText, identifiersOf, valuesOf, wordsOf } from "#language";

/** The first name, number, command, path or URL of a text that the source lacks; null when it has them all. */
export function addedBy(text: string, source: string): string | null {
  return hardWords(text).find((word) => !hasWord(source, word)) ?? null;
}

export function hardWords(text: string): readonly string[] {
  // Where no blanks stand, what is written in other letters is a name: "受注CSVは" holds "CSV".
  const spaced = text.replaceAll(unspaced, " ");
  const tokens = spaced.match(/[^\s"“”«»„「」『』()[\]{},;!?。、，：！？]+/gu) ?? [];
  const marked = tokens
    .map((token) => token.replace(/^[`'*]+|[`'*.:]+$/gu, ""))
    .filter((token) => /\p{N}|[/\\_@#$=|<>~]|^-|\p{L}[.:]\p{L}|\p{Ll}\p{Lu}/u.test(token));
  const capital = [
    ...text.matchAll(
      /(?<=[\p{L}\p{N},;)"'] )\p{Lu}[\p{L}\p{N}]+|(?<![\p{L}\p{N}])\p{Lu}{2,}\d*(?![\p{L}])/gu,
    ),
  ].map(([word]) => word);
  const spans = [...text.matchAll(/`([^`]+)`/gu)].map(([, span]) => span ?? "");
  const values = valuesOf(text)
    .map(({ canonical }) => canonical)
    .filter((one) => text.includes(one));
  return [
    ...new Set([...marked, ...capital, ...spans, ...identifiersOf(spaced), ...values]),
  ].filter((word) => /[\p{L}\p{N}|<>]/u.test(word));
}

/** Does it stand there as a whole? `80` is not `8080`. */
export function hasWord(source: string, word: string): boolean {
  const folded = foldText(source).replaceAll(/\s+/gu, " ");
  const wanted = foldText(word).replaceAll(/\s+/gu, " ");
  const isPart = (letter: string | undefined): boolean => /[\p{L}\p{N}]/u.test(letter ?? "");
  const isSpaced = !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(wanted);
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + 1)) {
    const before = isPart(folded[at - 1]) && isPart(wanted[0]) && isSpaced;
    const after = isPart(folded[at + wanted.length]) && isPart(wanted.at(-1)) && isSpaced;
    const isLatin = /[a-z0-9]/u;
    const isForeign = (letter: string | undefined): boolean => !isLatin.test(letter ?? "a");
    if ((!before || isForeign(folded[at - 1])) && (!after || isForeign(folded[at + wanted.length])))
      return true;
  }
  return false;
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu;

/** Words that carry something; of scripts without blanks, pairs of letters. */
export const wordsIn = (text: string): readonly string[] => {
  const pairs = (text.match(unspaced) ?? []).flatMap((run) =>
    run.length < 2
      ? [run]
      : Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)),
  );
  const words = contentWords(foldText(text).replaceAll(unspaced, " ")).map(withoutEnding);
  return [...new Set([...words, ...pairs])];
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
  const words = content.length > 0 ? content : wordsOf(line);
  const held = new Set(content.length > 0 ? wordsIn(source) : wordsOf(source));
  return words.length === 0 ? 0 : words.filter((word) => held.has(word)).length / words.length;
}

/** Text in quotation marks, unless it is as short as a name: the user repeats it there and does not say it. */
export const withoutCitations = (text: string): string =>
  text.replaceAll(
    /"[^"\n]+"|“[^”\n]+”|„[^“”\n]+[“”]|«[^»\n]+»|「[^」\n]+」|『[^』\n]+』|(?<![\p{L}\p{N}])'[^'\n]+'(?![\p{L}\p{N}])|‘[^’\n]+’|`[^`\n]+`/gu,
    (cited) => (isShort(cited) ? cited : " "),
  );
const isShort = (cited: string): boolean =>
  cited.trim().split(/\s+/u).length <= (cited.startsWith("`") ? 5 : 3) &&
  (cited.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0) <= 6;

/** Parts of sentences between marks. */
export const clausesOf = (text: string): readonly string[] =>
  text
    .split(/[,;:.!?…](?=\s|$)|[、，；：。！？—–\n]|\s-+\s/u)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "");
