/**
 * The grammar of orders to remember, in eight languages: is a sentence an order, of which kind, and where in it stands
 * what is to be kept? Pure.
 */
import { memoised } from "#kit";
import {
  clauseOf,
  isAdvice,
  isTaskByItself,
  type NextTask,
  nextTasks,
  takesWhatWasSaid,
} from "./next-task.ts";
import { beyondCondition, endsInThat, endsAsking } from "./orders-clause.ts";
import { pointingAt, type SentenceOrder } from "./orders-common.ts";
import { asksPolitely, keepOrder } from "./orders-keep.ts";
import { beyondLeads, heads, hence, hesitation, keep, tag } from "./orders-patterns.ts";
import { labelled, standing } from "./orders-standing.ts";
import { isHeldThing } from "./orders-things.ts";
import { asksForWork } from "./requests.ts";
import { unspacedOrder } from "./orders-unspaced.ts";

/** Reads one sentence, without its line breaks; null when it orders nothing. */
export const orderIn = memoised(readOrder);

/** Longer ones are no sentences. */
const charsMax = 4_000;

function readOrder(sentence: string): SentenceOrder | null {
  if (sentence.length > charsMax) return null;
  const said = sentence
    .replaceAll("’", "'")
    .replaceAll("\n", " ")
    .replace(hesitation, (sound) => " ".repeat(sound.length));
  if (isReasonToRemove(said) || isStopOfThing(said)) return null;
  const whole = clauseOrder(said) ?? heldThing(said);
  return whole === null && !mayOrder.test(said) ? null : (beforeNextTask(said, whole) ?? whole);
}
const mayOrder = new RegExp(
  [keep, hence, ...heads.map(({ pattern }) => pattern), /[\u3040-\u30ff\u4e00-\u9fff]/u]
    .map(({ source }) => source)
    .join("|"),
  "iu",
);

/** "The parser is never called from now on, remove it": tells why something at hand is to go. */
function isReasonToRemove(said: string): boolean {
  const ahead = hence.exec(said);
  const denied = isOutOfUse.exec(said);
  if (ahead === null || denied === null || ahead.index < denied.index) return false;
  const [task] = nextTasks(said.slice(ahead.index));
  const rest = said.slice(ahead.index);
  return task !== undefined && takesWhatWasSaid(clauseOf(rest, task)) && keepOrder(said) === null;
}
/** A passive that is denied: "is never called", "wird nicht mehr benutzt", "ya no se usa". */
const isOutOfUse = new RegExp(
  String.raw`(?<!\p{L})(?:(?:is|are|gets?) (?:\p{L}+ )?(?:never|not|no longer) \p{L}+(?:ed|n)|isn't \p{L}+ed|` +
    String.raw`(?:wird|werden) .{0,40}?(?:nie|nicht)(?: mehr)? (?:.{0,20} )?\p{L}{4,}(?:t|en)|` +
    String.raw`n'(?:est|a|sont) .{0,20}?(?:jamais|plus|pas)|(?:no|nunca|ya no) se \p{L}+|` +
    String.raw`(?:nunca|não|jamais)(?: mais)? (?:é|será|são) \p{L}+|(?:nunca|não)(?: mais)? se \p{L}+|` +
    String.raw`не \p{L}+(?:ется|ются|ится|ятся))(?!\p{L})|[不没]会?再?被|[かされわ]れ(?:ない|なくな)`,
  "iu",
);

/** "Stop saving the file on every keystroke, debounce it": a change to one thing, and no habit. */
const isStopOfThing = (said: string): boolean =>
  stopsThing.test(said) &&
  nextTasks(said)
    .take(1)
    .some((task) => takesWhatWasSaid(clauseOf(said, task)));
const stopsThing = new RegExp(
  String.raw`^(?:(?:please|bitte|por favor|пожалуйста),? )?(?:(?:stop|quit) \p{L}+ing (?:the|this|that)` +
    String.raw`|hör(?:e|t)? auf,? (?:den|die|das)|(?:arrête|cesse) (?:de |d')\p{L}+ (?:le|la|les|ce|cette)` +
    String.raw`|(?:dej[ae]|par[ae]) de \p{L}+ (?:el|la|los|las|est[ea]|o|a|os|as|ess[ea])|(?:перестань|хватит) \p{L}+` +
    String.raw` (?:этот|эту|это))(?!\p{L})`,
  "iu",
);

const clauseOrder = (said: string): SentenceOrder | null =>
  unspacedOrder(said) ?? keepOrder(said) ?? heldBy(said.replace(tag, ""));

/** "Keep that list": an order where an answer has one. */
function heldThing(said: string): SentenceOrder | null {
  const order = beyondLeads(said);
  const isAsked = endsAsking(said) && !asksPolitely.test(said.slice(0, said.length - order.length));
  return !isAsked && isHeldThing(order) ? { ...pointingAt("above"), isOutright: false } : null;
}

/** A label, or a head of what holds; "always lint first, ok?" asks for a yes. */
const heldBy = (said: string): SentenceOrder | null =>
  endsAsking(said) ? null : (labelled(said) ?? standing(said));

/** The order before a clause that is another task or a question: what it keeps ends there. */
function beforeNextTask(said: string, whole: SentenceOrder | null): SentenceOrder | null {
  let tried = 0;
  for (const task of nextTasks(said)) {
    if (tried > tasksMax) return null;
    tried += 1;
    const head = said.slice(0, task.end);
    const order = clauseOrder(head);
    if (order !== null && endsAt(task, { said, head, order, whole })) return order;
  }
  return null;
}
/** Clauses at which a sentence is cut on trial. */
const tasksMax = 4;

interface Cut {
  readonly said: string;
  readonly head: string;
  readonly order: SentenceOrder;
  readonly whole: SentenceOrder | null;
}

function endsAt(task: NextTask, { said, head, order, whole }: Cut): boolean {
  // "Drop IE, and remember that …": the order is the task itself.
  if (whole !== null && whole.before >= task.end) return false;
  if (order.matter === null) return order.points === "above";
  const matter = head.slice(order.matter.start, order.matter.end);
  // "Remember: when you add a route, update the docs".
  if (beyondCondition(`${matter}, `) === "") return false;
  if (task.kind === "question") return order.isOutright && isIntroduced(head, order.matter.start);
  if (isAdvice(clauseOf(said, task))) return false;
  if (task.kind === "now") return true;
  const isStated = endsInThat(head.slice(0, order.matter.start));
  const isStep = !isStated && isImperative(order, matter);
  return mayEnd(order, task) && !isStep && isTaskByItself(said, task);
}

/** "We decided to drop IE; run it again": a rule may have steps, another head ends at a mark. */
const mayEnd = ({ isOutright, kind }: SentenceOrder, { isParted }: NextTask): boolean =>
  isOutright || (kind !== "rule" && isParted);

/** "Remember the port, was it 80?" recalls: only what a conjunction or a colon leads to is told. */
function isIntroduced(head: string, start: number): boolean {
  const lead = head.slice(0, start);
  return endsInThat(lead) || /[:：,，]\s*$|[\u3040-\u30ff\u4e00-\u9fff]/u.test(lead);
}

/** "Always lint, then test": the next imperative belongs to the rule. */
const isImperative = ({ kind }: SentenceOrder, matter: string): boolean =>
  (kind === "rule" && !subject.test(matter)) || asksForWork(matter);
const subject = /^(?:we|wir|on|nous|nosotros|nós|a gente|мы|我们)(?!\p{L})/iu;

/** Does a sentence begin with the order to keep it? */
export function isOutright(sentence: string): boolean {
  const order = orderIn(sentence);
  return order !== null && order.isOutright && order.before === 0;
}
