/**
 * A prompt as what an order may stand in or point at: typed sentences, blocks that were pasted or fenced, and text that
 * is another's. A sentence has its own words and the same with all that is quoted made unreadable, letter for letter.
 * Pure, linear in the prompt.
 */
import { stripInvisible } from "#kit";
import {
  blockEnd,
  cites,
  forbidsMemory,
  hardSplit,
  orderIn,
  ownLead,
  ownLines,
  placesOf,
  readPrompt,
  type SentenceOrder,
  startsWithPronoun,
  typedOnly,
  withoutCitations,
} from "#language";
import { isSubstantial } from "./reactions.ts";
import { spokenIn } from "../extraction/slash.ts";
import { isRememberCommand, type TurnContext, typedOf } from "../extraction/significance.ts";

export interface Unit {
  /** `foreign`: shown by the user as another's. */
  readonly kind: "block" | "foreign" | "sentence";
  /** Verbatim, on one line if it is a sentence. */
  readonly text: string;
  /** As long as `text`, with letters `q` for what a sentence quotes. */
  readonly guarded: string;
  /** An item of a list, without its mark. */
  readonly isItem: boolean;
  /** An empty line stands before it. */
  readonly isApart: boolean;
  /** Its place in the prompt leaves no doubt that the user typed it to the agent. */
  readonly isSure: boolean;
  /** Index of its last line in the prompt. */
  readonly line: number;
}

export interface Units {
  readonly units: readonly Unit[];
  /** The line of the prompt below a unit; the reader may have left it out. */
  readonly below: (unit: Unit) => string;
  /** Paragraphs of one short line, beside typed ones, that the reader took for pasted. */
  readonly leftOut: readonly string[];
}

/** Reading of the last prompt: it is read for what it orders to keep, what to forget, and for orders that mean nothing. */
let last: { readonly key: string; readonly units: Units } | null = null;

/** The limit for one prompt. */
export const unitsMax = 200;
/** Lines at the end of a longer prompt. */
const tailLines = 100;

export function unitsOf(prompt: string | null, previousAnswer: string | null): Units {
  const key = JSON.stringify([prompt, previousAnswer]);
  if (last?.key !== key) last = { key, units: readUnits(prompt, previousAnswer, placesOf) };
  return last.units;
}

/**
 * Reads what may be another's text as a whole as typed, since it may be an order not to remember, and the end of a long
 * prompt as well: the order may stand below a paste. A hook reads it too, and nothing of it asks the embedded model.
 */
export const cautiousUnitsOf = (prompt: string): readonly Unit[] =>
  readUnits(prompt, null, null).units;

/** Null for a cautious reading. */
type PlacesIn = typeof placesOf | null;

function readUnits(
  prompt: string | null,
  previousAnswer: string | null,
  placesIn: PlacesIn,
): Units {
  const isCautious = placesIn === null;
  const { lines, own, sure, guarded } = readLines(
    prompt === null ? null : stripInvisible(prompt),
    previousAnswer,
    placesIn,
  );
  const units: Unit[] = [];
  for (let n = 0; n < lines.length; n += 1) {
    const isTail = isCautious && n >= lines.length - tailLines;
    if (units.length >= unitsMax && !isTail) {
      if (!isCautious) break;
      n = lines.length - tailLines;
    }
    if (isEmpty(lines[n])) continue;
    const next = unitsAt({ lines, own, guarded }, n);
    const isApart = isEmpty(lines[n - 1]);
    const isSure = sure[n] === true;
    units.push(...next.map((unit, at) => ({ ...unit, isApart: isApart && at === 0, isSure })));
    n = next.at(-1)?.line ?? n;
  }
  return {
    units,
    below: ({ line }) => lines[line + 1]?.trim() ?? lines[line + 2]?.trim() ?? "",
    leftOut: leftOutOf(lines, own),
  };
}

function readLines(
  prompt: string | null,
  previousAnswer: string | null,
  placesIn: PlacesIn,
): Lines & { readonly sure: readonly boolean[] } {
  const typed = spokenIn(typedOf(prompt, previousAnswer));
  const lines = linesOf(prompt ?? "", typed);
  const bare = lines.map(withoutMarkers);
  const read = ownLines(lines, typed.split("\n"));
  const readPlaces = isRememberCommand(prompt) ? null : placesIn;
  const quoted = (): readonly string[] =>
    readPrompt(prompt ?? "", previousAnswer).quoted.split("\n");
  const { own, sure } = readPlaces?.(bare, read, quoted()) ?? { own: read, sure: read };
  return { lines, own, sure, guarded: guardedLines(bare, own) };
}

function leftOutOf(lines: readonly string[], own: readonly boolean[]): readonly string[] {
  const isBreak = (line: string | undefined): boolean => line === undefined || isEmpty(line);
  const hasOwn = own.includes(true);
  const isAlone = (n: number): boolean => hasOwn && isBreak(lines[n - 1]);
  const belowFences = linesBelowFences(lines);
  const isShort = (line: string, n: number): boolean =>
    own[n] !== true &&
    line.length <= leftOutCharsMax &&
    /^\p{L}/u.test(line) &&
    isBreak(lines[n + 1]);
  return lines
    .filter((line, n) => isShort(line, n) && (isAlone(n) || belowFences.has(n)))
    .slice(0, unitsMax);
}

/** Lines right below the end of a fenced block. */
function linesBelowFences(lines: readonly string[]): ReadonlySet<number> {
  const fences = lines.flatMap((line, n) => (fence.test(line) ? [n] : []));
  return new Set(fences.flatMap((n, at) => (at % 2 === 1 ? [n + 1] : [])));
}
const fence = /^\s*(?:```|~~~)/u;
/** Longer lines are no order of a sentence or two. */
const leftOutCharsMax = 320;

const isEmpty = (line: string | undefined): boolean => line?.trim() === "";

/** The colon and the brackets of `[redacted:password]` are none of the sentence's: a word as long stands for it. */
const withoutMarkers = (line: string): string =>
  line.replaceAll(/\[redacted:[\w-]{1,60}\]/gu, (marker) => "z".repeat(marker.length));

/** The sentences that the user typed, without what they quote. */
export const typedIn = (units: readonly Unit[]): string =>
  units
    .filter(({ kind }) => kind === "sentence")
    .map(({ guarded }) => guarded)
    .join("\n");

/** The sentences whose place shows that the user typed them, with what they quote. */
export const surelyTypedIn = (units: readonly Unit[]): string =>
  units
    .flatMap(({ kind, isSure, text }) => (kind === "sentence" && isSure ? [text] : []))
    .join("\n");

/** The content of a line, before it is known what stands before it. */
type Part = Omit<Unit, "isApart" | "isSure">;

interface Lines {
  readonly lines: readonly string[];
  readonly own: readonly boolean[];
  readonly guarded: readonly string[];
}

function unitsAt({ lines, own, guarded }: Lines, n: number): readonly Part[] {
  const line = lines[n] ?? "";
  const isBlank = (guarded[n] ?? "").trim() === "";
  if (own[n] !== true || (isBlank && isCode(line))) {
    const end = blockEndAt(lines, own, n);
    return [blockOf(lines.slice(n, end + 1), end)];
  }
  if (isBlank) return [{ kind: "foreign", text: line.trim(), guarded: "", isItem: false, line: n }];
  const wrapped = wrappedFrom({ lines, own, guarded }, n);
  return sentencesOf(wrapped.text, wrapped.guard, wrapped.end);
}

/** A command's words do not stand in the prompt as they are read. */
function linesOf(prompt: string, typed: string): readonly string[] {
  return (isRememberCommand(prompt) ? typed : prompt).split("\n");
}

/** The lines with what is another's blanked, and what is quoted within a line unreadable. */
function guardedLines(lines: readonly string[], own: readonly boolean[]): readonly string[] {
  const ends = introducedEnds(lines, own);
  const typed = lines.map((line, n) => (own[n] === true ? line : ends.has(n) ? blockEnd : ""));
  const unpasted = typedOnly(typed.join("\n"));
  // Within a line typedOnly blanks quotations; the words around them stay where they are.
  const masked = unpasted
    .split("\n")
    .map((line, n) => (line.trim() === "" ? line : masks(typed[n] ?? "", line)));
  const cited = withoutCitations(masked.join("\n")).split("\n");
  return cited.map((line, n) => (line.trim() === "" ? line : masks(masked[n] ?? "", line)));
}

/** Last lines of fenced, indented and quoted blocks that stand right below a line with a colon at its end. */
function introducedEnds(lines: readonly string[], own: readonly boolean[]): ReadonlySet<number> {
  const ends = new Set<number>();
  for (let n = 0; n < lines.length; n += 1) {
    const line = lines[n] ?? "";
    const isFence = /^\s*(?:```|~~~)/u.test(line);
    if (own[n] === true || !(isFence || indented.test(line))) continue;
    const end = isFence ? blockEndAt(lines, own, n) : indentEnd(lines, n);
    if (
      /[:：]\s*$/u.test(
        lines.slice(Math.max(0, n - 2), n).findLast((one) => one.trim() !== "") ?? "",
      )
    )
      ends.add(end);
    n = end;
  }
  return ends;
}

/** Indented, or quoted as in a mail. */
const indented = /^(?: {4}|\t)\S|^\s*>/u;

function indentEnd(lines: readonly string[], from: number): number {
  let end = from;
  while (indented.test(lines[end + 1] ?? "")) end += 1;
  return end;
}

/** Puts `q` for each letter of `line` that `guard` lacks, and for what stands in quotation marks. */
function masks(line: string, guard: string): string {
  if (line.length !== guard.length) return guard;
  const filled = [...line.matchAll(/[\s\S]/g)]
    .map(({ 0: char }, at) => (guard[at] === " " ? unread(char) : char))
    .join("");
  return filled.replace(quotation, (found) => found.replace(/./gsu, unread));
}

/** The marks stay: where a quotation ends is read. */
const unread = (char: string): string =>
  /[\s"“”„«»「」]/u.test(char) ? char : "q".repeat(char.length);

const quotation = new RegExp(
  "`[^`\\n]+`|" +
    String.raw`"[^"\n]+"|“[^”\n]+”|„[^“”\n]+[“”]|«[^»\n]+»` +
    String.raw`|「[^」\n]+」|『[^』\n]+』|(?<![\p{L}\p{N}])'[^'\n]{6,200}'(?![\p{L}\p{N}])`,
  "gu",
);

const isCode = (line: string): boolean =>
  /^\s*(?:`[^`]+`|[$%] \S.*|(?: {4}|\t)\S.*)\s*$/u.test(line);

function blockEndAt(lines: readonly string[], own: readonly boolean[], from: number): number {
  const fence = /^\s*(```|~~~)/u.exec(lines[from] ?? "")?.[1];
  let end = from;
  for (let n = from + 1; n < lines.length; n += 1) {
    const line = lines[n] ?? "";
    if (fence === undefined && (own[n] === true || line.trim() === "")) break;
    end = n;
    if (fence !== undefined && line.trim().startsWith(fence)) break;
  }
  return end;
}

function blockOf(lines: readonly string[], line: number): Part {
  const text = lines
    .filter((one) => !/^\s*(?:```|~~~)/u.test(one))
    .join("\n")
    .trim()
    .replace(/^`([^`\n]+)`$/u, "$1");
  return { kind: "block", text, guarded: "", isItem: false, line };
}

const bullet = /^\s*(?:[-*•・]|\d{1,2}[.)])\s+/u;

/** Lines that a long line is wrapped over, as one. */
function wrappedFrom(
  { lines, guarded, own }: Lines,
  from: number,
): { readonly text: string; readonly guard: string; readonly end: number } {
  let end = from;
  const goesOn = (n: number): boolean =>
    own[n + 1] === true &&
    (lines[n]?.length ?? 0) > 60 &&
    !/[.!?:;。！？：]\s*$/u.test(lines[n] ?? "") &&
    /^\s*[\p{Ll}(]/u.test(lines[n + 1] ?? "") &&
    (guarded[n + 1] ?? "").trim() !== "";
  while (goesOn(end)) end += 1;
  const join = (all: readonly string[]): string => all.slice(from, end + 1).join(" ");
  return { text: join(lines), guard: join(guarded), end };
}

function sentencesOf(text: string, guard: string, line: number): readonly Part[] {
  const mark = bullet.exec(text)?.[0] ?? "";
  const bare = text.slice(mark.length);
  const own = guard.slice(mark.length);
  // A list item is kept as a whole, unless the next one stands in its line.
  const isItem = mark !== "" && !itemWithin.test(own);
  const parts = isItem
    ? [own.trim()]
    : hardSplit(own).map((one) => withoutOwnLead(one.replace(itemMark, "")));
  let from = 0;
  return parts.map((part) => {
    const at = Math.max(from, own.indexOf(part, from));
    from = at + part.length;
    return {
      kind: "sentence",
      text: bare.slice(at, from),
      guarded: part,
      isItem,
      line,
    } as const;
  });
}

/** "For us: note that X" orders to keep X. */
function withoutOwnLead(said: string): string {
  const rest = said.slice(ownLead(said));
  return orderIn(said) === null && orderIn(rest) !== null ? rest : said;
}

const itemMark = /^[2-9]\)\s+/u;
const itemWithin = /\s[2-9]\)\s/u;

export interface UnitOrder {
  readonly unit: Unit;
  readonly order: SentenceOrder;
}

/** The mark that a private block leaves in the sentence that it was a part of. */
export const lostPart = /\[redacted:private\]/u;

/** A private part may stand before an order, "X. remember that …" without the mark between. */
const lostHead = /^\[redacted:private\][\s,;:—–-]*/u;

function withoutLostHead(unit: Unit): Unit {
  const { length } = lostHead.exec(unit.text)?.[0] ?? "";
  const rest = unit.guarded.slice(length);
  const order = length === 0 ? null : orderIn(rest);
  return order === null || order.before > 0 || order.matter === null
    ? unit
    : { ...unit, text: unit.text.slice(length), guarded: rest };
}

/** Orders of a sentence: "we decided to drop IE; remember that the cutoff is 16" is two. */
export function ordersIn(whole: Unit): readonly UnitOrder[] {
  const unit = withoutLostHead(whole);
  const order = unit.kind === "sentence" ? orderIn(unit.guarded) : null;
  if (order === null) return [];
  const { before, matter } = order;
  // "It is due on Monday" needs the words before the order: they are its own.
  if (matter === null || startsWithPronoun(unit.text.slice(matter.start))) return [{ unit, order }];
  const guarded = unit.guarded.slice(0, before).replace(/[\s,;:，；、(—–-]+$/u, "");
  const first = orderIn(guarded);
  if (first === null || first.matter === null) return [{ unit, order }];
  // A block below is none of its own.
  const ahead = { ...unit, guarded, text: unit.text.slice(0, guarded.length), isItem: true };
  return [
    { unit: ahead, order: first },
    { unit, order },
  ];
}

export function isOrder({ kind, guarded }: Unit): boolean {
  const order = kind === "sentence" ? orderIn(guarded) : null;
  return order?.isOutright === true && order.matter !== null;
}

export const isTelling = ({ text }: Unit): boolean =>
  isSubstantial(text) && !/[?？]["')]*$/u.test(text);

/** The one statement of the prompt before, when the answer to it only took note: "I see." */
export function saidInPromptBefore({
  previousPrompt,
  previousAnswer,
  isPrivate,
}: TurnContext): string | null {
  if (isPrivate === true || (previousAnswer?.length ?? 0) > takenNoteCharsMax) return null;
  const [unit, ...more] = unitsOf(previousPrompt, null).units;
  const isStatement = unit?.kind === "sentence" && more.length === 0 && isTelling(unit);
  return isStatement && !isOrder(unit) && !cites(unit.text) ? unit.text : null;
}
const takenNoteCharsMax = 60;

/** Has a prompt whose orders mean nothing that was found one that points: "remember that"? */
export function pointsInVain(turn: TurnContext): boolean {
  if (turn.isHeadless === true || turn.isPrivate === true) return false;
  const { units } = unitsOf(turn.prompt, turn.previousAnswer);
  return (
    !forbidsMemory(typedIn(units)) &&
    units.some((unit) =>
      ordersIn(unit).some(({ order }) => order.isOutright && order.matter === null),
    )
  );
}
