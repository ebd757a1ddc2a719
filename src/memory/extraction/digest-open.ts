/**
 * What a session leaves open: a command that fails, questions without an answer, and what was said to be left. Pure.
 */
import { type ToolUse, type Turn } from "#domain";
import { cutAtWord, oneLine } from "#kit";
import { contentWords, digestCues, digestWords, jaccard } from "#language";
import { type Said, saidIn, shortSentences } from "./digest-text.ts";
import { isErrandTitle, titleFor, typedIn } from "./digest-title.ts";
import { headline } from "./observe-headline.ts";
import { isCommand } from "./scorer-tools.ts";

export const openEndsMax = 3;
const itemCharsMax = 160;
const commandCharsMax = 60;
const reasonCharsMax = 80;
const questionSentences = 4;
/** Share of words from which two ends are one. */
const sameEndMin = 0.6;

/**
 * At most three, the most pressing first. `earlier` are those that were open before these turns: words alone ("ok, stop
 * for today") neither finish nor open anything, so what the turns before them left stands.
 */
export function openEndsOf(
  turns: readonly Turn[],
  toolUses: readonly ToolUse[],
  earlier: readonly string[] = [],
): readonly string[] {
  const last = turns.at(-1);
  if (last === undefined) return earlier;
  const own = leftBy(turns, last, toolUses);
  if (!isTalk(last, toolUses)) return own;
  const before = openEndsOf(turns.slice(0, -1), toolUses, earlier);
  const adds = last.answer === null || last.n === 1;
  return distinct(adds ? [...own, ...before] : before).slice(0, openEndsMax);
}

const talkWordsMax = 12;
const talkCharsMax = 100;
const talkSentencesMax = 2;

/** A short prompt that is no question, answered briefly and without work: nothing became of it. */
export function isTalk({ n, prompt, answer }: Turn, toolUses: readonly ToolUse[]): boolean {
  if (toolUses.some(({ turn }) => turn === n)) return false;
  const typed = oneLine(prompt ?? "");
  if (typed.length > talkCharsMax || typed.split(" ").length > talkWordsMax) return false;
  const said = saidIn(answer);
  return (
    said.length <= talkSentencesMax &&
    ![...saidIn(typed), ...said.filter(isUnanswered)].some(({ isQuestion }) => isQuestion) &&
    !said.some(({ text }) => digestCues.done.test(text) || digestCues.nothingOpen.test(text))
  );
}

function leftBy(
  turns: readonly Turn[],
  last: Turn,
  toolUses: readonly ToolUse[],
): readonly string[] {
  const before = turns.at(-2)?.answer ?? null;
  const said = saidIn(last.answer);
  const found = [
    ...(last.answer === null || said.some(isLeft) ? failingIn(last, toolUses) : []),
    ...unfinished(last, before),
    ...said.slice(-questionSentences).filter(isUnanswered).map(itemOf),
    ...(said.length <= shortSentences ? said.filter(isLeft).map(itemOf) : []),
  ];
  return distinct(found).slice(0, openEndsMax);
}

/** "Which one?" asks nothing that stands alone. */
const isUnanswered = ({ text, isQuestion }: Said): boolean =>
  isQuestion && !isErrandTitle(text) && !digestCues.offer.test(text);

/**
 * An item of a list describes something, as does a clause that tells what was done ("added a lamp that glows when it
 * fails").
 */
const isLeft = ({ text, isQuestion, isItem }: Said): boolean =>
  !isQuestion &&
  !isItem &&
  text
    .split(clauseEnd)
    .some((clause) => digestCues.open.test(clause) && !digestCues.done.test(clause)) &&
  !digestCues.nothingOpen.test(text) &&
  !digestCues.offer.test(text);

const clauseEnd = /[,;:–—，、；：]\s*/u;

/** Items are joined by semicolons, so none may hold one. */
const itemOf = (said: Said): string =>
  headline({ ...said, plain: "" }, itemCharsMax).replace(/;(?=\s)/gu, ",");

/** An order that was not finished. */
function unfinished(turn: Turn, answerBefore: string | null): readonly string[] {
  if (turn.status !== "interrupted" && turn.answer !== null) return [];
  const title = titleFor(typedIn(turn, answerBefore));
  return isErrandTitle(title) ? [] : [`${digestWords.unfinished}: ${title}`];
}

/** Looking and finding nothing is no failure. */
const looksOnly =
  /^\s*(?:cd \S+\s*(?:&&|;)\s*)?(?:git (?:grep|diff|show|log|status)|grep|egrep|rg|ag|ls|cat|head|tail|find|fd|test|which|sed -n|kill|pkill|timeout|sleep)\b/u;

/** The last command of the last turn, if it failed. */
function failingIn({ n }: Turn, toolUses: readonly ToolUse[]): readonly string[] {
  const last = toolUses.findLast((use) => use.turn === n && isCommand(use));
  if (last === undefined || last.outcome !== "error") return [];
  const command = last.target ?? last.tool;
  if (looksOnly.test(command)) return [];
  const reason = last.text?.split("\n").find((line) => /\p{L}/u.test(line)) ?? "";
  const why = reason === "" ? "" : ` (${cutAtWord(oneLine(reason), reasonCharsMax)})`;
  const name = cutAtWord(oneLine(command), commandCharsMax);
  return [`Still failing: ${name}${why}`.replace(/;(?=\s)/gu, ",")];
}

function distinct(items: readonly string[]): readonly string[] {
  const kept: { readonly item: string; readonly words: ReadonlySet<string> }[] = [];
  for (const item of items.filter((text) => text !== "")) {
    const words = new Set(contentWords(item));
    const isKnown = kept.some(
      (one) => one.item === item || (words.size > 0 && jaccard(one.words, words) >= sameEndMin),
    );
    if (!isKnown) kept.push({ item, words });
  }
  return kept.map(({ item }) => item);
}
