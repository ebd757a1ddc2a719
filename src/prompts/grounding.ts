/**
 * Where a quote stands in a window, and whether the user said what a memory claims they said.
 *
 * A reply is written by a model that has read text of strangers. So nothing it says about who said what counts: the
 * speaker is looked up, the wording is the window's, and a line passes for the user's only when the user's words carry
 * it. Pure.
 */
import type { Origin } from "#domain";
import {
  agreesInForce,
  foldText,
  foldedWordsOf,
  isGlue,
  isHard,
  isOrder,
  isRule,
  stemOf,
} from "#language";
import { cleanText } from "./clean.ts";
import { promptLimits as limits } from "./limits.ts";
import type { WindowPart } from "./window.ts";

/** A quote found in a window. */
export interface Standing {
  readonly turn: number;
  /** By where it stands: typed by the user, said by the assistant, or in tool output and pasted text. */
  readonly origin: Exclude<Origin, "import">;
  /** The window's own characters. */
  readonly quote: string;
  /** The clause it stands in: a span that leaves out a "never" must not change what was said. */
  readonly clause: string;
  /** All that its speaker said there; of a user only what they typed. */
  readonly message: string;
}

/**
 * Looks a quote up, white space, case and quotation marks aside. The user's typed words come first, then second-hand
 * text: what stands in tool output is not the assistant's own because it repeats it. Null when it stands nowhere.
 */
export function standingOf(
  quote: string,
  { parts, printed }: Sources,
  turnHint: number | null,
): Standing | null {
  const pattern = patternOf(quote);
  if (pattern === null) return null;
  const found = parts.flatMap((part) => findIn(part, pattern));
  const best = (["user", "tool", "agent"] as const)
    .map((origin) => found.filter((each) => each.origin === origin))
    .find((group) => group.length > 0);
  const chosen = best?.find(({ turn }) => turn === turnHint) ?? best?.at(-1) ?? null;
  return chosen?.origin === "agent" && isCopied(chosen.quote, printed)
    ? { ...chosen, origin: "tool" }
    : chosen;
}

/** So many words in a row make a sentence another's. */
const copiedWords = 6;

/** True when a run of the quote's words stands in tool output or pasted text: the assistant only repeats it. */
function isCopied(quote: string, printed: Vocabulary): boolean {
  const words = foldedWordsOf(quote);
  return words
    .slice(copiedWords - 1)
    .map((_, n) => ` ${words.slice(n, n + copiedWords).join(" ")} `)
    .some((run) => printed.sequence.includes(run));
}

/** A part without what the user typed. */
const untyped = ({ text, typed }: WindowPart): string =>
  typed === ""
    ? text
    : text.replace(/\S/g, (char, at: number) => (typed.charAt(at) === char ? " " : char));

/** The quote as words with any white space between, or null when it is too short to prove anything. */
function patternOf(quote: string): RegExp | null {
  const words = cleanText(quote.slice(0, limits.quoteCharsMax * 2))
    .slice(0, limits.quoteCharsMax)
    .replace(/^[\s"'“”‘’«»„….]+|[\s"'“”‘’«»„…]+$/gu, "")
    .split(/\s+/u)
    .filter((word) => word !== "");
  if (words.join("").length < limits.quoteCharsMin) return null;
  const source = words.map(escaped).join(String.raw`\s+`);
  const edge = String.raw`[\p{L}\p{N}]`;
  const spaced = /^[\p{L}\p{N}]/u.test(words[0] ?? "") && !isEastAsian(words[0] ?? "");
  return new RegExp(`${spaced ? `(?<!${edge})` : ""}${source}`, "giu");
}

const isEastAsian = (word: string): boolean =>
  /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/u.test(word);

const escaped = (word: string): string =>
  word
    .replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
    .replace(/['‘’]/g, "['‘’]")
    .replace(/["“”]/g, '["“”]');

/** Matches of one part that are looked at: the same words again prove nothing more. */
const matchesMax = 20;

function findIn(part: WindowPart, pattern: RegExp): readonly Standing[] {
  return [...part.text.matchAll(pattern).take(matchesMax)].map((match) => {
    const end = match.index + match[0].length;
    return {
      turn: part.turn,
      message: part.speaker === "user" ? part.typed : part.text,
      origin: originAt(part, match.index, end),
      quote: match[0],
      clause: clauseAround(part.text, match.index, end).trim(),
    };
  });
}

function originAt(part: WindowPart, start: number, end: number): Standing["origin"] {
  if (part.speaker === "assistant") return "agent";
  if (part.speaker === "tool") return "tool";
  const inkOf = (text: string): number => text.slice(start, end).replace(/\s/gu, "").length;
  return inkOf(part.typed) * 2 > inkOf(part.text) ? "user" : "tool";
}

/** Where a clause ends: what is denied beyond it is another matter. */
const boundary = /[.!?\n;:,()]|\s(?:and|but|because|since|so|while|when|und|y|et)\s/giu;
/** How far around a quote its clause is looked for, in characters. */
const clauseReach = 200;

/** The quote with the rest of the clauses it begins and ends in. */
function clauseAround(text: string, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - clauseReach), start);
  const after = text.slice(end, end + clauseReach);
  const last = [...before.matchAll(boundary)].at(-1);
  const from = last === undefined ? 0 : last.index + last[0].length;
  const to = after.search(boundary);
  return `${before.slice(from)}${text.slice(start, end)}${to < 0 ? after : after.slice(0, to)}`;
}

/** What quotes are looked up in, and what the lines of a memory may be made of. */
export interface Sources {
  readonly parts: readonly WindowPart[];
  /** All that the user typed in the window. */
  readonly typed: Vocabulary;
  /** What user and assistant said; the assistant's words may name the subject of a short answer. */
  readonly said: Vocabulary;
  /** What tools printed and users pasted. */
  readonly printed: Vocabulary;
  /** Names that a memory may add: the project, the day. */
  readonly given: Vocabulary;
}

/** Words of texts for membership tests. */
export interface Vocabulary {
  readonly stems: ReadonlySet<string>;
  /** Folded, one line. */
  readonly text: string;
  /** Its words with a space around each. */
  readonly sequence: string;
}

export function vocabularyOf(texts: readonly string[]): Vocabulary {
  const words = texts.flatMap((text) => foldedWordsOf(text));
  return {
    stems: new Set(words.map(stemOf)),
    text: ` ${foldText(texts.join(" \n ")).replace(/\s+/gu, " ")} `,
    sequence: ` ${words.join(" ")} `,
  };
}

/** The sources of a window; `given` are names that any memory may add. */
export function sourcesOf(parts: readonly WindowPart[], given: readonly string[]): Sources {
  const typed = parts.map((part) => part.typed);
  const spoken = parts.filter(({ speaker }) => speaker === "assistant").map(({ text }) => text);
  const printed = parts
    .filter(({ speaker }) => speaker !== "assistant")
    .map((part) => untyped(part));
  return {
    parts,
    typed: vocabularyOf(typed),
    said: vocabularyOf([...typed, ...spoken]),
    printed: vocabularyOf(printed),
    given: vocabularyOf(given),
  };
}

/** Of a line's content words the user must have typed this part. Calibrated on hand-written paraphrases (tests). */
const typedShareMin = 0.5;
/** And of those they did not type, most must at least have been said in the conversation. */
const unsaidShareMax = 0.4;

/**
 * True when the user's own words carry a line: numbers, names, paths and commands to the letter, at least half of the
 * content words, no rule that the sentence does not state, and no negation lost.
 */
function isCarried(
  line: string,
  standing: Pick<Standing, "message" | "clause">,
  sources: Sources,
): boolean {
  const words = newWordsOf(line, sources);
  if (words.length === 0) return false;
  const typed = words.filter((word) => holds(sources.typed, word));
  const unsaid = words.filter((word) => !holds(sources.said, word));
  const all = weightOf(words);
  return (
    words.every((word) => !isHard(word) || holds(sources.typed, word)) &&
    !unsaid.includes(firstWordOf(line)) &&
    weightOf(typed) >= all * typedShareMin &&
    weightOf(unsaid) <= all * unsaidShareMax &&
    agreesInForce(line, standing)
  );
}

/**
 * True when a line about the user (not by them) may be drawn from what they typed: it adds no number, name or command,
 * and no rule or order that their message does not hold. Its words may be the observer's.
 */
export const isDrawn = (
  line: string,
  standing: Pick<Standing, "message" | "clause">,
  sources: Sources,
): boolean =>
  newWordsOf(line, sources).every((word) => !isHard(word) || holds(sources.typed, word)) &&
  !isSecondHand(line, sources) &&
  (!isRule(line) || isCarried(line, standing, sources));

/** Running text (a summary, an observation) may tell anything but orders that the user did not give. */
export const isSound = (line: string, sources: Sources): boolean =>
  !isOrder(line) || isCarried(line, { clause: "", message: sources.typed.text }, sources);

/** True when a line has words that only tools and pasted text have: it tells what they said. */
const isSecondHand = (line: string, sources: Sources): boolean =>
  newWordsOf(line, sources).some(
    (word) => !holds(sources.said, word) && holds(sources.printed, word),
  );

/** Content words that neither project nor date explain, each once. */
const newWordsOf = (line: string, sources: Sources): readonly string[] =>
  contentWordsOf(line).filter((word) => !holds(sources.given, word));

/** What follows a subject and no order: "releases of", "indentation is". */
const afterSubject = /^(?:is|are|was|were|of|has|have|uses?|should|must|needs?|goes)$/;

/** The verb of a line that may be an order, after a label such as `acme-api:`; then it must be the user's. */
function firstWordOf(line: string): string {
  const [first = "", second = ""] = foldedWordsOf(line.replace(/^[^\s:]{1,60}:\s+/u, ""));
  return afterSubject.test(second) ? "" : first;
}

/** A number or a name says more than a word. */
const weightOf = (words: readonly string[]): number =>
  words.reduce((sum, word) => sum + (isHard(word) ? 2 : 1), 0);

const contentWordsOf = (line: string): readonly string[] => [
  ...new Set(foldedWordsOf(line).filter((word) => !isGlue(word))),
];

/**
 * Hard words to the letter: identifiers also inside longer ones, numbers whole, with or without their unit. Days are
 * free, since "yesterday" becomes one. Other words by their stem.
 */
export function holds(vocabulary: Vocabulary, word: string): boolean {
  if (!isHard(word)) return vocabulary.stems.has(stemOf(word));
  if (/^\d{4}-\d\d(?:-\d\d)?$/.test(word)) return true;
  const number = /^(\d[\d.,:]*)(?:[a-z]{1,7}|%)?$/.exec(word)?.[1];
  return number === undefined
    ? vocabulary.text.includes(word)
    : hasNumber(vocabulary.text, number.replace(/[.,:]+$/, ""));
}

function hasNumber(text: string, number: string): boolean {
  let at = text.indexOf(number);
  while (at >= 0) {
    const around = text.charAt(at - 1) + text.charAt(at + number.length);
    if (!/\d/.test(around)) return true;
    at = text.indexOf(number, at + 1);
  }
  return false;
}
