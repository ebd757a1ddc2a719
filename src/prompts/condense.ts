/**
 * A stretch of a session in at most 6,000 tokens: what its user typed, the answers that this refers to, what they
 * chose, what was done. Shares shrink step by step until it fits; an answer that the next prompt refers to, and the
 * last one, keep more. Pure.
 */
import { readPrompt } from "#reader";
import { cutAtWord, oneLine, tokensOf } from "#kit";
import { typedOnly } from "#language";
import { cleanText } from "./clean.ts";
import {
  answerOf,
  isReplyTo,
  plainAnswer,
  refersBack,
  shortAnswer,
  type Answer,
} from "./condense-answer.ts";
import { choicesOf, deedsOf, type Choice, type CondenseTool } from "./condense-choices.ts";
import { dayOf } from "./day.ts";
import { promptLimits } from "./limits.ts";

export type { CondenseTool } from "./condense-choices.ts";

/** A recorded turn, gated. */
export interface CondenseTurn {
  readonly n: number;
  /** Its day, `YYYY-MM-DD`: told where a session has several. */
  readonly date?: string;
  readonly prompt: string;
  readonly answer: string | null;
  readonly interrupted: boolean;
  readonly files: readonly string[];
  readonly tools: readonly CondenseTool[];
}

/** A turn as quotes are looked up in it: whole, not as it is shown. */
export interface SaidTurn {
  readonly n: number;
  /** All words that the user typed in it, in prompt and tools. */
  readonly typed: string;
  /** Of these, what is left without quotations and everything that looks pasted: only this lays down anything. */
  readonly own: string;
  readonly answer: string;
  /** Questions and plans of the agent in tools, with what the user chose. */
  readonly asked: string;
  /** Commands of the agent, with their ends, as they are shown. */
  readonly did: string;
  /** What the agent had said before. */
  readonly before: string;
  readonly files: readonly string[];
}

export interface Condensed {
  readonly text: string;
  readonly tokens: number;
  readonly said: readonly SaidTurn[];
  /** Prompts that a person typed. */
  readonly typedPrompts: number;
  /** False = nobody typed and no work was done: nothing to ask about. */
  readonly tellsAnything: boolean;
}

interface Part extends SaidTurn {
  /** What is shown of the prompt; null for one that was not typed. */
  readonly shown: string | null;
  readonly date: string | null;
  readonly isTyped: boolean;
  readonly choices: readonly Choice[];
  readonly deeds: readonly string[];
  readonly told: Answer;
  readonly interrupted: boolean;
  /** Files were edited, something ran, or the answer is one of substance. */
  readonly isWork: boolean;
}

/** Characters of an answer, of one that the next prompt replies to, and of a prompt; deeds of a turn. */
type Step = readonly [answer: number, replied: number, prompt: number, deeds: number];

/** Shares that a short session may have: where they fit into `ampleTokensMax`, answers keep their middle. */
const ampleSteps: readonly Step[] = [
  [2_400, 3_840, 2_400, 8],
  [1_800, 2_880, 2_000, 6],
  [1_400, 2_240, 1_600, 5],
];
const ampleTokensMax = 2_000;

/** The first that fits is taken. */
const steps: readonly Step[] = [
  [1_000, 1_600, 1_400, 4],
  [850, 1_360, 1_200, 4],
  [650, 1_040, 1_000, 3],
  [500, 800, 900, 3],
  [380, 600, 700, 2],
  [280, 450, 600, 2],
  [190, 360, 450, 1],
  [140, 300, 350, 1],
  [100, 240, 250, 1],
  [60, 180, 180, 0],
  [50, 120, 150, 0],
];

/** `answerBefore`: what the agent said last before these turns. */
export function condense(
  turns: readonly CondenseTurn[],
  answerBefore: string | null,
  tokensMax: number = promptLimits.recordTokensMax,
): Condensed {
  const parts = partsOf(turns, answerBefore);
  const shown = parts.filter((part, at) => isShown(part, at === parts.length - 1));
  return {
    ...fitting(shown, tokensMax),
    said: parts.map(({ n, typed, own, answer, asked, did, before, files }) => ({
      n,
      typed,
      own,
      answer,
      asked,
      did,
      before,
      files,
    })),
    typedPrompts: parts.filter(({ isTyped }) => isTyped).length,
    tellsAnything: parts.some(({ isTyped, isWork }) => isTyped || isWork),
  };
}

/** Words that a person typed in a turn, and whether they chose something in it and the agent worked. */
export function signsOf(
  turn: CondenseTurn,
  answerBefore: string | null,
): { readonly typed: string; readonly isChoice: boolean; readonly isWork: boolean } {
  const { typed, choices, isWork } = partOf(turn, answerBefore);
  return { typed, isChoice: choices.length > 0, isWork };
}

function partsOf(turns: readonly CondenseTurn[], answerBefore: string | null): readonly Part[] {
  let before = answerBefore;
  return turns.map((turn) => {
    const part = partOf(turn, before);
    before = turn.answer ?? before;
    return part;
  });
}

/** Of one text; recorded ones are shorter as a rule. */
const textCharsMax = 40_000;
const toolTextCharsMax = 4_096;
const toolsMax = 400;

const bounded = (text: string | null): string => cleanText((text ?? "").slice(0, textCharsMax));

function partOf(turn: CondenseTurn, last: string | null): Part {
  const { n, interrupted } = turn;
  const before = last === null ? null : bounded(last);
  const prompt = bounded(turn.prompt).trim();
  const read = readPrompt(prompt, before);
  const files = turn.files.map((path) => oneLine(path.slice(0, 1_000)));
  const tools = turn.tools.slice(-toolsMax).map(({ tool, target, outcome, text }) => ({
    tool,
    outcome,
    target: target?.slice(0, toolTextCharsMax) ?? null,
    text: text?.slice(0, toolTextCharsMax) ?? null,
  }));
  const choices = choicesOf(tools);
  const deeds = deedsOf(tools);
  const answer = bounded(turn.answer);
  const plain = plainAnswer(answer);
  // Before the reader takes out what announces a paste: whatever it leaves in must not become an order.
  const unpasted = typedOnly(prompt);
  const own = unpasted === prompt ? read.typed : readPrompt(unpasted, before).typed;
  const words = [read.typed, read.quoted, ...choices.map((choice) => choice.words)];
  return {
    n,
    date: turn.date ?? null,
    files,
    interrupted,
    choices,
    answer,
    asked: choices.map(({ whole }) => whole).join("\n"),
    did: deeds.join(" | "),
    before: before ?? "",
    typed: words.filter((said) => said !== "").join("\n"),
    own: [own, read.quoted, ...choices.map((choice) => choice.words)].map(typedOnly).join("\n"),
    isTyped: words.some((said) => said.trim() !== ""),
    shown: shownPrompt(prompt, read),
    deeds,
    told: answerOf(plain),
    isWork: files.length > 0 || deeds.length > 0 || plain.length >= substanceCharsMin,
  };
}

/** An answer of so many characters tells of findings or decisions. */
const substanceCharsMin = 600;

const planContextCharsMax = 420;

/** Pastes and quotes of the agent as marks in ‹›: they are no decision, or a choice. */
function shownPrompt(prompt: string, read: ReturnType<typeof readPrompt>): string | null {
  if (read.kind === "plan") {
    const lines = prompt.split("\n").filter((line) => line.trim() !== "");
    const context =
      /^#+ *(?:context|goal|problem|summary|overview)\b[^\n]*\n([\s\S]{0,420})/im.exec(prompt)?.[1];
    const told =
      context === undefined
        ? ""
        : ` its context: ${cutAtWord(oneLine(context), planContextCharsMax)}`;
    return (
      `‹plan of ${lines.length} lines handed to the agent: ` +
      `${cutAtWord(oneLine(lines[1] ?? lines[0] ?? ""), 120)}›${told}`
    );
  }
  const marks = [
    ...(read.quoted === "" ? [] : [`‹quotes the agent: ${cutAtWord(oneLine(read.quoted), 220)}›`]),
    ...(read.pastedChars < pasteShownCharsMin || read.kind === "client"
      ? []
      : [pasteMark(prompt, read)]),
  ];
  if (read.typed === "") return marks.length === 0 ? null : marks.join(" ");
  return [read.typed, ...marks].join(" ");
}

const pasteShownCharsMin = 40;
const pasteTitleCharsMax = 160;

/** Where nothing else was typed, the beginning of the paste says what the turn is about. */
function pasteMark(
  prompt: string,
  { typed, quoted, pastedChars }: ReturnType<typeof readPrompt>,
): string {
  const mark = `pasted ${pastedChars} characters`;
  if (typed !== "" || quoted !== "") return `‹${mark}›`;
  const title = oneLine(prompt.slice(0, 2 * pasteTitleCharsMax)).replace(/[‹›]/g, "");
  return `‹${mark}: ${cutAtWord(title, pasteTitleCharsMax)}›`;
}

/** What the client wrote is left out, unless the user chose something in it or it holds the last word. */
const isShown = (part: Part, isLast: boolean): boolean =>
  part.shown !== null || part.choices.length > 0 || (isLast && part.told.plain !== "");

interface Fitted {
  readonly text: string;
  readonly tokens: number;
}

function fitting(parts: readonly Part[], most: number): Fitted {
  const tries = [
    ...ampleSteps.map((step) => ({ step, tokensMax: ampleTokensMax })),
    ...steps.map((step) => ({ step, tokensMax: most })),
  ].filter(({ step, tokensMax }) => leastChars(parts, step) < tokensMax * 4);
  for (const { step, tokensMax } of tries) {
    const text = render(parts, step);
    const tokens = costOf(text);
    if (tokens <= tokensMax) return { text, tokens };
  }
  return withoutMiddle(parts, most);
}

/** Characters that the parts have at least at a step; to render a flood only to see that it is too long takes time. */
const leastChars = (parts: readonly Part[], [answer, , prompt]: Step): number =>
  parts.reduce(
    (sum, { told, shown }) =>
      sum + Math.min(told.plain.length, answer) / 2 + Math.min(shown?.length ?? 0, prompt) / 2,
    0,
  );

/** Hundreds of turns: the first and the last are shown. */
function withoutMiddle(parts: readonly Part[], most: number): Fitted {
  const isDated = hasDays(parts);
  const least = steps.at(-1) ?? [50, 120, 150, 0];
  for (let each = Math.floor(parts.length / 2); each >= 1; each = Math.floor(each * 0.8)) {
    const left = parts.length - 2 * each;
    const text =
      `${render(parts.slice(0, each), least, isDated)}\n\n` +
      `‹${left} turns left out›\n\n${render(parts.slice(-each), least, isDated)}`;
    const tokens = costOf(text);
    if (tokens <= most || each === 1) return { text, tokens };
  }
  return { text: "", tokens: 0 };
}

const choicesPerTurnMax = 6;
const filesPerTurnMax = 6;

function render(parts: readonly Part[], step: Step, isDated = hasDays(parts)): string {
  const [, , promptChars, deedsMax] = step;
  const named = new Set<string>();
  return parts
    .map((part, at) => {
      const next = parts.slice(at + 1).find(({ isTyped }) => isTyped)?.typed;
      const did = [
        ...(part.files.length === 0 ? [] : [`edited ${filesLine(part.files, named)}`]),
        ...part.deeds.slice(0, deedsMax),
      ];
      return [
        ...(isDated && part.date !== null && part.date !== parts[at - 1]?.date
          ? [`On ${dayOf(part.date)}:`]
          : []),
        `[${part.n}] USER: ${part.shown === null ? "‹nothing typed›" : bothEnds(part.shown, promptChars)}${part.interrupted ? " (user interrupted the agent)" : ""}`,
        ...part.choices.slice(0, choicesPerTurnMax).map(({ shown }) => `  · ${shown(promptChars)}`),
        ...(did.length === 0 ? [] : [`  did: ${did.join(" | ")}`]),
        ...(part.told.plain === ""
          ? []
          : [`  AGENT: ${shortAnswer(part.told, answerChars(part, next, step), next)}`]),
      ].join("\n");
    })
    .join("\n\n");
}

const hasDays = (parts: readonly Part[]): boolean =>
  new Set(parts.map(({ date }) => date)).size > 1;

/** Room of an answer: the last one keeps most, then what the next prompt replies to or may refer to. */
function answerChars({ told }: Part, next: string | undefined, [chars, replied]: Step): number {
  if (next === undefined) return Math.floor(chars * 1.9);
  if (isReplyTo(next, told)) return replied;
  return refersBack(next) ? Math.floor((chars + replied) / 2) : chars;
}

/** A file that was named before needs its name alone. */
function filesLine(files: readonly string[], named: Set<string>): string {
  const more = files.length - filesPerTurnMax;
  const names = files.slice(0, filesPerTurnMax).map((path) => {
    const isNamed = named.has(path);
    named.add(path);
    return isNamed ? (path.split("/").at(-1) ?? path).slice(-80) : path.slice(-80);
  });
  return `${names.join(", ")}${more > 0 ? ` +${more}` : ""}`;
}

/** What is wanted stands first, what matters most to the writer last. */
const bothEnds = (text: string, charsMax: number): string => {
  const lined = text.replace(/\n\s*\n/g, "\n").replace(/\n/g, "\n  ");
  if (lined.length <= charsMax) return lined;
  const tail = lined.slice(lined.length - Math.floor(charsMax * 0.4)).replace(/^\S*\s/, "");
  return `${cutAtWord(lined, Math.floor(charsMax * 0.6))} … ${tail}`;
};

/** Rather too high: providers count fewer characters a token than this program's budgets do. */
export function costOf(text: string): number {
  const ascii = text.match(/[\x00-\x7f]/g)?.length ?? 0;
  return Math.max(Math.ceil(ascii / 3.5 + (text.length - ascii) / 1.9), tokensOf(text));
}
