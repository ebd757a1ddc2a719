/**
 * Orders to remember in what the user typed, and the few sentences whose head says that they hold beyond the moment
 * ("always …", "we decided …"). A grammar decides, without a model: src/language/orders.ts reads one sentence, this
 * finds what an order that points means. Pure.
 */
import type { Candidate } from "#domain";
import {
  askedCommand,
  asksForWork,
  asksPolitely,
  cites,
  forbidsMemory,
  hardSplit,
  isBehindName,
  kindOf,
  namesOnly,
  orderIn,
  saysNothing,
  saysOnlySecrets,
  startsWithPronoun,
  type SentenceOrder,
} from "#language";
import { isRememberCommand, type TurnContext } from "../extraction/significance.ts";
import { answeredIn, thingIn } from "./answered.ts";
import { isIntroducedBy, saidBefore } from "./before-order.ts";
import { blockCharsMax, blockFrom, isListItem, listOfBlocks } from "./block.ts";
import { candidateOf, type Matter } from "./candidate.ts";
import { withoutLostEnd } from "./lost-end.ts";
import {
  countedIn,
  isReaction,
  isRemark,
  isSubstantial,
  pointsAtTwo,
  pointsBack,
  withoutTurn,
} from "./reactions.ts";
import {
  isOrder,
  isTelling,
  lostPart,
  ordersIn,
  pointsInVain,
  saidInPromptBefore,
  typedIn,
  unitsOf,
  type Unit,
  type UnitOrder,
} from "./units.ts";

/** Memories of one prompt, at most. */
const ordersMax = 5;
/** Lines that are longer are read as pasted (src/language/speech.ts). */
const unreadCharsMin = 2_000;
/** Longer sentences are no rule of thumb, and no line. */
const headCharsMax = 320;

export interface Orders {
  /** In the order in which they were said; the same turn gives the same ones. */
  readonly candidates: readonly Candidate[];
  /** Something in an order was taken for a secret: `hidden` in what is kept, or nothing else was left of it. */
  readonly secret: "hidden" | "nothing else" | null;
  /** Some of what was ordered is too long, or too much for one prompt. */
  readonly isCut: boolean;
  /** An order points, and nothing that it may mean was found. */
  readonly isEmpty: boolean;
  /** An order stands where a paste may stand, or may be a part of the task: only the agent can tell. */
  readonly isDoubtful: boolean;
}

/** Memories that a prompt orders. */
export const ordersOf = (turn: TurnContext): readonly Candidate[] => readOrders(turn).candidates;

/** Memories that a prompt orders, and what its user is to be told of orders that are not kept as they stand. */
export function readOrders(turn: TurnContext): Orders {
  const ordered = orderedIn(turn);
  const sure = ordered.filter(({ isSure }) => isSure);
  const seen = new Set<string>();
  const all = sure
    .flatMap(({ matter, isKept }) => (isKept ? [matter] : []))
    .filter(({ text }) => !seen.has(text) && seen.add(text).size > 0);
  const kept = all.slice(0, ordersMax);
  const hides = sure.filter(({ matter }) => hidden.test(`${matter.quote}\n${matter.text}`));
  const isLost = hides.some(({ isKept }) => !isKept);
  return {
    candidates: kept.map((matter) => candidateOf(turn, matter)),
    secret: hides.length === 0 ? null : isLost ? "nothing else" : "hidden",
    isCut:
      kept.length < all.length ||
      sure.some(({ matter }) => matter.isCut === true) ||
      isTooLong(turn),
    isEmpty: ordered.length === 0 && pointsInVain(turn),
    isDoubtful: ordered.some(({ isSure }) => !isSure) || isLeftOut(turn),
  };
}

/** Does a paragraph that was read as pasted order outright? Nobody but the agent can tell whose it is. */
function isLeftOut({ prompt, previousAnswer, isHeadless }: TurnContext): boolean {
  if (isHeadless === true || askedCommand(prompt ?? "") !== "") return false;
  const { units, leftOut } = unitsOf(prompt, previousAnswer);
  const isOrdered = (line: string): boolean =>
    hardSplit(line).some((sentence) => orderIn(sentence)?.isOutright === true);
  return leftOut.some(isOrdered) && !forbidsMemory([typedIn(units), ...leftOut].join("\n"));
}

/** A line that nobody is taken to have typed, so long is it, though it begins as an order. */
function isTooLong(turn: TurnContext): boolean {
  const [line = ""] = (turn.prompt ?? "").trimStart().split("\n", 1);
  if (line.length <= unreadCharsMin || turn.isHeadless === true) return false;
  const order = orderIn(line.slice(0, headCharsMax));
  return order !== null && order.isOutright && order.before === 0;
}

/** The user's own patterns and private blocks are hidden because they said so. */
const hidden = /\[redacted:(?!custom|private)/u;

interface Ordered {
  readonly matter: Matter;
  /** Without what was hidden it says enough. */
  readonly isKept: boolean;
  readonly isSure: boolean;
}

function orderedIn(turn: TurnContext): readonly Ordered[] {
  if (turn.isHeadless === true && !isRememberCommand(turn.prompt)) return [];
  const { units, below } = unitsOf(turn.prompt, turn.previousAnswer);
  if (units.length === 0 || forbidsMemory(typedIn(units))) return [];
  return units.flatMap((unit, n): readonly Ordered[] => {
    const said = ordersIn(unit);
    if (said.length === 0) return [];
    return said.flatMap((one) =>
      mattersOf(turn, units, { n, ...one }).map((matter) => {
        const isFit = !isUnfit(one.unit, one.order) && isWhole(matter);
        const isKept = isFit && !saysOnlySecrets(`${matter.text}\n${below(unit)}`);
        const isSure = unit.isSure && !isBehindName(unit.guarded) && isMeant(units[n - 1], one);
        return { matter, isKept, isSure };
      }),
    );
  });
}

/** A head that is no order in so many words must be the user's own, and short. */
const isUnfit = ({ text }: Unit, { isOutright }: SentenceOrder): boolean =>
  !isOutright && (text.length > headCharsMax || cites(text));

/** False where an order may be none: a remark on the task, or the object of a request. */
function isMeant(above: Unit | undefined, { unit, order }: UnitOrder): boolean {
  if (order.matter === null || !order.isOutright) return true;
  const head = unit.text.slice(0, order.matter.start);
  const object = unit.text.slice(order.matter.start, order.matter.end).trim();
  if (isRemark(head, object) && !isIntroducedBy(saidBefore(unit, order), unit, order)) return false;
  // "Can you make it open the file and remember that X?": the program may be meant.
  if (isSecondHalf(head, order) && /[?？]\s*$/u.test(unit.text)) return false;
  const request = order.before > 0 ? unit.text.slice(0, order.before) : (above?.text ?? "");
  // "Add sorting and remember the last column": a program is to keep it.
  return isIntroduction.test(head) || !namesOnly(object) || !asksForWork(request);
}
const isSecondHalf = (head: string, { before }: SentenceOrder): boolean =>
  before > 0 && !asksPolitely.test(head.slice(before));
const isIntroduction = /(?:[:：]|(?<!\p{L})(?:that|dass?|daß|que|что))\s*$/iu;

interface Found extends UnitOrder {
  readonly n: number;
}

function mattersOf(
  turn: TurnContext,
  units: readonly Unit[],
  { n, unit, order }: Found,
): readonly Matter[] {
  const own = { by: "user", isOutright: order.isOutright, kind: order.kind } as const;
  if (order.matter === null)
    return order.isOutright ? pointedAt(turn, units, { n, unit, order }) : heldAt(turn, unit);
  // "Can you remember that X?" asks for the act and states X.
  const text = withoutLostEnd(unit.text.slice(order.matter.start, order.matter.end))
    .replace(/\s*(?:[吗嗎])?[?？]\s*$/u, "")
    .replace(/^\s*(?:[—–-]{1,2}|\[(?:Image|Pasted text) #\d+[^\]]*\])\s+/u, "")
    .trim();
  const said = saidBefore(unit, order);
  const isIntroduced = isIntroducedBy(said, unit, order);
  const answered = order.isOutright && pointsBack(text) ? answeredBefore(turn, text) : null;
  if (answered !== null) return [answered];
  const counted = countedIn(unit.text.slice(order.before, order.matter.start), text);
  if (counted.length > 0) return counted.map((one) => statedAs(one));
  const before = said === "" ? previousOf(units, n) : { ...unit, text: `${said}:` };
  const stated = isIntroduced ? `${said}: ${text}` : text;
  const whole = order.isOutright ? withBefore(stated, before) : text;
  const scope = unit.text.slice(0, order.matter.end);
  return [{ ...own, ...withBlock(units, { n, unit, order }, whole), quote: unit.text, scope }];
}

const statedAs = (text: string, quote = text, kind = kindOf(text)): Matter => ({
  by: "user",
  isOutright: true,
  kind,
  text,
  quote,
});
const answeredAs = (text: string): Matter => ({
  by: "agent",
  isOutright: true,
  kind: "fact",
  text,
  quote: text,
});

/** The words of an order with what they introduce. */
function withBlock(
  units: readonly Unit[],
  { n, unit, order }: Found,
  text: string,
): { readonly text: string; readonly isCut?: boolean } {
  const next = units[n + 1];
  if (/[:：]$/u.test(text) && next !== undefined && next.kind !== "foreign")
    return {
      text: introducesWork(next, { unit, order })
        ? text.replace(/\s*[:：]$/u, "")
        : `${text}\n${groupAt(units, n + 1)}`,
    };
  // "From now on use tabs. Go on with the module.": a rule ends with its sentence, unless a label leads to it.
  const isSentence = order.kind === "rule" && order.matter?.start === 0;
  return order.isOutright && !unit.isItem && !isSentence ? blockFrom(units, n + 1, text) : { text };
}

/** "Correct this mail, and from now on sign as X:" introduces the mail. */
function introducesWork({ isApart }: Unit, { unit, order }: UnitOrder): boolean {
  const ahead = order.kind === "rule" ? (order.matter?.start ?? 0) : order.before;
  return isApart && asksForWork(unit.text.slice(0, ahead));
}

/** "It is on port 7432, remember that" needs the sentence before. */
const withBefore = (text: string, before: Unit | null): string =>
  startsWithPronoun(text) && before?.kind === "sentence" ? `${before.text} ${text}` : text;

/** Resolves an order that only points: the words before it, those below its colon, or the agent's proposal. */
function pointedAt(
  turn: TurnContext,
  units: readonly Unit[],
  { n, unit, order }: Found,
): readonly Matter[] {
  const said = saidBefore(unit, order);
  if (order.points === "below")
    return below(units, n, order).map((text) =>
      order.kind === "fact" ? statedAs(text) : statedAs(text, text, order.kind),
    );
  const answered = answeredBefore(turn, unit.text.slice(order.before));
  const isOwn = (text: string): boolean => answered === null || !isReaction(text);
  const before = order.before > 0 && isOwn(said) ? statedBefore(units[n - 1], said) : null;
  if (before !== null) return [statedAs(before, unit.text)];
  const both = bothAbove(units, n).filter(({ text }) => isOwn(text));
  if (both.length === 2) return both.map(({ text }) => statedAs(text));
  const above = aboveOf(units, n);
  if (above !== null && isOwn(above.text)) {
    const kind = above.isBlock ? "place" : kindOf(above.text);
    return [statedAs(withoutTurn(above.text), `${above.text} ${unit.text}`, kind)];
  }
  if (answered !== null) return [answered];
  const next = below(units, n, order)[0] ?? saidInPromptBefore(turn);
  return next === null ? [] : [statedAs(next)];
}

/** The words of its sentence before an order, with the command above when they speak of it: "that's how you …". */
function statedBefore(above: Unit | undefined, said: string): string | null {
  if (above?.kind === "block" && introducedBy(said)) return `${above.text}\n${said}`;
  return isSubstantial(said) && !saysNothing(said) ? said : null;
}

/** "Keep that list" means one of the answer, or none. */
function heldAt(
  { previousAnswer, isPrivate }: TurnContext,
  { text: order }: Unit,
): readonly Matter[] {
  const text = isPrivate === true ? null : thingIn(previousAnswer ?? "", order);
  return text === null ? [] : [answeredAs(text)];
}

/** `answeredBefore` gives the part of the answer before it that the order means, as the agent's words. */
function answeredBefore(
  { previousAnswer, previousPrompt, isPrivate }: TurnContext,
  order: string,
): Matter | null {
  // "Remember this: <private>…" means what was private.
  if (previousAnswer === null || isPrivate === true) return null;
  const text = answeredIn(previousAnswer, { order, question: previousPrompt });
  return text === null ? null : answeredAs(text);
}

/** The items of a list below, each by itself; else the block or the sentence below. */
function below(units: readonly Unit[], n: number, order: SentenceOrder): readonly string[] {
  const items = itemsAt(units, n + 1);
  // More than a prompt may order one by one stay together.
  if (items.length > 0) return items.length > ordersMax ? [items.join("\n")] : items;
  const next = units[n + 1];
  if (next === undefined || next.kind === "foreign") return [];
  // Behind a full stop a new matter may begin: an order there is one of its own.
  if (order.points === "above" && next.kind === "sentence" && orderIn(next.guarded) !== null)
    return [];
  return [blockFrom(units, n + 2, next.text).text];
}

/** Nearest unit above that says something. */
function previousOf(units: readonly Unit[], n: number): Unit | null {
  for (let at = n - 1; at >= 0; at -= 1) {
    const unit = units[at];
    if (unit === undefined || unit.kind === "foreign") return null;
    if (unit.kind === "block" || isSubstantial(unit.text)) return unit;
  }
  return null;
}

interface Above {
  readonly text: string;
  readonly isBlock: boolean;
}

function aboveOf(units: readonly Unit[], n: number): Above | null {
  for (let at = n - 1; at >= 0; at -= 1) {
    const unit = units[at];
    // "Remember X. Really, remember that." says it once.
    if (unit === undefined || isOrder(unit)) return null;
    if (unit.isItem) return { text: listEndingAt(units, at), isBlock: false };
    if (unit.kind === "block" && isListItem(unit))
      return { text: listOfBlocks(units, at), isBlock: false };
    if (unit.kind !== "sentence" || (isTelling(unit) && !saysNothing(unit.text)))
      return withIntroduction(unit, units[at - 1]);
  }
  return null;
}

/** The two sentences that "remember both" means. */
const bothAbove = (units: readonly Unit[], n: number): readonly Unit[] =>
  units
    .slice(pointsAtTwo(units[n]?.text ?? "") ? Math.max(0, n - 2) : n, n)
    .filter((one) => one.kind === "sentence" && !one.isItem && isTelling(one) && !isOrder(one));

/** A block with the line that introduces it; "It expires on Monday." with the sentence before. */
function withIntroduction(unit: Unit, before: Unit | undefined): Above {
  const isBlock = unit.kind !== "sentence";
  const isIncomplete = isBlock ? /[:：]$/u.test(before?.text ?? "") : startsWithPronoun(unit.text);
  const text =
    isIncomplete && before?.kind === "sentence" ? `${before.text} ${unit.text}` : unit.text;
  return { text, isBlock };
}

/** A list with the line that introduces it. */
function listEndingAt(units: readonly Unit[], last: number): string {
  let first = last;
  while (units[first - 1]?.isItem === true) first -= 1;
  const intro = units[first - 1];
  const from = intro?.kind === "sentence" && /[:：]$/u.test(intro.text) ? first - 1 : first;
  return units
    .slice(from, last + 1)
    .map(({ text }) => text)
    .join("\n");
}

/** The items of a list from here on. */
function itemsAt(units: readonly Unit[], from: number): readonly string[] {
  const end = units.findIndex(({ isItem }, at) => at >= from && !isItem);
  return units.slice(from, end === -1 ? units.length : end).map(({ text }) => text);
}

/** Items or a block from here on, as one text. */
const groupAt = (units: readonly Unit[], from: number): string =>
  itemsAt(units, from).join("\n") || (units[from]?.text ?? "");

/** "That's how …", "so geht …": speaks of what stands right above it. */
const introducedBy = (said: string): boolean =>
  /^(?:that'?s|thats|this is|so|das ist|c'est|así|eso es|é assim|так|这(?:是|就)|これ)(?![\p{Script=Latin}])/iu.test(
    said,
  );

const isWhole = ({ text }: Matter): boolean =>
  text !== "" && text.length <= blockCharsMax && !lostPart.test(text);
