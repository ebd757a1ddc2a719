/**
 * A stretch of a session in so many tokens: what its user typed and chose, whole where it can be, what was done, and
 * what the agent concluded, as far as there is room. Pure.
 */
import { isReplyTo, refersBack, shortAnswer } from "./condense-answer.ts";
import { firstAndLast, newDeeds } from "./condense-choices.ts";
import { announces } from "./condense-plan.ts";
import { type CondenseTurn, type Part, partOf, partsOf, type SaidTurn } from "./condense-turn.ts";
import { costOf, dayOf } from "./prompt.ts";
import { promptLimits } from "./reply.ts";

export interface Condensed {
  readonly text: string;
  readonly tokens: number;
  readonly said: readonly SaidTurn[];
  /** Prompts that a person typed, and plans that they accepted. */
  readonly typedPrompts: number;
  /** Choices that the user made in tools. */
  readonly choices: number;
  /** False = nobody typed and no work was done: nothing to ask about. */
  readonly tellsAnything: boolean;
}

/** Characters of a prompt and of an answer, and deeds of a turn. */
interface Shares {
  readonly prompt: number;
  readonly answer: number;
  readonly deeds: number;
}

/** Typed words stand whole where they can: the first of these at which they leave a quarter of the room is taken. */
const promptChars = [2_400, 1_600, 1_100, 800, 600, 450, 300, 200, 150] as const;
const promptCharsLeast = 150;
const promptsShareMax = 0.75;
/** The first of these whose deeds take no more than their share of the room. */
const deedCounts = [8, 5, 3, 2, 1, 0] as const;
const deedsShareMax = 0.15;
/** Answers share the rest. The last one is given most, then those that the next prompt replies or may refer to. */
const answerCharsMax = 4_800;
const answerCharsLeast = 50;
const shareOfLast = 1.9;
const shareOfReplied = 1.6;
const shareOfReferred = 1.3;

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
    said: parts,
    typedPrompts: parts.filter(({ isTyped, isPlan }) => isTyped || isPlan).length,
    choices: parts.reduce((sum, { choices }) => sum + choices.length, 0),
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

/** A message of the client is left out, unless the user chose something in it or it holds the last word. */
const isShown = (part: Part, isLast: boolean): boolean =>
  part.shown !== null || part.choices.length > 0 || (isLast && part.told.plain !== "");

interface Fitted {
  readonly text: string;
  readonly tokens: number;
}

function fitting(parts: readonly Part[], most: number): Fitted {
  const tokensAt = (shares: Shares): number => costOf(render(parts, shares));
  const bare = { answer: answerCharsLeast, deeds: 0 };
  const prompt = promptChars.find(
    (chars) =>
      leastChars(parts, chars) < most * 4 &&
      tokensAt({ ...bare, prompt: chars }) <= most * promptsShareMax,
  );
  if (prompt === undefined) return withoutMiddle(parts, most);
  const upTo = tokensAt({ ...bare, prompt }) + most * deedsShareMax;
  const deeds =
    deedCounts.find((count) => tokensAt({ ...bare, prompt, deeds: count }) <= upTo) ?? 0;
  const answer = mostThatFits((chars) => tokensAt({ prompt, deeds, answer: chars }) <= most);
  const text = render(parts, { prompt, deeds, answer });
  return { text, tokens: costOf(text) };
}

/** Halves between what fits and what does not, to within an eighth. */
function mostThatFits(fits: (chars: number) => boolean): number {
  if (fits(answerCharsMax)) return answerCharsMax;
  let low = answerCharsLeast;
  let high: number = answerCharsMax;
  while (high > low * 1.06) {
    const middle = Math.floor(Math.sqrt(low * high));
    if (middle <= low) break;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Characters that the prompts have at least; to render a flood only to see that it is too long takes time. */
const leastChars = (parts: readonly Part[], charsMax: number): number =>
  parts.reduce((sum, { promptLength }) => sum + Math.min(promptLength, charsMax) / 2, 0);

/** Hundreds of turns: the first and the last are shown. */
function withoutMiddle(parts: readonly Part[], most: number): Fitted {
  const are = severalOf(parts);
  const least = { prompt: promptCharsLeast, answer: answerCharsLeast, deeds: 0 };
  for (let each = Math.floor(parts.length / 2); each >= 1; each = Math.floor(each * 0.8)) {
    const left = parts.length - 2 * each;
    const text =
      `${render(parts.slice(0, each), least, are)}\n\n` +
      `‹${left} turns left out›\n\n${render(parts.slice(-each), least, are)}`;
    const tokens = costOf(text);
    if (tokens <= most || each === 1) return { text, tokens };
  }
  return { text: "", tokens: 0 };
}

const choicesPerTurnMax = 6;
const filesPerTurnMax = 6;

function render(parts: readonly Part[], shares: Shares, are = severalOf(parts)): string {
  const named = new Set<string>();
  const isNews = newDeeds();
  return parts
    .map((part, at) => {
      const next = parts.slice(at + 1).find(({ isTyped }) => isTyped)?.typed;
      const did = [
        ...(part.files.length === 0 ? [] : [`edited ${filesLine(part.files, named)}`]),
        ...firstAndLast(part.deeds.filter(isNews), shares.deeds),
      ];
      return [
        ...marksOf(part, parts[at - 1], are),
        `[${part.n}] USER: ${promptOf(part, parts[at + 1], shares)}${endOf(part)}`,
        ...part.choices
          .slice(0, choicesPerTurnMax)
          .map(({ shown }) => `  · ${shown(shares.prompt)}`),
        ...(did.length === 0 ? [] : [`  did: ${did.join(" | ")}`]),
        ...(shares.answer > answerCharsLeast
          ? workingLine(part, shares.answer, answerChars(part, next, shares.answer))
          : []),
        ...(part.told.plain === ""
          ? []
          : [`  AGENT: ${shortAnswer(part.told, answerChars(part, next, shares.answer), next)}`]),
      ].join("\n");
    })
    .join("\n\n");
}

/** A long prompt that is sent again, after an interrupt or a slip, stands where it was sent last. */
function promptOf(part: Part, next: Part | undefined, { prompt }: Shares): string {
  if (part.shown === null) return "‹nothing typed›";
  const isSentAgain =
    part.promptLength > repeatedCharsMin &&
    part.typed === next?.typed &&
    part.pasted === next.pasted;
  return isSentAgain ? `‹sent again at [${next.n}]›` : part.shown(prompt);
}

const endOf = ({ interrupted }: Part): string =>
  interrupted ? " (user interrupted the agent)" : "";

/** To name the other turn would take as much. */
const repeatedCharsMin = 60;

/** Days and branches are told where there are several. */
const severalOf = (parts: readonly Part[]) => ({
  days: new Set(parts.map(({ date }) => date)).size > 1,
  branches: new Set(parts.flatMap(({ branch }) => branch ?? [])).size > 1,
});

/** A line where the day or the branch is another than at the turn before. */
function marksOf(
  { branch, date }: Part,
  before: Part | undefined,
  are: ReturnType<typeof severalOf>,
): readonly string[] {
  const marks = [
    ...(are.days && date !== null && date !== before?.date ? [dayOf(date)] : []),
    ...(are.branches && branch !== null && branch !== before?.branch ? [`branch ${branch}`] : []),
  ];
  return marks.length === 0 ? [] : [`On ${marks.join(", ")}:`];
}

function answerChars({ told }: Part, next: string | undefined, chars: number): number {
  const share =
    next === undefined
      ? shareOfLast
      : isReplyTo(next, told)
        ? shareOfReplied
        : refersBack(next)
          ? shareOfReferred
          : 1;
  return Math.floor(chars * share);
}

/** Remarks take as much room as an answer for each so many characters of them. */
const remarkCharsOfShare = 2_500;

/** A turn that ends with "Let me commit:" or without an answer has its findings in its remarks alone. */
const shareOfUnanswered = 2;

function workingLine(
  { remarks, told: { plain } }: Part,
  chars: number,
  answerRoom: number,
): readonly string[] {
  const isAnswered = plain !== "" && !announces.test(plain);
  const least = isAnswered ? 0 : answerRoom * shareOfUnanswered;
  const said = remarks.shown(
    Math.floor(Math.max(least, (chars * remarks.chars) / remarkCharsOfShare)),
  );
  return said === "" ? [] : [`  AGENT, working: ${said}`];
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
