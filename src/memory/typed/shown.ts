/**
 * Chooses what is stored of a quote that proves a line: the typed sentences that the line is about, and a label for
 * what the line calls them. Pure.
 */
import { denies, isCommand, isHarmful, isPointing, isTool, readWords, stopWords } from "#language";
import { addedBy, hasWord, shareIn, wordsIn } from "./words.ts";
import { isMarkedQuestion } from "./sentences.ts";

/** Names that an agent gives the thing its line is about, and the texts that may hold them. */
export interface Naming {
  readonly subject?: string | null;
  readonly attribute?: string | null;
  /** Names of the project that the line is stored for. */
  readonly projectNames?: readonly string[];
  /** The session's record as one text. */
  readonly held?: string;
}

/** The sentences shown; `isCut`: a question that the line repeats was left out. */
export interface Stated {
  readonly parts: readonly string[];
  readonly isCut: boolean;
}

/**
 * The fewest sentences that hold all words of the line that the quote holds, without questions where others remain;
 * null where a line is about questions alone.
 */
export function statedFor(line: string, parts: readonly string[]): Stated | null {
  const kept = partsAbout(line, parts);
  const stated = kept.filter((part) => !isMarkedQuestion(part));
  const isCut = stated.length < kept.length;
  return stated.length === 0 ? null : { parts: stated, isCut };
}

function partsAbout(line: string, parts: readonly string[]): readonly string[] {
  const open = new Set(wordsIn(line));
  const gainOf = (part: string): number => wordsIn(part).filter((word) => open.has(word)).length;
  const held = parts.filter((part) => isHeldIn(line, part));
  const others = parts
    .filter((part) => !held.includes(part))
    .toSorted((a, b) => gainOf(b) - gainOf(a));
  const kept = new Set(held);
  for (const part of [...held, ...others]) {
    if (gainOf(part) > 0) kept.add(part);
    for (const word of wordsIn(part)) open.delete(word);
  }
  if (kept.size === 0) return parts;
  return parts.filter(
    (part, at) => kept.has(part) || (kept.has(parts[at - 1] ?? "") && pointsBack(part)),
  );
}

const isHeldIn = (line: string, part: string): boolean =>
  bare(part) !== "" && bare(line).includes(bare(part));
const bare = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** "Never.", "forget that": without the sentence before it nothing, and that one not the same without it. */
const pointsBack = (part: string): boolean =>
  isPointing(part) || (denies(part) && wordsIn(part).length < 2);

/**
 * The quote without clauses at its head or end that give another thing a value, "cap for props is 4096" behind
 * "characters may go 8192": they would stand there after that value has changed.
 */
export function provingPart(line: string, said: string): string {
  const clauses = said.split(/(?<=[,;])\s+/u);
  const isAbout = clauses.map((clause) => !isOtherValue(clause, line));
  const [first, last] = [isAbout.indexOf(true), isAbout.lastIndexOf(true)];
  if (first < 0) return said;
  const kept = clauses.slice(first, last + 1).join(" ");
  const isWhole = last === clauses.length - 1;
  return `${first === 0 ? "" : "… "}${isWhole ? kept : kept.replace(/[,;]$/u, " …")}`;
}

/** Begins a clause with a thing that the line does not name, and ends with a number that it does not have? */
function isOtherValue(clause: string, line: string): boolean {
  const words = clause.replace(/[,;.!]+$/u, "").split(/\s+/u);
  const [head = "", value = ""] = [words[0], words.at(-1)];
  const isValued = words.length > 2 && /^\p{N}/u.test(value) && !hasWord(line, value);
  const isOwn = readWords(head).plain.every((word) => !stopWords.has(word));
  return isValued && isOwn && !denies(clause) && shareIn(clause, line) === 0;
}

/** The subject as a label of what is said, unless it is the user. */
export const nameLabel = (said: string, naming: Naming): string | null =>
  isUser(naming.subject ?? "") ? null : labelOf(naming.subject ?? "", { ...naming, quote: said });

/** Does a subject name the user, or what is theirs? */
export const isUser = (subject: string): boolean =>
  /^(?:(?:the )?user(?:['’]s\s.+)?|me)$/iu.test(subject.trim());

/** `bothy: dyndep to 1.0`: a name before a colon. */
const headOf = (line: string): string | null =>
  /^((?:[^:：()]|\([^()]*\))+)(?::\s|：)\s*\S/u.exec(line)?.[1]?.trim() ?? null;

/** The line without a head and a parenthesis that only name its subject; null when it has neither. */
export function withoutNames(line: string, own: string, naming: Naming): string | null {
  const head = headOf(line);
  const isHead = head !== null && isNaming(head, own, naming);
  const bare = isHead
    ? line.slice(line.indexOf(head) + head.length).replace(/^[:：]\s*/u, "")
    : line;
  const rest = bare.replaceAll(/\s*\(([^()]+)\)/gu, (all, inner: string) =>
    isNaming(inner, own, naming) ? "" : all,
  );
  return rest === line ? null : rest.trim();
}

/** A name with a word or two to it: half of its words are those of the subject. */
function isNaming(text: string, own: string, naming: Naming): boolean {
  const { subject, attribute, held = "", projectNames = [] } = naming;
  const about = [subject ?? "", attribute ?? "", ...projectNames].join("\n");
  const isShort = text.split(/\s+/u).length <= namingWordsMax;
  return (
    isShort && shareIn(text, about) >= namingShareMin && isName(text, held, `${own}\n${about}`)
  );
}
const namingShareMin = 0.5;
const namingWordsMax = 8;

/** A name orders nothing, denies nothing, and says nothing that the session, or what else is known, does not hold. */
const isName = (text: string, held: string, known = ""): boolean =>
  !isCommand(text) &&
  !isHarmful(text) &&
  !denies(text) &&
  isOfSession(text, held) &&
  addedBy(text, `${held}\n${known}`) === null;

// Labels words of the user's that point ("never do that again") with their subject, in the agent's words. Pure.

const labelWordsMax = 10;
/** Share of a subject's words in a quote that needs no label, to be exceeded. */
const namedShareMin = 0.5;

/** The place and names of a label. */
interface Labelled extends Naming {
  readonly quote: string;
}

/**
 * The subject as a label behind the quote. Null where the quote names more than half
 * of it, and for what might be read as an order, or names something that the session does not.
 */
export function labelOf(
  subject: string,
  { quote, held = "", projectNames }: Labelled,
): string | null {
  const label = subject.trim().replaceAll(/\s+/gu, " ");
  const isLacking = namedShare(label, quote, projectNames) <= namedShareMin;
  return isLacking && isLabel(label, held) ? label : null;
}

/** Share of a subject's words that a text names, but for those of the project's own name; of none, 1. */
export function namedShare(
  subject: string,
  text: string,
  projectNames: readonly string[] = [],
): number {
  const ofProject = new Set(projectNames.flatMap((name) => wordsIn(name)));
  const own = wordsIn(subject).filter((word) => !ofProject.has(word));
  const said = text.toLowerCase();
  const words = new Set(wordsIn(text));
  const named = own.filter((word) => words.has(word) || said.includes(rootOf(word)));
  return own.length === 0 ? 1 : named.length / own.length;
}

const isLabel = (label: string, held: string): boolean =>
  /^[./#]?[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} .,:/_#-]*$/u.test(label) &&
  label.split(" ").length <= labelWordsMax &&
  isName(label, held);

/** Does the session name every tool that a text names? */
function isOfSession(text: string, held: string): boolean {
  const known = held.toLowerCase();
  const words = text.toLowerCase().split(/[\s,:]+/u);
  return words.every((word) => !isTool(word) || known.includes(word));
}

/** Enough of a word to find its other forms. */
const rootOf = (word: string): string => word.toLowerCase().slice(0, 5);
