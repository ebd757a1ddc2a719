/**
 * Titles a session by facts: what it committed, else what its user asked for last that the agent worked on. Pure.
 */
import { readPrompt } from "#reader";
import type { Turn } from "#domain";
import { memoised, oneLine } from "#kit";
import { withoutCitedLines } from "#language";
import { saidIn } from "./digest-text.ts";
import type { Work } from "./digest-work.ts";
import { spokenIn } from "./slash.ts";

const wordsMax = 12;
const wordsMin = 4;
/** Of a script without spaces. */
const unspacedCharsMax = 36;
const charsMax = 110;

/** Returns what the user typed for a turn, of a plan to carry out its heading; empty when nothing was. */
export function typedIn(turn: Turn, answerBefore: string | null): string {
  const { kind, typed } = readPrompt(turn.prompt ?? "", answerBefore);
  if (kind === "plan") return headingOf(turn.prompt ?? "");
  if (kind === "client") return "";
  const said = withoutCitedLines(spokenIn(typed === "" ? (turn.prompt ?? "") : typed)).trim();
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

/** Returns the first sentence of a request as a title of at most twelve words. */
export const titleFor = memoised(
  (text: string): string => cut(saidIn(text)[0]?.text ?? oneLine(text)),
  titlesKept,
);

/** Words, or for a script without spaces half its characters. */
const lengthOf = (text: string): number =>
  Math.max(
    text.split(" ").filter((word) => /[\p{L}\p{N}]/u.test(word) && !word.includes("://")).length,
    isUnspaced(text) ? text.length / 2 : 0,
  );

const isUnspaced = (text: string): boolean =>
  (text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0) >
  text.length / 3;

/** The end of a clause, by its mark. */
const clauseEnd = /[,;:](?=\s)|[(—–，、；：]|\s-\s/gu;

/** Ends at the last mark that fits, else at a word. */
function cut(text: string): string {
  const plain = tidy(text);
  const most = isUnspaced(plain) ? unspacedCharsMax : charsMax;
  const fits = (head: string): boolean => head.length <= most && head.split(" ").length <= wordsMax;
  if (fits(plain)) return capitalised(plain);
  const atMark = [...plain.matchAll(clauseEnd)]
    .map(({ index }) => tidy(plain.slice(0, index)))
    .findLast((head) => fits(head) && lengthOf(head) >= wordsMin);
  const words = plain.split(" ").slice(0, wordsMax);
  while (words.length > 1 && words.join(" ").length > most) words.pop();
  return capitalised(atMark ?? tidy(words.join(" ").slice(0, most)));
}

const tidy = (text: string): string => text.replace(/[\s.:;,!?–—，。！？(-]+$/u, "").trim();

/** The first letter large, unless the first word is an identifier or a path. */
const capitalised = (text: string): string =>
  /^\p{Ll}[\p{L}'’]*(?:[\s,]|$)/u.test(text)
    ? text.charAt(0).toLocaleUpperCase("en") + text.slice(1)
    : text;
