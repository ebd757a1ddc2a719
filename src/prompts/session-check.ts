/**
 * What of a session's reply may become a memory. The reply proposes; its quotes are looked up in what was typed, its
 * dates, numbers and names in what was said, and what was refused is named with a reason. Pure.
 */
import { isoDate, msPerDay, oneLine, parseNow } from "#kit";
import {
  foldText,
  foldedWordsOf,
  isDangerous,
  isGlue,
  isHard,
  isNoFirmerThan,
  isOrder,
  isStandingOrCorrection,
  losesDenial,
  onlySaidDates,
} from "#language";
import { cleanText } from "./clean.ts";
import type { SaidTurn } from "./condense.ts";
import { holds, vocabularyOf } from "./grounding.ts";
import { promptLimits as limits } from "./limits.ts";
import { fieldOf, lineOf, linesOf, numberOf, oneOf, recordOf, type ReplyRecord } from "./reply.ts";
import type { KnownSlot, SessionInput } from "./session-input.ts";

export const memoryKinds = ["rule", "decision", "fact", "cause", "place"] as const;
type MemoryKind = (typeof memoryKinds)[number];

type Validity =
  | { readonly type: "durable" }
  | { readonly type: "until"; readonly date: string }
  | { readonly type: "merged"; readonly branch: string };

export interface ProposedMemory {
  readonly kind: MemoryKind;
  readonly subject: string;
  readonly attribute: string;
  readonly value: string;
  readonly line: string;
  readonly aliases: readonly string[];
  /** `project`, `everywhere` or the name of another project. */
  readonly scope: string;
  readonly valid: Validity;
  readonly turn: number;
  readonly quote: string;
  /** Who said the quote. */
  readonly origin: "user" | "agent";
  readonly replaces: KnownSlot | null;
}

type RefusalReason =
  | "unreadable"
  | "no-quote"
  | "length"
  | "secret"
  | "date"
  | "invented"
  | "documented"
  | "order"
  | "denial-lost"
  | "twice"
  | "too-many";

interface Refusal {
  readonly reason: RefusalReason;
  /** Position in the reply, from 1. */
  readonly at: number;
}

export interface CheckedMemories {
  /** Best first, at most as many as the session may have. */
  readonly kept: readonly ProposedMemory[];
  /** What came after these: waits for a second sighting. */
  readonly waiting: readonly ProposedMemory[];
  readonly refused: readonly Refusal[];
}

/** Proposals below the bar that are kept for a second sighting. */
const waitingMax = 3;

export function checkMemories(items: readonly unknown[], input: SessionInput): CheckedMemories {
  const passed: ProposedMemory[] = [];
  const refused: Refusal[] = [];
  const grounds = groundsOf(input);
  for (const [at, item] of items.entries()) {
    const result = checked(recordOf(item), grounds, passed);
    if (typeof result === "string") refused.push({ reason: result, at: at + 1 });
    else if (passed.length === input.memoriesMax + waitingMax)
      refused.push({ reason: "too-many", at: at + 1 });
    else passed.push(result);
  }
  return {
    kept: passed.slice(0, input.memoriesMax),
    waiting: passed.slice(input.memoriesMax),
    refused,
  };
}

interface Grounds {
  readonly input: SessionInput;
  /** All that was said and shown, folded. */
  readonly all: string;
}

const groundsOf = (input: SessionInput): Grounds => {
  const { record, project, branch, from, to, known } = input;
  const texts = [
    ...record.said.flatMap(({ typed, answer, before, files }) => [typed, answer, before, ...files]),
    record.text,
    project ?? "",
    branch ?? "",
    from,
    to,
    ...spokenDays(input),
    ...known.flatMap(({ l0, slot }) => [l0, slot ?? ""]),
  ];
  return { input, all: foldText(texts.join("\n")) };
};

/** "Yesterday" and its like, in the languages that people write most. */
const relativeDay =
  /(?<!\p{L})(?:yesterday|last night|tonight|tomorrow|gestern|morgen|heute nacht|hier|demain|ayer|anoche|mañana|ontem|amanhã)(?!\p{L})|вчера|завтра|昨天|昨晚|明天|昨日|昨夜|明日/iu;

/** The days before and after the record, where one of them is mentioned. */
function spokenDays({ from, to, record }: SessionInput): readonly string[] {
  const speaks = record.said.some(({ typed, answer }) => relativeDay.test(`${typed} ${answer}`));
  const first = parseNow(from);
  const last = parseNow(to);
  if (!speaks || first === null || last === null) return [];
  return [isoDate(first - msPerDay), isoDate(last + msPerDay)];
}

function checked(
  item: ReplyRecord | null,
  grounds: Grounds,
  before: readonly ProposedMemory[],
): ProposedMemory | RefusalReason {
  const { input, all } = grounds;
  const read = item === null ? null : readMemory(item, input.known);
  if (read === null) return "unreadable";
  const quoted = quotedIn(read, input.record.said);
  if (quoted === null) return "no-quote";
  const { origin, said } = quoted;
  const memory = withItsKind({ ...read, turn: said.n, origin }, said);
  const candidate = { memory, said, input, all, before };
  return faults.find(({ isIn }) => isIn(candidate))?.reason ?? memory;
}

/** What was not said for good, and by the user, was decided all the same: it is kept, but not as a rule to follow. */
function withItsKind(memory: ProposedMemory, said: SaidTurn): ProposedMemory {
  if (memory.kind !== "rule") return memory;
  const isRule =
    memory.origin === "user" && isSaidAsStanding(memory.quote, said) && hasItsForce(memory, said);
  return isRule ? memory : { ...memory, kind: "decision", scope: "project" };
}

interface Candidate {
  readonly memory: ProposedMemory;
  readonly said: SaidTurn;
  readonly input: SessionInput;
  /** See Grounds. */
  readonly all: string;
  /** What passed before it. */
  readonly before: readonly ProposedMemory[];
}

/** In this order; the first names the reason. */
const faults: readonly {
  readonly reason: RefusalReason;
  readonly isIn: (candidate: Candidate) => boolean;
}[] = [
  {
    reason: "length",
    isIn: ({ memory }) => {
      const count = wordCount(memory.line);
      return count < limits.memoryWordsMin || count > limits.memoryWordsMax;
    },
  },
  { reason: "secret", isIn: ({ memory, input }) => textsOf(memory).some(input.hasSecret) },
  {
    reason: "date",
    isIn: ({ memory: { line, valid }, all }) =>
      !onlySaidDates(valid.type === "until" ? `${line} ${valid.date}` : line, all),
  },
  {
    reason: "invented",
    isIn: ({ memory, all }) => hardWordsOf(memory.line).some((word) => !wasSaid(word, all)),
  },
  {
    reason: "documented",
    isIn: ({ memory, said, input }) => isDocumented(memory, said, input.documented),
  },
  { reason: "order", isIn: ({ memory, said }) => !hasItsForce(memory, said) },
  {
    reason: "denial-lost",
    isIn: ({ memory: { kind, line, quote }, said }) =>
      (kind === "rule" || kind === "fact") && losesDenial(line, clauseOf(quote, said)),
  },
  {
    reason: "twice",
    isIn: ({ memory, before }) => before.some((other) => isSame(other, memory)),
  },
];

/** Marks of the record in a field: pasted or cut text. */
const withMarks = /[‹›]/;

function readMemory(
  item: ReplyRecord,
  known: readonly KnownSlot[],
): Omit<ProposedMemory, "origin"> | null {
  const kind = oneOf(fieldOf(item, "kind"), memoryKinds);
  const line = lineOf(item, "line", limits.memoryLineCharsMax);
  const quote = lineOf(item, "quote", limits.quoteCharsMax);
  const subject = lineOf(item, "subject", limits.slotCharsMax);
  const attribute = lineOf(item, "attribute", limits.slotCharsMax);
  if (kind === null || subject === "" || attribute === "" || withMarks.test(line)) return null;
  const replaced = numberOf(item, "replaces", { min: 0, max: 1_000 });
  return {
    kind,
    subject,
    attribute,
    value: lineOf(item, "value", limits.valueCharsMax),
    line,
    aliases: linesOf(item, "aliases", {
      itemsMax: limits.aliasesMax,
      charsMax: limits.aliasCharsMax,
    }).filter((alias) => !isOrder(alias)),
    scope: lineOf(item, "scope", 120) || "project",
    valid: validityOf(lineOf(item, "valid", 160)),
    turn: numberOf(item, "turn", { min: 0, max: Number.MAX_SAFE_INTEGER }) ?? 0,
    quote,
    replaces: known.find(({ number }) => number === replaced) ?? null,
  };
}

function validityOf(text: string): Validity {
  const date = /(\d{4}-\d{2}-\d{2})/.exec(text)?.[1];
  if (date !== undefined && parseNow(date) !== null) return { type: "until", date };
  const branch = /merged?\s*:?\s*(\S.*)?$/i.exec(text);
  return branch === null
    ? { type: "durable" }
    : { type: "merged", branch: oneLine(branch[1] ?? "") };
}

const textsOf = ({ line, value, subject, attribute, quote, aliases }: ProposedMemory) => [
  line,
  value,
  `${subject} ${attribute}`,
  quote,
  ...aliases,
];

/** White space, case, quotation marks and emphasis aside. */
const looseText = (text: string): string =>
  foldText(cleanText(text))
    .replace(/[*_`"']/g, "")
    .replace(/…/g, "...")
    .replace(/\s+/gu, " ")
    .trim();

/** As long as this, or all that was typed. */
const quoteCharsMin = limits.quoteCharsMin;

/**
 * The turn in which the quote stands: the one that is named, else another. In the user's typed words; of a cause or
 * place also in the answer.
 */
function quotedIn(
  { kind, quote, turn }: Pick<ProposedMemory, "kind" | "quote" | "turn">,
  said: readonly SaidTurn[],
): { readonly said: SaidTurn; readonly origin: "user" | "agent" } | null {
  const wanted = looseText(quote).replace(/^[\s.,;:!?-]+|[\s.,;:!?-]+$/g, "");
  if (wanted === "") return null;
  const nearest = said.toSorted((a, b) => Math.abs(a.n - turn) - Math.abs(b.n - turn));
  const stands = (text: string): boolean => {
    const loose = looseText(text);
    const isWhole = wanted === loose.replace(/^[\s.,;:!?-]+|[\s.,;:!?-]+$/g, "");
    return isWhole || (wanted.length >= quoteCharsMin && loose.includes(wanted));
  };
  const typed = nearest.find((each) => stands(each.typed));
  if (typed !== undefined) return { said: typed, origin: "user" };
  if (kind !== "cause" && kind !== "place") return null;
  const answered = nearest.find((each) => wanted.length >= quoteCharsMin && stands(each.answer));
  return answered === undefined ? null : { said: answered, origin: "agent" };
}

/** Scripts without spaces: two characters a word. */
const eastAsian = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/gu;

const wordCount = (line: string): number => {
  const wide = line.match(eastAsian)?.length ?? 0;
  const words = line
    .replace(eastAsian, " ")
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  return words + Math.ceil(wide / 2);
};

/** Numbers, paths, flags and names that are right or wrong to the letter; days are looked at as dates. */
const hardWordsOf = (line: string): readonly string[] =>
  foldedWordsOf(line)
    .filter(isHard)
    .filter((word) => !/^\d{4}-\d\d(?:-\d\d)?$|^(?:e\.g|i\.e|z\.b)\.?$/i.test(word))
    .map((word) => foldText(word).replace(/[.,:;]+$/, ""))
    .map((word) => /^(\d[\d.,:]*)(?:[a-z]{1,7}|%)$/.exec(word)?.[1] ?? word);

/** To the letter, or part by part, a number without its commas or with a decimal one, a version without its `x`. */
function wasSaid(word: string, all: string): boolean {
  if (all.includes(word)) return true;
  const plain = word.replace(/(?<=\d)[,_](?=\d{3})/g, "").replace(/\.x$/, "");
  const pointed = word.replace(/(?<=\d),(?=\d)/g, ".");
  const forms = [plain, pointed, word.replace(/(?<=\d)\.(?=\d)/g, ",")];
  if (forms.some((form) => form !== word && all.includes(form))) return true;
  // `240-repo`, `trails/N`: a single letter is not explained.
  const parts = word.split(/[/-]/).filter((part) => part.length > 1);
  return (
    /\p{L}/u.test(parts.join("")) &&
    parts.join("") !== word &&
    parts.every((part) => isWordIn(part, all))
  );
}

/** Stands there between marks, spaces or ends. */
function isWordIn(word: string, all: string): boolean {
  for (let at = all.indexOf(word); at >= 0; at = all.indexOf(word, at + 1))
    if (!/[\p{L}\p{N}]/u.test(`${all[at - 1] ?? ""}${all[at + word.length] ?? ""}`)) return true;
  return false;
}

const instructionFile = /(?:^|[\\/])(?:CLAUDE|AGENTS|GEMINI)(?:\.local)?\.md$/i;

/** Written down where every session reads it anyway: in the file as it is known, or by this very turn. */
function isDocumented(
  { kind, line }: ProposedMemory,
  { files }: SaidTurn,
  documented: string,
): boolean {
  if ((kind === "rule" || kind === "decision") && files.some((path) => instructionFile.test(path)))
    return true;
  const words = new Set(foldedWordsOf(line).filter((word) => word.length > 3));
  if (documented === "" || words.size < 3) return false;
  return documented.split(/\n+/).some((paragraph) => {
    const there = new Set(foldedWordsOf(paragraph));
    const held = [...words].filter((word) => there.has(word)).length;
    return held >= words.size * documentedShareMin;
  });
}

const documentedShareMin = 0.8;

/**
 * No order: what the agent said lays down nothing, a rule no more than the user's own words, and what was decided no
 * more than was said in the turn. A command that can do harm is the user's alone.
 */
function hasItsForce({ kind, line, origin }: ProposedMemory, said: SaidTurn): boolean {
  if (origin === "agent") return !isOrder(line);
  if (isDangerous(line) && !isDangerous(said.own)) return false;
  // What the agent says may explain a "must" that the user decided, never give an order: it repeats what it has read.
  const proposed = kind === "decision" ? `${said.own}\n${said.before}` : said.own;
  if (isOrder(line)) return isNoFirmerThan(line, proposed) && isCarriedBy(line, proposed);
  return isNoFirmerThan(line, kind === "rule" ? said.own : `${proposed}\n${said.answer}`);
}

/** A quote with the few words before it: one that leaves out a "never" must not change what was said. */
function clauseOf(quote: string, { typed }: SaidTurn): string {
  const wanted = looseText(quote);
  const sentences = typed.split(/(?<=[.!?;])\s|\n/).map(looseText);
  const whole = sentences.find((sentence) => sentence.includes(wanted));
  if (whole === undefined) return quote;
  const before = whole.slice(0, whole.indexOf(wanted)).trim().split(" ");
  return `${before.slice(-wordsBefore).join(" ")} ${wanted}`;
}

const wordsBefore = 3;

/** What asks for obedience is the user's only in their own words: half of them at least, and every name. */
function isCarriedBy(line: string, message: string): boolean {
  const vocabulary = vocabularyOf([message]);
  const words = [...new Set(foldedWordsOf(line).filter((word) => !isGlue(word)))];
  const held = words.filter((word) => holds(vocabulary, word));
  return held.length * 2 >= words.length;
}

/** Quotations and pastes that the reader of prompts has left in lay down nothing. */
function isSaidAsStanding(quote: string, { own }: SaidTurn): boolean {
  return looseText(own).includes(looseText(quote)) && isStandingOrCorrection(own);
}

/** The same words, or another value of a slot that the reply gave before. */
const isSame = (a: ProposedMemory, b: ProposedMemory): boolean =>
  looseText(a.line) === looseText(b.line) ||
  (a.scope === b.scope &&
    looseText(`${a.subject} · ${a.attribute}`) === looseText(`${b.subject} · ${b.attribute}`));
