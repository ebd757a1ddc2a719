/**
 * An answer of the agent, shortened to whole sentences: how it begins and ends, what carries something, and what the
 * next prompt chooses of it. Pure.
 */
import { cutAtWord, oneLine } from "#kit";
import { cleanText } from "./reply.ts";

/** Causes, proposals, questions and what is left, in the languages that answers come in. */
const telling =
  /(?<!\p{L})(?:root cause|the (?:real |actual )?(?:issue|problem|bug|cause|reason|culprit) (?:is|was)|turns out|because|found it|fixed by|the fix|instead of|recommend|i suggest|would you like|should i|do you want|shall i|which (?:one|option)|next steps?|remaining|not (?:yet|done)|follow-?up|limitation|caveat|note that|ursache|weil|stattdessen|empfehle|soll ich|noch offen|la cause|parce que|au lieu|je propose|reste à|la causa|porque|en lugar|recomiendo|falta|em vez)(?!\p{L})|причина|проблема|потому|нужно|осталось|рекоменд|原因|因为|建议|剩下|なぜなら|推奨|残り/iu;

export const givesReason = (text: string): boolean => telling.test(text);

const cellsOf = (row: string): readonly string[] =>
  row
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

export const isTableRow = (row: string): boolean => /^\s*\|/.test(row);

/** Words of a cell that says something beside names in code. */
const proseWordsMin = 4;
/** Looked at of a row. */
const rowCharsMax = 1_000;

/** A row of a table that says something of something, as decisions stand beside their reasons; not one of a file. */
export function isProseRow(row: string): boolean {
  if (!isTableRow(row)) return false;
  const [name = "", ...rest] = cellsOf(row.slice(0, rowCharsMax));
  const wordsOf = (cell: string): readonly string[] =>
    cell
      .replace(/`[^`]*`/g, " ")
      .split(/\s+/)
      .filter((word) => /\p{L}/u.test(word) && !/[/\\]/.test(word));
  return wordsOf(name).length > 0 && rest.some((cell) => wordsOf(cell).length >= proseWordsMin);
}

/** A row with each of its cells cut, in at most about so many characters. */
export function shortRow(row: string, charsMax: number): string {
  if (row.length <= charsMax) return row;
  const cells = cellsOf(row);
  const each = Math.floor(charsMax / cells.length);
  // Room that short cells leave goes to the long ones.
  const long = cells.filter((cell) => cell.length > each);
  const short = cells.filter((cell) => cell.length <= each);
  const left = charsMax - short.reduce((sum, cell) => sum + cell.length + separatorChars, 0);
  const most = Math.max(each, Math.floor(left / Math.max(1, long.length)) - separatorChars);
  return `| ${cells.map((cell) => cutAtWord(cell, most)).join(" | ")} |`;
}

const separatorChars = 3;

/** Begins like a reply to what was said before. */
const replying =
  /^[^\p{L}\p{N}]*(?:yes|yeah|yep|yup|y|no|nope|ok(?:ay)?|sure|do|go|let'?s|both|all|option|the (?:first|second|third|last|latter|former)|[a-e1-9]\b|agree|sounds|perfect|great|good|please|that|those|this|it|why|what|how|but|and|or|hmm|ja|nein|doch|passt|gut|mach|oui|non|d'accord|vas-y|sí|si|vale|dale|sim|não|да|нет|ок|давай|хорошо|согласен|вариант|делай|это|好|是|不|对|可以|はい|いいえ|それ)(?![\p{L}\p{N}])/iu;
const pointing =
  /\b(?:you (?:said|suggest|propos|mention|recommend)\w*|option|your (?:plan|proposal|question|point)|#\d|the (?:first|second|third) one)\b/i;

/** A prompt as short as this means little without the answer before it. */
const shortCharsMax = 70;

/** True when a prompt cannot be understood without the answer before it. */
export const refersBack = (typed: string): boolean =>
  typed.length < shortCharsMax || replying.test(typed) || pointing.test(typed.slice(0, 300));

const keptCodeCharsMax = 180;

/** Without thoughts, long code and marks of layout. */
export const plainAnswer = (answer: string): string =>
  cleanText(answer)
    .replace(/<think>[\s\S]*?<\/think>|<details>[\s\S]*?<\/details>/g, "")
    .replace(/```\w*\n?([\s\S]*?)(?:```|$)/g, (whole, code: string) =>
      code.length < keptCodeCharsMax ? whole : `‹code ${code.split("\n").length} lines›`,
    )
    .replace(/^#+[ \t]+|[*#]{2,}|^\s*---+\s*$|^[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$/gm, "")
    .replace(/[ \t]+/g, " ")
    .replace(/\n\s*\n+/g, "\n")
    .trim();

/** A prompt of at most so many characters says nothing by itself: "c", "yes", "do option 3". */
const bareCharsMax = 16;

/** A plain answer taken apart, once for all the lengths that it is tried in. */
export interface Answer {
  readonly plain: string;
  readonly sentences: () => readonly Sentence[];
  readonly options: () => readonly Option[];
}

export function answerOf(plain: string): Answer {
  let sentences: readonly Sentence[] | null = null;
  let options: readonly Option[] | null = null;
  return {
    plain,
    sentences: () => (sentences ??= sentencesOf(plain)),
    options: () => (options ??= optionsIn(plain)),
  };
}

/** True when a prompt is a bare reply, or names an option that the answer before it lays out. */
export const isReplyTo = (typed: string, { options }: Answer): boolean =>
  typed.trim().length <= bareCharsMax || namedOf(options, typed).length > 0;

/** Shares of a shortened answer: the rest is its middle. */
const headShare = 0.35;
const tailShare = 0.25;
/** Beside options, which stand whatever the room: why they were offered. */
const besideOptionsChars = 160;
/** Looked through, half of them from the end; an answer of more is a listing. */
const sentencesMax = 240;
/** Characters of an option that was chosen, of one that was not, and of all together. */
const chosenCharsMax = 360;
const otherCharsMax = 60;
const optionsCharsMax = 1_200;
/** Share of the room for a list that the next prompt names nothing of. */
const unnamedShare = 0.45;

/**
 * About `charsMax` characters of a plain answer, in one line of whole sentences. The options that `next` chooses from
 * stand whatever the room.
 */
export function shortAnswer(answer: Answer, charsMax: number, next = ""): string {
  const { plain } = answer;
  if (plain.length <= charsMax) return oneRow(plain);
  const sentences = answer.sentences();
  const options = optionsFor(answer, next, charsMax);
  const taken = new Map<number, string>();
  const chosen = options.reduce((sum, { said }) => sum + said.length + 3, 0);
  let charsLeft = Math.max(charsMax - chosen, Math.min(charsMax, besideOptionsChars));
  const take = ({ at, said }: Sentence): boolean => {
    if (taken.has(at) || said.length + 3 > charsLeft) return false;
    taken.set(at, said);
    charsLeft -= said.length + 3;
    return true;
  };
  const free = sentences.filter(
    ({ from }) => !options.some((one) => one.from <= from && from < one.to),
  );
  const [first] = free;
  const last = free.at(-1);
  if (last !== undefined) take(last);
  if (first !== undefined) take(first);
  run(free, charsMax * headShare, take);
  run(free.toReversed(), charsMax * tailShare, take);
  const telling = free.filter(({ said, weight }) => said.length > 12 && weight > 0);
  for (const sentence of telling.toSorted((a, b) => b.weight - a.weight || a.at - b.at))
    take(sentence);
  // No sentence fits into much of the room: the first up to a word.
  if (first !== undefined && !taken.has(first.at) && charsLeft > Math.max(40, charsMax / 2))
    taken.set(first.at, cutAtWord(first.said, charsLeft));
  // The head of a table says nothing without its rows.
  const isBareHead = ({ at, said }: Sentence): boolean =>
    isTableRow(said) &&
    !isTableRow(sentences[at - 1]?.said ?? "") &&
    isTableRow(sentences[at + 1]?.said ?? "") &&
    !taken.has(at + 1);
  return rowOf([
    ...sentences.flatMap((sentence) => {
      const said = taken.get(sentence.at);
      if (said === undefined || isBareHead(sentence)) return [];
      return [{ from: sentence.from, to: sentence.to, said }];
    }),
    ...options,
  ]);
}

export interface Piece {
  /** Place in the answer, its end aside. */
  readonly from: number;
  readonly to: number;
  readonly said: string;
}

export interface Sentence extends Piece {
  readonly at: number;
  readonly weight: number;
}

/** Takes sentences from the first on until one does not fit or the share is used up. */
function run(
  sentences: readonly Sentence[],
  share: number,
  take: (sentence: Sentence) => boolean,
): void {
  let chars = 0;
  for (const [n, sentence] of sentences.entries()) {
    chars += sentence.said.length + 3;
    // The first was taken before.
    if (chars > share || (n > 0 && !take(sentence))) return;
  }
}

/** A full stop behind a number or an abbreviation ends nothing. */
const sentenceEnd = new RegExp(
  String.raw`(?<=[.!?]["'\x60)\]]*)(?<!(?:^|\s)\d{1,2}\.)(?<!\b(?:e\.g|i\.e|vs|z\.B|etc)\.)\s+` +
    String.raw`|(?<=[。！？])|\n`,
  "gu",
);

export function sentencesOf(plain: string): readonly Sentence[] {
  const sentences: Piece[] = [];
  let from = 0;
  const add = (end: number, to: number): void => {
    const said = plain.slice(from, end).trim();
    if (/[\p{L}\p{N}]/u.test(said)) sentences.push({ from, to, said });
    from = to;
  };
  for (const { 0: gap, index } of plain.matchAll(sentenceEnd)) add(index, index + gap.length);
  add(plain.length, plain.length);
  const half = sentencesMax / 2;
  return sentences.flatMap(({ from: begin, to, said }, at) =>
    at < half || at >= sentences.length - half
      ? [{ from: begin, to, said, at, weight: weightOf(said) }]
      : [],
  );
}

interface Option extends Piece {
  /** Letter or number, in lower case. */
  readonly label: string;
}

/** `A) …`, `1. …`, `- Option B: …`, `(c) …` at the beginning of a line. */
const labelled =
  /^[ \t|>•*-]*(?:\p{L}{3,12} )?\(?([A-Ha-h]|\d{1,2})(?:[).:\]]+|[ \t]+[—–-])(?=\s)/gmu;

/** The last list of an answer that has two options at least; each reaches to the next, or to the end of its block. */
function optionsIn(plain: string): readonly Option[] {
  const marks = [...plain.matchAll(labelled)].slice(-40);
  const begin = marks.findLastIndex(([, label = ""]) => /^[a1]$/i.test(label));
  const list = begin === -1 ? [] : marks.slice(begin);
  if (list.length < 2) return [];
  return list.map(({ 1: label = "", index }, at) => {
    const to = list[at + 1]?.index ?? endOfOption(plain, index);
    return { from: index, to, label: label.toLowerCase(), said: plain.slice(index, to).trim() };
  });
}

/** Lines below the last option belong to it while they are indented or listed. */
function endOfOption(plain: string, from: number): number {
  const rest = plain.slice(from);
  const end = /\n(?![ \t]|[-*•|])/u.exec(rest)?.index;
  return end === undefined ? plain.length : from + end;
}

/** A letter or a number by itself. */
const label = /(?<![\p{L}\p{N}./-])(?:[a-h]|\d{1,2})(?![\p{L}\p{N}/-]|\.\d)/giu;

/** The options that a prompt names by their letter or number. */
function namedOf(options: Answer["options"], typed: string): readonly Option[] {
  if (typed.length > namingCharsMax) return [];
  const labels = new Set(typed.toLowerCase().match(label) ?? []);
  return labels.size === 0 ? [] : options().filter((option) => labels.has(option.label));
}

const namingCharsMax = 300;

/** Keeps the chosen ones whole, the others by their beginnings: what was turned down counts too. */
function optionsFor({ plain, options }: Answer, next: string, charsMax: number): readonly Piece[] {
  const named = namedOf(options, next);
  const asks = next !== "" && next.trim().length < shortCharsMax && /[?？]\s*$/u.test(plain);
  if (named.length === 0 && !asks) return [];
  // A list that nothing is named of may be one of findings: each has its part of the room.
  const part = named.length > 0 ? 0 : Math.floor((charsMax * unnamedShare) / options().length);
  const others = Math.max(otherCharsMax, part);
  let charsLeft = Math.max(optionsCharsMax, charsMax * unnamedShare);
  return options().map((option) => {
    const most = named.includes(option) ? chosenCharsMax : others;
    const said = atSentence(oneRow(option.said), Math.max(20, Math.min(most, charsLeft)));
    charsLeft -= said.length;
    return { from: option.from, to: option.to, said };
  });
}

/** Up to the end of the last sentence that fits; at a word where none does. */
function atSentence(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const end = text.slice(0, charsMax).search(/[.!?。](?=\s[^.!?。]*$)/u);
  return end > charsMax / 3 ? text.slice(0, end + 1) : cutAtWord(text, charsMax);
}

/** Names, commands and numbers weigh something, causes and proposals more. */
const weightOf = (sentence: string): number =>
  (givesReason(sentence) ? 2 : 0) +
  (isProseRow(sentence) ? 1 : 0) +
  (/`[^`]+`|\*\*|\d|\w[./_-]\w/.test(sentence) ? 1 : 0);

const oneRow = (text: string): string => oneLine(text.replace(/\n+/g, " ⏎ "));

/** Pieces in the order of the answer, with a mark where something is left out. */
export function rowOf(pieces: readonly Piece[]): string {
  const inOrder = pieces.toSorted((a, b) => a.from - b.from);
  return inOrder
    .map(({ from, said }, n) => {
      const before = inOrder[n - 1];
      if (before === undefined) return oneRow(said);
      return `${before.to >= from ? " " : " … "}${oneRow(said)}`;
    })
    .join("");
}
