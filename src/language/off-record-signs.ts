/**
 * Reads a clause as a row of signs, one for what each word does in "do not remember this". The words are in
 * lists/off-record.txt; misspelt verbs and verbs with a pronoun attached are read as what they stand for. Pure.
 */
import { memoised, stripInvisible } from "#kit";
import { folded } from "./lists.ts";
import entries from "./off-record-words.ts";

// Words are looked up in the text itself: a hook reads one prompt.

/** Finds the first line that begins with this, or would stand behind it. */
function placeOf(beginning: string): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const start = entries.lastIndexOf("\n", ((low + high) >> 1) - 1) + 1;
    if (entries.slice(start, start + beginning.length) < beginning)
      low = entries.indexOf("\n", start) + 1;
    else high = start;
  }
  return low;
}

const isBegun = (beginning: string): boolean => entries.startsWith(beginning, placeOf(beginning));

/** Signs of a word; `_` joins the words of a phrase. */
function entryOf(word: string): string | undefined {
  const beginning = `${word} `;
  const place = placeOf(beginning);
  if (!entries.startsWith(beginning, place)) return undefined;
  return entries.slice(place + beginning.length, entries.indexOf("\n", place));
}

// Misspelt verbs: what is left of two words without a letter is the same.

const isSpaced = /^[\p{sc=Latin}\p{sc=Cyrillic}]{5,}$/u;
/** Verbs and nouns of keeping that are long enough to be misspelt. */
const verbsOfKeeping = /^(?<verb>[\p{sc=Latin}\p{sc=Cyrillic}]{5,}) .*[AEBM].*$/gmu;
/** Letters of a word that may hold two slips. */
const longWordMin = 9;

/** Slips begin with the letter of the word, and are up to one letter longer or two shorter. */
const beginningOf = (word: string, length: number): string => `${word[0] ?? ""}${length}`;

function readVerbs(): ReadonlyMap<string, readonly string[]> {
  const verbs = new Map<string, string[]>();
  for (const { groups } of entries.matchAll(verbsOfKeeping)) {
    const { verb = "" } = groups ?? {};
    const beginning = beginningOf(verb, verb.length);
    const alike = verbs.get(beginning);
    if (alike === undefined) verbs.set(beginning, [verb]);
    else alike.push(verb);
  }
  return verbs;
}
/** Read for the first unknown word. */
let verbsByBeginning: ReadonlyMap<string, readonly string[]> | null = null;

/** True when they become the same without so many letters of each. */
function isSameWithout(one: string, other: string, ofOne: number, ofOther: number): boolean {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const [left, right] = [one.slice(at), other.slice(at)];
  if (left === "" || right === "") return left.length <= ofOne && right.length <= ofOther;
  return (
    (ofOne > 0 && isSameWithout(left.slice(1), right, ofOne - 1, ofOther)) ||
    (ofOther > 0 && isSameWithout(left, right.slice(1), ofOne, ofOther - 1))
  );
}

/** True for words that differ by one letter, by two that are swapped, or, if they are long, by two. */
function isSlip(typed: string, word: string): boolean {
  if (word.length >= longWordMin) return isSameWithout(typed, word, 1, 2);
  let head = 0;
  while (head < word.length && typed[head] === word[head]) head += 1;
  let tail = 0;
  const tailMax = Math.min(word.length, typed.length) - head;
  while (tail < tailMax && typed.at(-1 - tail) === word.at(-1 - tail)) tail += 1;
  const one = typed.slice(head, typed.length - tail);
  const other = word.slice(head, word.length - tail);
  if (Math.abs(one.length - other.length) > 1) return false;
  return one.length + other.length <= 2 || (one.length === 2 && one === `${other[1]}${other[0]}`);
}

/** The sign of the verb that a misspelt word means. */
function meantBy(word: string): string | undefined {
  if (!isSpaced.test(word)) return undefined;
  const verbs = (verbsByBeginning ??= readVerbs());
  for (const longer of [0, 1, -1, 2]) {
    const alike = verbs.get(beginningOf(word, word.length + longer));
    const verb = alike?.find((one) => isSlip(word, one));
    if (verb !== undefined) return entryOf(verb);
  }
  return undefined;
}

/** Pronouns at the end of a Romance verb: "guardarlo", "ricordartelo", "acordarte". */
const attached = /^(?<verb>\p{L}{3,}?)(?:(?:[mtscv][ei])?(?<object>l[oaie]s?|ne)|[mtscv][ei])$/u;
const takesPronoun = /^[AEBCF]$/;

/** Words whose signs are kept: a daemon reads the same ones in every prompt. */
const wordsKept = 2_000;

const signsOfWord = memoised((word) => signsAsSpelt(word) ?? meantBy(word) ?? "x", wordsKept);

const signsAsSpelt = (word: string): string | undefined =>
  entryOf(word) ?? withPronoun(word) ?? (isAdverb.test(word) ? "g" : undefined);
const isAdverb = /(?:ly|mente|ement)$/u;

function withPronoun(word: string): string | undefined {
  const { verb, object } = attached.exec(word)?.groups ?? {};
  if (verb === undefined) return undefined;
  const sign = ["", "e", "r"]
    .map((ending) => entryOf(verb + ending) ?? "")
    .find((one) => takesPronoun.test(one));
  return sign === undefined || object === undefined ? sign : `${sign}P`;
}

const unspaced = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]`;
const isUnspaced = new RegExp(unspaced, "u");
/** An elided word, a run of a script without blanks, or a word. */
const wordPattern = new RegExp(
  String.raw`(?:qu|jusqu|lorsqu|[nldtmsjc])'(?=\p{L})|${unspaced}+|(?:(?!${unspaced})[\p{L}\p{M}\p{N}])+` +
    String.raw`(?:'(?!(?:d|ll|ve|m|re)(?!\p{L}))\p{L}+)?`,
  "gu",
);

const phraseWordsMax = 6;
const unspacedCharsMax = 14;

const wordsIn = (said: string): readonly string[] =>
  Array.from(folded(said).matchAll(wordPattern), ([word]) =>
    word === "n'" ? "ne" : word.replaceAll("'", ""),
  );

/** Returns the signs of a clause's words in their order, without fillers and doubled words. */
export function signsOf(clause: string, read = signsOfWord): string {
  const words = wordsIn(clause);
  const isMixed = isUnspaced.test(clause);
  let row = "";
  let last = "";
  for (let at = 0; at < words.length;) {
    const count = longestAt(words, at, phraseWordsMax, "_");
    const said = words.slice(at, at + count).join("_");
    at += count;
    if (said === last) continue;
    const signs = isUnspaced.test(said) ? signsOfRun(said, row) : read(said);
    if (signs !== "") last = said;
    row += isMixed && /^[BCE]$/.test(signs) && !isUnspaced.test(said) ? `${signs}?` : signs;
  }
  return row.replace(latinNoun, "x").replaceAll("?", "");
}

/** "不能用 record": among words without blanks a Latin one names code, unless it takes what was said, or a memory. */
const latinNoun = /[BCE]\?(?![gu]*P|.*M)/g;

/** A denial of Japanese stands behind its verb: "変わらないので覚えて" denies no remembering. */
const isJapanese = /\p{sc=Hiragana}/u;
const hasVerb = /[ABCEFMR]/;

/** Returns the signs of a run of a script without blanks, behind the row of what stands before it. */
function signsOfRun(run: string, before: string): string {
  const chars = Array.from(run);
  let row = "";
  for (let at = 0; at < chars.length;) {
    const count = longestAt(chars, at, unspacedCharsMax, "");
    const word = chars.slice(at, at + count).join("");
    let sign = entryOf(word) ?? "x";
    if (word === "な") sign = isProhibition(chars, at) ? "l" : "g";
    if (sign === "l" && isJapanese.test(word) && !hasVerb.test(before + row)) sign = "x";
    if (sign !== "x" || !row.endsWith("x")) row += sign;
    at += count;
  }
  return row;
}

/** True for a "な" that ends a verb: "覚えるな" forbids; "大事な", "なので" and "かな" do not. */
const isProhibition = (chars: readonly string[], at: number): boolean =>
  /^[うくぐすつぬぶむる]な(?:$|[よねぞとっ])/u.test(chars.slice(at - 1, at + 2).join(""));

/** Counts the words or characters of the longest entry of the lists that begins at one; 1 where there is none. */
function longestAt(parts: readonly string[], at: number, max: number, mark: string): number {
  let longest = 1;
  let said = parts[at] ?? "";
  for (let count = 2; count <= max && at + count <= parts.length; count += 1) {
    if (!isBegun(said + mark)) break;
    said += mark + (parts[at + count - 1] ?? "");
    if (entryOf(said) !== undefined) longest = count;
  }
  return longest;
}

// A quick look: most prompts hold no denial beside a word of memory, and need no reader of orders.

/** Characters of a longer line are looked at in two parts, whose edges cut words. */
export const lineCharsMax = 2_000;

/** False only for a prompt in whose lines `forbidsMemory` finds nothing, whichever of them its user typed. */
export function mayForbidMemory(prompt: string): boolean {
  if (prompt.length > lineCharsMax || isUnspaced.test(prompt)) return true;
  const said = stripInvisible(prompt).replaceAll("’", "'");
  const parts = [said, ...said.split(/[^\p{L}\p{M}\p{N}' ]+/u)];
  const row = parts.map((part) => signsOf(part, (word) => signsAsSpelt(word) ?? "x")).join(" ");
  if (/[DFORUZKVXG]|[PL].*Y|v.*M|M.*v/.test(row)) return true;
  if (!/[nlwoN]/.test(row)) return false;
  return (
    /[ABEM]|C.*[Wr]|[Wr].*C|[nlw]C[PL]|C(?:[PL]g*[lo]|[lo]g*[PL])/.test(row) ||
    wordsIn(said).some((word) => meantBy(word) !== undefined)
  );
}

// A longer look: what an agent takes for such an order, in words that the grammar does not know.

/** Forgetting, secrecy and denied keeping. "Don't forget the tests" is none of them. */
const ofOrder = new RegExp(
  [
    /[DOUZXG]|[BCJj].*[KV]|P.*V|(?<![nlwoN][gu]*)F|R.*[MQPe]|[MQPe].*R|v.*M|M.*v/,
    /[nlwoN].*(?:[AEM]|C.*[Wr])|[AEM].*[nlwoN]/,
    // A verb of files needs what points at the talk: "don't store passwords in the repo" is of the work.
    /[nlwoN].*B(?:.*[PQSWe]|$)|[PQSW].*(?:[nlwoN].*B|B.*[nlwoN])/,
    /B(?:.*[PQSW].*[nlwoN]|[gu]*L[gu]*[nlo]|[nlwoN].*[PQSWe])/,
  ]
    .map(({ source }) => source)
    .join("|"),
);
/** Any denial, and any word of keeping or forgetting. */
const ofSome = /[ABDEFMNORUWlnow]/;

/** Signs in a row are looked at three at a time: beginning and end of a long sentence. */
const endsOf = (sentence: string): readonly string[] =>
  sentence.length <= lineCharsMax / 2
    ? [sentence]
    : [sentence.slice(0, lineCharsMax / 2), sentence.slice(-lineCharsMax / 2)];

/**
 * Tells how near a typed text comes to an order not to keep something: it has the words of one, some of them, or none.
 * None says little of a language that the lists do not know.
 */
export function signsOfOffRecord(typed: string): "order" | "some" | "none" {
  const rows = typed
    .replaceAll("’", "'")
    .split(/[.!?。！？\n]/u)
    .flatMap((sentence) => endsOf(sentence).map((part) => signsOf(part)));
  if (rows.some((row) => ofOrder.test(row))) return "order";
  return rows.some((row) => ofSome.test(row)) ? "some" : "none";
}
