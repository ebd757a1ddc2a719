/**
 * Is what a session left open finished by what came after it? By facts only: the command that failed passes, a commit
 * names it, the files it names were edited in a turn that ends well, or the same was asked for and has an end. Pure.
 */
import type { ToolUse, Turn } from "#domain";
import { hasUnspaced, letterPairs, oneLine } from "#kit";
import { canonicalWord, digestWords, readWords, sharedCount } from "#language";
import { failingWord, isCut } from "./digest-open.ts";
import { commitsIn } from "./digest-work.ts";
import { isCommand } from "./tool-work.ts";

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
  const commands = later.toolUses
    .filter((use) => isCommand(use) && use.outcome === "ok")
    .map(({ target, tool }) => oneLine(target ?? tool));
  const commits = commitsIn(later.toolUses).map(wordsOf);
  const ended = later.turns.filter((turn) => !isCut(turn) && !endsFailing(turn, later.toolUses));
  const edits = ended.map(({ filesEdited }) => filesIn(filesEdited.join("\n")));
  const asked = ended
    .filter(({ filesEdited }) => filesEdited.length > 0)
    .map(({ prompt }) => wordsOf(prompt ?? ""));
  return items.filter((item) => {
    const failing = failingCommand.exec(item)?.[1];
    if (failing !== undefined) return commands.some((command) => isRun(command, failing));
    const files = filesIn(item);
    if (files.size > 0 && edits.some((edited) => files.isSubsetOf(edited))) return true;
    const unfinished = `${digestWords.unfinished}: `;
    const words = wordsOf(item.replace(unfinished, ""));
    const told = item.startsWith(unfinished) ? [...commits, ...asked] : commits;
    return words.size >= namedWordsMin && told.some((other) => names(other, words));
  });
}

const endsFailing = ({ n }: Turn, toolUses: readonly ToolUse[]): boolean =>
  toolUses.findLast((use) => use.turn === n && isCommand(use))?.outcome === "error";

/** Base names without endings: `cart` of `src/cart.spec.ts`. */
const filesIn = (text: string): ReadonlySet<string> =>
  new Set(
    [
      ...text.matchAll(/([\p{L}\p{N}_-]+)(?:\.[\p{L}\p{N}_-]+)*\.[a-z]\w{0,4}(?![\p{L}\p{N}])/gu),
    ].flatMap(([, name]) => name?.toLowerCase() ?? []),
  );

const failingCommand = new RegExp(String.raw`^${failingWord}: (.+?)(?:…|\s\(|$)`, "u");

/** The command that failed, alone or behind another one. */
const isRun = (command: string, failing: string): boolean => {
  const at = command.indexOf(failing);
  return at === 0 || (at > 0 && /[\s;&|(]/u.test(command.charAt(at - 1)));
};

const names = (told: ReadonlySet<string>, words: ReadonlySet<string>): boolean => {
  const shared = sharedCount(words, told);
  return shared >= namedWordsMin && shared / words.size >= namedShareMin;
};

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    readWords(text).content.flatMap((word) =>
      hasUnspaced(word) ? letterPairs(word) : [canonicalWord(word)],
    ),
  );
