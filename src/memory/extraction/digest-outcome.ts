/**
 * What became of a session: what its last answers say is done, what was committed, and what the user took or turned down
 * last. Pure.
 */
import { commitSubject, type ToolUse, type Turn } from "#domain";
import { cutAtWord, oneLine } from "#kit";
import * as cues from "./digest-cues.ts";
import { type Said, saidIn, shortSentences } from "./digest-text.ts";
import { typedIn } from "./digest-title.ts";
import { headline } from "./observe-headline.ts";
import { isCommand } from "./scorer-tools.ts";

/** Turns back in which an answer still tells how it ended. */
const answersMax = 4;
const verdictsMax = 3;
const sentenceCharsMax = 200;
const quoteCharsMax = 100;
const subjectCharsMax = 72;
const commitsMax = 2;
/** A verdict of more words is an order of its own. */
const verdictWordsMax = 12;

/** One or two sentences; empty when nothing says how it ended. */
export function outcomeOf(turns: readonly Turn[], toolUses: readonly ToolUse[]): string {
  const subjects = commitsIn(toolUses);
  const committed =
    subjects.length === 0 ? "" : `Committed: ${subjects.slice(-commitsMax).join(", ")}`;
  const verdict = verdictIn(turns);
  const done = committed === "" || verdict === "" ? doneIn(turns) : "";
  // A long answer tells no one thing: what was edited is known all the same.
  const parts = [committed, done, committed === "" && done === "" ? editedIn(turns) : "", verdict];
  return parts
    .filter((part) => part !== "")
    .map(ended)
    .join(" ");
}

/** Names of the files that were edited last. */
function editedIn(turns: readonly Turn[]): string {
  const names = [
    ...new Set(turns.flatMap(({ filesEdited }) => filesEdited).map((path) => shortName(path))),
  ];
  const more = names.length - filesMax;
  return names.length === 0
    ? ""
    : `Edited: ${names.slice(-filesMax).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const filesMax = 4;

/** Its folder tells apart files of one name. */
const shortName = (path: string): string => path.split(/[\\/]/u).slice(-2).join("/");

const ended = (part: string): string => (/[.!?。！？”]$/u.test(part) ? part : `${part}.`);

/** What the latest answer that tells of anything done says first: two sentences at most; empty when it is a long one. */
function doneIn(turns: readonly Turn[]): string {
  const answers = turns.flatMap(({ answer }) => answer ?? []).slice(-answersMax);
  for (const answer of answers.toReversed()) {
    const said = saidIn(answer);
    const found = said.filter(isDone);
    const telling = found.filter(({ text }) => !cues.commitNote.test(text));
    const told = telling.length > 0 ? telling.slice(0, 2) : found.slice(0, 1);
    if (told.length === 0) continue;
    if (said.length > shortSentences) return "";
    const lines = told.map((one) => ended(headline({ ...one, plain: "" }, sentenceCharsMax)));
    return lines.join(" ").length <= sentenceCharsMax ? lines.join(" ") : (lines[0] ?? "");
  }
  return "";
}

/** Shorter than this says "Done." and nothing of what. */
const doneCharsMin = 16;
const doneCharsMinUnspaced = 8;

const isDone = ({ text, isQuestion }: Said): boolean =>
  !isQuestion &&
  text.length >= (/^[\x00-\x7f]*$/u.test(text) ? doneCharsMin : doneCharsMinUnspaced) &&
  cues.done.test(text) &&
  !cues.promise.test(text) &&
  !cues.offer.test(text) &&
  !cues.open.test(text) &&
  !/^(?:it|this|that|these|those|they)(?:['’]\p{L}+)?\s/iu.test(text);

/** What the user said last about what was done. */
function verdictIn(turns: readonly Turn[]): string {
  const last = turns.slice(-verdictsMax - 1);
  for (const [at, turn] of [...last.entries()].toReversed()) {
    const before = last[at - 1]?.answer ?? null;
    if (before === null) continue;
    const typed = oneLine(typedIn(turn, before));
    if (typed === "") continue;
    if (cues.rejected.test(typed))
      return `The user turned down: “${cutAtWord(typed, quoteCharsMax)}”`;
    const isShort = typed.split(" ").length <= verdictWordsMax && typed.length <= quoteCharsMax;
    if (isShort && cues.accepted.test(typed)) return "The user accepted it";
    // An order of its own: what came before is done with.
    return "";
  }
  return "";
}

/** Subjects of the commits that were made, in order, each once. */
function commitsIn(toolUses: readonly ToolUse[]): readonly string[] {
  const subjects = toolUses.flatMap((use) => {
    if (!isCommand(use) || use.outcome !== "ok" || !/\bgit\b.*\bcommit\b/su.test(use.target ?? ""))
      return [];
    const subject = commitSubject(use.target ?? "", use.text ?? "");
    return subject === "" ? [] : [cutAtWord(subject, subjectCharsMax)];
  });
  return [...new Set(subjects)];
}
