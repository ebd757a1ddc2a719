/** Reads the whole sentences that a user surely typed in a turn, and finds those that a quote is made of. Pure. */
import type { Answered } from "#domain";
import { unspacedLetters } from "#kit";
import {
  askedCommand,
  foldText,
  hardSplit,
  isOutright,
  isQuestion,
  readPrompt,
  requestIn,
  splitAtConsent,
  surelyTyped,
  withoutCitations,
} from "#language";

export interface TypedInTurn {
  /** Prompt of the turn, with all that was typed later at its end. */
  readonly prompt: string | null;
  /** Texts typed later: while the agent worked, or to refuse a call. */
  readonly later?: readonly string[];
  readonly answerBefore: string | null;
  /** Questions of the agent that the user answered in this turn. */
  readonly asked?: readonly Answered[];
  /** Slash command whose argument counts as typed. */
  readonly command?: "remember" | "forget";
  /** Lines in doubt count as typed: an order not to remember is not to be lost. */
  readonly isCautious?: boolean;
  /** It is to hold everywhere: words cited within a line ("the page says: …") do not count as typed. */
  readonly isWide?: boolean;
}

/** `withLater` gives a prompt with what was typed later. */
export const withLater = (prompt: string, later: readonly string[]): string =>
  [prompt, ...later].join(between);
const between = "\n\n";

/** The lines whose place leaves no doubt, each text by itself: what was typed later was not pasted into the prompt. */
function sureWords({ prompt, later = [], answerBefore, isCautious }: TypedInTurn): string {
  if (prompt === null) return "";
  const first = prompt.slice(0, prompt.length - withLater("", later).length);
  return [first, ...later]
    .map((text) => {
      const read = readPrompt(text, answerBefore);
      return isCautious === true ? read.typed : surelyTyped(text, read);
    })
    .join(between);
}

/** Blanks the lines that only cite; where it is to hold everywhere, also what a line cites. */
function withoutCitedLines(typed: string, isWide: boolean): string {
  const own = withoutCitations(typed);
  if (isWide) return own;
  const uncited = own.split("\n");
  return typed
    .split("\n")
    .map((line, n) => (uncited[n]?.trim() === "" ? "" : line))
    .join("\n");
}

/** Returns the text after `/remember`, or after the command that is named; null for any other prompt. */
export function argumentsOf({ prompt, command = "remember" }: TypedInTurn): string | null {
  const typed = askedCommand(prompt ?? "");
  const head = new RegExp(String.raw`^/(?:continuity:)?${command}\s+`, "iu");
  return head.test(typed) ? typed.replace(head, "").trim() : null;
}

/** The sentences that were typed in a turn, and the answers to the agent's questions. */
export function sentencesTyped(turn: TypedInTurn): readonly string[] {
  const { prompt, asked = [], isWide = false } = turn;
  const given = argumentsOf(turn);
  if (given !== null) return [given];
  const typed = withCited(withoutCitedLines(sureWords(turn), isWide), prompt ?? "");
  return [typed, ...asked.map(({ answer }) => answer)].flatMap((text) => sentencesIn(text));
}

/** Marks what was typed with a colon above cited lines, which are not typed: they are all that it introduces. */
const withCited = (typed: string, prompt: string): string =>
  typed.replaceAll(/^.*[:：]$/gmu, (line) => (prompt.includes(`${line}\n>`) ? `${line}\n>` : line));

export const bullet = /^\s*(?:[-*•・]|\d{1,2}[.)])\s+/u;
const stop = /[.!?…。！？:：]["'”’」』)\]）]*\s*$/u;

/**
 * Whole sentences of a typed text. What stands below a line that introduces it is somebody's text, or a list of it: only
 * the line right below makes one sentence with it. Lines that are marked as cited are all that is introduced.
 */
export function sentencesIn(text: string): readonly string[] {
  const found: string[] = [];
  let above: Above = { isIntroduced: false, introduction: null, isGap: true };
  for (const line of text.split("\n")) {
    if (isTypedLine(line)) above = takeLine(line, found, above);
    else {
      const isCited = /^\s*[>|]/u.test(line) && above.introduction !== null;
      const isIntroduced = above.isIntroduced && !isCited;
      above = { isIntroduced, introduction: null, isGap: true };
    }
  }
  return found;
}

/** The lines before one. */
interface Above {
  readonly isIntroduced: boolean;
  /** The line right above, where it introduces what follows. */
  readonly introduction: string | null;
  readonly isGap: boolean;
}

const isTypedLine = (line: string): boolean => !/^\s*(?:$|>|\||```|\/\/|<!--|#)/u.test(line);

/** Adds the sentences of a line to those found. */
function takeLine(line: string, found: string[], above: Above): Above {
  const pieces = splitAtStops(line.replace(bullet, ""));
  const [first = ""] = pieces;
  const next = { isIntroduced: above.isIntroduced, introduction: null, isGap: false };
  if (above.isIntroduced) {
    const { introduction } = above;
    if (introduction !== null && !bullet.test(line)) found.push(`${introduction} ${first}`);
    return next;
  }
  if (/[:：]\s*$/u.test(line)) {
    const introduction = pieces.at(-1) ?? "";
    found.push(...pieces.slice(0, -1));
    return { ...next, isIntroduced: !isOutright(`${introduction} x`), introduction };
  }
  if (!above.isGap && isContinued(found.at(-1), line))
    found.push(`${found.pop() ?? ""} ${first}`, ...pieces.slice(1));
  else found.push(...pieces);
  return next;
}

/** A line without a stop goes on in the next one that begins in lower case. */
const isContinued = (last: string | undefined, line: string): boolean =>
  last !== undefined && !stop.test(last) && /^\s*\p{Ll}/u.test(line) && !bullet.test(line);

/** `It says "why?" and stops.` goes on behind what it cites. */
function splitAtStops(line: string): readonly string[] {
  const pieces: string[] = [];
  for (const piece of hardSplit(line)) {
    const last = pieces.at(-1) ?? "";
    if (isWithinQuotes(last)) pieces[pieces.length - 1] = `${last} ${piece}`;
    else pieces.push(piece);
  }
  return pieces.flatMap(withoutRequest);
}

/** A statement with "can you …?" or "ok?" behind it is one all the same. */
function withoutRequest(piece: string): readonly string[] {
  if (!isMarkedQuestion(piece)) return [piece];
  const [statement = piece, tail] = splitAtConsent(piece) ?? [];
  if (tail !== undefined) return isQuestion(statement) ? [piece] : [statement, tail];
  const found = requestIn(piece);
  return found === null ? [piece] : [found.statement, found.request];
}

/** True when a sentence ends in a question mark, whatever it asks; one that ends by citing a question asks nothing. */
export const isMarkedQuestion = (sentence: string): boolean =>
  /[?？]["'”’」』)\]）]*$/u.test(sentence) &&
  !/\S\s*(?:"[^"]+"|[“«][^”»]+[”»])\.?$/u.test(sentence);

/** A mark was opened and not closed: the full stop belongs to what is quoted. */
const isWithinQuotes = (text: string): boolean =>
  count(text, '"') % 2 === 1 || count(text, "“«„「『") > count(text, "”»“」』");

const count = (text: string, marks: string): number =>
  Array.from(text).filter((letter) => marks.includes(letter)).length;

/** Letter case, spacing, marks of markup and the stop at the end make no difference. */
export const plain = (text: string): string =>
  foldText(text)
    .replaceAll(/[*_`]/gu, "")
    .replaceAll(/\s+/gu, " ")
    .trim()
    .replace(/[.!。！…]+$/u, "")
    .trim();

/** The letters and digits of a text alone. */
export const letters = (text: string): string => plain(text).replaceAll(/[^\p{L}\p{N}]/gu, "");

/** The typed sentences that the quote is made of, in any number; null when it is made of anything else. */
export function partsOf(quote: string, typed: readonly string[]): readonly string[] | null {
  const known = new Map(typed.map((sentence) => [plain(sentence), sentence]));
  const parts = sentencesIn(quote).map((part) => known.get(plain(part)));
  return parts.length === 0 || parts.includes(undefined)
    ? null
    : parts.filter((part) => part !== undefined);
}

/** Letters, of which one of a script without blanks counts as two. */
const breadthOf = (text: string): number => text.length + unspacedLetters(text);

/** Shorter quotes stand in a prompt by chance. */
const quoteCharsMin = 8;

export const isShort = (quote: string): boolean => breadthOf(plain(quote)) < quoteCharsMin;

export const tooShort = "the quote is too short";

/** Reason why a quote is not the user's word: others wrote it. */
export const pastedReason = "pasted text counts as the agent's word";

/** Returns why a quote is not made of whole sentences typed in a turn, whatever they say; null = it is. */
export function typedFault(quote: string, turn: TypedInTurn): string | null {
  if (isShort(quote)) return tooShort;
  const typed = sentencesTyped(turn);
  if (partsOf(quote, typed) !== null) return null;
  const said = letters(quote);
  if (letters(typed.join(" ")).includes(said)) return "the quote is not whole sentences";
  return letters(turn.prompt ?? "").includes(said)
    ? pastedReason
    : "the user did not type the quote in this turn";
}
