/**
 * Checks that protect what a session's reply may keep: its quotes were typed, it holds no secret, gives no order of
 * others, and is a line. How it is worded is the model's business. What is refused is named with a reason. Pure.
 */
import { memoryKinds, type MemoryKind } from "#domain";
import { cutAtWord, isRecord, type Json } from "#kit";
import { foldedWordsOf, isHard, isOrder } from "#language";
import {
  fieldOf,
  isLine,
  lineOf,
  linesOf,
  listOf,
  oneOf,
  promptLimits as limits,
} from "./reply.ts";
import { holds, isCarriedBy, isRuleOfUser, ordererOf, vocabularyOf } from "./orderer.ts";
import type { SaidTurn } from "./condense-turn.ts";
import type { KnownSlot, SessionInput } from "./session-input.ts";
import { borneOut, looseText, type Quoted, quotedIn, refusedCallIn } from "./quotes.ts";
import { type Validity, validityOf } from "./validity.ts";

export interface ProposedMemory {
  readonly kind: MemoryKind;
  /** Given as a rule, which nothing that its user said makes it. */
  readonly wasRule?: boolean;
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
  /** The one who said the quote. */
  readonly origin: "user" | "agent";
  /** Known memories that it ends. */
  readonly replaces: readonly KnownSlot[];
}

type RefusalReason =
  | "unreadable"
  | "no-quote"
  | "length"
  | "secret"
  | "order"
  | "habit"
  | "task"
  | "twice"
  | "too-many";

interface Refusal {
  readonly reason: RefusalReason;
  /** As far as it could be read, for the review; null where it must not be kept. */
  readonly memory: ProposedMemory | null;
  /** Known memories that it would have ended. */
  readonly replaces: readonly KnownSlot[];
  /** Position in the reply, from 1. */
  readonly at: number;
}

export interface CheckedMemories {
  /** Best first, at most as many as the session may have. */
  readonly kept: readonly ProposedMemory[];
  readonly refused: readonly Refusal[];
}

export function checkMemories(items: readonly unknown[], input: SessionInput): CheckedMemories {
  const kept: ProposedMemory[] = [];
  const refused: Refusal[] = [];
  // The user may have said it in any turn; the model is free in its wording.
  const own = input.record.said.map((turn) => turn.own).join("\n");
  for (const [index, item] of items.entries()) {
    const at = index + 1;
    const result = checked(item, input, own);
    if ("reason" in result) {
      refused.push({ ...result, at });
      continue;
    }
    const twin = kept.findIndex((other) => isSame(other, result));
    const first = kept[twin];
    if (first !== undefined) {
      // The one that stands ends what the other would have ended.
      const replaces = [...new Set([...first.replaces, ...result.replaces])];
      kept[twin] = { ...(isNewer(result, first) ? result : first), replaces };
      refused.push({ reason: "twice", memory: null, replaces: [], at });
    } else if (kept.length >= input.memoriesMax && result.replaces.length === 0)
      // A changed value is never left out for want of room.
      refused.push({ reason: "too-many", memory: null, replaces: [], at });
    else kept.push(result);
  }
  return { kept, refused };
}

function checked(
  item: unknown,
  input: SessionInput,
  own: string,
): ProposedMemory | Omit<Refusal, "at"> {
  const { hasSecret, known, record } = input;
  const read = isRecord(item) ? readMemory(item, known) : null;
  if (!isRecord(item) || read === null) return { reason: "unreadable", memory: null, replaces: [] };
  if (read.valid.type === "task") return { reason: "task", memory: null, replaces: [] };
  const quoted = evidenceOf(read, record.said);
  const { replaces } = read;
  if (textsOf(read).some(hasSecret))
    return { reason: "secret", memory: null, replaces: isTyped(quoted) ? replaces : [] };
  if (quoted === null) {
    const memory = isOrder(read.line) ? null : ({ ...read, origin: "agent" } as const);
    return { reason: "no-quote", memory, replaces: [] };
  }
  const found = judged({ ...read, ...quoted }, input, own);
  return "reason" in found
    ? found
    : { ...found, line: withStill(found.line, stillIn(item, known)) };
}

function evidenceOf(
  read: Omit<ProposedMemory, "origin">,
  said: readonly SaidTurn[],
): Quoted | null {
  const found = quotedIn(read, said) ?? borneOut(read, said);
  return found === null && read.valid.type === "habit" ? refusedCallIn(read, said) : found;
}

/** Part of a replaced memory that still holds, in the model's words. */
interface Still {
  readonly text: string;
  readonly of: KnownSlot;
}

/** Share of the words of a text that a line must contain to count as stating it. */
const restatedShareMin = 0.6;
/** Share of the words of a text that must occur in the replaced memory that it is taken from. */
const stillShareMin = 0.7;

/** Adds what still holds of the memories that a line replaces, where the line does not say it. */
function withStill(line: string, stills: readonly Still[]): string {
  const lost: string[] = [];
  for (const { text } of stills.filter(standsInKnown)) {
    const unsaid = unsaidIn(text, [line, ...lost].join("; "));
    if (unsaid !== "") lost.push(unsaid);
  }
  const whole = [line, ...lost].map((text) => text.replace(/[.。;]+$/u, "")).join("; ");
  return lost.length > 0 && isLine(whole) ? whole : line;
}

/** Clauses of a text that a line does not say; empty where it says most of the whole. */
function unsaidIn(text: string, line: string): string {
  if (isCarriedBy(text, line, restatedShareMin)) return "";
  return text
    .split(clauseEnd)
    .filter((clause) => !isCarriedBy(clause, line, restatedShareMin))
    .join(" ")
    .replace(/,$/u, "");
}

/** Behind a comma or semicolon, where no bracket closes later. */
const clauseEnd = /(?<=[,;])\s+(?![^([{]*[)\]}])/u;

/** An order is carried over from the user's rules alone: nobody else's becomes one beside their words. */
function standsInKnown({ text, of }: Still): boolean {
  const known = vocabularyOf([of.l0]);
  return (
    (of.isRule === true || !isOrder(text)) &&
    isCarriedBy(text, of.l0, stillShareMin) &&
    foldedWordsOf(text).every((word) => !isHard(word) || holds(known, word))
  );
}

/** A memory whose quote was said: whose it is, and whether it may be one. */
function judged(
  { said, isPasted, ...read }: Omit<ProposedMemory, "turn"> & Omit<Quoted, "origin" | "quote">,
  { record: { said: turns } }: SessionInput,
  own: string,
): ProposedMemory | Omit<Refusal, "at"> {
  const { replaces } = read;
  // A quote alone carries no line that shares no word with anything its user typed, or agreed to.
  const told = read.line.replace(/\p{Script=Hiragana}/gu, " ");
  const isTheirs = isCarriedBy(told, `${own}\n${said.before}\n${said.accepted}`, touchedShareMin);
  const memory = { ...read, turn: said.n, origin: isTheirs ? read.origin : ("agent" as const) };
  if (!isLine(memory.line)) return { reason: "length", memory, replaces };
  const textOf = (some: readonly KnownSlot[]): string => some.map(({ l0 }) => l0).join("\n");
  const session = {
    said,
    own,
    rules: textOf(replaces.filter(isRuleOfKnown)),
    known: textOf(replaces),
    turns,
  };
  const origin = ordererOf(memory, session);
  // Other people's orders end nothing, whoever accepts them.
  if (origin === null)
    return { reason: "order", memory: { ...memory, replaces: [] }, replaces: [] };
  // Made of the user's words, and in force by their yes alone: then it is theirs.
  if (isHabit(memory))
    return { reason: "habit", memory: { ...memory, origin: read.origin }, replaces: [] };
  const isRule = memory.kind !== "rule" || isRuleOfUser({ ...memory, origin }, session);
  return {
    ...memory,
    origin,
    // Nobody is told to follow what its user's words do not carry.
    kind: isRule ? memory.kind : "decision",
    wasRule: memory.wasRule === true || !isRule,
    scope: isRule && origin === "user" ? memory.scope : withinProject(memory.scope, isPasted),
  };
}

const isRuleOfKnown = ({ isRule }: KnownSlot): boolean => isRule === true;

/**
 * True for a rule that nobody called one: the model sees it in words of several tasks. One that
 * words a rule of the user anew rests on that rule.
 */
const isHabit = ({ kind, valid, replaces }: Omit<ProposedMemory, "turn">): boolean =>
  kind === "rule" && valid.type === "habit" && !replaces.some(isRuleOfKnown);

/** The agent's word holds nowhere but in projects that it names, and a paste here alone. */
const withinProject = (scope: string, isPasted = false): string =>
  isPasted || scope === "everywhere" ? "project" : scope;

/** A quote of the agent's, or of nobody, hides nothing. */
const isTyped = (quoted: ReturnType<typeof quotedIn>): boolean => quoted?.origin === "user";

/** Share of a line's words that must have been typed for the line to be its user's; a digest of a turn has more. */
const touchedShareMin = 0.1;

/** Marks of the record in a field: pasted or cut text. */
const withMarks = /[‹›]/;

function readMemory(
  item: Json,
  known: readonly KnownSlot[],
): Omit<ProposedMemory, "origin"> | null {
  const kind = oneOf(fieldOf(item, "kind"), memoryKinds);
  const line = lineOf(item, "line", limits.memoryLineCharsMax);
  const quote = lineOf(item, "quote", limits.quoteCharsMax);
  const subject = lineOf(item, "subject", limits.slotCharsMax);
  const value = lineOf(item, "value", limits.valueCharsMax);
  // Without one, what it says names it: a name to replace it by, which nothing else has by chance.
  const attribute =
    lineOf(item, "attribute", limits.slotCharsMax) ||
    cutAtWord(value === "" ? line : value, limits.slotCharsMax);
  if (kind === null || subject === "" || attribute === "" || withMarks.test(line)) return null;
  const valid = lineOf(item, "valid", 160);
  const replaced = numbersIn(fieldOf(item, "replaces"));
  const replaces = known.filter(({ number }) => replaced.includes(number));
  const isOnce = kind === "rule" && isForOneTask(valid) && !replaces.some(isRuleOfKnown);
  return {
    kind: isOnce ? "decision" : kind,
    wasRule: isOnce,
    subject,
    attribute,
    value,
    line,
    aliases: linesOf(item, "aliases", {
      itemsMax: limits.aliasesMax,
      charsMax: limits.aliasCharsMax,
    }).filter((alias) => !isOrder(alias)),
    scope: lineOf(item, "scope", 120) || "project",
    valid: validityOf(valid),
    turn: numbersIn(fieldOf(item, "turn"))[0] ?? 0,
    quote,
    replaces,
  };
}

/** The model does not say that a rule lasts, or that it was given in more than one place. */
const isForOneTask = (valid: string): boolean => valid === "" || validityOf(valid).type === "once";

/** Numbers of Known: a list, or one as some models write it; bare, or with what still holds. */
export const numbersIn = (value: unknown): readonly number[] =>
  [value]
    .flat()
    .map((each) => Number(fieldOf(isRecord(each) ? each : { number: each }, "number")))
    .filter((each) => Number.isInteger(each));

const stillIn = (item: Json, known: readonly KnownSlot[]): readonly Still[] =>
  listOf(item, "replaces").flatMap((each) => {
    const text = isRecord(each) ? lineOf(each, "still", limits.valueCharsMax) : "";
    const of = known.find(({ number }) => numbersIn(each).includes(number));
    return text === "" || of === undefined ? [] : [{ text, of }];
  });

/** Mark of a line that tells what is decided and not yet done. */
const planMark = /^planned:\s*/iu;

export const isPlanned = (line: string): boolean => planMark.test(line);

/** A planned line as it reads once it is done. */
export function withoutPlanMark(line: string): string {
  const done = line.replace(planMark, "");
  return `${done.charAt(0).toUpperCase()}${done.slice(1)}`;
}

const textsOf = ({
  line,
  value,
  subject,
  attribute,
  quote,
  aliases,
}: Omit<ProposedMemory, "origin">) => [line, value, `${subject} ${attribute}`, quote, ...aliases];

/** Between two values of one slot the user's stands, and between two by the same the later one. */
const isNewer = (one: ProposedMemory, first: ProposedMemory): boolean =>
  one.origin === first.origin ? one.turn > first.turn : one.origin === "user";

/** The same words, or another value of a slot that the reply gave before. */
const isSame = (a: ProposedMemory, b: ProposedMemory): boolean =>
  looseText(a.line) === looseText(b.line) ||
  (a.scope === b.scope &&
    looseText(`${a.subject} · ${a.attribute}`) === looseText(`${b.subject} · ${b.attribute}`));
