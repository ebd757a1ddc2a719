/**
 * Finds what a session leaves open, and whether it was finished. Is what a session left open finished by what came
 * after it? By facts only: the command that failed passes, a commit names it, the files it names were edited in a turn
 * that ends well, or the same was asked for and has an end. Pure.
 */
import { neverRan, type ToolUse, type Turn } from "#domain";
import { cutAtWord, oneLine } from "#kit";
import { digestWords, sharedCount, stemsOf } from "#language";
import { commitsIn, isErrandTitle, titleFor, typedIn } from "./digest-title.ts";
import { hasPassed, isCommand, looksOnly } from "./checkpoint-files.ts";

// Finds what a session leaves open, by facts: a command that fails, and a request that was interrupted. Pure.

/** Beginning of an open end that is a command. */
const failingWord = "Still failing";
const commandCharsMax = 60;
const reasonCharsMax = 80;

/**
 * Returns the open ends of the last turn that worked or was cut short; `earlier` are those that were open before these
 * turns. A turn of words alone neither finishes nor opens anything.
 */
export function openEndsOf(
  turns: readonly Turn[],
  toolUses: readonly ToolUse[],
  earlier: readonly string[] = [],
): readonly string[] {
  const worked = new Set(toolUses.map(({ turn }) => turn));
  const at = turns.findLastIndex((turn) => isCut(turn) || worked.has(turn.n));
  const last = turns[at];
  if (last === undefined) return earlier;
  return [...failingIn(last, toolUses), ...unfinished(last, turns[at - 1]?.answer ?? null)];
}

/** True for a turn that has no end. */
export const isCut = ({ answer, status }: Turn): boolean =>
  status === "interrupted" || answer === null;

/** An order that was not finished. */
function unfinished(turn: Turn, answerBefore: string | null): readonly string[] {
  const title = isCut(turn) ? titleFor(typedIn(turn, answerBefore)) : "";
  return isErrandTitle(title) ? [] : [plainly(`${digestWords.unfinished}: ${title}`)];
}

/** The last command of a turn that ran, if it failed. */
function failingIn({ n }: Turn, toolUses: readonly ToolUse[]): readonly string[] {
  const last = toolUses.findLast(
    (use) => use.turn === n && isCommand(use) && !(use.outcome === "error" && neverRan(use.text)),
  );
  if (last === undefined || last.outcome !== "error") return [];
  const command = last.target ?? last.tool;
  if (looksOnly.test(command)) return [];
  const reason = last.text?.split("\n").find((line) => /\p{L}/u.test(line)) ?? "";
  const why = reason === "" ? "" : ` (${cutAtWord(oneLine(reason), reasonCharsMax)})`;
  const name = cutAtWord(oneLine(command), commandCharsMax);
  return [plainly(`${failingWord}: ${name}${why}`)];
}

/** Items are joined by semicolons, so none may hold one. */
const plainly = (item: string): string => item.replace(/;(?=\s)/gu, ",");

export interface LaterWork {
  /** After the session that left it open, oldest first. */
  readonly turns: readonly Turn[];
  readonly toolUses: readonly ToolUse[];
}

/** Share of an item's words that what finishes it has to name. */
const namedShareMin = 0.6;
const namedWordsMin = 2;

/** `closedBy` gives the items that are finished. */
export function closedBy(items: readonly string[], later: LaterWork): readonly string[] {
  if (items.length === 0) return [];
  const commands = later.toolUses
    .filter((use) => isCommand(use) && hasPassed(use))
    .map(({ target, tool }) => oneLine(target ?? tool));
  const commits = commitsIn(later.toolUses).map(stemsOf);
  const ended = later.turns.filter((turn) => !isCut(turn) && !endsFailing(turn, later.toolUses));
  const edits = ended.map(({ filesEdited }) => filesIn(filesEdited.join("\n")));
  const asked = ended
    .filter(({ filesEdited }) => filesEdited.length > 0)
    .map(({ prompt }) => stemsOf(prompt ?? ""));
  return items.filter((item) => {
    const failing = failingCommand.exec(item)?.[1];
    if (failing !== undefined) return commands.some((command) => isRun(command, failing));
    const files = filesIn(item);
    if (files.size > 0 && edits.some((edited) => files.isSubsetOf(edited))) return true;
    const unfinished = `${digestWords.unfinished}: `;
    const words = stemsOf(item.replace(unfinished, ""));
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
