/**
 * A session's digest by facts: its title, its work and its outcome. The title is what it committed, else what its user
 * asked for last that the agent worked on. Pure.
 */
import { hardSplit, readPrompt, digestWords, isOfTheLog } from "#language";
import { commitSubject, isRemark, type ToolUse, type Turn } from "#domain";
import { cutAtWord, memoised, oneLine, unspacedLetters } from "#kit";
import { spokenIn } from "./slash.ts";
import { filesInHandOf, isCommand, type SessionMaterial } from "./checkpoint-files.ts";

// Sentences of an answer or of typed words, for digests: prose in any script, without code, tables, headings and
// links. Pure. Knows punctuation, not meaning.

interface Said {
  /** One line, markdown off. */
  readonly text: string;
  readonly isQuestion: boolean;
  /** It stands in a list. */
  readonly isItem: boolean;
}

/** Read from both ends of a long text: it opens with the result and closes with what is left. */
const readCharsMax = 8_000;

export const saidIn = (text: string | null): readonly Said[] =>
  proseLines(text ?? "")
    .flatMap(({ text, isItem }) => hardSplit(text).map((part) => ({ text: oneLine(part), isItem })))
    .filter(({ text }) => /\p{L}/u.test(text) && !text.endsWith(":"))
    .map(({ text, isItem }) => ({ text, isItem, isQuestion: /[?？]["')\]”]*$/u.test(text) }));

interface Line {
  readonly text: string;
  readonly isItem: boolean;
}

const proseLines = (text: string): readonly Line[] =>
  bothEnds(text.replace(/```[\s\S]*?(?:```|$)/gu, "\n"))
    .split(/\r?\n/u)
    .filter((line) => !/^\s*(?:[|>#❯➜»›]|[-=*_]{3,}\s*$|\d{2}:\d{2}:\d{2}|\$ )/u.test(line))
    .map((line) => ({
      isItem: listMark.test(line),
      text: line
        .replace(listMark, "")
        .replace(/\[([^\]]+)\]\([^)]*\)/gu, "$1")
        .replace(/[*_]{2}/gu, "")
        .replace(/^[\p{Extended_Pictographic}\u{fe0f}\s]+/u, ""),
    }));

const listMark = /^\s*(?:[-*•]|\d+[.)])\s+(?:\[[ x]\]\s*)?/u;

const bothEnds = (text: string): string =>
  text.length <= readCharsMax
    ? text
    : `${text.slice(0, readCharsMax / 2)}\n${text.slice(text.length - readCharsMax / 2)}`;

const wordsMax = 20;
const wordsMin = 4;
/** The limit for a script without spaces. */
const unspacedCharsMax = 36;
const charsMax = 140;

/** Returns what the user typed for a turn, of a plan to carry out its heading; empty when nothing was. */
export function typedIn(turn: Turn, answerBefore: string | null): string {
  const { kind, typed } = readPrompt(turn.prompt ?? "", answerBefore);
  if (kind === "plan") return headingOf(turn.prompt ?? "");
  if (kind === "client") return "";
  const said = spokenIn(typed === "" ? (turn.prompt ?? "") : typed).trim();
  return withoutCommand(said) ?? (kind === "typed" ? said : "");
}

/** Null for words without a command. */
function withoutCommand(said: string): string | null {
  const found = slashCommand.exec(said);
  const [, rest = ""] = found ?? [];
  if (found === null) return null;
  return rest.split(/\s+/u).length >= commandWordsMin ? rest : "";
}

/** The first heading of a plan, without the word for plan before a colon. */
const headingOf = (plan: string): string =>
  oneLine(
    (/^#{1,3}\s+(\S.*)$/mu.exec(plan)?.[1] ?? "")
      .replace(/^(?:\p{L}+ )?plan\s*[:：–—-]\s*/iu, "")
      .replaceAll("`", ""),
  );

/** `/goal make the export faster`: what stands behind the name is typed as well, where it is more than an argument. */
const slashCommand = /^\/[\w:-]+(?:\s+([\s\S]*)|$)/u;
const commandWordsMin = 4;

/**
 * The subject that was committed first, which was written to be read alone; else the last request that the agent worked
 * on; else the last one. A request of a few words tells nothing where another says more. `before` is the title of what
 * came before these turns.
 */
export function titleOf(turns: readonly Turn[], work: Work, before = ""): string {
  const committed = work.commits.find((subject) => !isErrandTitle(subject));
  if (committed !== undefined) return committed;
  const requests = turns.flatMap((turn, at) => {
    const title = titleFor(typedIn(turn, turns[at - 1]?.answer ?? null));
    return title === "" ? [] : [{ title, isWork: work.turns.has(turn.n) }];
  });
  const telling = requests.filter(({ title }) => !isErrandTitle(title));
  const worked = telling.findLast(({ isWork }) => isWork);
  const isOlder = !isErrandTitle(before) && (work.turns.size > 0 || telling.length === 0);
  return (
    worked?.title ?? (isOlder ? before : ((telling.at(-1) ?? requests.at(-1))?.title ?? before))
  );
}

const errandWordsMax = 3;

/** "Commit", "Fix lint", "thanks": a title that does not tell what the session was about. */
export const isErrandTitle = (title: string): boolean => lengthOf(title) <= errandWordsMax;

const titlesKept = 256;

/**
 * Returns the beginning of a request as a title of at most twenty words: its first sentence, and what follows a short
 * one ("I cannot read this." alone tells nothing).
 */
export const titleFor = memoised((text: string): string => {
  const [first, ...others] = saidIn(text).map((sentence) => sentence.text);
  if (first === undefined) return cut(oneLine(text));
  return isShort(first) ? cutAtEnd(beginningOf(first, others)) : cut(first);
}, titlesKept);

const beginningOf = (first: string, others: readonly string[]): string =>
  others.reduce((begun, sentence) => (isShort(begun) ? `${begun} ${sentence}` : begun), first);

const shortWords = 8;

const isShort = (text: string): boolean => lengthOf(text) < shortWords;

/** Words, or for a script without spaces half its characters. */
const lengthOf = (text: string): number =>
  Math.max(
    text.split(" ").filter((word) => /[\p{L}\p{N}]/u.test(word) && !word.includes("://")).length,
    isUnspaced(text) ? text.length / 2 : 0,
  );

const isUnspaced = (text: string): boolean => unspacedLetters(text) > text.length / 3;

/** The end of a clause, by its mark. */
const clauseEnd = /[,;:](?=\s)|[(—–，、；：]|\s-\s/gu;

/** Ends at the last mark that fits, else at a word. */
function cut(text: string): string {
  const plain = tidy(text);
  if (fits(plain)) return capitalised(plain);
  const atMark = [...plain.matchAll(clauseEnd)]
    .map(({ index }) => tidy(plain.slice(0, index)))
    .findLast((head) => fits(head) && lengthOf(head) >= wordsMin);
  return atMark === undefined ? cutAtEnd(plain) : capitalised(atMark);
}

const mostOf = (text: string): number => (isUnspaced(text) ? unspacedCharsMax : charsMax);

const fits = (text: string): boolean =>
  text.length <= mostOf(text) && text.split(" ").length <= wordsMax;

/** Ends at the last word that fits. */
function cutAtEnd(text: string): string {
  const plain = tidy(text);
  const most = mostOf(plain);
  const words = plain.split(" ").slice(0, wordsMax);
  while (words.length > 1 && words.join(" ").length > most) words.pop();
  return capitalised(tidy(words.join(" ").slice(0, most)));
}

const tidy = (text: string): string => text.replace(/[\s.:;,!?–—，。！？(-]+$/u, "").trim();

/** The first letter large, unless the first word is an identifier or a path. */
const capitalised = (text: string): string =>
  /^\p{Ll}[\p{L}'’]*(?:[\s,]|$)/u.test(text)
    ? text.charAt(0).toLocaleUpperCase("en") + text.slice(1)
    : text;

// Tells what a session worked on: the commits it made, the files it edited. Pure.

interface Work {
  /** Subjects in order, each once. */
  readonly commits: readonly string[];
  /** Files of the project that were edited last, the latest first, relative to its folder. */
  readonly files: readonly string[];
  /** Numbers of the turns in which a file was edited or a command was run. */
  readonly turns: ReadonlySet<number>;
  /** Names those of them that ended with an answer: what stands before a call tells what comes next. */
  readonly answered: ReadonlySet<number>;
}

/** The length up to which git takes a subject as not too long. */
const subjectCharsMax = 72;

export function sessionWork(material: SessionMaterial): Work {
  const { turns, toolUses } = material;
  const worked = new Set([
    ...turns.filter(({ filesEdited }) => filesEdited.length > 0).map(({ n }) => n),
    ...toolUses.filter(isCommand).map(({ turn }) => turn),
  ]);
  const remarks = new Set(toolUses.filter(isRemark).map(({ text }) => text));
  const ended = turns.filter(
    ({ answer, n, status }) => worked.has(n) && status !== "interrupted" && !remarks.has(answer),
  );
  return {
    commits: commitsIn(toolUses),
    files: filesInHandOf(material).filter(isOfProject),
    turns: worked,
    answered: new Set(ended.map(({ n }) => n)),
  };
}

/** Subjects of the commits that went well among these calls, in order, each once. */
export function commitsIn(toolUses: readonly ToolUse[]): readonly string[] {
  const subjects = toolUses.flatMap((use) => {
    if (!isCommand(use) || use.outcome !== "ok" || !/\bgit\b.*\bcommit\b/su.test(use.target ?? ""))
      return [];
    const subject = commitSubject(use.target ?? "", use.text ?? "");
    return subject === "" ? [] : [cutAtWord(subject, subjectCharsMax)];
  });
  return [...new Set(subjects)];
}

/** Plans and notes of the client lie in a hidden folder of the home, scratch files in /tmp. */
const isOfProject = (path: string): boolean =>
  !/^(?:[\\/](?:private[\\/])?(?:var[\\/])?tmp[\\/]|(?:[\\/]|[A-Za-z]:).*[\\/]\.)/u.test(path);

// Tells a session's outcome by facts: what was committed or edited, and how its last answer ends. Pure.

const lineCharsMax = 200;
const commitsMax = 2;

/**
 * At most two sentences; empty for a session that only talked. A commit that is the title is not named again. `before`
 * is the outcome of what came before these turns.
 */
export function outcomeOf(turns: readonly Turn[], work: Work, title: string, before = ""): string {
  const done = committedIn(work, title) || editedIn(work);
  return [done, done === "" ? "" : lastLineOf(turns, work) || lastLineIn(before)]
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

/** The last statement of the last answer that has one, of the turns that worked. */
const lastLineOf = (turns: readonly Turn[], { answered }: Work): string =>
  turns
    .filter(({ n }) => answered.has(n))
    .map(({ answer }) => lastLineIn(answer))
    .findLast((line) => line !== "") ?? "";

/** Skips lists, questions, a word or two, and what the log tells as well. */
function lastLineIn(text: string | null): string {
  const last = saidIn(text).findLast(
    (said) =>
      !said.isItem && !said.isQuestion && !isErrandTitle(said.text) && !isOfTheLog(said.text),
  );
  return last === undefined ? "" : cutAtWord(last.text, lineCharsMax);
}
