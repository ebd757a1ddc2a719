/** Clauses of a sentence, and the least that one has to say, for the grammar of orders to remember. Pure. */
import { cites } from "./citation-marks.ts";
import type { SentenceOrder } from "./orders-common.ts";
import { boundary, matterEnd } from "./orders-bounds.ts";
import { clitic, leads, moment, pointing, points } from "./orders-patterns.ts";

export const isQuestion = (said: string): boolean => /[?？]["')\]”»」]*\s*$/u.test(said);

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
export const whole = (said: string, start: number): SentenceOrder["matter"] => ({
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
