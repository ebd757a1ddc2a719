/**
 * Did a memory help the session that was given it? Told by what the agent did and said next, without a model: a value,
 * a file or a name of the memory turns up in its tools or its answer, and nobody else had said it there before. Pure.
 */
import { identifiersOf, isTool, stopWords } from "#language";

/** The evidence of a turn: what the user typed, and what the agent did and answered. */
export interface HelpTurn {
  readonly atMs: number;
  readonly prompt: string;
  /** Targets and files of tools, and the answer. */
  readonly done: string;
}

/**
 * Turns that follow a giving and are looked at. A memory given for a prompt is for what is done next; a start is for a
 * whole piece of work.
 */
const turnsLooked = { prompt: 2, start: 10, subagent: 1, tool: 2 } as const;

/** Signs of one memory; the first are the most telling. */
const signsMax = 24;
/** The limit of one turn's deeds: a longer one is cut. */
const doneCharsMax = 20_000;

/** Signs a turn can show: words as they stand in the text, and numbers with their units. */
interface Signs {
  readonly words: readonly string[];
  readonly values: readonly string[];
}

/**
 * `signsOf` gives the signs that somebody goes by a memory: files, identifiers, names, tools and
 * values. What it denies ("not npm", "instead of yarn") tells the opposite and is left out.
 */
function signsOf(memory: { readonly l0: string; readonly files: readonly string[] }): Signs {
  const told = memory.l0.replace(denied, " ");
  const files = memory.files.flatMap((file) => file.split("/").at(-1) ?? []);
  const names = [...told.matchAll(name)].flatMap(([word]) =>
    stopWords.has(word.toLowerCase()) ? [] : [word],
  );
  const tools = told
    .toLowerCase()
    .split(/[^\p{L}\p{N}+-]+/u)
    .filter(isTool);
  const words = [...files, ...identifiersOf(told), ...tools, ...names].map((word) =>
    word.toLowerCase(),
  );
  return {
    words: [...new Set(words)].filter((word) => word.length >= 3).slice(0, signsMax),
    values: [...new Set(telling(told))].slice(0, signsMax),
  };
}

/** Up to the next mark: what is said not to be so. */
const denied =
  /\b(?:not|never|no longer|instead of|rather than|don't|do not|nicht|kein\w*|statt|nie)\b[^.,;:()]{0,120}/giu;
/** A capitalised word inside a sentence. */
const name = /(?<=[\p{Ll}\p{N},;:] )\p{Lu}[\p{L}\p{N}]{2,40}/gu;

/** Numbers with their units, without the blank between. Small ones by themselves are in every text. */
const telling = (text: string): readonly string[] =>
  [...text.toLowerCase().matchAll(measured)].flatMap(([, number = "", unit = ""]) =>
    unit === "" && /^\p{N}{1,2}$/u.test(number) ? [] : [number + unit],
  );

const measured =
  /(?<![\p{L}\p{N}_.])(\p{N}+(?:[.:,-]\p{N}+)*)(?:[ -]?(ms|s|sec|min|h|d|[kmgt]i?b|%|second|minute|hour|day|week|month|year)s?(?![\p{L}\p{N}]))?/gu;

/**
 * Did the agent go by it? `turns` are those of the session, in order; a sign counts that the agent shows after the
 * giving and that neither it nor the user had shown in the session up to then.
 */
export function isUsed(
  memory: { readonly l0: string; readonly files: readonly string[] },
  given: { readonly atMs: number; readonly channel: keyof typeof turnsLooked },
  turns: readonly HelpTurn[],
): boolean {
  const signs = signsOf(memory);
  if (signs.words.length + signs.values.length === 0) return false;
  const first = turns.findIndex(({ atMs }) => atMs >= given.atMs);
  if (first < 0) return false;
  let left = turns.slice(0, first).reduce((rest, { prompt, done }) => {
    return without(without(rest, prompt), done);
  }, signs);
  for (const { prompt, done } of turns.slice(first, first + turnsLooked[given.channel])) {
    left = without(left, prompt);
    if (shows(left, done)) return true;
  }
  return false;
}

const without = (signs: Signs, text: string): Signs => {
  if (text === "" || signs.words.length + signs.values.length === 0) return signs;
  const shown = shownIn(text);
  return {
    words: signs.words.filter((word) => !shown.word(word)),
    values: signs.values.filter((value) => !shown.values.has(value)),
  };
};

const shows = (signs: Signs, text: string): boolean => {
  if (signs.words.length + signs.values.length === 0) return false;
  const shown = shownIn(text);
  return signs.words.some(shown.word) || signs.values.some((value) => shown.values.has(value));
};

function shownIn(text: string) {
  const low = text.slice(0, doneCharsMax).toLowerCase();
  return {
    word: (word: string): boolean => hasWord(low, word),
    values: new Set(telling(low)),
  };
}

/** As a whole word: `npm` is not in `pnpm`. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!letter.test(text[at - 1] ?? " ") && !letter.test(text[at + word.length] ?? " "))
      return true;
  return false;
}

const letter = /[\p{L}\p{N}_]/u;
