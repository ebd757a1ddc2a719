/** Patterns of the grammar of orders to remember, made of lists/orders.txt. Pure. */
import { aloneOr, either, listsOf } from "./lists.ts";
import text from "./lists/orders.txt" with { type: "text" };

const lists = listsOf(
  text,
  "lead",
  "keep",
  "courtesy",
  "pointer",
  "filler",
  "that",
  "label, rule",
  "label, decision",
  "label, fact",
  "label, open",
  "hence",
  "hence, head",
  "not ahead",
  "everywhere",
  "everywhere, any place",
  "moment",
  "moment, any place",
  "prefer",
  "decide",
  "technique",
  "cause",
  "unsure",
  "open",
  "open, any place",
  "not an imperative",
  "why not",
  "recurring",
  "needless",
);

export const edge = String.raw`[\p{L}\p{N}_]`;
const word = (list: readonly string[]): string => `(?<!${edge})(?:${either(list)})(?!${edge})`;
const joint = String.raw`[\s,;.!:…—–()*_~>¿¡-]`;

export const leads = new RegExp(`^${joint}*(?:${word(lists.lead)}${joint}*)*$`, "iu");
export const leadsHead = new RegExp(leads.source.slice(0, -1), "iu");
export const keep = new RegExp(word(lists.keep), "giu");
const colon = String.raw`\s*(?:[:：]|\s[—–-]{1,2}(?=\s)|,\s*(?:${either(lists.that)})(?!${edge}))\s*`;
export const pointer = word(lists.pointer);
export const filler = word(lists.filler);
const conjunction = word(lists.that);
/** Only points: "this for next time, please." */
export const pointsOnly = new RegExp(
  `^[\\s,]*(?:(?:${filler}|${pointer}|${conjunction})[\\s,]*)*[\\s.!?？:：…—–)*_-]*$`,
  "iu",
);
/** Link between order and matter: fillers and a pointer before a colon, or fillers and a conjunction. */
export const opening = new RegExp(
  `^[\\s,]*(?:(?:(?:${filler}|${pointer})[\\s,]*)*${colon}|(?:${filler}[\\s,]*)*(?:${conjunction}[\\s:]+|qu')?)`,
  "iu",
);
export const labels = (["rule", "decision", "fact"] as const).map((kind) => ({
  kind,
  pattern: new RegExp(
    word(lists[`label, ${kind}`]) +
      String.raw`(?: (?:from me|of mine|von (?:mir|uns)|de ma part|à moi|mía|nuestra|minha|nossa|от меня|` +
      String.raw`(?:from|of) today(?:'s \p{L}+)?|von heute|du jour|d'aujourd'hui|de hoy|de hoje|на сегодня))?` +
      String.raw`(?:[ ](?:#?\d{1,3}|(?:for|in|für|im|pour|para|en|no|na|для)(?: [\p{L}\p{N}./_-]+){1,4}?))?` +
      String.raw`\*{0,2}\s*(?:[:：]|\s[—–]|\s--?\s)\*{0,2}\s*`,
    "iu",
  ),
}));
export const openLabel = new RegExp(`${word(lists["label, open"])}[\\s,:：—–-]*`, "iu");
export const hence = new RegExp(word(lists.hence), "iu");
export const henceHead = new RegExp(word(lists["hence, head"]), "iu");
export const notAhead = new RegExp(`^(?:${either(lists["not ahead"])})(?!${edge})`, "iu");
export const everywhere = new RegExp(
  aloneOr(edge, lists.everywhere, lists["everywhere, any place"]),
  "iu",
);
/** "In all my projects, never …". */
export const everywhereHead = new RegExp(`^(?:${everywhere.source})[\\s,:：]+`, "iu");
export const moment = new RegExp(aloneOr(edge, lists.moment, lists["moment, any place"]), "iu");
export const whyNot = new RegExp(`^(?:${either(lists["why not"])})(?!${edge})`, "iu");
export const unsure = new RegExp(word([...lists.unsure, ...lists.open]), "iu");
export const open = new RegExp(aloneOr(edge, lists.open, lists["open, any place"]), "iu");
export const recurring = new RegExp(word(lists.recurring), "iu");
export const heads = (["prefer", "decide", "technique", "cause"] as const).map((name) => ({
  kind: ({ prefer: "fact", decide: "decision", technique: "technique", cause: "cause" } as const)[
    name
  ],
  pattern: new RegExp(word(lists[name]), "iu"),
}));
export const needless = new RegExp(`${word(lists.needless)}[\\s,]*$`, "iu");
export const notImperative = lists["not an imperative"].join("|");
export const courtesyHead = new RegExp(`^(?:${word(lists.courtesy)}${joint}+)*`, "iu");
