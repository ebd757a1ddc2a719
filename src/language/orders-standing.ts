/** Sentences that are kept for their head, and the kind that a head gives to what is kept. Pure. */
import { possessive } from "./everywhere.ts";
import {
  beyondCondition,
  clauseBefore,
  endsHabit,
  isMatter,
  isMomentary,
  isOneWord,
  endsAsking,
  neverWithoutAgain,
  whole,
  withoutAgain,
} from "./orders-clause.ts";
import { asksForWork } from "./requests.ts";
import { behindEnd, withoutEnd } from "./said-end.ts";
import {
  headed,
  keeping,
  type OrderKind,
  pointingAt,
  type SentenceOrder,
} from "./orders-common.ts";
import {
  alwaysOther,
  courtesyHead,
  edge,
  emptyLabel,
  everywhereHead,
  everywhereLabel,
  heads,
  hence,
  henceHead,
  isCircumstance,
  keep,
  labels,
  leads,
  namesForgetting,
  needlessHead,
  notAhead,
  saysNothing,
  notImperative,
  openLabel,
  unsure,
} from "./orders-patterns.ts";

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

/** Sentences that hold by their head: "from now on", "always", "I prefer", "we decided", "the root cause was". */
export function standing(said: string): SentenceOrder | null {
  if (endsAsking(said)) return null;
  return ahead(said) ?? always(said) ?? behindHead(said);
}

function ahead(said: string): SentenceOrder | null {
  const strong = hence.exec(said);
  const match = strong ?? henceHead.exec(said);
  if (match === null) return untilAhead(said);
  const before = clauseBefore(said, match.index);
  if (before < 0 && strong === null) return null;
  const start = henceStart(said, before, match.index);
  const object = said.slice(match.index + match[0].length).replace(/^[\s,]+/u, "");
  const deed = before < 0 ? said.slice(start) : object;
  const rest = said.slice(start).replace(match[0], "").trim();
  // "From now on until tomorrow …" says its end.
  const isOfNow = isMomentary(strong === null ? deed : withoutEnd(withoutAgain(deed)));
  if (!isSaidAhead(rest, object, strong) || isOfNow) return null;
  const kind = isToldAhead(deed) ? "fact" : "rule";
  if (strong !== null) return keeping(kind, whole(said, start));
  return kind === "rule" ? headed(kind, whole(said, start)) : null;
}

/** "Until 10 March use the old logo": an order that names its end. */
function untilAhead(said: string): SentenceOrder | null {
  const start = leadsEnd(said);
  const deed = behindEnd(said.slice(start));
  if (deed === null || isMomentary(said.slice(start)) || !isMatter(deed)) return null;
  const isOrder = isAlways(deed) || (asksForWork(deed) && deed.split(/\s+/u).length > 2);
  return isOrder ? headed("rule", whole(said, start)) : null;
}

/** "Désormais, tabulations": one word is enough behind words for good. */
const isSaidAhead = (rest: string, object: string, strong: RegExpExecArray | null): boolean =>
  isMatter(rest) || (strong !== null && isOneWord(object));

/** "From now on the port is 80" tells; with the verb of a duty it is a rule. */
const isToldAhead = (deed: string): boolean => notAhead.test(deed) || telling.test(deed);
const telling = new RegExp(
  String.raw`^(?:the|der|die|das|le|la|les|el|los|las|o|a|os|as)\s(?!.{2,80}\s(?:must|should|shall|have to|müssen|` +
    String.raw`muss|sollen|soll|doivent|doit|van (?:en|con)|deben?|se escriben?|tienen? que|vão (?:em|com)|devem?|` +
    String.raw`têm que|tem que)(?!\p{L}))`,
  "iu",
);

function henceStart(said: string, before: number, index: number): number {
  if (before < 0) return leadsEnd(said);
  if (before > 0 && endsHabit(said.slice(leadsEnd(said), before))) return leadsEnd(said);
  return before === 0 ? index : afterBoundary(said, before);
}

/** `leadsEnd` gives the end of a sentence's leads: "ok, …", "let me be clear, …". */
function leadsEnd(said: string): number {
  const [clause = ""] = /^[^,:.!]{2,40}[,:]\s+/u.exec(said) ?? [];
  const start = leads.test(clause) ? clause.length : 0;
  return start + (courtesyHead.exec(said.slice(start))?.[0].length ?? 0);
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
  const isNoRule =
    isMomentary(head) ||
    onlyPoints.test(head) ||
    deniesKeeping(head) ||
    !isMatter(head) ||
    head.split(/\s+/u).length < 3;
  return isNoRule ? null : headed("rule", whole(said, start));
}

/** "Never store that in your memory"; not "never forget". */
const deniesKeeping = (head: string): boolean =>
  never.test(head) && !namesForgetting.test(head.match(keep)?.[0] ?? "forget");
const never = /(?<!\p{L})(?:never|not|n't|nie|niemals|jamais|nunca|jamás|никогда)(?!\p{L})/iu;

/** "Never do that", "always use this": the object is elsewhere. */
const onlyPoints = new RegExp(
  String.raw`^\S+(?: \p{L}+){1,2} (?:this|that|it|these|those|them|so|das|dies|es|ça|cela|esto|eso|isso|isto|` +
    String.raw`это|так)(?: \p{L}+)?[.!]*$`,
  "iu",
);

/** "I prefer tabs": one word is enough where it names something. */
const saysEnough = (kind: OrderKind, object: string): boolean =>
  isMatter(object) || (kind === "fact" && isOneWord(object) && !saysNothing(object));

function behindHead(said: string): SentenceOrder | null {
  for (const { kind, pattern } of heads) {
    const match = pattern.exec(said);
    if (match === null || (clauseBefore(said, match.index) !== 0 && !isCircumstance(said, match)))
      continue;
    const object = said.slice(match.index + match[0].length).trim();
    if (
      !saysEnough(kind, object) ||
      isMomentary(object) ||
      unsure.test(object.split(/\s+/u).slice(0, 5).join(" "))
    )
      continue;
    if (/^(?:it|this|that(?!(?: \S+){3})|not to|to wait|your|you)\b/iu.test(object)) continue;
    return headed(kind, whole(said, match.index));
  }
  return null;
}

// Labels: "Rule: …", "in all my projects: …", "for the record, …".

export function labelled(said: string): SentenceOrder | null {
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
  if (matter === "") return pointingAt("below", 0, kind);
  if (isMatter(matter)) return keeping(kind === "fact" ? kindOf(matter) : kind, whole(said, start));
  // "Decision: gitflow" says it with its label.
  return kind !== "fact" && isOneWord(matter) ? keeping(kind, whole(said, index)) : null;
}

/** "In all my projects: answer in English". */
function scoped(said: string): SentenceOrder | null {
  const match = everywhereLabel.exec(said);
  if (match === null || !possessive.test(match[0])) return null;
  return isMomentary(said.slice(match[0].length)) ? null : behindLabel(said, "rule", match);
}

/** "Note to self not needed", "note to self is no feature": speaks of the label. */
const namesLabel = (said: string, label: string): boolean =>
  /[\p{L}]\s*$/u.test(label) && spokenOf.test(said.slice(label.length));
const spokenOf = new RegExp(
  `^(?:${needlessHead}|(?:is|isn't|was|ist|war|est|era|es|é)(?!\\p{L})|не (?:нужно|надо))`,
  "iu",
);
function openLabelled(said: string): SentenceOrder | null {
  const match = openLabel.exec(said);
  const before = match === null ? -1 : clauseBefore(said, match.index);
  if (match === null || before < 0 || namesLabel(said.slice(match.index), match[0])) return null;
  const behind = match.index + match[0].length;
  const start = behind + emptyLabel(said.slice(behind)).length;
  const matter = said.slice(start).trim();
  if (isMatter(matter)) return keeping(kindOf(matter), whole(said, start), before);
  return before === 0 ? null : pointingAt("above", before);
}
