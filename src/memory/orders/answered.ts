/**
 * Finds what of an agent's answer its user means by "remember that". The order's own words decide where they name a
 * thing ("the command", "these three"); else the sentences that the learnt worth and the question before tell apart
 * from what the agent did and how it ended. Pure, linear in the answer.
 */
import {
  asksForWork,
  hardSplit,
  namesCode,
  namesList,
  orderIn,
  stemsOf,
  tellsCure,
} from "#language";
import { oneLine } from "#kit";
import { worthOf } from "../exchange/traits.ts";
import { isReaction } from "./reactions.ts";

export interface Asked {
  /** The words of the order. */
  readonly order: string;
  /** The user's question before the answer. */
  readonly question: string | null;
}

const charsRead = 8_000;
const charsMin = 12;
/** Letters of scripts without spaces say more. */
const unspacedMin = 6;
/** Sentences that are kept together, and the characters after which none is added. */
const sentencesMax = 3;
const keptCharsMax = 400;
/** A sentence worth less than this share of the best one is left out. */
const nearBest = 0.55;
/** The worth of a code block without a word that says more. */
const blockWorth = 0.1;

/** Returns the words of the answer that are meant, one line a part; null when it states nothing. */
export function answeredIn(answer: string, asked: Asked): string | null {
  const parts = partsOf(answer.slice(-charsRead));
  const last = parts.at(-1);
  const offered = last?.kind === "sentence" ? offeredIn(last.text) : null;
  if (offered !== null) return offered;
  const told = judged(parts, asked.question);
  const named = namedBy(told, asked.order);
  const kept = withCure(named ?? best(told), told);
  return kept.length === 0 ? null : textOf(kept);
}

/** Returns the code or the list of the answer that an order names; null where the answer has none. */
export function thingIn(answer: string, order: string): string | null {
  const named = blockNamedBy(judged(partsOf(answer.slice(-charsRead)), null), order);
  return named === null ? null : textOf([named]);
}

/** "Shall I note that X?" proposes X. */
function offeredIn(sentence: string): string | null {
  if (!isQuestion(sentence)) return null;
  const offer = sentence.replace(offers, "").replace(/[?？]\s*$/u, "");
  const matter = offer === sentence ? null : (orderIn(offer)?.matter ?? null);
  return matter === null ? null : offer.slice(matter.start, matter.end).trim();
}

const isQuestion = (sentence: string): boolean => /[?？]["'”’」』)\]）*_]*$/u.test(sentence);

interface Part {
  readonly kind: "code" | "list" | "sentence";
  readonly text: string;
}

interface Told extends Part {
  readonly at: number;
  readonly worth: number;
  /** A block that the sentence before it introduces. */
  readonly block: Part | null;
}

const fence = /^\s*(?:```|~~~)/u;
const bullet = /^\s*(?:[-*•・+]|\d{1,2}[.)])\s+/u;
const row = /^\s*\|/u;

type LineKind = Part["kind"] | "end" | "fence" | "gap";

/** An answer as sentences, lists and code blocks. */
function partsOf(answer: string): readonly Part[] {
  const groups: { readonly kind: LineKind; readonly lines: string[] }[] = [];
  let isCode = false;
  for (const line of answer.split("\n")) {
    const group = groups.at(-1);
    const kind = kindOfLine(line, isCode, group?.kind === "list");
    if (kind === "fence") isCode = !isCode;
    if (kind === "gap") continue;
    if (group?.kind === kind) group.lines.push(line);
    else groups.push({ kind, lines: [line] });
  }
  return groups.flatMap(({ kind, lines }) => textsOf(kind, lines));
}

function kindOfLine(line: string, isCode: boolean, isList: boolean): LineKind {
  if (fence.test(line)) return "fence";
  if (isCode) return "code";
  // An empty line between two items parts no list.
  if (line.trim() === "") return isList ? "gap" : "end";
  if (/^#{1,6} /u.test(line)) return "end";
  const isItem = bullet.test(line) || row.test(line) || (isList && /^\s{2,}\S/u.test(line));
  return isItem ? "list" : "sentence";
}

function textsOf(kind: LineKind, lines: readonly string[]): readonly Part[] {
  if (kind === "end" || kind === "fence" || kind === "gap") return [];
  if (kind === "code") {
    const text = lines.join("\n").trim();
    return text === "" ? [] : [{ kind, text }];
  }
  const said = lines.map((line) => plain(line.replace(bullet, "")));
  if (kind === "list") return [{ kind, text: said.join("\n") }];
  return hardSplit(oneLine(said.join(" "))).map((text) => ({ kind, text }));
}

const plain = (line: string): string => line.replace(/[*_]{2}/gu, "").trim();

/** The parts that state something, with what they are worth as an answer to the question. */
function judged(parts: readonly Part[], question: string | null): readonly Told[] {
  const wanted = stemsOf(question ?? "");
  const worthAt = (text: string, index: number): number => {
    const place = { by: "agent", index, count: parts.length, answersQuestion: true } as const;
    const shared = [...stemsOf(text)].filter((stem) => wanted.has(stem)).length;
    return worthOf(oneLine(text), place) * (1 + shared / Math.max(1, Math.min(4, wanted.size)));
  };
  return parts.flatMap((part, at): readonly Told[] => {
    if (part.kind !== "sentence") {
      const worth = part.kind === "code" ? blockWorth : worthAt(part.text, at);
      return introduces(parts[at - 1]) ? [] : [{ ...part, at, worth, block: null }];
    }
    const block = blockBehind(part, parts[at + 1]);
    if (block === null && !isTelling(part.text)) return [];
    const own = worthAt(part.text, at);
    const worth = block === null ? own : Math.max(own, blockWorth, worthAt(block.text, at + 1));
    return [{ ...part, at, worth, block }];
  });
}

const introduces = (part: Part | undefined): boolean =>
  part?.kind === "sentence" && /[:：]$/u.test(part.text);

const blockBehind = (part: Part, next: Part | undefined): Part | null =>
  introduces(part) && next !== undefined && next.kind !== "sentence" ? next : null;

/** "Noted.", 「わかりました。」 acknowledge, and state nothing. */
const isTelling = (text: string): boolean =>
  !isQuestion(text) && !closes.test(text) && saysEnough(text) && !isReaction(text);

const saysEnough = (text: string): boolean =>
  text.length >= (/[\u3040-\u30ff\u4e00-\u9fff]/u.test(text) ? unspacedMin : charsMin);

const holds = (kind: Part["kind"], told: Told): boolean =>
  told.kind === kind || told.block?.kind === kind;

/** The part that the order names by its kind or by a word of it; null where it names none. */
function namedBy(told: readonly Told[], order: string): readonly Told[] | null {
  const block = blockNamedBy(told, order);
  if (block !== null) return [block];
  const named = stemsOf(order);
  const same = told.filter(({ text }) => [...stemsOf(text)].some((stem) => named.has(stem)));
  return same.length === 0 ? null : [mostWorth(same)];
}

function blockNamedBy(told: readonly Told[], order: string): Told | null {
  if (namesCode(order)) {
    const code = told.filter((part) => holds("code", part));
    const inline = told.filter(({ text }) => /`[^`]+`/u.test(text));
    if (code.length + inline.length > 0) return mostWorth(code.length > 0 ? code : inline);
  }
  if (!namesList(order) && !namesAll.test(order)) return null;
  const lists = told.filter((part) => holds("list", part));
  return lists.length === 0 ? null : mostWorth(lists);
}

const mostWorth = (told: readonly Told[]): Told =>
  told.reduce((a, b) => (b.worth > a.worth ? b : a));

/** The part that is worth most, and those that are worth nearly as much. */
function best(told: readonly Told[]): readonly Told[] {
  const most = Math.max(0, ...told.map(({ worth }) => worth));
  const near = told
    .filter(({ worth }) => worth >= most * nearBest)
    .toSorted((a, b) => b.worth - a.worth);
  const kept: Told[] = [];
  let chars = 0;
  for (const part of near.slice(0, sentencesMax)) {
    if (kept.length > 0 && chars + part.text.length > keptCharsMax) continue;
    kept.push(part);
    chars += part.text.length;
  }
  return kept.toSorted((a, b) => a.at - b.at);
}

/** The parts with the cure behind the last of them, and with what is cured by the first. */
function withCure(kept: readonly Told[], told: readonly Told[]): readonly Told[] {
  const [first] = kept;
  const last = kept.at(-1);
  if (first === undefined || last === undefined) return kept;
  const cure = told.filter((one) => one.at === last.at + 1 && !isCure(last) && isCure(one));
  const cured = told.filter((one) => one.at === first.at - 1 && isCure(first) && !isCure(one));
  return [...cured, ...kept, ...cure];
}
const isCure = ({ kind, text }: Told): boolean =>
  kind === "sentence" && (tellsCure(text) || asksForWork(text));

const textOf = (kept: readonly Told[]): string => {
  const parts = kept.flatMap((part) => (part.block === null ? [part] : [part, part.block]));
  const lines = parts.map(({ kind, text }) =>
    kind === "list" ? text.replaceAll("\n", "; ") : text,
  );
  return lines.join(parts.some(({ kind }) => kind === "code") ? "\n" : " ");
};

/** Words for all of a list: "these three", "everything". */
const namesAll = new RegExp(
  String.raw`(?<!\p{L})(?:these|those|all of (?:it|that|this)|everything|diese|alles|ces|tout|estos|estas|esos|esas|` +
    String.raw`todo|essas|esses|tudo|эти|всё)(?!\p{L})|这些|これら`,
  "iu",
);

const offers = new RegExp(
  String.raw`^(?:(?:should|shall|can|may) i|(?:do you|would you) (?:want|like) me to|want me to|` +
    String.raw`soll ich(?: mir)?|möchtest du, dass ich(?: mir)?|dois-je|veux-tu que je|¿?(?:debo|quieres que)|` +
    String.raw`devo|quer que eu|мне|要不要我|需要我)\s*`,
  "iu",
);
const closes = new RegExp(
  String.raw`^(?:let me know|tell me|feel free|i can|i could|if you|happy to|sag|dites|dis-moi|avísame|` +
    String.raw`me avise|дайте знать|告诉我|お知らせ)`,
  "iu",
);
