/**
 * What a session worked on, by what cannot be chatter: the plan it was given, the commits it made, the files it edited.
 * And whether a text is about that. Pure.
 */
import { readPrompt } from "#reader";
import { commitSubject, type ToolUse, type Turn } from "#domain";
import { cutAtWord, letterPairs, oneLine } from "#kit";
import { contentWords } from "#language";
import { shortPath } from "./checkpoint-digest.ts";
import { isCommand } from "./scorer-tools.ts";

export interface Work {
  /** Heading of the plan that the client was told to carry out; empty = none. */
  readonly plan: string;
  /** Subjects in order, each once. */
  readonly commits: readonly string[];
  /** Files of the project that these turns edited, in order, relative to its folder. */
  readonly files: readonly string[];
  /** Words of the plan, the subjects and the paths. */
  readonly made: ReadonlySet<string>;
  /** Words of the agent's answers. */
  readonly said: () => ReadonlySet<string>;
}

export interface WorkMaterial {
  readonly turns: readonly Turn[];
  readonly toolUses: readonly ToolUse[];
  readonly cwd: string | null;
  /** Edited before these turns. */
  readonly filesBefore: readonly string[];
}

/** What git takes for a subject that is not too long. */
const subjectCharsMax = 72;
export function workOf({ turns, toolUses, cwd, filesBefore }: WorkMaterial): Work {
  const plan = turns.map(planIn).find((heading) => heading !== "") ?? "";
  const commits = commitsIn(toolUses);
  const edited = turns.flatMap(({ filesEdited }) => filesEdited);
  const files = [...new Set(edited.map((path) => shortPath(path, cwd)))].filter(isOfProject);
  const made = namesIn([plan, ...commits, ...filesBefore.filter(isOfProject), ...files].join("\n"));
  const said = memoised(() => namesIn(turns.map(({ answer }) => answer ?? "").join("\n")));
  return { plan, commits, files, made, said };
}

/** Of words that the agent's answers repeat: one of them may be chance. */
const saidMin = 2;

/** An order that shares no words with the work does not tell what it was. */
export function isAbout({ made, said }: Work, text: string): boolean {
  const words = [...namesIn(text)];
  return (
    words.some((word) => made.has(word)) ||
    words.filter((word) => said().has(word)).length >= saidMin
  );
}

/** Whether a sentence has to do with what was made, or with what the title says. */
export function belongsTo({ made }: Work, title: string, sentence: string): boolean {
  const asked = namesIn(title);
  return [...namesIn(sentence)].some((word) => made.has(word) || asked.has(word));
}

const memoised = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
};

/** The first heading of a plan, without the word for plan before a colon. */
function planIn({ prompt }: Turn): string {
  if (prompt === null || readPrompt(prompt, null).kind !== "plan") return "";
  const heading = /^#{1,3}\s+(\S.*)$/mu.exec(prompt)?.[1] ?? "";
  return oneLine(heading.replace(/^(?:\p{L}+ )?plan\s*[:：–—-]\s*/iu, "").replaceAll("`", ""));
}

function commitsIn(toolUses: readonly ToolUse[]): readonly string[] {
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

/** Names of files and folders that every project has. */
const anyProject = new Set(
  contentWords(
    "test tests spec src lib bin cmd pkg docs doc main index internal readme file files",
  ),
);
const nameCharsMin = 3;

/** Content words, those that identifiers and paths are made of among them. */
function namesIn(text: string): ReadonlySet<string> {
  const parted = text
    .replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ")
    .replace(/[^\p{L}\p{N}\p{M}'’]+/gu, " ");
  const words = contentWords(parted).filter(
    (word) => word.length >= nameCharsMin && /\p{L}/u.test(word) && !anyProject.has(word),
  );
  const unspaced = parted.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu) ?? [];
  return new Set([...words, ...unspaced.flatMap((run) => letterPairs(run))]);
}
