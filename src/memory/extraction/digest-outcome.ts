/** Tells a session's outcome: what its last answers say is done, what was committed and edited. Pure. */
import { type Turn } from "#domain";
import { digestCues, digestWords } from "#language";
import { type Said, saidIn, shortSentences } from "./digest-text.ts";
import { belongsTo, type Work } from "./digest-work.ts";
import { headline } from "./observe-headline.ts";

/** Turns back in which an answer still tells how it ended. */
const answersMax = 4;
const sentenceCharsMax = 200;
const commitsMax = 2;

/** One or two sentences; empty when nothing says how it ended. A commit that is the title is not named again. */
export function outcomeOf(turns: readonly Turn[], work: Work, title: string): string {
  const done = committedIn(work, title) || doneIn(turns, work, title) || editedIn(work);
  return done === "" ? "" : ended(done);
}

function committedIn({ commits }: Work, title: string): string {
  const subjects = commits.filter((subject) => subject !== title).slice(-commitsMax);
  if (subjects.length > 0) return `${digestWords.committed}: ${subjects.join("; ")}`;
  return commits.length > 0 ? digestWords.committed : "";
}

/** Names of the files that were edited last: a long answer tells no one thing, these are known all the same. */
function editedIn({ files }: Work): string {
  const names = [...new Set(files.map((path) => shortName(path)))];
  const more = names.length - filesMax;
  return names.length === 0
    ? ""
    : `${digestWords.edited}: ${names.slice(-filesMax).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const filesMax = 4;

/** Its folder tells apart files of one name. */
const shortName = (path: string): string => path.split(/[\\/]/u).slice(-2).join("/");

const ended = (part: string): string => (/[.!?。！？”]$/u.test(part) ? part : `${part}.`);

/**
 * What the latest answer that tells of anything done says first: two sentences at most; empty when it is a long one.
 */
function doneIn(turns: readonly Turn[], work: Work, title: string): string {
  const answers = turns.flatMap(({ answer }) => answer ?? []).slice(-answersMax);
  for (const answer of answers.toReversed()) {
    const said = saidIn(answer);
    const done = said.filter(isDone);
    if (done.length === 0) continue;
    // An older answer may tell what this one has undone.
    const told = done.filter(({ text }) => belongsTo(work, title, text)).slice(0, 2);
    if (told.length === 0) return "";
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
  digestCues.done.test(text) &&
  !digestCues.promise.test(text) &&
  !digestCues.offer.test(text) &&
  !digestCues.open.test(text) &&
  !/^(?:it|this|that|these|those|they)(?:['’]\p{L}+)?\s/iu.test(text);
