/** Patterns of the grammar of orders to remember, made of lists/orders.txt and lists/standing.txt. Pure. */
import { allListsOf, aloneOr, either, filled, listsIn, distinct } from "./lists.ts";
import { thing } from "./orders-things.ts";
import { rowOf } from "./phrase-rows.ts";
import { asidePhrases, startsWithPronoun } from "./requests.ts";
import text from "./lists/orders.txt" with { type: "text" };
import standingText from "./lists/standing.txt" with { type: "text" };

const { any, list, places } = listsIn(text);

export const edge = String.raw`[\p{L}\p{N}_]`;
const wordOf = (phrases: readonly string[]): string => aloneOr(edge, phrases);
const word = (name: string): string => aloneOr(edge, list(name), places(name));
const said = (name: string): RegExp => new RegExp(word(name), "iu");
const joint = String.raw`[\s,;.!:…—–()*_~>¿¡-]`;

/** Phrases in a row, at most. */
const rowMax = 8;
const leadsMax = 24;
const leadPhrases = [...list("lead"), ...asidePhrases];
const leadPhrase = wordOf(distinct(leadPhrases));
export const leads = rowOf({ phrase: leadPhrase, start: joint, joint, min: 0, max: leadsMax });
/** Is a text made of words that only lead to something: "yes please", "ja, gern"? */
export const isLead = (text: string): boolean => leads.test(text);
const leadsHead = new RegExp(`^${joint}*(?:${leadPhrase}${joint}*){0,${leadsMax}}`, "iu");
/** Text behind the words that may lead to an order. */
export const beyondLeads = (said: string): string => said.replace(leadsHead, "");
/** Not an identifier: `remember = useRef()`, `remember.current`, `remember()`. */
const notInCode = String.raw`(?<![.$@#/\\]|\w-)(?:${word("keep")})(?!\s*=|[(\[]|\.[\p{L}_]|->|::)`;
export const keep = new RegExp(notInCode, "giu");
export const namesForgetting = /forg|verg|oubli|olvid|esque|забу|забы/iu;
const colon = String.raw`\s*(?:[:：]|\s[—–-]{1,2}(?=\s)|,\s*(?:${any("that")})(?!${edge}))\s*`;
const anyNoun = word("pointer, noun");
const pointer = `${word("pointer")}|${anyNoun}`;
const filler = word("filler");
const conjunction = word("that");
/** These phrases in a row. Each is read in one way, the longest first: a row would else have thousands. */
const inRow = (...names: readonly string[]): string => {
  const phrases = distinct(names.flatMap(list)).toSorted((a, b) => b.length - a.length);
  return `(?:(?=(?<phrase>${wordOf(phrases)}|${anyNoun}))\\k<phrase>[\\s,]*){0,${rowMax}}`;
};
export const fillers = inRow("filler");
/** Fillers and pointers in a row. */
export const pointing = inRow("filler", "pointer");
/** Only points: "this for next time, please." */
export const pointsOnly = new RegExp(
  `^[\\s,]*${inRow("filler", "pointer", "that")}[\\s.!?？:：…—–)*_-]*$`,
  "iu",
);
/** Does a text only point: "that one, please"? */
export const isPointing = (text: string): boolean => pointsOnly.test(text);
/** Has a word that points, in the order or behind it. */
export const points = (order: string): boolean => anyPointer.test(order);
const anyPointer = new RegExp(pointer, "iu");

/** "Remember that please and …", "recuérdalo y …": the order has its object, and something else follows. */
export const pointsAndGoesOn = (found: string, rest: string): boolean => {
  const [pointed] = pointedHead.exec(rest) ?? [];
  return pointed !== undefined && (points(`${found}${pointed}`) || clitic.test(found));
};
const pointedHead = new RegExp(
  `^[\\s,]*${pointing}\\s*(?:[.;!]\\s|(?<=[\\s,]|^)(?:and|und|et|y|e|и|а)\\s)`,
  "iu",
);
export const clitic = /(?:lo|la|[- ](?:le|la|les|l'en)|-y|-o)$/iu;

/**
 * True for words that hold nothing of their own: pronouns, adverbs, courtesy, or the purpose of an order ("for when you
 * write mails").
 */
export const saysNothing = (text: string): boolean =>
  text.length <= emptyCharsMax &&
  (nounPurpose.test(text) ||
    (!named.test(text.replace(things, "")) && (empty.test(text) || purpose.test(text))));
/** German nouns have capitals. */
const things = new RegExp(thing, "giu");
/** A number, or a capital within the sentence. */
const named = /\p{N}|(?<=\S\s)(?!I(?!\p{L}))\p{Lu}/u;
const emptyCharsMax = 100;
const emptyPhrases = [...["empty", "filler", "pointer", "that"].flatMap(list), ...leadPhrases];
const empty = rowOf({
  phrase:
    `(?:${wordOf(distinct(emptyPhrases))}|${anyNoun}|${thing}|` +
    `${either(distinct(places("empty")))})`,
  start: joint,
  joint: String.raw`[?？、。，！\s,;.!:…—–()*_~>¿¡-]`,
  min: 0,
  max: emptyCharsMax,
});
/** "For the next two days use …" says until when. */
const spanAhead =
  String.raw`(?:for|für|pour|para|pra) (?:(?:the|die|les|l[oa]s|[oa]s) )?(?:\S+ )?(?:next|nächsten|prochaine?s` +
  String.raw`|próxim[oa]s) (?:\S+ )?(?:days|weeks|months|tage|wochen|monate|jours|semaines|mois|días|dias|semanas` +
  String.raw`|m[ei]ses)\s\S`;
const purpose = new RegExp(
  String.raw`^(?!${spanAhead})(?:for|für|pour|para|pra|для)(?: (?:when(?:ever)?|quand|cuando|quando|wenn|когда)` +
    String.raw`|(?!.*\s(?:we|wir|nous|nosotros|nós|мы)\s))` +
    String.raw`(?:\s[\p{L}'’]+){1,8}[.!]*$`,
  "iu",
);
/** "Für alle Module": nouns have capitals. */
const nounPurpose = /^für(?:\s\p{L}+){1,3}[.!]*$/iu;

/** Link between order and matter: fillers and a pointer before a colon, or fillers and a conjunction. */
const opening = new RegExp(
  `^[\\s,]*(?:${pointing}${colon}|(?:${filler}[\\s,]*){0,${rowMax}}(?:${conjunction}[\\s:]+|qu')?)`,
  "iu",
);
/** "After the call with Lotte we decided …": the words before a head say when or where. */
export const isCircumstance = (said: string, { index }: RegExpExecArray): boolean =>
  circumstance.test(said.slice(0, index));
const circumstance = new RegExp(
  String.raw`^(?:after|in|at|during|since|following|on|après|lors d|dans|pendant|tras|después d|en|durante` +
    String.raw`|depois d|após|na|no|после|на|во время)\S*\s[^,.;:?!]{2,60},?\s$` +
    String.raw`|^(?:yesterday|last \p{L}+|(?:the other|one) day|gestern|hier|la semaine dernière|ayer|anoche|ontem` +
    String.raw`|вчера|на днях)(?:\s\p{L}+){0,3},?\s$` +
    String.raw`|^(?:(?:i|we) (?:found out|learn(?:ed|t)|figured out|realised|realized)|(?:it )?turns out)(?: that)?\s$`,
  "iu",
);

/** "Remember this, …" and "remember that - …". */
const asideOf =
  /^\s*(?:this|dies|esto|eso|isso|isto|ça|ceci|cela|это|(that|das))(?:,|\s[—–-])\s+(?=\S+\s)/iu;

/** "Remember this, it starts kafka": the words behind the order are a remark on what stands above. */
export const isRemarkOn = (rest: string): boolean => {
  const [aside = ""] = asideOf.exec(rest) ?? [];
  return aside !== "" && startsWithPronoun(rest.slice(aside.length));
};

/** Gives the link of the words behind an order to its matter; a pointer alone in "remember this, the port is 4402". */
export function openedIn(rest: string): string {
  const [aside = "", conjunction] = asideOf.exec(rest) ?? [];
  // "Remember that, when you deploy, …"
  if (aside !== "" && conjunction === undefined) return aside;
  const opened = opening.exec(rest)?.[0] ?? "";
  if (/[:：]\s*$/u.test(opened)) return opened;
  return emptyLabel(rest) || opened;
}

/** "Remember it finally: …", "note to self and to you: …": words that hold nothing, before a colon. */
export function emptyLabel(rest: string): string {
  const [label = ""] = /^[^:：]{1,60}[:：]\s+/u.exec(rest) ?? [];
  return label !== "" && saysNothing(label.replace(/[:：]\s+$/u, "")) ? label : "";
}
export const labels = (["rule", "decision", "fact"] as const).map((kind) => ({
  kind,
  pattern: new RegExp(
    word(`label, ${kind}`) +
      String.raw`(?: (?:from me|of mine|von (?:mir|uns)|de ma part|à moi|mía|nuestra|minha|nossa|от меня|` +
      String.raw`(?:from|of) today(?:'s \p{L}+)?|von heute|du jour|d'aujourd'hui|de hoy|de hoje|на сегодня))?` +
      String.raw`(?:[ ](?:#?\d{1,3}|(?:for|in|für|im|pour|para|en|no|na|для)` +
      String.raw`(?: [\p{L}\p{N}][\p{L}\p{N}./_-]*){1,4}?))?` +
      String.raw`\*{0,2}\s*(?:[:：]|\s[—–]|\s--?\s)\*{0,2}\s*`,
    "iu",
  ),
}));
export const openLabel = new RegExp(`${word("label, open")}[\\s,:：—–-]*`, "iu");
export const hence = said("hence");
export const henceHead = said("hence, head");
export const notAhead = new RegExp(`^(?:${any("not ahead")})(?!${edge})`, "iu");
/** Names all projects. */
export const everyProject = said("everywhere");
const atAllPlaces = word("at all places");
export const everywhere = new RegExp(`${everyProject.source}|${atAllPlaces}`, "iu");
/** At the head, or behind a comma at the end: there the words say where it holds. */
export const everywhereAside = new RegExp(
  `^\\P{L}*(?:${atAllPlaces})|[,;(–—-]\\s*(?:${atAllPlaces})[\\s.!)]*$`,
  "iu",
);
/** "In all my projects, never …". */
export const everywhereHead = new RegExp(`^(?:${everywhere.source})[\\s,:：]+`, "iu");
export const everywhereLabel = new RegExp(`^(?:${everywhere.source})\\s*[:：]\\s*`, "iu");
export const moment = said("moment");
export const whyNot = new RegExp(`^(?:${any("why not")})(?!${edge})`, "iu");
export const unsure = new RegExp(wordOf([...list("unsure"), ...list("open")]), "iu");
const open = said("open");
/** Does a sentence say only what may be: "perhaps 60", "could be 60, not sure"? */
export const leavesOpen = (sentence: string): boolean => open.test(sentence.replaceAll("’", "'"));
export const recurring = said("recurring");
export const atTheEnd = said("at the end");
export const heads = (["prefer", "decide", "technique", "cause"] as const).map((name) => ({
  kind: ({ prefer: "fact", decide: "decision", technique: "technique", cause: "cause" } as const)[
    name
  ],
  pattern: said(name),
}));
export const needlessHead = word("needless");
export const needless = new RegExp(`${needlessHead}[\\s,]*$`, "iu");
export const notImperative = any("not an imperative");

const standing = new Map([
  ...allListsOf(standingText),
  ["no imperative", list("not an imperative")],
  ["end", [`(?!${edge})`]],
]);
const standingHeads = (name: string, flags: string): readonly RegExp[] =>
  (standing.get(name) ?? []).map((pattern) => new RegExp(filled(pattern, standing), flags));
/** "Who does the deploys is Wesley" begins as a question, and tells. */
export const tellsWho = (matter: string): boolean => whoItIs.some((one) => one.test(matter));
const whoItIs = standingHeads("who it is", "iu");
/** Heads of standing orders: "always" in other languages, duties, habits that are to end. */
export const alwaysOther = [
  ...["duty", "habit to end", "instead, here", "always, never"].flatMap((name) =>
    standingHeads(name, "iu"),
  ),
  ...standingHeads("always, never, by case", "u"),
];
export const courtesyHead = new RegExp(`^(?:${word("courtesy")}${joint}+)*`, "iu");

/** Words at the end of an order that ask for a yes to it, and not whether it is true: "use tabs, ok?". */
const consent =
  "ok(?:ay)?|alright|all right|please|will you|would you|gut|bitte|d'accord|vale|tá(?: bom)?|por favor" +
  "|хорошо|ладно|пожалуйста";
/** "…, keep that in mind, ok?" orders. */
export const tag = new RegExp(
  String.raw`[\s,]+(?:${consent}|yeah|ja|hein|sí|certo)\s*\?+\s*$`,
  "iu",
);
const consentTail = new RegExp(
  String.raw`(?<=\S)\s*[,，、—–]\s*(?:(?:${consent})\s*[?？]+|(?:好吗|好不好|行吗|いいね)[?？]*)\s*$`,
  "iu",
);

/** An order and the words behind it that ask for a yes: "use tabs" and ", ok?"; null for every other sentence. */
export function splitAtConsent(sentence: string): readonly [string, string] | null {
  const at = sentence.search(consentTail);
  return at < 0 ? null : [sentence.slice(0, at), sentence.slice(at).trim()];
}

// Questions about the ability to remember that end without a question mark: "can you remember things or not". Pure.

/** "… or not", "… or do I have to say it again". */
const alternative = new RegExp(
  String.raw`(?:\s|,)(?:or (?:not|no|what|nah)|` +
    String.raw`(?:or (?:do|does|should|must|will|is|are|can|have) (?:i|we|you|it|that) .{0,80})|` +
    String.raw`oder (?:nicht|nich|ned|was|nein)|oder (?:muss|soll|kann|geht|ist) .{0,80}|ou (?:pas|non)|` +
    String.raw`ou (?:est-ce|faut-il|dois-je|je dois|il faut) .{0,80}|o (?:no|qué)|o (?:tengo|hay|debo) que .{0,80}|` +
    String.raw`ou (?:não|nao)|ou (?:tenho|preciso) .{0,80}|или (?:нет|не)|или (?:мне|надо|нужно) .{0,80})[.!\s]*$`,
  "iu",
);

/** An object that is none in particular. */
const anyObject = new RegExp(
  String.raw`^\s*(?:de |d'|das |dos |d[aeo]s? )?(?:things?|stuff|anything|something|everything|sachen|dinge|` +
    String.raw`etwas|irgendwas|choses|quelque chose|cosas|algo|coisas|что-то|что-нибудь|вещи)(?!\p{L})(?!\s*[:：])`,
  "iu",
);
const askedOfYou = new RegExp(
  String.raw`(?:^|[\s,])(?:can|could|will|do|would|are|kannst|könntest|können|peux|pourrais|pouvez|puedes|` +
    String.raw`podrías|puede|` +
    String.raw`pode|poderia|consegue|можешь|можете)(?!\p{L})`,
  "iu",
);
/** "Merkst du dir …": the verb of a question stands first. */
const verbFirst = /^\s*(?:merkst|behältst|notierst|speicherst|erinnerst) du(?!\p{L})/iu;

interface Parts {
  /** From the sentence's start, or the clause's, to the order. */
  readonly before: string;
  /** The order and what is behind it. */
  readonly order: string;
  /** The words behind the order. */
  readonly rest: string;
}

/** Does it ask whether something can be remembered? */
export const asksAbility = ({ before, order, rest }: Parts): boolean =>
  (askedOfYou.test(before) && (alternative.test(rest) || anyObject.test(rest))) ||
  verbFirst.test(order);

// Dictated text: no marks stand between a statement and an order. Pure.

/** Sounds of who dictates; "um" is also a word. */
export const hesitation = new RegExp(
  String.raw`(?<!\p{L})(?:u+h+m*|erm|ä+h+m*|öh+m*|euh|э+м?|(?<=(?:and|then|now|okay|ok) )um|um(?= so ))(?!\p{L})`,
  "giu",
);
/** A text as it was dictated, without such sounds. */
export const withoutHesitation = (said: string): string =>
  said
    .replace(hesitation, "")
    .replaceAll(/ {2,}/g, " ")
    .trim()
    .replace(/^(?:ok(?:ay)? )?so (?:basically )?(?=\S+ \S)/iu, "");

/** End of what stands before a dictated "remember that" and states something; 0 when nothing does. */
export function statedIn(before: string): number {
  let stated = before.trimEnd();
  while (stated !== "" && leads.test(/\S*$/u.exec(stated)?.[0] ?? ""))
    stated = stated.replace(/\s*\S*$/u, "");
  const words = stated.split(/\s+/u);
  const isEnough = words.length >= (/\d/u.test(stated) ? 2 : 4);
  return isEnough && !governs.test(words.at(-1) ?? "") ? stated.length : 0;
}
/** Before "remember that" these make it no order: "users will remember that". */
const governs = new RegExp(
  String.raw`(?:[,;:.…]|n't|^(?:i|you|u|we|they|he|she|it|who|that|which|people|users?|everyone|nobody` +
    String.raw`|not|never|to|will|would|can|cannot|could|should|shall|may|might|must|do|does|did|help|helps|let` +
    String.raw`|lets|make|makes|and|or|but|if|of|ich|du|er|sie|es|wir|ihr|man|nicht|zu|je|tu|il|elle|on|nous|vous` +
    String.raw`|ils|elles|ne|de|yo|tú|él|ella|nosotros|ellos|que|no|eu|ele|ela|nós|eles|não|я|ты|он|она|мы|вы|они` +
    String.raw`|не|что))$`,
  "iu",
);
