/**
 * Clauses of a sentence for the grammar of orders to remember: where an order's clause begins and its matter ends, what
 * only leads to it, and the least that it has to say. Pure.
 */
import type { SentenceOrder } from "./orders-common.ts";
import { clitic, leads, moment, pointing, points } from "./orders-patterns.ts";
import { cites } from "./requests.ts";

/** The places within a sentence at which an order may begin. */
const boundary =
  /[,;()]\s*|\s[—–-]{1,2}\s+|[.!…]\s+|\s(?:and|so|but|und|aber|also|et|donc|y|así que|e|и|а|поэтому|então)\s+/giu;

/** "…, thx": no part of what is to be kept. */
const courtesyEnd = new RegExp(
  String.raw`\s*[,;.!—–-]\s*(?:thx|thanks(?: a lot| so much)?|thank you|cheers|please|pls|ok(?:ay)?|` +
    String.raw`danke(?: dir)?|bitte|` +
    String.raw`merci|stp|svp|gracias|por favor|obrigad[oa]|valeu|спасибо|пожалуйста)[.!\s]*$`,
  "iu",
);

/** The end of what begins at `start`: before the bracket that encloses it, and before a courtesy. */
function matterEnd(said: string, start: number): number {
  const closing = isOpenAt(said, start) ? closingIn(said, start) : -1;
  const text = said.slice(start, closing === -1 ? said.length : closing);
  return start + text.replace(courtesyEnd, "").length;
}

const isOpenAt = (said: string, at: number): boolean => {
  const before = said.slice(0, at);
  return before.lastIndexOf("(") > before.lastIndexOf(")");
};

function closingIn(said: string, from: number): number {
  let depth = 0;
  for (let at = from; at < said.length; at += 1) {
    if (said[at] === "(") depth += 1;
    if (said[at] !== ")") continue;
    if (depth === 0) return at;
    depth -= 1;
  }
  return -1;
}

/** "When you write SQL, …", "no more tabs, …": what may stand before "always" and "never". */
const condition = new RegExp(
  String.raw`^(?:(?:when(?:ever)?|if|before|after|while|once|every time|each time|wenn|sobald|bevor|nachdem|falls|` +
    String.raw`quand|lorsque|si|avant d|après|cuando|antes de|después de|al|quando|se|depois de|когда|если|перед|` +
    String.raw`после)(?!\p{L})|(?:no more|stop|quit|don't|do not|never|kein\p{L}*|nie|nicht mehr|plus de|ne|n'|no|` +
    String.raw`nunca|jamais|não|не|хватит|никогда)(?!\p{L}))[^,;]{2,100}[,;]\s+`,
  "iu",
);

/** Text behind a condition, or behind a habit that is to end. */
export const beyondCondition = (said: string): string => said.replace(condition, "");

/** "Stop adding emojis, from now on …": the habit belongs to the rule. */
export const endsHabit = (clause: string): boolean => habit.test(clause.trim());
const habit = new RegExp(
  String.raw`^(?:please )?(?:stop|quit|no more|avoid|don't|do not|never|not|hör\p{L}*|kein\p{L}*|nie|arrête|plus de|` +
    String.raw`ne|n'|dej[ae] de|no|nunca|par[ae] de|não|перестань|хватит|не)(?!\p{L})`,
  "iu",
);

/** "Never use X again" holds for good. */
export const neverWithoutAgain = (head: string): string =>
  /^(?:please |por favor,? )?(?:never|nunca|jamais|jamás|никогда)(?!\p{L})/iu.test(head)
    ? withoutAgain(head)
    : head;

/** "Write docs in English again, from now on" holds for good. */
export const withoutAgain = (head: string): string =>
  head.replace(
    /(?<!\p{L})(?:again|nochmal|de nuevo|otra vez|de novo|novamente|снова|опять)(?!\p{L})/giu,
    "",
  );

/** Ends with a question mark, whatever closes behind it. */
export const endsAsking = (said: string): boolean => /[?？]["')\]”»」]*\s*$/u.test(said);

/** Ends with a conjunction that leads to what is told: "remember that". */
export const endsInThat = (head: string): boolean => thatEnd.test(head);
const thatEnd = /(?:(?<!\p{L})(?:that|dass?|daß|que|что)|qu['’])\s*$/iu;

/** Is its object one of the moment, or one that only points? */
export const isMomentary = (matter: string): boolean => moment.test(matter);

/** Start of the clause whose words before `at` only lead to an order; -1 when they say something else. */
export function clauseBefore(said: string, at: number): number {
  const before = said.slice(0, at);
  if (leads.test(before)) return 0;
  for (const { index, 0: mark } of [...before.matchAll(boundary)].reverse())
    if (leads.test(before.slice(index + mark.length))) return index;
  return introducedAt(before);
}

/** "The limit was raised: keep in mind that …": a statement, and no speaker, stands before the colon. */
function introducedAt(before: string): number {
  const colon = Math.max(before.lastIndexOf(":"), before.lastIndexOf("："));
  const head = before.slice(0, colon);
  return colon > 0 && leads.test(before.slice(colon + 1)) && tellsItself(head) ? colon : -1;
}

/** A finite verb that says what became of something, and none by which somebody says something. */
export const tellsItself = (head: string): boolean =>
  became.test(head) && !cites(head) && !/[?？]/u.test(head);
const became = new RegExp(
  String.raw`(?<!\p{L})(?:is|are|was|were|has|have|had|got|changed|moved|went|wurden?|wird|ist|sind|hat|haben` +
    String.raw`|est|sont|a|ont|été|es|son|está|han|ha|hemos|fue|cambió|é|são|foi|foram|subiu|mudou|теперь|стал[аои]?` +
    String.raw`|\p{L}{3,}(?:ли|лся|лась|лось|лись))(?!\p{L})|[了为是]$|(?:まし)?た$`,
  "iu",
);

/** Two words, or a word and a value: less says nothing. */
export const isMatter = (matter: string): boolean =>
  (matter.match(/[\p{L}\p{N}][\p{L}\p{N}'’_.-]*/gu)?.length ?? 0) >= 2 || /[=:]\s*\S/u.test(matter);

/** One word that is no courtesy. */
export const isOneWord = (matter: string): boolean =>
  /^[\p{L}\p{N}@][\p{L}\p{N}._/@-]{2,40}[.!]*$/u.test(matter) && !leads.test(matter);

/** The place of what begins at `start`. */
export const whole = (said: string, start: number): NonNullable<SentenceOrder["matter"]> => ({
  start,
  end: matterEnd(said, start),
});

/** "Remember that, we always forget it": says why what stands above is to be kept. */
export function givesReason(found: string, rest: string): boolean {
  const [pointed = ""] = pointedAside.exec(rest) ?? [];
  const isPointing = points(`${found}${pointed}`) || clitic.test(found);
  return pointed !== "" && isPointing && isReason(rest.slice(pointed.length));
}
const pointedAside = new RegExp(`^[\\s,]*${pointing}(?<=[,;—–-]\\s*)`, "iu");

/** "Keep that in mind for all modules": behind a pointer stands only where it holds. */
export const isScopeOnly = (found: string, rest: string): boolean =>
  rest.length <= scopeCharsMax &&
  (points(`${found}${rest}`) || clitic.test(found)) &&
  scopeOnly.test(rest);
const scopeCharsMax = 120;
const each =
  "all|every|each|any|(?:the |our )?other|alle[nrs]?|jede[nmrs]?|d(?:ie|en) anderen|weitere[nr]?|tou(?:s|tes)|chaque" +
  "|(?:les |d')autres|tod[oa]s?|cada|l[oa]s dem[áa]s|(?:l[oa]s )?otr[oa]s|(?:[oa]s )?outr[oa]s|demais|всех" +
  "|каждо\\p{L}+|остальн\\p{L}+|други\\p{L}+";
const scopeOnly = new RegExp(
  `^[\\s,]*${pointing}(?:(?:also|too|auch|aussi|también|também|также|и|тоже)\\s)?` +
    `(?:for|in|für|bei|pour|dans|para|pra|en|em|n[ao]s|для|в|во|при)\\s(?:${each})` +
    String.raw`(?:\s\p{L}+){1,2}[.!]*$`,
  "iu",
);

/** A short clause about forgetting, needing or mattering, with a pronoun and nothing that is named. */
export const isReason = (text: string): boolean => {
  const [clause = ""] = text.split(/[.!?;。！？；]/u, 1);
  return clause.length <= reasonCharsMax && !/[\p{N}`]/u.test(clause) && reason.test(clause.trim());
};
const reasonCharsMax = 60;
const people =
  "we|you|i|it|this|that|they|everyone|everybody|people|wir|ich|man|das|es|on|nous|je|tu|ça|c'|l'|se|nos|me|lo|la" +
  "|a gente|eu|nós|isso|мы|я|это|все|его|её";
const matters =
  String.raw`forg[eo]t\p{L}*|verg(?:ess|iss|aß)\p{L}*|olvid\p{L}*|oubli\p{L}*|esque[cç]\p{L}*|забы\p{L}*` +
  String.raw`|important|matters?|crucial|need(?:s|ed)?|wichtig|brauch\p{L}*|importante?|besoin|sert|servir\p{L}*` +
  String.raw`|necesit\p{L}*|precis\p{L}*|важн\p{L}*|пригод\p{L}*|понадоб\p{L}*|нужн\p{L}*`;
const reason = new RegExp(
  String.raw`^(?=.*(?<!\p{L})(?:${people})(?!\p{L}))(?=.*(?<!\p{L})(?:${matters})(?!\p{L}))` +
    String.raw`(?:(?:que|car|weil|denn|da|porque|puisque|because|since|as|cause|pois|потому что)(?!\p{L})\s+)?\p{Ll}|` +
    "^(?:因为)?(?:我|你|大家|这|以后|下次|老是|总是|很).{0,10}(?:忘|用到|需要|重要)|" +
    "^(?:いつも|よく|みんな|すぐ|また|後で|重要|大事).{0,8}(?:忘れ|必要|使う|重要|大事|だから)",
  "iu",
);
