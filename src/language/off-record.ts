/**
 * "Do not remember this": does a typed text forbid, in one of eight languages, that something of it be kept? A clause
 * does when it holds nothing but the words of lists/off-record.txt, a denial and a word of memory among them, in any
 * order: "I don't remember this function" and "don't save the file" hold others. Pure, linear in the text.
 */
import {
  lineCharsMax,
  offRecordWords as list,
  standing,
  unspacedLetter,
} from "./off-record-words.ts";
import { asksForWork, isQuestion } from "./requests.ts";
import { hardSplit } from "./sentences.ts";

/** Kinds of words; what a clause says follows from those that it holds. */
const kinds = [
  "not",
  "remember",
  "store",
  "store in memory",
  "remembered",
  "be",
  "memory",
  "this",
  "courtesy",
  "forget",
  "after",
  "glue",
] as const;
type Kind = (typeof kinds)[number];

const wordsOfKind = kinds.map((kind) => ({
  kind,
  spaced: new RegExp(`^(?:${list(kind)})$`, "iu"),
}));
/** Longer words first, so that "记住" is not taken for "记". */
const unspacedWords = kinds
  .flatMap((kind) =>
    list(`unspaced ${kind}`)
      .split("|")
      .map((word) => ({ kind, word })),
  )
  .filter(({ word }) => word !== "")
  .toSorted((one, other) => other.word.length - one.word.length);

/** Phrases, each with the word that stands for it from then on. */
const phrases: readonly (readonly [phrase: RegExp, word: string])[] = [
  [standing("phrases: please"), "please"],
  [standing("phrases: not"), "don't "],
  [standing("phrases: not in memory"), "not "],
  [standing("phrases: this to come"), "this afterwards"],
  [standing("phrases: this"), "this "],
  [standing("phrases: remember"), "remember this"],
  [new RegExp(list("unspaced phrases: this"), "gu"), "这个"],
  [new RegExp(list("unspaced phrases: not"), "gu"), "不要"],
];
const inPrivate = standing("private");
const unspacedPrivate = new RegExp(list("unspaced private"), "u");

/** Sentences looked at: as many at the beginning of a longer text as at its end. */
const sentencesMax = 200;

/** True when one of the sentences forbids to remember what it points at. */
export function forbidsMemory(typed: string): boolean {
  const told = typed.replaceAll("’", "'").replaceAll(quotedLetters, ",");
  const lines = told.split("\n").map((line) => endsOf(line.trim()));
  const ends = lines.slice(0, sentencesMax).concat(lines.slice(sentencesMax).slice(-sentencesMax));
  const sentences = ends.flatMap((line) => hardSplit(line));
  return sentences.some((sentence, n) => {
    if (n >= sentencesMax / 2 && n < sentences.length - sentencesMax / 2) return false;
    const clauses = clausesOf(sentence);
    return clauses.some(forbids) || (clauses.length === 1 && isOf(clauses[0], sentences[n - 1]));
  });
}

/** "The vendor is Kim. Please don't save." is of what was told; "Open the file. Please don't save." of the work. */
const isOf = (clause: Clause | undefined, before: string | undefined): boolean =>
  clause !== undefined &&
  before !== undefined &&
  !isQuestion(before) &&
  !asksForWork(before) &&
  forbids({ ...clause, told: "before" });

/** Words of others, as the reader masks them. */
const quotedLetters = /q(?:q*\s)+q+/gu;

/** A line, or beginning and end of a long one. */
const endsOf = (line: string): string =>
  line.length <= lineCharsMax
    ? line
    : `${line.slice(0, lineCharsMax / 2)}. ${line.slice(-lineCharsMax / 2)}`;

interface Clause {
  readonly words: string;
  /** Where what is told stands: behind a colon (`fact`: a statement) or "that", or in the sentence before. */
  readonly told: "before" | "colon" | "fact" | "that" | null;
}

/** A question that only asks for assent is none: "nothing of this goes into memory, ok?". */
const assent =
  /[\s,]*(?<!\p{L})(?:ok(?:ay)?|right|please|yes|ja|oui|vale|sí|certo|да|хорошо|好吗|好不好|いい)[?？]$/iu;
const quotedMark = /^["'«„“「『]/u;

/** What stands between the commas, colons, dashes and parentheses of a sentence; none of a question's last part. */
function clausesOf(sentence: string): readonly Clause[] {
  const plain = phrases.reduce(
    (said, [phrase, word]) => said.replace(phrase, word),
    sentence.replace(/^\s*(?:[-*•・]|\d{1,2}[.)])\s+/u, "").replace(assent, ""),
  );
  const parts = plain.replace(inPassing, "").split(bounds);
  const clauses: Clause[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const words = (parts[at] ?? "").trim();
    const isAsked = at === parts.length - 1 && /[?？]["')]*$/u.test(words);
    const told = toldBehind(parts[at + 1], parts[at + 2] ?? "");
    if (words !== "" && !isAsked && !quotedMark.test(words)) clauses.push({ words, told });
  }
  return clauses;
}

function toldBehind(mark: string | undefined, next: string): Clause["told"] {
  if (/[:：]/u.test(mark ?? "")) return states.test(next) ? "fact" : "colon";
  return conjunction.test(next) ? "that" : null;
}

/** "Do not keep: the vendor is Kim" states; "do not keep: old logs" names things. */
const states = new RegExp(
  String.raw`(?<!\p{L})(?:is|are|was|were|will|has|have|ist|sind|war|wird|hat` +
    String.raw`|est|sont|était|a|es|son|era|está|tiene|é|são|tem|это)(?!\p{L})|'s(?!\p{L})` +
    String.raw`|^\s*\p{Lu}\p{Ll}+ \p{Ll}+(?!\p{L})` +
    String.raw`(?! (?:for|of|in|from|to|und|von|für|aus))` +
    String.raw`|[是了]|[はが].|^\s*[\p{sc=Han}]{2,4}(?:离职|辞职)`,
  "u",
);
/** Ends a clause: a mark, or "but". */
const bounds = /([,;:，；、：(]|\s[–—-]{1,2}\s|\s(?:but|aber|mais|pero|mas|но)\s)/iu;
/** Beside the order: "please don't store, just for your information: …". */
const inPassing = new RegExp(
  String.raw`,\s*(?:(?:just |only |nur |mal |solo |só |juste )?` +
    String.raw`(?:fyi|(?:for your|zur|zu deiner|pour|para|por)(?: ta| tu)? info\p{L}*|к сведению))(?=\s*[:：])`,
  "iu",
);

const conjunction = /^\s*(?:dass|daß|что|that|que|qu')(?!\p{L})/iu;

const word = /(?:[nldtmsj]|qu)'(?=\p{L})|[\p{L}\p{M}]+(?:'\p{L}+)?|\p{N}+/giu;

/** Kinds of a clause's words up to the first that is in no list; `isWhole` when there is none such. */
interface Reading {
  /** In the order in which they were met first. */
  readonly kinds: ReadonlySet<Kind>;
  readonly isWhole: boolean;
  /** What stands behind them. */
  readonly rest: string;
}

function readSpaced(words: string): Reading {
  const found = new Set<Kind>();
  for (const { 0: one, index } of words.matchAll(word)) {
    const of = wordsOfKind.filter(({ spaced }) => spaced.test(one));
    if (of.length === 0) return { kinds: found, isWhole: false, rest: words.slice(index) };
    for (const { kind } of of) found.add(kind);
  }
  return { kinds: found, isWhole: true, rest: "" };
}

function readUnspaced(words: string): Reading {
  const found = new Set<Kind>();
  const said = words.replaceAll(/[\s\p{P}]/gu, "");
  for (let at = 0; at < said.length;) {
    const next = unspacedWords.find((one) => said.startsWith(one.word, at));
    if (next === undefined) return { kinds: found, isWhole: false, rest: said.slice(at) };
    found.add(next.kind);
    at += next.word.length;
  }
  return { kinds: found, isWhole: true, rest: "" };
}

/** "You don't remember this" tells; "you don't have to" orders. */
const tellsOfYou = /^(?:(?:and|but|so) )?you don't (?!have|need|ever)/iu;
/** "Forget this right after you answer", and not "after the test run". */
const afterAnswer =
  /^(?:you|your|answer|reply|du |dass du|deiner|tu |vous |ta |votre |tus? |você|sua |ты |твоего)/iu;

function forbids(clause: Clause): boolean {
  const { words } = clause;
  const isUnspaced = unspacedLetter.test(words);
  if (isUnspaced && unspacedPrivate.test(words)) return true;
  if (words.search(inPrivate) !== -1) return readSpaced(words.replace(inPrivate, "")).isWhole;
  if (tellsOfYou.test(words)) return false;
  const reading = isUnspaced ? readUnspaced(words) : readSpaced(words);
  if (reading.kinds.has("forget")) return forgetsAfterwards(reading);
  return reading.kinds.has("not") && deniesMemory(reading, { ...clause, isUnspaced });
}

const forgetsAfterwards = ({ kinds: has, isWhole, rest }: Reading): boolean =>
  has.has("after") && !has.has("not") && (isWhole || (has.has("this") && afterAnswer.test(rest)));

/** For a clause with a denial. */
function deniesMemory(
  reading: Reading,
  clause: Clause & { readonly isUnspaced: boolean },
): boolean {
  const { kinds: has, isWhole, rest } = reading;
  // "Remember that nothing is deployed on Fridays" denies something else.
  if (has.has("remember")) return isWhole || (has.has("this") && comesFirst(has, "not", "this"));
  return isWhole
    ? deniesStoring(has, clause)
    : verbOf(has) && !has.has("be") && reportsIn(clause.words.slice(0, -rest.length));
}

/** Verbs of files need the memory named, a thing pointed at, what is told beside them, or "please" before a colon. */
function deniesStoring(
  has: ReadonlySet<Kind>,
  { words, told, isUnspaced }: Clause & { readonly isUnspaced: boolean },
): boolean {
  const isPointing = has.has("this");
  const stores = storesSomething(has, words);
  if (has.has("memory")) return stores || isPointing || has.has("store in memory");
  const isPolite = has.has("courtesy") && (told === "colon" || told === "fact" || isUnspaced);
  return stores && (isPointing || isPolite || tells(told, words));
}

/** "Don't note down that Kim leaves"; "don't save that file" and "ne garde que le premier" speak of things. */
const reportsIn = (words: string): boolean => reports.test(words) && !restricts.test(words);
const tells = (told: Clause["told"], words: string): boolean =>
  told === "that" || told === "before" || (told === "fact" && keeps.test(words));
/** A verb that says less of files than "save" and "store" do. */
const keeps =
  /(?<!\p{L})(?:keep|kept|behalt|gard|conserv|guard|mant|сохран|храни)|保留|留存|保持/iu;
const reports = new RegExp(
  String.raw`(?:(?:^|\s)(?:not(?:e|ing)|jot|down|anywhere|fact) that(?:\s(?:the|our|my|we|i))?` +
    String.raw`|(?<!\p{L})qu(?:e|')(?:\s+\p{L}{1,3})?)\s*$`,
  "iu",
);
const restricts = /(?<!\p{L})n(?:e\s|')(?!.*(?<!\p{L})(?:pas|rien|jamais|nulle part)(?!\p{L}))/iu;

const comesFirst = (has: ReadonlySet<Kind>, one: Kind, other: Kind): boolean =>
  [...has].indexOf(one) < [...has].indexOf(other);

const verbOf = (has: ReadonlySet<Kind>): boolean => has.has("store") || has.has("store in memory");

const storesSomething = (has: ReadonlySet<Kind>, words: string): boolean =>
  has.has("store") || (has.has("remembered") && (has.has("be") || words.startsWith("don't")));
