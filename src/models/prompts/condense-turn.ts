/**
 * A recorded turn as a record needs it: what its user typed, chose and pasted, what was done, and what the agent said.
 * Pure.
 */
import { isRemark, planPut } from "#domain";
import { oneLine } from "#kit";
import { readPrompt, surelyTyped, typedOnly } from "#language";
import { answerOf, plainAnswer, type Answer } from "./condense-answer.ts";
import {
  choicesOf,
  deedsOf,
  planRoom,
  type Choice,
  type CondenseTool,
} from "./condense-choices.ts";
import { type Plan, planOf, type Remarks, remarksOf, shortPlan } from "./condense-plan.ts";
import { shownPrompt } from "./condense-prompt.ts";
import { cleanText } from "./reply.ts";

/** A recorded turn, gated. */
export interface CondenseTurn {
  readonly n: number;
  /** Its day, `YYYY-MM-DD`: told where a session has several. */
  readonly date?: string;
  /** The branch that was checked out: told where a session has several. */
  readonly branch?: string | null;
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
  /** The words left without quotations and everything that looks pasted: only this lays down anything. */
  readonly own: string;
  /** The whole prompt where a part of it was pasted: nobody's word, until the agent takes it up. */
  readonly pasted: string;
  readonly answer: string;
  /** The agent's remarks and its answer, each by itself: together they are `answer`. */
  readonly texts: readonly string[];
  /** Questions and plans of the agent, with what the user chose. */
  readonly asked: string;
  /** Plans of the agent that the user accepted: what they decide is the user's decision. */
  readonly accepted: string;
  /** Commands of the agent, with their ends, as they are shown. */
  readonly did: string;
  /** The agent's words before it. */
  readonly before: string;
  readonly files: readonly string[];
}

export interface Part extends SaidTurn {
  /** Shown of the prompt, in about so many characters; null for one that was not typed. */
  readonly shown: ((charsMax: number) => string) | null;
  readonly promptLength: number;
  /** Its day, `YYYY-MM-DD`; null = not known. */
  readonly date: string | null;
  readonly branch: string | null;
  readonly isTyped: boolean;
  /** The prompt hands over a plan that its user accepted. */
  readonly isPlan: boolean;
  readonly choices: readonly Choice[];
  readonly deeds: readonly string[];
  readonly told: Answer;
  /** Texts of the agent before its last tool call. */
  readonly remarks: Remarks;
  readonly interrupted: boolean;
  /** Files were edited, something ran, or the answer is one of substance. */
  readonly isWork: boolean;
}

/** `answerBefore`: what the agent said before the first turn. */
export function partsOf(
  turns: readonly CondenseTurn[],
  answerBefore: string | null,
): readonly Part[] {
  let before = answerBefore;
  return turns.map((turn) => {
    const part = partOf(turn, before);
    before = turn.answer ?? before;
    return part;
  });
}

/** The limit of one text; recorded ones are shorter as a rule. */
const textCharsMax = 40_000;
const toolTextCharsMax = 4_096;
const toolsMax = 400;

const bounded = (text: string | null): string => cleanText((text ?? "").slice(0, textCharsMax));

const placeOf = (turn: CondenseTurn) => ({ branch: turn.branch ?? null, date: turn.date ?? null });

export function partOf(turn: CondenseTurn, last: string | null): Part {
  const { n, interrupted } = turn;
  const before = last === null ? null : bounded(last);
  const prompt = bounded(turn.prompt).trim();
  const read = readPrompt(prompt, before);
  const files = turn.files.map((path) => oneLine(path.slice(0, 1_000)));
  const tools = turn.tools
    .filter((use) => !isRemark(use))
    .slice(-toolsMax)
    .map(({ tool, target, outcome, text }) => ({
      tool,
      outcome,
      target: target?.slice(0, toolTextCharsMax) ?? null,
      text: text?.slice(0, toolTextCharsMax) ?? null,
    }));
  const choices = choicesOf(tools);
  const deeds = deedsOf(tools);
  const answer = bounded(turn.answer);
  const plain = plainAnswer(answer);
  const remarks = remarksIn(turn);
  const own = ownWords(prompt, before);
  const words = [read.typed, read.quoted, ...choices.map((choice) => choice.words)];
  const put = read.kind === "plan" ? planPut(prompt) : null;
  const plan = put === null ? null : planOf(put);
  const plans = plan === null ? [] : [plan.plain];
  return {
    n,
    ...placeOf(turn),
    files,
    interrupted,
    choices,
    answer: [...remarks, answer].join("\n"),
    texts: [...remarks, answer],
    asked: [...plans, ...choices.map(({ whole }) => whole)].join("\n"),
    accepted: [...plans, ...choices.flatMap((choice) => choice.accepted ?? [])].join("\n"),
    did: deeds.join(" | "),
    before: before ?? "",
    typed: words.filter((said) => said !== "").join("\n"),
    own: [own, read.quoted, ...choices.map((choice) => choice.words)].map(typedOnly).join("\n"),
    pasted: read.kind !== "client" && read.pastedChars > 0 ? prompt : "",
    isTyped: words.some((said) => said.trim() !== ""),
    isPlan: plan !== null,
    promptLength: plan === null ? prompt.length : 0,
    shown: plan === null ? shownPrompt(prompt, read) : shownPlan(plan),
    deeds,
    told: answerOf(plain),
    remarks: remarksOf(remarks),
    isWork: files.length > 0 || deeds.length > 0 || plain.length >= substanceCharsMin,
  };
}

/** Typed words of a prompt without everything that looks pasted: whatever is left in must not become an order. */
function ownWords(prompt: string, before: string | null): string {
  const read = readPrompt(prompt, before);
  // Before the reader takes out what announces a paste.
  const unpasted = typedOnly(prompt);
  // Lines of a paste that stand alone, once those around them are taken out, look typed.
  const isWhole = unpasted === prompt || read.typed === "";
  return surelyTyped(prompt, isWhole ? read : readPrompt(unpasted, before));
}

/** Remarks of a turn and notes in its tasks, but for what is its answer: one that was interrupted has no other. */
const remarksIn = ({ answer, tools }: CondenseTurn): readonly string[] =>
  tools
    .map((use) => (isRemark(use) ? use.text : use.tool === "TaskUpdate" ? use.target : null))
    .filter((text) => text !== answer)
    .map(bounded)
    .filter((text) => text !== "");

/** An answer of so many characters tells of findings or decisions. */
const substanceCharsMin = 600;

const shownPlan = (plan: Plan) => (charsMax: number) =>
  `agent's plan, accepted by the user: ${shortPlan(plan, planRoom(charsMax))}`;
