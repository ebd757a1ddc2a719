/**
 * Condenses what the agent says besides its answer: its plan, and remarks between its tools,
 * shortened to what tells. A plan of the agent, shortened to what it decides: its title, why it is
 * made, lines that give a reason or say what is not done, each below its heading; then headings and
 * lists as far as there is room. Pure.
 */
import { cutAtWord, oneLine } from "#kit";
import { denies } from "#language";
import {
  givesReason,
  isProseRow,
  isTableRow,
  plainAnswer,
  rowOf,
  type Sentence,
  sentencesOf,
  shortRow,
} from "./condense-answer.ts";

/** A plan taken apart, once for all the lengths that it is tried in. */
export interface Plan {
  /** All of it, for quotes. */
  readonly plain: string;
  readonly lines: () => readonly Line[];
}

interface Line {
  readonly at: number;
  readonly text: string;
  /** Place of the heading that it stands below; its own for a heading, -1 above the first. */
  readonly heading: number;
  readonly isHeading: boolean;
  /** A heading that says no: "Not done", "Rejected, since …", or stands below one. */
  readonly isDenied: boolean;
  readonly weight: number;
}

export function planOf(markdown: string): Plan {
  let lines: readonly Line[] | null = null;
  return {
    plain: plainAnswer(markdown),
    lines: () => (lines ??= linesIn(markdown)),
  };
}

const lineCharsMax = 260;
/** Cuts the cells of a longer row, so that its neighbours stand too. */
const tableRowCharsMax = 170;
const linesMax = 400;
const separatorChars = 3;

function linesIn(markdown: string): readonly Line[] {
  const lines: Line[] = [];
  let heading: Line | null = null;
  let deniedDepth = 0;
  let below = 0;
  for (const row of rowsOf(markdown).flatMap(partsOfRow)) {
    const text = shownRow(row);
    if (!/[\p{L}\p{N}]/u.test(text) || lines.length >= linesMax) continue;
    const isHeading = /^#+ /.test(row);
    deniedDepth = deniedDepthAt(row, deniedDepth);
    below = isHeading ? 0 : below + 1;
    const at = lines.length;
    const line: Line = {
      at,
      text,
      isHeading,
      isDenied: isHeading && deniedDepth > 0,
      heading: isHeading ? at : (heading?.at ?? -1),
      weight: isHeading ? 0 : weightOf(row, below, heading?.isDenied === true),
    };
    if (isHeading) heading = line;
    lines.push(line);
  }
  return lines;
}

function shownRow(row: string): string {
  const bare = oneLine(row.replace(/^#+ *|^[ \t]*[-*+] +|[*]{2}/g, ""));
  return isTableRow(row) ? shortRow(bare, tableRowCharsMax) : cutAtWord(bare, lineCharsMax);
}

/** Depth of the heading that says no and holds at this row; 0 = none does. `before`: the same at the row before. */
function deniedDepthAt(row: string, before: number): number {
  const depth = /^#+(?= )/.exec(row)?.[0].length ?? 0;
  if (depth === 0 || (before > 0 && depth > before)) return before;
  return denies(row) ? depth : 0;
}

/** Sentences of a long row: what it denies last would be cut off. */
const partsOfRow = (row: string): readonly string[] =>
  row.length <= lineCharsMax || /^(?:#|\s*\|)/.test(row)
    ? [row]
    : sentencesOf(row).map(({ said }) => said);

/** Lines without code, each with those that go on with it. */
function rowsOf(markdown: string): readonly string[] {
  const rows: string[] = [];
  let isOpen = false;
  const text = markdown
    .replace(/```[^]*?(?:```|$)/g, "\n")
    // The head of a table says less than any of its rows.
    .replace(/^[ \t]*\|.*\n(?=[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$)/gm, "");
  for (const row of text.split("\n")) {
    const begins = /^\s*(?:#+ |[-*+] |\d+[.)] |\||\*\*)/.test(row);
    if (isOpen && !begins && row.trim() !== "") rows.push(`${rows.pop() ?? ""} ${row.trim()}`);
    else rows.push(row);
    isOpen = row.trim() !== "" && !/^#+ /.test(row);
  }
  return rows;
}

/** Reasons and denials decide most; then how a section begins, then what a list or a table names at its margin. */
function weightOf(row: string, below: number, isDenied: boolean): number {
  const isNamesAlone = row.replace(/`[^`]*`/g, "").trim().length < 20;
  return (
    (isDenied ? 3 : 0) +
    (givesReason(row) || isProseRow(row) ? 3 : 0) +
    (denies(row) ? 3 : 0) +
    (below === 1 ? 1 : 0) +
    (/^(?:[-*+] |\d+[.)] |\||\*\*)/.test(row) ? 1 : 0) -
    (isNamesAlone ? 2 : 0)
  );
}

/** About `charsMax` characters in one line, in the order of the plan. */
export function shortPlan({ lines }: Plan, charsMax: number): string {
  const all = lines();
  const taken = new Set<number>();
  let charsLeft = charsMax;
  const take = (...wanted: readonly (Line | undefined)[]): void => {
    const fresh = wanted.filter((line) => line !== undefined).filter(({ at }) => !taken.has(at));
    const chars = fresh.reduce((sum, { text }) => sum + text.length + separatorChars, 0);
    if (chars > charsLeft) return;
    charsLeft -= chars;
    for (const { at } of fresh) taken.add(at);
  };
  const [title] = all;
  take(title);
  // The plan's reason stands first, whatever the heading above it.
  for (const line of all.filter(({ isHeading }) => !isHeading).slice(0, 2)) take(line);
  const byWeight = all.filter(({ isHeading }) => !isHeading).toSorted(byWeightThenPlace);
  for (const line of byWeight.filter(({ weight }) => weight >= 3)) take(all[line.heading], line);
  for (const line of all.filter(({ isHeading }) => isHeading)) take(line);
  for (const line of byWeight) take(line);
  return all
    .filter(({ at }) => taken.has(at))
    .map(({ text, isHeading, at }) => (isHeading && at > 0 ? `§ ${text}` : text))
    .join(" ⏎ ");
}

/** Characters of a line count less than what it says: without them the shortest lines would always come first. */
const lineChars = 60;

/** Weighs a line by its length: short rules stand beside long findings. */
const densityOf = ({ text, weight }: Line): number => weight / (text.length + lineChars);
const byWeightThenPlace = (a: Line, b: Line): number => densityOf(b) - densityOf(a) || a.at - b.at;

// Condenses the texts of the agent between its tools to the sentences that tell something. Most of them announce the
// next step: that is the last sentence before a tool call, whatever the language. Pure.

export interface Remarks {
  /** Characters of the sentences that tell something. */
  readonly chars: number;
  /**
   * About so many characters of them, in one line: first those that name most, then the longest; announced steps where
   * there is room left.
   */
  readonly shown: (charsMax: number) => string;
}

interface Told extends Sentence {
  /** Ends a remark: announces the next step, as a rule. */
  readonly isStep: boolean;
}

/** Ends by saying what comes next. */
export const announces = /[:：]$/u;
/** A shorter sentence tells only where it names something; the last of several, only where it gives a reason. */
const charsMin = { only: 40, last: 120, other: 20 } as const;
const reasonWeight = 2;

export function remarksOf(texts: readonly string[]): Remarks {
  let ranked: readonly Told[] | null = null;
  const sentences = (): readonly Told[] =>
    (ranked ??= tellingIn(texts).toSorted(
      (a, b) =>
        Number(a.isStep) - Number(b.isStep) ||
        b.weight - a.weight ||
        b.said.length - a.said.length ||
        a.from - b.from,
    ));
  return {
    get chars() {
      return sentences().reduce((sum, { said }) => sum + said.length + 3, 0);
    },
    shown: (charsMax) => {
      let charsLeft = charsMax;
      return rowOf(
        sentences().filter(({ said }) => {
          if (said.length + 3 > charsLeft) return false;
          charsLeft -= said.length + 3;
          return true;
        }),
      );
    },
  };
}

function tellingIn(texts: readonly string[]): readonly Told[] {
  let begin = 0;
  return texts.flatMap((text) => {
    const plain = plainAnswer(text);
    const all = sentencesOf(plain);
    const from = begin;
    begin += plain.length + 1;
    return all
      .filter((sentence, at) => tells(sentence, placeOf(at, all.length)))
      .map((one) => ({
        at: one.at,
        said: one.said,
        weight: one.weight,
        from: from + one.from,
        to: from + one.to,
        isStep: one.at === all.at(-1)?.at,
      }));
  });
}

type Place = keyof typeof charsMin;

const placeOf = (at: number, count: number): Place =>
  count === 1 ? "only" : at === count - 1 ? "last" : "other";

const tells = ({ said, weight }: Sentence, place: Place): boolean =>
  !announces.test(said) &&
  (weight >= (place === "last" ? reasonWeight : 1) || said.length >= charsMin[place]);
