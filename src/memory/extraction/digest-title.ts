/**
 * The title of a session: the plan, the commit or the order that tells best what it was about, cut at a clause. Pure.
 */
import { readPrompt } from "#reader";
import type { Turn } from "#domain";
import { memoised, oneLine } from "#kit";
import { digestCues, withoutCitedLines } from "#language";
import { saidIn } from "./digest-text.ts";
import { isAbout, type Work } from "./digest-work.ts";
import { spokenIn } from "./slash.ts";

/** Turns in which a session says what it is about. */
const titleTurns = 3;
const wordsMax = 12;
const wordsMin = 4;
/** Of a script without spaces. */
const unspacedCharsMax = 36;
const charsMax = 110;

/** What a user typed in one turn, without what only lets the agent go on; null = nothing of the kind. */
interface Order {
  readonly n: number;
  readonly text: string;
}

/** Orders among these turns, in their order. */
const ordersIn = (turns: readonly Turn[]): readonly Order[] =>
  turns.flatMap((turn, at) => {
    const text = typedIn(turn, turns[at - 1]?.answer ?? null);
    const matter = withoutLeadIns(text);
    return lengthOf(matter) === 0 || digestCues.pickUp.test(matter) ? [] : [{ n: turn.n, text }];
  });

/** What the user typed for this turn. */
export function typedIn(turn: Turn, answerBefore: string | null): string {
  const { kind, typed } = readPrompt(turn.prompt ?? "", answerBefore);
  if (kind === "plan" || kind === "client") return "";
  const said = withoutCitedLines(spokenIn(typed === "" ? (turn.prompt ?? "") : typed)).trim();
  const [command = "", rest = ""] = slashCommand.exec(said) ?? [];
  if (command === "") return kind === "typed" ? said : "";
  return rest.split(/\s+/u).length >= commandWordsMin ? rest : "";
}

/** `/goal make the export faster`: what stands behind the name is typed as well, where it is more than an argument. */
const slashCommand = /^\/[\w:-]+(?:\s+([\s\S]*)|$)/u;
const commandWordsMin = 4;

/**
 * The plan that was carried out; else what was committed first, whose subject was written to be read alone; else the
 * longest order about the work, of the first turns before later ones. Empty when no order says anything of the files
 * that were edited, or nothing was ordered.
 */
export function titleOf(turns: readonly Turn[], work: Work): string {
  if (work.plan !== "") return cut(work.plan);
  const committed = work.commits.find((subject) => !isErrandTitle(subject));
  if (committed !== undefined) return committed;
  const orders = ordersIn(turns);
  const wanted = orders.filter(({ text }) => !digestCues.standing.test(withoutLeadIns(text)));
  const telling = wanted.filter(({ text }) => !isErrandTitle(titleFor(text)));
  const lastOfFirst = turns[titleTurns - 1]?.n ?? Infinity;
  const about = telling.filter(({ text }) => isAbout(work, titleFor(text)));
  if (about.length > 0) return titleFor(longestOf(about, lastOfFirst));
  if (work.commits[0] !== undefined) return work.commits[0];
  if (work.files.length > 0) return "";
  const rest = [telling, wanted, orders].find((some) => some.length > 0) ?? [];
  return titleFor(longestOf(rest, lastOfFirst));
}

/** Of the first turns the longest, else of later ones the first; empty when there is none. */
function longestOf(orders: readonly Order[], lastOfFirst: number): string {
  const [longest = orders[0]] = orders
    .filter(({ n }) => n <= lastOfFirst)
    .toSorted(
      (a, b) =>
        Number(asksForWork(b)) - Number(asksForWork(a)) ||
        b.text.length - a.text.length ||
        a.n - b.n,
    );
  return longest?.text ?? "";
}

const errandWordsMax = 3;

/** "Commit", "Fix lint": a title that does not tell what the session was about. */
export const isErrandTitle = (title: string): boolean => lengthOf(title) <= errandWordsMax;

/** Orders are asked for their titles one against the other. */
const titlesKept = 256;

/** One order as a title of at most twelve words. */
export const titleFor = memoised(titleOfOrder, titlesKept);

function titleOfOrder(text: string): string {
  const sentences = saidIn(text);
  const matters = (sentences.length === 0 ? [oneLine(text)] : sentences.map((one) => one.text))
    .map((sentence) => ({ sentence, matter: withoutLeadIns(sentence) }))
    .filter(({ matter }) => lengthOf(matter) >= 2);
  const chosen = matters.find(({ sentence }) => isOrder(sentence)) ?? matters[0];
  return chosen === undefined ? cut(withoutLeadIns(oneLine(text))) : cut(chosen.matter);
}

/** A question may be longer than the order beside it, and is no title then. */
const asksForWork = ({ text }: Order): boolean => saidIn(text).some((one) => isOrder(one.text));

const isOrder = (sentence: string): boolean =>
  isAsked(sentence) || digestCues.task.test(withoutLeadIns(sentence));

/** Opens with "can you", "please" or the like. */
const isAsked = (sentence: string): boolean =>
  /^(?:please|pls|(?:can|could|would) you|i (?:want|need|would like)|let'?s|bitte|kannst du|peux-tu|pouvez-vous|por favor|puedes|você pode|пожалуйста|можешь|нужно|надо|请|帮我)/iu.test(
    sentence,
  );

function withoutLeadIns(text: string): string {
  let rest = oneLine(text);
  for (let round = 0; round < leadInsMax; round += 1) {
    const next = rest.replace(digestCues.leadIn, "");
    if (next === rest) break;
    rest = next;
  }
  return rest;
}

const leadInsMax = 6;

/** Words, or for a script without spaces half its characters. */
const lengthOf = (text: string): number =>
  Math.max(
    text.split(" ").filter((word) => /[\p{L}\p{N}]/u.test(word) && !word.includes("://")).length,
    isUnspaced(text) ? text.length / 2 : 0,
  );

const isUnspaced = (text: string): boolean =>
  (text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0) >
  text.length / 3;

/** Where a clause may end. */
const clauseEnd =
  /[,;:](?=\s)|[(—–，、；：]|\s-\s|\s(?=(?:so that|because|since|and|but|which|while|when|if|instead|und|weil|damit|sodass|et|parce que|pour que|afin|y|porque|para que|e|и|чтобы|потому что|если)\s)/giu;

/** Behind these stands why, and the order is whole without it. */
const reasonStart =
  /,?\s(?=(?:so that|because|since|weil|damit|sodass|parce que|pour que|afin|porque|para que|чтобы|потому что)\s)/iu;
const wordsBeforeReasonMin = 3;

/** Words that want another behind them. */
const dangling =
  /(?:\s|^)(?:the|an?|until|unless|you|i|we|it|they|if|when|how|what|so|then|than|also|can|could|would|should|will|still|not|have|has|do|does|of|to|in|on|for|with|from|by|at|as|and|or|but|that|which|is|are|be|its?|our|your|my|this|der|die|das|den|dem|ein|eine|von|zu|im|in|und|mit|für|le|la|les|un|une|de|du|des|et|à|en|el|los|las|y|con|para|o|os|do|da|no|na|e|com|и|в|на|с|для|по)$/iu;

function cut(text: string): string {
  const plain = tidy(text);
  if (isUnspaced(plain)) return cutUnspaced(plain);
  const words = plain.split(" ");
  if (words.length <= wordsMax && plain.length <= charsMax) return capitalised(plain);
  let head = clauseOf(plain) ?? words.slice(0, wordsMax).join(" ");
  while (head.length > charsMax && head.includes(" ")) head = head.slice(0, head.lastIndexOf(" "));
  while (dangling.test(head)) head = head.replace(dangling, "");
  return capitalised(tidy(head.slice(0, charsMax)));
}

/** The order without its reason; else up to the last clause that fits, sooner at a mark than at a word; null = none. */
function clauseOf(plain: string): string | null {
  const fits = (head: string, least: number): boolean =>
    head.length <= charsMax && lengthOf(head) <= wordsMax && lengthOf(head) >= least;
  const order = tidy(plain.split(reasonStart)[0] ?? "");
  if (fits(order, wordsBeforeReasonMin)) return order;
  const heads = [...plain.matchAll(clauseEnd)]
    .map(({ index }) => tidy(plain.slice(0, index)))
    .filter((head) => fits(head, wordsMin));
  const isAtMark = (head: string): boolean => /^\s*[,;:(—–]/u.test(plain.slice(head.length));
  return heads.findLast(isAtMark) ?? heads.at(-1) ?? null;
}

function cutUnspaced(text: string): string {
  if (text.length <= unspacedCharsMax) return text;
  const ends = [...text.slice(0, unspacedCharsMax).matchAll(/[，。、；：,;]/gu)];
  return text.slice(0, ends.findLast(({ index }) => index >= wordsMin)?.index ?? unspacedCharsMax);
}

const tidy = (text: string): string => text.replace(/[\s.:;,!?–—，。！？(-]+$/u, "").trim();

/** The first letter large, unless the first word is an identifier or a path. */
const capitalised = (text: string): string =>
  /^\p{Ll}[\p{L}'’]*(?:[\s,]|$)/u.test(text)
    ? text.charAt(0).toLocaleUpperCase("en") + text.slice(1)
    : text;
