/**
 * Finds the clauses of a sentence that are another task or a question: behind an order to remember they are no part of
 * what it keeps. Pure, linear in the sentence.
 */
import { beyondCondition, endsAsking } from "./orders-clause.ts";
import {
  asksForWork,
  beginsAsQuestion,
  beginsAsRequest,
  beyondAsides,
  isAside,
  isKnownTask,
} from "./requests.ts";

/** A clause that is another task. */
export interface NextTask {
  /** End of what stands before the clause, with the mark of a question or an exclamation. */
  readonly end: number;
  /** Start of the clause itself. */
  readonly start: number;
  /** `question`; `now`: work at hand, in so many words; `task`: any other imperative. */
  readonly kind: "now" | "question" | "task";
  /** A comma or another mark stands before it, not only a conjunction. */
  readonly isParted: boolean;
}

const conjunction = "and|so|und|et|y|e|и|а|да";
const link = new RegExp(
  String.raw`(?<mark>[,;.!?…]+(?=[\s\u3040-\u30ff\u4e00-\u9fff])|[，、；。！？]+|\s[—–-]{1,2}(?=\s))\s*` +
    String.raw`(?:(?:${conjunction})(?=\s)\s*)?|` +
    String.raw`\s(?:${conjunction})\s+`,
  "giu",
);
/** Words that turn to the next task, before its verb. */
const turn = new RegExp(
  String.raw`^(?:(?:now|right now|please|pls|secondly|second(?=,)|next|back to work|jetzt|nun|bitte|maintenant|stp|` +
    String.raw`ahora|por favor|agora|теперь|сейчас|пожалуйста|then|after that|afterwards|dann|danach|anschließend|` +
    String.raw`als nächstes|puis|ensuite|après(?: ça)?|luego|después|a continuación|depois|em seguida|потом|затем|` +
    String.raw`дальше|далее)(?:[,:]?\s+|$))+|` +
    "^(?:然后|接着|接下来|随后|之后|现在|再|顺便|另外)[，,]?|^(?:それから|その後|そのあと|次に|続いて|では|今から)、?",
  "iu",
);
const now = new RegExp(
  "now|please|pls|second|back to|jetzt|bitte|nun|maintenant|stp|ahora|favor|agora|теперь|сейчас|пожалуйста|现在|今から",
  "iu",
);
/** A subject behind "then": "if it fails, then the job stops". */
const subject = new RegExp(
  String.raw`^(?:the|a|an|it|we|they|you|he|she|i|this|that|there|our|der|die|das|es|wir|man|sie|ihr|du|le|la|les|il|` +
    String.raw`elle|on|nous|ils|el|los|las|se|o|os|as|nós|мы|он|она|они|это)\s`,
  "iu",
);
/** The work at hand as an object that only points: "commit that", "commite ça". */
const atHand = new RegExp(
  String.raw`^\p{L}+(?:\s\p{L}+)?[\s-](?:this|that|it|these|those|das|dies|es|den|ça|cela|ceci|esto|eso|isso|isto|` +
    String.raw`это|этот|эту)(?:\s+(?:now|please|jetzt|bitte|mal|ahora|agora|сейчас))?[.!:：\s]*$|` +
    String.raw`^\p{L}{3,}(?:-(?:le|la|les|moi ça)|(?<=[áéíóú]\p{L}{1,8})l[oa]s?)[.!\s]*$|^把?[这它]|^これを|^それを`,
  "iu",
);
/** Conjunctions, words that ask for a yes, and other answers: no clause of their own. */
const tagged = new RegExp(
  String.raw`^(?:that|dass?|daß|que|qu'|что|чтобы|ok(?:ay)?|right|yes|please|no|or|oder|ou|o|или|ja|gut|vale|` +
    String.raw`hein|né|не так ли|verdad|certo|isn't|n'est-ce pas)(?!\p{L})`,
  "iu",
);
/** "Lint first, then test": the steps belong together. */
const steps = /(?<!\p{L})(?:first|erst|zuerst|d'abord|primero|primeiro|сначала)(?!\p{L})|先/iu;
const charsRead = 240;

/** Clauses that are another task or a question, from left to right; the first of the sentence is none. */
export function* nextTasks(said: string): Generator<NextTask> {
  const isAsked = endsAsking(said);
  let asideAt = -1;
  for (const { index, 0: found, groups = {} } of said.matchAll(link)) {
    const { mark = "" } = groups;
    const start = index + found.length;
    const rest = said.slice(start, start + charsRead);
    if (index < 2 || rest.trim() === "") continue;
    const from = asideAt < 0 ? index : asideAt;
    // "…, right, next up …": an aside by itself belongs to what follows.
    asideAt = isAside(clauseHead(rest)) ? from : -1;
    const kind = isAskedAlone(isAsked, mark, rest)
      ? "question"
      : kindOfClause(rest, said.slice(0, index), isAsked);
    if (kind === null) continue;
    const isMarked = from === index && /[!?！？]/u.test(mark);
    const end = isMarked ? index + mark.length : from;
    yield { end, start, kind, isParted: mark !== "" };
  }
}

const isAskedAlone = (isAsked: boolean, mark: string, rest: string): boolean =>
  isAsked && /[.!…。！]/u.test(mark) && lastSentence.test(rest);

const clauseHead = (rest: string): string => rest.split(/[,;.!?…，、。！？]/u, 1)[0] ?? "";

/** The words of a clause that is another task, up to the next mark or conjunction. */
export const clauseOf = (said: string, { start }: NextTask): string => {
  const rest = said.slice(start, start + charsRead);
  const end = [...rest.matchAll(link)].find(({ index }) => index > 0)?.index ?? rest.length;
  return rest.slice(0, end);
};

/** "Remove it": its object is the thing that was spoken of. */
export const takesWhatWasSaid = (clause: string): boolean => atHand.test(clause.trim());

/**
 * True for advice that goes on with a statement: it holds each time ("use it for every run"), or points at a place or
 * a thing that the statement names ("check there first", "ask Jo instead").
 */
export const isAdvice = (clause: string): boolean => eachTime.test(clause) || atThatPlace(clause);
const eachTime = new RegExp(
  String.raw`(?<!\p{L})(?:always|never|every|each|whenever|instead|immer|stets|nie|niemals|jede[nrsm]?|jedes mal` +
    String.raw`|stattdessen|toujours|jamais|chaque|à la place|siempre|nunca|jamás|cada|en su lugar|sempre|toda vez` +
    String.raw`|em vez diss[oa]|no lugar|всегда|никогда|кажд\p{L}+|вместо (?:этого|него|неё))(?!\p{L})` +
    "|总是|永远|每次|一律|必ず|常に|毎回|代わりに",
  "iu",
);
const atThatPlace = (clause: string): boolean => thatPlace.test(clause) && beforeAll.test(clause);
const thatPlace = new RegExp(
  String.raw`(?<!\p{L})(?:there|da|dort|dorthin|là|là-bas|y|ahí|allí|allá|aí|ali|lá|там|туда)(?!\p{L})` +
    "|那里|那儿|那边|そこ|あそこ",
  "iu",
);
const beforeAll = new RegExp(
  String.raw`(?<!\p{L})(?:first|zuerst|als erstes|d'abord|en premier|primero|primeiro|сначала|сперва)(?!\p{L})|先|まず`,
  "iu",
);

/** Begins a sentence, and no other one stands behind it. */
const lastSentence =
  /^[\p{Lu}¿\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}](?!.*(?:[.!?…]\s|[。！？].))/u;

/** True for a sentence that is another task or a question. */
export const isNextTask = (sentence: string): boolean =>
  kindOfClause(sentence.slice(0, charsRead), "", /[?？]\s*$/u.test(sentence)) !== null;

/** True for a sentence that comes to a task behind what it tells: "the footer is gone too, fix that". */
export const comesToTask = (sentence: string): boolean =>
  !isAdvice(sentence) &&
  beyondCondition(sentence) === sentence &&
  [...nextTasks(sentence)].some(({ isParted }) => isParted);

function kindOfClause(rest: string, before: string, isAsked: boolean): NextTask["kind"] | null {
  const clause = beyondAsides(rest);
  const [words = ""] = turn.exec(clause) ?? [];
  const body = clause.slice(words.length);
  if (body.trim() === "" || tagged.test(clause)) return null;
  if (beginsAsRequest(body)) return "now";
  const isQuestion = isAsked ? beginsAsQuestion(body) : inverted.test(body);
  return isQuestion ? "question" : kindOfTask(words, body, before);
}

function kindOfTask(words: string, body: string, before: string): NextTask["kind"] | null {
  if (atHand.test(body)) return "now";
  if (words === "") return asksForWork(body) && !isItem(body, before) ? "task" : null;
  return tellsOn(words, body) ? null : turnedTo(words, before);
}

/** "Releases: bump, tag, push": the last of items of one word. */
const isItem = (body: string, before: string): boolean =>
  /^[\p{L}-]+[.!\s]*$/u.test(body) && /[,:]\s*[\p{L}-]+$/u.test(before);

/** A subject, or a name ("goes through Kim, then Jo"). In German an object may stand before its verb. */
const tellsOn = (words: string, body: string): boolean =>
  subject.test(body) || (/^\p{Lu}/u.test(body) && !german.test(words));
const german = /bitte|dann|danach|anschließend|nächstes|jetzt|nun/iu;

const turnedTo = (words: string, before: string): NextTask["kind"] | null =>
  now.test(words) ? "now" : steps.test(before) ? null : "task";

/** "…, why is it off": a question without its mark. */
const inverted = new RegExp(
  String.raw`^(?:why|how|what|where|when)(?:'s| (?:is|are|do|does|did|was|can|should))(?!\p{L})|` +
    String.raw`^(?:warum|wieso|weshalb|pourquoi|por ?qu[ée]|почему|зачем|为什么|なぜ)`,
  "iu",
);

/** Without a mark before it only an imperative that nothing else can be is another task. */
export const isTaskByItself = (said: string, { start, end, isParted, kind }: NextTask): boolean =>
  isParted ||
  kind !== "task" ||
  isKnownTask(said.slice(start).replace(turn, ""), said.slice(0, end));
