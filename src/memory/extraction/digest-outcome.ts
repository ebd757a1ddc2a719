/** Tells a session's outcome by facts: what was committed or edited, and how its last answer ends. Pure. */
import type { Turn } from "#domain";
import { cutAtWord } from "#kit";
import { digestWords } from "#language";
import { saidIn } from "./digest-text.ts";
import type { Work } from "./digest-work.ts";

const lineCharsMax = 200;
const commitsMax = 2;

/** At most two sentences; empty for a session that only talked. A commit that is the title is not named again. */
export function outcomeOf(turns: readonly Turn[], work: Work, title: string): string {
  const done = committedIn(work, title) || editedIn(work);
  return [done, done === "" ? "" : lastLineOf(turns, work)]
    .filter((part) => part !== "")
    .map(ended)
    .join(" ");
}

function committedIn({ commits }: Work, title: string): string {
  const subjects = commits.filter((subject) => subject !== title).slice(-commitsMax);
  if (subjects.length > 0) return `${digestWords.committed}: ${subjects.join("; ")}`;
  return commits.length > 0 ? digestWords.committed : "";
}

/** Names of the files that were edited last. */
function editedIn({ files }: Work): string {
  const names = [...new Set(files.map((path) => shortName(path)))];
  const more = names.length - filesMax;
  return names.length === 0
    ? ""
    : `${digestWords.edited}: ${names.slice(0, filesMax).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const filesMax = 4;

/** Its folder tells apart files of one name. */
const shortName = (path: string): string => path.split(/[\\/]/u).slice(-2).join("/");

const ended = (part: string): string => (/[.!?。！？”]$/u.test(part) ? part : `${part}.`);

/** The last statement of the last answer to a turn that worked; of a list or a question it is none. */
function lastLineOf(turns: readonly Turn[], work: Work): string {
  const answer = turns.findLast(({ n }) => work.turns.has(n))?.answer ?? null;
  const last = saidIn(answer).findLast(({ isItem, isQuestion }) => !isItem && !isQuestion);
  return last === undefined ? "" : cutAtWord(last.text, lineCharsMax);
}
