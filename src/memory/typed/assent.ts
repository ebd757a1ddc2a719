/**
 * Compares what was typed with what an agent saves, by their words. Decides whether a quote that says less than its
 * line takes what the agent had offered: an answer to its question, a choice from its list, a yes to what it asked
 * last. The line is the agent's then, and its taking the user's. Pure.
 */
import type { Answered } from "#domain";
import {
  deniedValuesIn,
  denies,
  foldText,
  identifiersOf,
  isCommand,
  isCommon,
  isHarmful,
  isLead,
  orderIn,
  readWords,
  roughStem,
  withoutDenied,
} from "#language";
import { letterPairs } from "#kit";

// Words of what was typed and of what an agent saves, as they are compared: names, numbers and content words. Pure.

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
  const folded = looseOf(source);
  const wanted = looseOf(word);
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

/** Text in quotation marks, unless it is as short as a name: the user repeats it there and does not say it. */
export const withoutCitations = (text: string): string =>
  text.replaceAll(citation, (cited) => (isShort(cited) ? cited : " "));

/** Text in quotation marks, with its marks. */
export const citationsIn = (text: string): readonly string[] => text.match(citation) ?? [];

const citation =
  /"[^"\n]+"|“[^”\n]+”|„[^“”\n]+[“”]|«[^»\n]+»|「[^」\n]+」|『[^』\n]+』|(?<![\p{L}\p{N}])'[^'\n]+'(?![\p{L}\p{N}])|‘[^’\n]+’|`[^`\n]+`/gu;

const isShort = (cited: string): boolean =>
  cited.trim().split(/\s+/u).length <= (cited.startsWith("`") ? 5 : 3) &&
  (cited.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0) <= 6;

/** Parts of sentences between marks. */
export const clausesOf = (text: string): readonly string[] =>
  text
    .split(/[,;:.!?…](?=\s|$)|[、，；：。！？—–\n]|\s-+\s/u)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "");

/** True for a line that denies where the quote does not, but for the old value: "biome, not eslint". */
export const deniesMore = (told: string, own: string, known: readonly string[]): boolean =>
  !denies(own) &&
  clausesOf(told).some(
    (clause) => denies(clause) && !(isDenial(clause) && isOldValue(clause, own, known)),
  );

/** Is a clause the denial of a value and nothing else? */
const isDenial = (clause: string): boolean => !/[\p{L}\p{N}]/u.test(withoutDenied(clause));

/** Do the user's words deny the value too, or does a memory that they replace have it, and they do not? */
const isOldValue = (clause: string, own: string, known: readonly string[]): boolean =>
  deniedValuesIn(clause).every((value) =>
    hasWord(own, value)
      ? deniedValuesIn(own).some((one) => hasWord(one, value))
      : known.some((line) => hasWord(line, value)),
  );

export interface Offering {
  readonly line: string;
  readonly value: string | null;
  /** The agent's last words. */
  readonly answerBefore: string | null;
  readonly asked?: readonly Answered[];
  /** A decision: only it may be what a yes takes. */
  readonly isDecision?: boolean;
}

/** Share of the line's words that stand in the offer. */
const offeredShareMin = 0.6;

/** Takes the quote an offer that says all that the line says, and orders nothing for good? */
export function takesOffer(quote: string, offering: Offering): boolean {
  const { line, answerBefore } = offering;
  if (denies(quote) || isHarmful(line) || orderIn(line) !== null) return false;
  const offer = offerFor(quote, offering);
  if (offer === null || (offer === answerBefore && isCommand(line))) return false;
  return saysNoMore({ ...offering, line: withoutRefused(quote, offering) }, { offer, quote });
}

function offerFor(quote: string, offering: Offering): string | null {
  const { answerBefore, asked = [], isDecision } = offering;
  const chosen =
    askedWith(quote, asked) ?? (answerBefore === null ? null : chosenFrom(quote, answerBefore));
  if (chosen !== null || answerBefore === null || isDecision !== true) return chosen;
  return askedIn(quote, answerBefore);
}

function saysNoMore(
  { line, value }: Offering,
  { offer, quote }: { readonly offer: string; readonly quote: string },
): boolean {
  const source = `${offer}\n${quote}`;
  if (addedBy(`${line}\n${value ?? ""}`, source) !== null) return false;
  return (!denies(line) || denies(offer)) && shareIn(line, source) >= offeredShareMin;
}

/** A question with the option that was taken. */
function askedWith(quote: string, asked: readonly Answered[]): string | null {
  const one = askedFor(quote, asked);
  return one === null ? null : [one.question, ...takenOf(quote, one)].join("\n");
}

const askedFor = (quote: string, asked: readonly Answered[]): Answered | null =>
  asked.find(({ answer }) => letters(answer) === letters(quote)) ?? null;

function takenOf(quote: string, { options }: Answered): readonly string[] {
  const nth = /^\d$/u.test(quote.trim()) ? options[Number(quote) - 1] : undefined;
  return nth === undefined
    ? options.filter((option) => letters(option).startsWith(letters(quote)))
    : [nth];
}

/** The line without what it denies in the words of the options that were not taken: "a cask, not a formula". */
function withoutRefused(quote: string, { line, asked = [] }: Offering): string {
  const one = askedFor(quote, asked);
  const taken = one === null ? [] : takenOf(quote, one);
  if (one === null || taken.length === 0) return line;
  const refused = one.options.filter((option) => !taken.includes(option));
  const source = [one.question, ...refused].join("\n");
  const clauses = clausesOf(line);
  const kept = clauses.filter(
    (clause) => !denies(clause) || addedBy(clause, source) !== null || !isSaidIn(clause, source),
  );
  return kept.length === clauses.length ? line : kept.join(", ");
}

/** Are all words of a clause in a text, in any form: "dropped" of "drop"? */
function isSaidIn(clause: string, text: string): boolean {
  const said = wordsIn(text);
  const words = wordsIn(clause);
  const isForm = (one: string, other: string): boolean =>
    one.length >= formCharsMin && other.startsWith(one);
  return (
    words.length > 0 &&
    words.every((word) => said.some((o) => o === word || isForm(o, word) || isForm(word, o)))
  );
}
/** Shorter beginnings are those of other words. */
const formCharsMin = 4;

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** `B. Retry`, `- **Option 2**: …`, `| 2 | Retry |`: an item of a list with its mark. */
const item =
  /^\s*(?:[-*•#|]+\s*)?\**(?:option\s+)?(\p{Lu}|\p{Ll}|\d{1,2})\**\s*(?:[.):：|]|[—–-]\s)/iu;
const itemCharsMax = 1_500;

/** The items of a list that "do c" and "2, please" name, below its question, where the quote says nothing else. */
function chosenFrom(quote: string, answer: string): string | null {
  const items = itemsOf(answer);
  const named = [...items.keys()].filter((mark) => markIn(quote, mark));
  if (named.length === 0) return null;
  const said = named.map((mark) => items.get(mark) ?? "").join("\n");
  const own = new Set(wordsIn(`${said} option options ${named.join(" ")}`));
  const others = wordsIn(quote).filter((word) => !own.has(word));
  // "Let's implement option 2": what is called an option is one.
  const most = /(?<!\p{L})options? (?:\d|\p{L}(?!\p{L}))/iu.test(quote) ? chosenBesideMax : 0;
  return others.length > most ? null : `${questionIn(answer)}\n${said}`;
}

/** Lines that ask, and are no items. */
const questionIn = (answer: string): string =>
  answer
    .split("\n")
    .filter((line) => asksAtEnd.test(line) && !item.test(line))
    .join("\n");
const asksAtEnd = /[?？:：][\s*_"'”’)\]]*$/u;

/** Words beside that only say to do it. */
const chosenBesideMax = 1;

/** Not the article of "do a check", which words follow that the item lacks. */
const markIn = (quote: string, mark: string): boolean =>
  new RegExp(String.raw`(?<![\p{L}\p{N}'’])${mark}(?![\p{L}\p{N}'’])`, "iu").test(quote);

function itemsOf(answer: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let mark: string | null = null;
  for (const line of answer.split("\n")) {
    mark = item.exec(line)?.[1]?.toLowerCase() ?? mark;
    if (mark === null) continue;
    const text = `${found.get(mark) ?? ""}\n${line}`.trim();
    if (text.length <= itemCharsMax) found.set(mark, text);
  }
  return found;
}

/** Thanks and greetings answer no question. */
const onlyCourtesy = new RegExp(
  String.raw`^[^\p{L}]*(?:(?:many )?thanks?(?: you)?(?: so much| a lot| very much)?|thx|cheers|hi|hello|hey` +
    String.raw`|(?:good )?morning|wow|hmm?|ah|oh|well|danke(?: dir| schön)?|merci(?: beaucoup)?|(?:muchas )?gracias` +
    String.raw`|(?:muito )?obrigad[oa]|спасибо|谢谢(?:你|了)?|ありがとう(?:ございます)?)[^\p{L}]*$`,
  "iu",
);

/** An answer whose end asks, where the quote is a yes or has no other words than the answer. */
function askedIn(quote: string, answer: string): string | null {
  const end =
    answer
      .trimEnd()
      .split(/\n\s*\n/u)
      .at(-1) ?? "";
  if (!/[?？](?=[\s*_"'”’)\]]|$)/u.test(end) || isCommand(quote) || /[?？]/u.test(quote))
    return null;
  const known = new Set(wordsIn(answer));
  if (onlyCourtesy.test(quote)) return null;
  return isLead(quote) || wordsIn(quote).every((word) => known.has(word)) ? answer : null;
}
