/** Orders to remember in so many words: "remember that X", "X, keep that in mind". Pure. */
import {
  clauseBefore,
  endsInThat,
  givesReason,
  isMatter,
  endsAsking,
  isScopeOnly,
  whole,
} from "./orders-clause.ts";
import { keeping, pointingAt, type SentenceOrder } from "./orders-common.ts";
import { kindOf } from "./orders-standing.ts";
import { isThingWithRemark, tells } from "./orders-things.ts";
import {
  asksAbility,
  atTheEnd,
  fillers,
  isRemarkOn,
  keep,
  moment,
  namesForgetting,
  needless,
  openedIn,
  points,
  pointsAndGoesOn,
  pointsOnly,
  recurring,
  saysNothing,
  statedIn,
  tag,
  tellsWho,
  whyNot,
} from "./orders-patterns.ts";

/** Reads an order in so many words, and where in the sentence stands what it keeps. */
export function keepOrder(asked: string): SentenceOrder | null {
  const said = asked.replace(tag, "");
  for (const { index, 0: found } of said.matchAll(keep)) {
    const before = clauseBefore(said, index);
    const dictated = before < 0 ? dictatedBefore(said, index, found) : null;
    if (dictated !== null) return dictated;
    // "Do you remember", "remember the port?" recall; "can you remember that …?" orders.
    if (before < 0 || needless.test(said.slice(0, before))) continue;
    const clause = said.slice(before, index);
    const at = index + found.length;
    if (endsAsking(said) && !asksPolitely.test(clause) && !isAskedToo(said, before, at)) continue;
    if (asksAbility({ before: clause, order: said.slice(index), rest: said.slice(at) })) continue;
    return isForgotten(found, said.slice(at)) ? null : matterBehind(said, { at, before, found });
  }
  return null;
}

/** "Can you fix X and remember that Y?": the second half of a polite question. */
const isAskedToo = (said: string, before: number, at: number): boolean =>
  before > 0 && asksPolitely.test(said.slice(0, before)) && leadsToMatter.test(said.slice(at));
const leadsToMatter = /^(?:,?\s(?:that|dass?|daß|que|что)\s|,?\squ['’]|[^:：,]{0,24}[:：]\s*\S)/iu;

/** "The port is 8431 remember that and then fix the login": dictated, without a mark between. */
function dictatedBefore(said: string, index: number, found: string): SentenceOrder | null {
  const rest = said.slice(index + found.length);
  const isPointing = points(`${found}${rest}`) || /lo$/iu.test(found);
  const before =
    isPointing && (pointsOnly.test(rest) || pointsAndGoesOn(found, rest)) && !endsAsking(said)
      ? statedIn(said.slice(0, index))
      : 0;
  return before === 0 ? null : pointingAt("above", before);
}

interface Found {
  readonly at: number;
  readonly before: number;
  /** The words of the order. */
  readonly found: string;
}

function matterBehind(said: string, { at, before, found }: Found): SentenceOrder | null {
  const rest = said.slice(at);
  const above = pointingAt("above", before);
  if (pointsOnly.test(rest)) return /[:：]\s*$/u.test(said) ? pointingAt("below", before) : above;
  if (pointsAside(found, rest)) return above;
  const opened = openedIn(rest);
  const start = at + opened.length;
  const text = said.slice(start).trim();
  const matter = whole(said, start);
  if (isAskedOrDenied(opened, text, rest) || isForFile(found, rest, text)) return null;
  // "Can you remember the last thing I asked?" recalls.
  if (saysNothing(text)) return endsAsking(said) ? null : above;
  if (isDeed(opened, text))
    return isRecurring(opened, text) ? keeping("rule", matter, before) : null;
  return isMatter(text) ? keeping(kindOf(text), matter, before) : null;
}

/** Has its object above: what stands behind it is other work, a remark or a reason. */
const pointsAside = (found: string, rest: string): boolean =>
  pointsAndGoesOn(found, rest) ||
  isRemarkOn(rest) ||
  isThingWithRemark(rest) ||
  isScopeOnly(found, rest) ||
  givesReason(found, rest);

/** "Don't forget the second argument in that call", "… the dot in line 40": a thing at hand, and nothing told of it. */
const isForgotten = (found: string, rest: string): boolean => {
  const [object = ""] = rest.split(/[,;]/u, 1);
  const isAtHand =
    thingAtHand.test(rest.trim()) || (article.test(object.trim()) && moment.test(object));
  return namesForgetting.test(found) && isAtHand && !tells.test(object);
};
const article = /^(?:(?:the|an?|die|der|das|den|le|la|les|el|los|las|o|a|os|as)\s|l')/iu;
const thingAtHand = new RegExp(
  String.raw`${article.source}[^,.;:]{2,60}\s` +
    String.raw`(?:(?:in|on|of|for|to|an|bei|für|von|dans|à|de|pour|en|para|em) (?:that|this|these|those|diese[mnrs]?` +
    String.raw`|cet?|cette|ces|es[ea]|est[ea]|aquella|ess[ea])|n[ea]ss[ea]|naquela|naquele) [\p{L}-]+[.!]*$`,
  "iu",
);
/** "Notiere die Änderungen im CHANGELOG": something to be written into a file, of which nothing is told. */
const isForFile = (found: string, rest: string, text: string): boolean =>
  writes.test(found) && (inFile.exec(text)?.index === 0 || isWrittenThere(found, rest, text));
const isWrittenThere = (found: string, rest: string, text: string): boolean =>
  !isLedTo(found + rest.slice(0, rest.length - text.length)) &&
  ((inFile.test(text) && !tells.test(text)) || (/^ap[uú]nt/iu.test(found) && aimed.test(text)));
const isLedTo = (head: string): boolean => endsInThat(head) || /^[^,:：]{0,30}[,:：]/u.test(head);
const writes =
  /^(?:notier|schreib|anot|ap[uú]nt|note|prend|inscri|запиши|отмет|помет|зафикс|write|jot|make|take)/iu;
const inFile = new RegExp(
  String.raw`(?<!\p{L})(?:in|im|ins|into|to|on|dans|sur|au|en|num|numa|n[oa]s?|em|al?|в|на) (?:[\p{L}]{1,8} ){0,2}` +
    String.raw`(?:changelog|readme|todo|wiki|ticket|issue|backlog|docs?|documentation|file|comments?|datei|doku\p{L}*` +
    String.raw`|kommentar\p{L}*|fichier|commentaires?|archivo|fichero|documento|comentarios?|arquivo|ficheiro` +
    String.raw`|comentários?|файл\p{L}*|документ\p{L}*|тикет\p{L}*|комментари\p{L}*` +
    String.raw`|[\w-]+(?:\/[\w.-]+)+|[\w./-]+\.(?:md|txt|rst|adoc|ya?ml|json|toml|org|csv|tf|[jt]sx?|py))` +
    String.raw`(?![\p{L}\p{N}])`,
  "iu",
);
/** "Apunta el DNS al servidor nuevo": points one thing at another. */
const aimed = /^(?:el|la|los|las|tu|nuestr[oa]) [^,.;:]{2,40} (?:al?|a l[ao]s?|hacia) \p{L}/iu;

const isAskedOrDenied = (opened: string, text: string, rest: string): boolean =>
  (!/[:：]/u.test(opened) && whyNot.test(text) && !tellsWho(text)) || denied.test(rest);

/** "Merke dir bitte nicht, dass …". */
const denied = new RegExp(
  `^[\\s,]*${fillers}(?:nicht|nie|niemals)(?:[\\s,]+(?:dass|daß|was|wie)\\s|[\\s.!]*$)`,
  "iu",
);

/** "Can you": asks for the act. */
export const asksPolitely = new RegExp(
  String.raw`能不能|可以|(?<!\p{L})(?:(?:can|could|would|will) (?:you|u|ya|we)|kannst|könntest|würdest|können|magst du` +
    String.raw`|peux|pourrais|pouvez|pourriez|puedes|podrías|puede|pode|poderia|consegue|можешь|можете|мог(?:ли)?)` +
    String.raw`(?!\p{L})`,
  "iu",
);

/** "Remember to …": an act, as other languages say it by an infinitive. */
const isAct = (opened: string, matter: string): boolean =>
  !/[:：]/u.test(opened) &&
  (/^(?:to|de|d'|zu) (?!que)/iu.test(matter) ||
    (!endsInThat(opened) &&
      !/^(?:der|er|wer|wir|ihr|unser|dieser|jeder|hier|immer|unter|über|aber|nur|vor|unsere)(?!\p{L})/iu.test(
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
  !/[:：]/u.test(opened) &&
  !endsInThat(opened) &&
  (atTheEnd.test(matter) || moment.test(matter)) &&
  !lasting.test(matter) &&
  (isAct(opened, matter) ||
    isAct(opened, matter.slice(0, Math.max(0, matter.search(atTheEnd))).trim()));
const lasting = new RegExp(
  String.raw`(?<!\p{L})(?:always|never|every|each|whenever|immer|nie|niemals|jede\p{L}?|toujours|jamais|chaque` +
    String.raw`|siempre|nunca|cada|sempre|toda|всегда|никогда|кажд\p{L}*)(?!\p{L})`,
  "iu",
);
