/**
 * An exchange: what was said in one turn, the user's typed words with the answer, in the sentences that may matter
 * later. It belongs to the archive: searchable, quoted with its date, never presented as a memory. Pure.
 */
import { headlessTag, type MemoryNode } from "#domain";
import { cutAtWord, oneLine, unspacedLetters } from "#kit";
import { forgottenIn, isOver, readWords, sentencesOf } from "#language";
import { spokenIn } from "../extraction/slash.ts";
import { tagsOf, type TurnContext, typedOf } from "../extraction/significance.ts";
import { ordersOf } from "../orders/orders.ts";
import { deedsOf, mainDeedOf } from "./deeds.ts";
import { type Speaker, worthOf } from "./traits.ts";

interface SpokenLine {
  /** `asked`: the agent's question that the user's words answer. */
  readonly by: Speaker | "asked";
  readonly text: string;
}

interface Spoken extends SpokenLine {
  /** The likelihood that it says something that matters later: 0 to 1. */
  readonly worth: number;
}

export interface Exchange {
  /** The sentences worth most, at most 400 characters, in the order they were said. */
  readonly l0: string;
  /** One sentence a line, marked with who said it; at most 1,200 characters. */
  readonly l1: string;
  /** Deeds of the tools, one a line; null = none is worth finding. */
  readonly l2: string | null;
  /** 2 to 5, by the sentence worth most: what a start text may tell of it. */
  readonly importance: number;
  /** The type of the turn first: how much it mattered, and for how long it is given. */
  readonly tags: readonly string[];
}

/** An L0 has at most 100 tokens; CJK characters cost one each. */
const lineCharsMax = 380;
const overviewCharsMax = 1_200;
/** Prompts up to this length lean on the question before them. */
const leaningCharsMax = 90;
/** Returns the exchange of a turn; null when hardly a word was said, and no tool did what is worth finding. */
export function exchangeOf(turn: TurnContext): Exchange | null {
  const spoken = withoutForgotten(sentencesIn(turn));
  const said = lineOf(bestOf(spoken, lineCharsMax));
  const done = deedsOf(turn);
  const l0 = contentOf(said) < contentMin ? cutAtWord(mainDeedOf(done) ?? "", lineCharsMax) : said;
  if (l0 === "") return null;
  const l1 = bestOf(spoken, overviewCharsMax)
    .map(({ by, text }) => `${marks[by]} ${text}`)
    .join("\n");
  const most = Math.max(0, ...spoken.map(({ worth }) => worth));
  const known = {
    isOrder: ordersOf(turn).length > 0,
    isAnswer: spoken.some(({ by }) => by === "asked"),
  };
  const l2 = done.length === 0 ? null : cutAtWord(done.join("\n"), doneCharsMax);
  const tags = [...tagsOf(turn, known, l0), ...(turn.isHeadless === true ? [headlessTag] : [])];
  return { l0, l1, l2, importance: importanceOf(most), tags };
}

const doneCharsMax = 2_000;
const importanceOf = (worth: number): number =>
  worth >= 0.45 ? 5 : worth >= 0.38 ? 4 : worth >= 0.3 ? 3 : 2;

/** A request and its "done" have fewer content words than this, and tell nothing later. */
const contentMin = 3;

/** Content words, and letters of scripts that have no spaces in pairs. */
const contentOf = (text: string): number =>
  readWords(text).content.length + unspacedLetters(text) / 2;

const marks: Readonly<Record<Spoken["by"], string>> = { asked: "?", user: ">", agent: "<" };

/** Reads back the lines of an overview; lines that were edited by hand count as the user's. */
export const spokenOf = (l1: string): readonly SpokenLine[] =>
  l1.split("\n").map((line) => {
    const by = line.startsWith("? ") ? "asked" : line.startsWith("< ") ? "agent" : "user";
    return { by, text: line.replace(/^[?<>] /u, "") };
  });

/**
 * `standingIn` gives the part of an exchange that still stands: without the sentences whose own end
 * is past, and nothing with only a question.
 */
export function standingIn(
  { l0, l1, validFrom, createdAt }: MemoryNode,
  nowMs: number,
): readonly SpokenLine[] {
  const said = spokenOf(l1 ?? l0);
  const standing = said.filter(({ text }) => !isOver(text, validFrom ?? createdAt, nowMs));
  const isLost = standing.length < said.length && standing.every(({ by }) => by === "asked");
  return isLost ? [] : standing;
}

function sentencesIn(turn: TurnContext): readonly Spoken[] {
  const typed = spokenIn(typedOf(turn.prompt, turn.previousAnswer));
  const asked = typed.length > leaningCharsMax ? null : questionIn(turn.previousAnswer);
  return [
    ...(asked === null ? [] : [asked]),
    ...judged(typed, "user", asked !== null),
    ...judged(turn.answer ?? "", "agent", false),
  ];
}

/** Without "forget that X", and what else says X; where nothing else was typed, without the answer. */
function withoutForgotten(spoken: readonly Spoken[]): readonly Spoken[] {
  const forgotten = new Map(
    spoken.flatMap((one) => {
      const order = one.by === "user" ? forgottenIn(one.text) : null;
      const isMeant = order !== null && (order.isOfWords || unspacedLetters(order.words) > 0);
      return isMeant ? [[one, readWords(order.words).content] as const] : [];
    }),
  );
  if (forgotten.size === 0) return spoken;
  const named = [...forgotten.values()];
  const left = spoken.filter((one) => {
    if (forgotten.has(one)) return false;
    const said = new Set(readWords(one.text).content);
    return !named.some((words) => words.length > 0 && words.every((word) => said.has(word)));
  });
  return left.some(({ by }) => by === "user") ? left : [];
}

/** Longer questions are cut in the middle of nothing: they are left out. */
const questionCharsMax = 260;

/**
 * `questionIn` gives the agent's last question; it is worth as much as the answer to it, so it has
 * no worth of its own.
 */
function questionIn(answer: string | null): Spoken | null {
  if (answer === null) return null;
  const last = sentencesOf(answer.slice(-2_000)).findLast(({ isQuestion }) => isQuestion);
  if (last === undefined || last.text.length > questionCharsMax) return null;
  return { by: "asked", text: oneLine(last.text), worth: 0.1 };
}

const sentencesMax = 60;

function judged(text: string, by: Speaker, answersQuestion: boolean): readonly Spoken[] {
  const sentences = sentencesOf(text).slice(0, sentencesMax);
  return sentences.map((sentence, index) => {
    const said = oneLine(sentence.text);
    const place = { by, index, count: sentences.length, answersQuestion };
    return { by, text: said, worth: worthOf(said, place) };
  });
}

/** The sentences worth most that fit together, in order. */
function bestOf(spoken: readonly Spoken[], charsMax: number): readonly Spoken[] {
  let left = charsMax;
  const kept = new Set<Spoken>();
  for (const one of spoken.toSorted((a, b) => b.worth - a.worth)) {
    const cost = costOf(one.text) + 3;
    if (cost > left) continue;
    kept.add(one);
    left -= cost;
  }
  return spoken.filter((one) => kept.has(one));
}

/** Characters, those of scripts without spaces four times: as tokens are counted. */
const costOf = (text: string): number =>
  text.length + 3 * (text.match(/[\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]/gu)?.length ?? 0);

/** `(asked: …) user's words → agent's words` */
export function lineOf(spoken: readonly SpokenLine[]): string {
  const of = (by: Spoken["by"]): string =>
    spoken
      .filter((one) => one.by === by)
      .map(({ text }) => text)
      .join(" ");
  const asked = of("asked");
  const said = `${asked === "" ? "" : `(asked: ${asked}) `}${of("user")}`.trim();
  const answered = of("agent");
  if (answered === "") return said;
  return said === "" ? answered : `${said} → ${answered}`;
}
