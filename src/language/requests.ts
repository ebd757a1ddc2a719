/**
 * Tells what a typed text does: asks, corrects, tells of a change, or requests behind a statement ("we renamed the
 * repo, can you fix the names?"). Pure.
 */
import { foldText } from "./hard-words.ts";
import { either, listsIn } from "./lists.ts";
import { rowOf } from "./phrase-rows.ts";
import { sentencesOf } from "./sentences.ts";
import changeText from "./lists/changes.txt" with { type: "text" };
import citationText from "./lists/citations.txt" with { type: "text" };
import correctionText from "./lists/corrections.txt" with { type: "text" };
import questionText from "./lists/questions.txt" with { type: "text" };
import taskText from "./lists/tasks.txt" with { type: "text" };

/** Heads of polite requests, as the grammar of orders knows them before an order to remember. */
const heads = [
  "(?:can|could|would|will) (?:you|u)",
  "(?:kannst|könntest|würdest) du",
  "(?:peux|pourrais)-tu|tu (?:peux|pourrais)",
  "(?:pouvez|pourriez)-vous",
  "(?:puedes|podrías)",
  String.raw`(?:você |voce )?(?:pode|poderia|consegue)(?= \p{L}+r(?!\p{L}))`,
  "(?:можешь|можете|мог бы|могли бы)",
];
const request = new RegExp(
  String.raw`(?<=[\p{L}\p{N})\]"'${"`"}”’][,;:]? +)(?:${heads.join("|")})(?= )|` +
    "(?<=[，,])你?(?:能不能|可不可以|能|可以)",
  "giu",
);

const requestHead = new RegExp(`^(?:¿|du |tu |você )?(?:${heads.join("|")}) `, "iu");
export const beginsAsRequest = (clause: string): boolean => requestHead.test(clause);

/** Words of a statement that stands alone. */
const wordsMin = 3;

/** The statement before the request and the request; null where the sentence is nothing but a question. */
export function requestIn(
  sentence: string,
): { readonly statement: string; readonly request: string } | null {
  for (const { index } of sentence.matchAll(request)) {
    const statement = sentence.slice(0, index).trim();
    const isLong = /\p{Script=Han}/u.test(statement)
      ? statement.length >= wordsMin * 2
      : statement.split(/\s+/u).length >= wordsMin;
    if (isLong && !isQuestion(statement))
      return { statement, request: sentence.slice(index).trim() };
  }
  return null;
}

// Tells by mark and grammar what a typed text does: asks, names the memory, corrects, or tells of a change. Pure.

const asked = listsIn(questionText);

/** At the beginning of a sentence, behind a word or two of address ("and", "ok so"). */
const head = new RegExp(
  String.raw`^(?:\p{L}+[,:]? ){0,2}(?:${asked.any("head")})(?![\p{L}\p{N}])|${either(asked.places("head"))}`,
  "iu",
);

/** True where a sentence ends with a question mark, or begins as a question does. */
export const isQuestion = (typed: string): boolean =>
  sentencesOf(typed).some((one) => one.isQuestion || head.test(one.text));

const memory = new RegExp(asked.alone("memory"), "iu");

/** True where the memory is named: "use project memory", "do you remember". */
export const namesMemory = (typed: string): boolean => memory.test(typed);

/** `withoutMemory` gives the other words of a text that names the memory: its other words. */
export const withoutMemory = (typed: string): string => typed.replace(everyMemory, " ");
const everyMemory = new RegExp(memory.source, "giu");

const corrections = listsIn(correctionText);

/** The beginning of a sentence, or a reproach. */
const correcting = new RegExp(
  either([
    String.raw`(?:^|[.!?\n]\s*)(?:${corrections.any("no")})(?=[\s,.!:;—-]|$)`,
    corrections.alone("correcting"),
  ]),
  "iu",
);

/** True for words that take the agent back; those of a rule are none. */
export const isCorrection = (typed: string): boolean => correcting.test(foldText(typed));

const changed = listsIn(changeText).cue("change");

/** True for words such as "is now", "moved to", "statt", "不再": the subject is looked up, so they decide nothing. */
export const tellsChange = (text: string): boolean => changed.test(text.normalize("NFKC"));

/** A move from one value to another: "the port moved from 5432 to 6432". */
export interface Change {
  /** The words in front of it. */
  readonly before: string;
  readonly from: string;
  readonly to: string;
}

const value = (name: string): string => String.raw`(?<${name}>\S+(?: \S+){0,2}?)`;
/** Words for from and to in six languages, and the marks and words at the end of a sentence that belong to no value. */
const fromTo = new RegExp(
  String.raw`^(?<before>.+?) (?:from|v[oa][nm](?: der)?|del?|du|des|de la|d[ao]s?|с|со|из) ${value("from")} ` +
    String.raw`(?:(?:over )?to|auf|nach|zum?|ins?|à|au|en|vers|pour|al?|a la|para(?: [oa]s?)?|pra|por|на|в) ` +
    String.raw`${value("to")}(?=\s*(?:[,.;!]|now|today|jetzt|$|\p{L}*(?:ge|ver)\p{L}+)|\s+[—–-]\s)`,
  "iu",
);
const moves: readonly RegExp[] = [
  fromTo,
  /^(?<before>.*?)(?<!\p{L})replaced (?<from>\S+(?: \S+){0,2}?) with (?<to>\S+)/iu,
  /^(?<before>[^，。]+?)(?:已经?)?从\s*(?<from>[^，。]+?)\s*(?:改成|改为|改到|换成|搬到)了?\s*(?<to>[^，。了]+)/u,
  /^(?<before>[^、。]+?)(?:は|が)\s*(?<from>[^、。]+?)から\s*(?<to>[^、。]+?)\s*(?:に|へ)(?:変更|移行|移動|変わ|変え|切り替え)/u,
];
const changeCharsMax = 300;

/** The change that a sentence tells with both values; null where it tells none, or names one value alone. */
export function changeIn(sentence: string): Change | null {
  const said = sentence.normalize("NFKC").slice(0, changeCharsMax).trim();
  if (!tellsChange(said)) return null;
  for (const pattern of moves) {
    const { before = "", from = "", to = "" } = pattern.exec(said)?.groups ?? {};
    if (before !== "" && from.toLowerCase() !== to.toLowerCase())
      return { before, from, to: to.trim() };
  }
  return null;
}

/** Values that a text denies: "not Skagen", "no longer bulma", "instead of npm". */
export const deniedValuesIn = (text: string): readonly string[] =>
  [...text.matchAll(deniedValue)].map(([, one = ""]) => one);

/** A text without the values that it denies, and the words that deny them. */
export const withoutDenied = (text: string): string => text.replace(deniedValue, "");

const deniedValue = new RegExp(
  String.raw`(?:(?:不再?使?用|弃用) ?|(?<!\p{L})(?:not|no longer|instead of|rather than|nicht(?: mehr)?|statt` +
    String.raw`|anstatt|pas|plus|au lieu de|no|ya no|en (?:lugar|vez) de|não|em vez de|не|вместо) ` +
    String.raw`(?:in |on |at |as |by |with |for |auf |als |mit |sur |en |à |con |por |para |com |на |в )?)` +
    String.raw`(["“„«][^"”“»\n]{1,80}["”“»]|["'\x60“„«]?[\p{L}\p{N}][^\s,;]*)`,
  "giu",
);

/** Points at something said elsewhere, so that it cannot stand alone. */
export const startsWithPronoun = (text: string): boolean => pronoun.test(text);
const pronoun = new RegExp(
  String.raw`^(?:it|its|this|that|they|these|those|there|he|she|both|the (?:same|former|latter)` +
    String.raw`|(?:es|er|sie) (?:ist|sind|heißt|läuft|liegt|lauscht|war)` +
    String.raw`|(?:il|elle)s? (?:est|sont|s'appellent?|tournent?)` +
    String.raw`|(?:он|она|оно|они))(?!\p{L})`,
  "iu",
);

const citations = listsIn(citationText);
/** Marks by which a line shows that another speaks in it. */
export const says = new RegExp(citations.alone("says"), "iu");
export const found = new RegExp(citations.alone("found"), "iu");

/** Cites somebody or something anywhere in it. */
export const cites = (sentence: string): boolean => says.test(sentence) || found.test(sentence);

// Does a sentence ask for work, as those do that stand behind an order to remember: "Now fix the timer"?

const tasks = listsIn(taskText);

const wordEnd = String.raw`(?![\p{L}\p{N}'’-]|\.\p{L})`;
const mark = String.raw`[\s>*_"'(-]*`;
/** "And", "ok so", "by the way": phrases that lead on to an order or a task. */
export const asidePhrases = [...tasks.list("aside"), ...tasks.list("aside, german")];
const asides = new RegExp(
  `^${mark}(?:(?:(?:${tasks.any("aside")})(?:[,:]?\\s+)|` +
    String.raw`(?:${tasks.any("aside, german")})(?:[,:]\s+|\s+(?!\p{L}+t\s))|` +
    String.raw`(?:${either(tasks.places("aside")).replaceAll("^", "")})\s*)){0,4}`,
  "iu",
);
/** A clause without the words that lead on to it. */
export const beyondAsides = (clause: string): string => clause.replace(asides, "");
const asidesOnly = rowOf({
  phrase: `(?:${either(asidePhrases)})`,
  start: mark.slice(0, -1),
  joint: String.raw`[\s,:.!]`,
  min: 1,
  max: Infinity,
});
export const isAside = (clause: string): boolean => asidesOnly.test(clause);
const turn = new RegExp(`^(?:${tasks.any("turn")})${wordEnd}`, "iu");
const turnAnywhere = new RegExp(either(tasks.places("turn")), "u");
const finite = "is|are|was|were|has|have|can|must|takes?|runs?";
/** "Run book: …", "Test runs take an hour": a verb that is a noun has its own verb behind it, or a colon. */
const verb = new RegExp(
  `^(?:${tasks.any("verb")})${wordEnd}(?!\\s*[:：]|\\s+(?:\\S+\\s+)?(?:${finite})${wordEnd})`,
  "iu",
);
const imperative = new RegExp(
  `^(?:${tasks.any("verb, imperative alone")})${wordEnd}(?!\\s*[:：])`,
  "iu",
);
/** Not where the determiner comes first, or a plural: there a subject begins. In French an imperative may end so. */
const governing = new RegExp(
  `^(?!(?:${tasks.any("determiner")}|\\p{L}+s(?!\\s(?:${tasks.any("determiner, french")})${wordEnd})` +
    `|${tasks.any("no verb")})${wordEnd})` +
    `\\p{L}+\\s+(?:(?:${tasks.any("between verb and determiner")})\\s+)?(?:${tasks.any("determiner")})${wordEnd}`,
  "iu",
);
/** "Montre-moi": in French only an imperative has its pronoun behind a hyphen, without an answer's "t". */
const hyphened = /^\p{L}{2,}-(?:moi|nous|le|la|les|lui|leur|y|en)(?![\p{L}-])/iu;
/**
 * "Schau dir bitte den Import an": in German a particle stands behind an imperative, where a statement has its verb. An
 * infinitive at the end is a habit: "Preise bitte netto angeben".
 */
const particled = new RegExp(
  String.raw`^(?!(?:${tasks.any("determiner")}|${tasks.any("no verb")}|danke|alles|nichts)${wordEnd})` +
    String.raw`\p{L}{3,}(?<!en|[est]r|[tk]) (?:dir|mir|uns|mal|doch|bitte(?!.*\p{L}en[.!]*$))` +
    String.raw`(?: (?:bitte|mal|doch|kurz|noch|eben))* \S`,
  "iu",
);
/** "ファイルを開いて。" */
const teForm = /\p{sc=Hiragana}*[てで](?:ね|よ)?[。！!:：]*$/u;
/** "打开文件。": neither a subject nor what a predicate of one has. */
const chineseOnly = /^[\p{Script=Han}，、。！!]+[:：]?$/u;
const chinesePredicate =
  /[是在有为用由叫会能了到于归属从过着]|[一二三四五六七八九十百千两]|每|都|不|没/u;
const isBareChinese = (sentence: string): boolean =>
  chineseOnly.test(sentence.trim()) && !chinesePredicate.test(sentence.replaceAll("一个", ""));

/** Tells nothing to keep: it turns to the work at hand, or is an imperative. */
export function asksForWork(sentence: string): boolean {
  const said = beyondAsides(sentence);
  return (
    [turn, turnAnywhere, verb, imperative, governing, hyphened, particled, teForm].some((pattern) =>
      pattern.test(said),
    ) || isBareChinese(said)
  );
}

/** An imperative behind "and" without a mark: its form, or the verb before it, lets it be nothing else. */
export const isKnownTask = (sentence: string, before: string): boolean =>
  imperative.test(beyondAsides(sentence)) ||
  hyphened.test(sentence) ||
  (verb.test(beyondAsides(sentence)) && singular.test(before));
const singular = /(?<!\p{L})(?:is|isn't|has|hasn't|was|wasn't|it's|that's)(?!\p{L})/iu;

/** True for a clause that begins as a question does, where the mark at its sentence's end makes it one. */
export const beginsAsQuestion = (clause: string): boolean => asking.test(clause.trim());
const asking = new RegExp(
  String.raw`^(?:¿|(?:${asked.any("head")})(?![\p{L}\p{N}])|${either(asked.places("head"))}|` +
    // A verb before its subject.
    String.raw`\p{L}{2,}(?:-t)?-(?:tu|il|elle|on|nous|vous|ils|elles|je|ce)(?!\p{L})|` +
    String.raw`(?!wir|ich|ihr|sie|und|dass?|oder)\p{L}{2,} ` +
    String.raw`(?:da|das|der|die|es|du|wir|man|ich|ihr|sie|hier|dort)(?!\p{L})|` +
    String.raw`(?:tu|vous|du|ihr) (?:peux|pourrais|pouvez)|(?:kann|soll|muss|geht|gibt|hat|ist|sind) |` +
    String.raw`(?:puedes?|podrías?|hay|tienes?|está|es|son|sabes) |(?:pode|tem|dá|está|é|você) |` +
    String.raw`(?:можешь|можете|можно|есть|надо|нужно)(?!\p{L}))|[吗呢么][?？]|か[?？。]`,
  "iu",
);
