/**
 * The grammar of orders to remember, in eight languages: is a sentence an order, of which kind, and where in
 * it stands what is to be kept? Words are in lists/orders.txt; languages without spaces have a grammar of their own
 * beside this file. Pure.
 */
import { memoised } from "#kit";
import { possessive } from "./everywhere.ts";
import { beforeTurn, type OrderKind, type SentenceOrder } from "./orders-common.ts";
import {
  alwaysOther,
  asksAbility,
  atTheEnd,
  beyondCondition,
  boundary,
  courtesyHead,
  edge,
  endsHabit,
  everywhereHead,
  everywhereLabel,
  filler,
  heads,
  hence,
  henceHead,
  hesitation,
  keep,
  labels,
  leads,
  leadsHead,
  matterEnd,
  moment,
  neverWithoutAgain,
  needless,
  notAhead,
  notImperative,
  isCircumstance,
  isRemarkOn,
  open,
  openedIn,
  openLabel,
  pointer,
  pointsOnly,
  recurring,
  statedIn,
  tag,
  unsure,
  whyNot,
  withoutAgain,
} from "./orders-patterns.ts";
import { unspacedOrder } from "./orders-unspaced.ts";

/** Is a text made of words that only lead to something: "yes please", "ja, gern"? */
export const isLead = (text: string): boolean => leads.test(text);

/** Text behind the words that may lead to an order. */
export const beyondLeads = (said: string): string => said.replace(leadsHead, "");

/** Does a text only point: "that one, please"? */
export const isPointing = (text: string): boolean => pointsOnly.test(text);

/** Does a sentence say only what may be: "perhaps 60", "could be 60, not sure"? */
export const leavesOpen = (sentence: string): boolean => open.test(sentence.replaceAll("’", "'"));

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
  return (
    unspacedOrder(said, isMomentary) ??
    keepOrder(said) ??
    (isQuestion(said) ? null : (labelled(said) ?? standing(said)))
  );
}

/** Does a sentence begin with the order to keep it? */
export function isOutright(sentence: string): boolean {
  const order = orderIn(sentence);
  return order !== null && order.isOutright && order.before === 0;
}

const isQuestion = (said: string): boolean => /[?？]["')\]”»」]*\s*$/u.test(said);

/** Is its object one of the moment, or one that only points? */
export const isMomentary = (matter: string): boolean => moment.test(matter);

/** Start of the clause whose words before `at` only lead to an order; -1 when they say something else. */
function clauseBefore(said: string, at: number): number {
  const before = said.slice(0, at);
  if (leads.test(before)) return 0;
  for (const { index, 0: mark } of [...before.matchAll(boundary)].reverse())
    if (leads.test(before.slice(index + mark.length))) return index;
  return -1;
}

function keepOrder(asked: string): SentenceOrder | null {
  const said = asked.replace(tag, "");
  for (const { index, 0: found } of said.matchAll(keep)) {
    const before = clauseBefore(said, index);
    const dictated = before < 0 ? dictatedBefore(said, index, found) : null;
    if (dictated !== null) return dictated;
    // "Do you remember", "remember the port?" recall; "can you remember that …?" orders.
    if (before < 0 || needless.test(said.slice(0, before))) continue;
    const clause = said.slice(before, index);
    if (isQuestion(said) && !modal.test(clause)) continue;
    const at = index + found.length;
    if (asksAbility({ before: clause, order: said.slice(index), rest: said.slice(at) })) continue;
    return matterBehind(said, { at, before, found });
  }
  return null;
}

/** "The port is 8431 remember that and then fix the login": dictated, without a mark between. */
function dictatedBefore(said: string, index: number, found: string): SentenceOrder | null {
  const rest = said.slice(index + found.length);
  const pointed = beforeTurn(`${rest} `) ?? rest;
  const isPointing = points.test(`${found}${pointed}`) || /lo$/iu.test(found);
  const before =
    isPointing && pointsOnly.test(pointed) && !isQuestion(said)
      ? statedIn(said.slice(0, index))
      : 0;
  return before === 0
    ? null
    : { isOutright: true, kind: "fact", matter: null, points: "above", before };
}

interface Found {
  readonly at: number;
  readonly before: number;
  /** The words of the order. */
  readonly found: string;
}

function matterBehind(said: string, { at, before, found }: Found): SentenceOrder | null {
  const rest = said.slice(at);
  const outer = { isOutright: true, before } as const;
  if (pointsOnly.test(rest) || isTurnedFrom(rest, found)) {
    const points = /[:：]\s*$/u.test(said) ? "below" : "above";
    return { ...outer, kind: "fact", matter: null, points };
  }
  if (isRemarkOn(rest)) return { ...outer, kind: "fact", matter: null, points: "above" };
  const opened = openedIn(rest);
  const start = at + opened.length;
  const text = said.slice(start).trim();
  const matter = whole(said, start);
  if ((!/[:：]/u.test(opened) && whyNot.test(text)) || denied.test(rest)) return null;
  if (isDeed(opened, text))
    return isRecurring(opened, text) ? { ...outer, kind: "rule", matter, points: "above" } : null;
  return isMatter(text) ? { ...outer, kind: kindOf(text), matter, points: "above" } : null;
}

function isTurnedFrom(rest: string, found: string): boolean {
  // "Keep that in mind and tell me …": the order has its pointer.
  if (points.test(found) && joins.test(rest)) return true;
  const pointed = beforeTurn(rest);
  return pointed !== null && pointsOnly.test(pointed) && points.test(`${found}${pointed}`);
}
const joins = /^\s*,?\s(?:and|und|et|y|e|и|а)\s/iu;
const points = new RegExp(pointer, "iu");

/** "Merke dir bitte nicht, dass …". */
const denied = new RegExp(
  `^[\\s,]*(?:${filler}[\\s,]*)*(?:nicht|nie|niemals)(?:[\\s,]+(?:dass|daß|was|wie)\\s|[\\s.!]*$)`,
  "iu",
);

const modal = new RegExp(
  String.raw`(?:can|could|would|will) (?:you|we)|kannst|könntest|würdest|können|peux|pourrais|pouvez|` +
    String.raw`pourriez|puedes|podrías|puede|pode|poderia|consegue|можешь|можете|мог`,
  "iu",
);

/** "Remember to …": an act, as other languages say it by an infinitive. */
const isAct = (opened: string, matter: string): boolean =>
  !/[:：]/u.test(opened) &&
  (/^(?:to|de|d'|zu) (?!que)/iu.test(matter) ||
    (!/(?<!\p{L})(?:that|dass?|daß|que|qu'|что)\s*$/iu.test(opened) &&
      !/^(?:der|er|wir|ihr|unser|dieser|jeder|hier|immer|unter|über|aber|nur|vor|unsere)(?!\p{L})/iu.test(
        matter,
      ) &&
      /^\p{L}+(?:er|ir|ar|ть|ться|ти|rse|re)(?!\p{L})/iu.test(matter)) ||
    /^[^,.;:]{0,60}\szu \p{L}+en[.!]*$/iu.test(matter));

const isDeed = (opened: string, matter: string): boolean =>
  isAct(opened, matter) || isForThisTask(opened, matter);
const isRecurring = (opened: string, matter: string): boolean =>
  recurring.test(matter) && !isForThisTask(opened, matter);

/** "Don't forget to bump the version before you finish". */
const isForThisTask = (opened: string, matter: string): boolean =>
  !/[:：]|(?<!\p{L})(?:that|dass?|daß|que|qu'|что)\s*$/iu.test(opened) &&
  (atTheEnd.test(matter) || moment.test(matter)) &&
  !lasting.test(matter) &&
  (isAct(opened, matter) ||
    isAct(opened, matter.slice(0, Math.max(0, matter.search(atTheEnd))).trim()));
const lasting = new RegExp(
  String.raw`(?<!\p{L})(?:always|never|every|each|whenever|immer|nie|niemals|jede\p{L}?|toujours|jamais|chaque` +
    String.raw`|siempre|nunca|cada|sempre|toda|всегда|никогда|кажд\p{L}*)(?!\p{L})`,
  "iu",
);

/** Two words, or a word and a value: less says nothing. */
const isMatter = (matter: string): boolean =>
  (matter.match(/[\p{L}\p{N}][\p{L}\p{N}'’_.-]*/gu)?.length ?? 0) >= 2 || /[=:]\s*\S/u.test(matter);

/** One word that is no courtesy. */
const isOneWord = (matter: string): boolean =>
  /^[\p{L}\p{N}@][\p{L}\p{N}._/@-]{2,40}[.!]*$/u.test(matter) && !leads.test(matter);

/** Kind of what is to be kept, by its head. */
export function kindOf(matter: string): OrderKind {
  const head = matter.trim();
  const standingHead = standing(head);
  if (standingHead !== null && standingHead.before === 0) return standingHead.kind;
  if (
    /^(?:(?:please|bitte|you|we|on|nous|wir|du) )?(?:must(?: not|n't)?|never|always|don't|do not)\s/iu.test(
      head,
    )
  )
    return "rule";
  return /https?:\/\/|^`[^`]+`$|(?:^|\s)(?:~|\.{1,2})?\/[\w.-]+\/[\w./-]+/u.test(head)
    ? "place"
    : "fact";
}

function labelled(said: string): SentenceOrder | null {
  for (const { kind, pattern } of /[:：—–]|\s--?\s/u.test(said) ? labels : []) {
    const match = pattern.exec(said);
    if (match === null || clauseBefore(said, match.index) !== 0) continue;
    const order = behindLabel(said, kind, match);
    if (order !== null) return order;
  }
  return scoped(said) ?? openLabelled(said);
}

function behindLabel(
  said: string,
  kind: OrderKind,
  { index, 0: found }: RegExpExecArray,
): SentenceOrder | null {
  const start = index + found.length;
  const matter = said.slice(start).trim();
  const outer = { isOutright: true, before: 0 } as const;
  if (matter === "") return { ...outer, kind, matter: null, points: "below" };
  if (kind === "fact" && !isMatter(matter)) return null;
  if (isMatter(matter)) {
    const named = kind === "fact" ? kindOf(matter) : kind;
    return { ...outer, kind: named, matter: whole(said, start), points: "above" };
  }
  // "Decision: gitflow" says it with its label.
  return isOneWord(matter) ? { ...outer, kind, matter: whole(said, index), points: "above" } : null;
}

/** "In all my projects: answer in English". */
function scoped(said: string): SentenceOrder | null {
  const match = everywhereLabel.exec(said);
  if (match === null || !possessive.test(match[0])) return null;
  return isMomentary(said.slice(match[0].length)) ? null : behindLabel(said, "rule", match);
}
function openLabelled(said: string): SentenceOrder | null {
  const match = openLabel.exec(said);
  const before = match === null ? -1 : clauseBefore(said, match.index);
  if (match === null || before < 0) return null;
  const start = match.index + match[0].length;
  const outer = { isOutright: true, points: "above", before } as const;
  const matter = said.slice(start).trim();
  if (isMatter(matter)) return { ...outer, kind: kindOf(matter), matter: whole(said, start) };
  return before === 0 ? null : { ...outer, kind: "fact", matter: null };
}

/** Sentences that hold by their head: "from now on", "always", "I prefer", "we decided", "the root cause was". */
function standing(said: string): SentenceOrder | null {
  if (isQuestion(said)) return null;
  return ahead(said) ?? always(said) ?? headed(said);
}

const whole = (said: string, start: number): SentenceOrder["matter"] => ({
  start,
  end: matterEnd(said, start),
});

function ahead(said: string): SentenceOrder | null {
  const strong = hence.exec(said);
  const match = strong ?? henceHead.exec(said);
  if (match === null) return null;
  const before = clauseBefore(said, match.index);
  if (before < 0 && strong === null) return null;
  const start = henceStart(said, before, match.index);
  const object = said.slice(match.index + match[0].length).replace(/^[\s,]+/u, "");
  const deed = before < 0 ? said.slice(start) : object;
  const rest = said.slice(start).replace(match[0], "").trim();
  const isOfNow = isMomentary(strong === null ? deed : withoutAgain(deed));
  if (!isSaidAhead(rest, object, strong) || isOfNow) return null;
  const isTelling = isToldAhead(deed);
  if (isTelling && strong === null) return null;
  const kind = isTelling ? "fact" : "rule";
  const matter = whole(said, start);
  return { isOutright: strong !== null, kind, matter, points: "above", before: 0 };
}

/** "Désormais, tabulations": one word is enough behind words for good. */
const isSaidAhead = (rest: string, object: string, strong: RegExpExecArray | null): boolean =>
  isMatter(rest) || (strong !== null && isOneWord(object));

const isToldAhead = (deed: string): boolean => notAhead.test(deed) || telling.test(deed);
const telling = /^(?:the|der|die|das|le|la|les|el|los|o|a|os)\s/iu;

function henceStart(said: string, before: number, index: number): number {
  if (before < 0) return leadsEnd(said);
  if (before > 0 && endsHabit(said.slice(leadsEnd(said), before))) return leadsEnd(said);
  return before === 0 ? index : afterBoundary(said, before);
}

/** `leadsEnd` gives the end of a sentence's leads. */
function leadsEnd(said: string): number {
  const match = courtesyHead.exec(said);
  return match?.[0].length ?? 0;
}
const afterBoundary = (said: string, at: number): number =>
  at +
  (/^(?:[,;:().!…—–-]|\s)+(?:(?:and|so|but|und|et|y|e|и|а)\s+)?/iu.exec(said.slice(at))?.[0]
    .length ?? 0);

const alwaysEnglish = new RegExp(
  `^(?:(?:please|pls|plz) )?(?:always|never(?: ever)?|do not ever|don't ever|` +
    `under no circumstances)[ ]+(?!(?:${notImperative})(?!${edge}))(?!\\p{L}{2,}(?:ed|` +
    `[^su]s)(?!${edge}))\\p{L}`,
  "iu",
);

const isAlways = (head: string): boolean =>
  alwaysEnglish.test(head) || alwaysOther.some((one) => one.test(head));

function always(said: string): SentenceOrder | null {
  const start = leadsEnd(said);
  const own = neverWithoutAgain(said.slice(start).replace(everywhereHead, ""));
  const behind = beyondCondition(own);
  const head = isAlways(behind) ? behind : own;
  if (!isAlways(head)) return null;
  if (
    isMomentary(head) ||
    onlyPoints.test(head) ||
    deniesKeeping(head) ||
    !isMatter(head) ||
    head.split(/\s+/u).length < 3
  )
    return null;
  return {
    isOutright: false,
    kind: "rule",
    matter: whole(said, start),
    points: "above",
    before: 0,
  };
}

/** "Never store that in your memory"; not "never forget". */
const deniesKeeping = (head: string): boolean =>
  never.test(head) && !forgets.test(head.match(keep)?.[0] ?? "forget");
const never = /(?<!\p{L})(?:never|not|n't|nie|niemals|jamais|nunca|jamás|никогда)(?!\p{L})/iu;
const forgets = /forg|verg|oubli|olvid|esque|забы/iu;

/** "Never do that", "always use this": the object is elsewhere. */
const onlyPoints = new RegExp(
  String.raw`^\S+(?: \p{L}+){1,2} (?:this|that|it|these|those|them|so|das|dies|es|ça|cela|esto|eso|isso|isto|` +
    String.raw`это|так)(?: \p{L}+)?[.!]*$`,
  "iu",
);

function headed(said: string): SentenceOrder | null {
  for (const { kind, pattern } of heads) {
    const match = pattern.exec(said);
    if (match === null || (clauseBefore(said, match.index) !== 0 && !isCircumstance(said, match)))
      continue;
    const object = said.slice(match.index + match[0].length).trim();
    if (
      !isMatter(object) ||
      isMomentary(object) ||
      unsure.test(object.split(/\s+/u).slice(0, 5).join(" "))
    )
      continue;
    if (/^(?:it|this|that(?!(?: \S+){3})|not to|to wait|your|you)\b/iu.test(object)) continue;
    return {
      isOutright: false,
      kind,
      matter: whole(said, match.index),
      points: "above",
      before: 0,
    };
  }
  return null;
}
