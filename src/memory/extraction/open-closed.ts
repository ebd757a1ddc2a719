/**
 * Is what a session left open finished by what came after it? By evidence only: the command that failed passes, a
 * commit names it, or it is said to be done, in any of the languages that people work in. Pure.
 */
import type { ToolUse, Turn } from "#domain";
import { commitSubject } from "#domain";
import { hasUnspaced, letterPairs, oneLine } from "#kit";
import { canonicalWord, digestCues, digestWords, readWords, sharedCount } from "#language";
import { saidIn } from "./digest-text.ts";
import { isCommand } from "./scorer-tools.ts";

export interface LaterWork {
  /** After the session that left it open, oldest first. */
  readonly turns: readonly Turn[];
  readonly toolUses: readonly ToolUse[];
}

/** Share of an item's words that what finishes it has to name. */
const namedShareMin = 0.6;
const namedWordsMin = 2;

/** Those of the items that are finished. */
export function closedBy(items: readonly string[], later: LaterWork): readonly string[] {
  if (items.length === 0) return [];
  const passed = later.toolUses.filter((use) => isCommand(use) && use.outcome === "ok");
  const commands = passed.map(({ target, tool }) => oneLine(target ?? tool));
  const finished = [
    ...passed.map(({ target, text }) => commitSubject(target ?? "", text ?? "")),
    ...later.turns.flatMap(doneIn),
  ].filter((text) => text !== "");
  const told = finished.map(wordsOf);
  return items.filter((item) => {
    const failing = failingCommand.exec(item)?.[1];
    if (failing !== undefined) return commands.some((command) => isRun(command, failing));
    if (later.turns.some((turn) => hasMended(turn, filesIn(item)))) return true;
    const words = wordsOf(item.replace(`${digestWords.unfinished}: `, ""));
    return words.size >= namedWordsMin && told.some((other) => names(other, words));
  });
}

/** Base names without endings: `cart` of `src/cart.spec.ts`. */
const filesIn = (text: string): ReadonlySet<string> =>
  new Set(
    [
      ...text.matchAll(/([\p{L}\p{N}_-]+)(?:\.[\p{L}\p{N}_-]+)*\.[a-z]\w{0,4}(?![\p{L}\p{N}])/gu),
    ].flatMap(([, name]) => name?.toLowerCase() ?? []),
  );

/** A file of this name was edited, and the answer says that something is done and nothing left. */
function hasMended({ answer, filesEdited, status }: Turn, wanted: ReadonlySet<string>): boolean {
  const said = saidIn(answer);
  return (
    status !== "interrupted" &&
    wanted.size > 0 &&
    wanted.isSubsetOf(filesIn(filesEdited.join("\n"))) &&
    said.some(({ text }) => isSaidDone(text)) &&
    !said.some(isLeft)
  );
}

const isSaidDone = (text: string): boolean =>
  digestCues.done.test(text) && !digestCues.open.test(text) && !digestCues.promise.test(text);

const failingCommand = /^Still failing: (.+?)(?:…|\s\(|$)/u;

/** The command that failed, alone or behind another one. */
const isRun = (command: string, failing: string): boolean => {
  const at = command.indexOf(failing);
  return at === 0 || (at > 0 && /[\s;&|(]/u.test(command.charAt(at - 1)));
};

/** What a turn says is done; the order itself counts when its answer says that something is. */
function doneIn({ prompt, answer, status }: Turn): readonly string[] {
  const answered = saidIn(answer).filter(({ text, isQuestion }) => !isQuestion && isSaidDone(text));
  const typed = saidIn(prompt).filter(({ isQuestion }) => !isQuestion);
  const said = typed.filter(({ text }) => isSaidDone(text));
  // "Fix the parser" → "Done, all tests pass."
  const ordered =
    status !== "interrupted" && answered.length > 0 && !saidIn(answer).some(isLeft) ? typed : said;
  return [...answered, ...ordered].map(({ text }) => text);
}

const isLeft = ({ text }: { readonly text: string }): boolean =>
  digestCues.open.test(text) && !digestCues.nothingOpen.test(text);

const names = (told: ReadonlySet<string>, words: ReadonlySet<string>): boolean => {
  const shared = sharedCount(words, told);
  return shared >= namedWordsMin && shared / words.size >= namedShareMin;
};

const openWords = new RegExp(digestCues.open.source, `${digestCues.open.flags}g`);

/** Without "is still missing", which no later word says again. */
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    readWords(text.replaceAll(openWords, " ")).content.flatMap((word) =>
      hasUnspaced(word) ? letterPairs(word) : [canonicalWord(word)],
    ),
  );
