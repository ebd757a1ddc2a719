/**
 * The lines of a start text: what a memory says, a short date and a short id; each statement once; and the names of
 * what else is known. Pure. Must not know which memories are chosen.
 */
import { type NodeOutline, type Origin, shortIdOf, storedLimits, untilMergedTag } from "#domain";
import { cutAtWord, cutToTokens, localDate, msPerDay, tokensOf } from "#kit";
import { isForAWhile, namesLastDay, readWords } from "#language";
import { teamVoice } from "./lines.ts";
import { neutralise, quote } from "./neutral.ts";
import { isOwnWords, slotNameOf } from "./worded.ts";
import type { Section, StartSnapshot } from "./start-types.ts";

/** The names of those whose words stand in quotation marks. */
const voices: Readonly<Record<Exclude<Origin, "user">, string>> = {
  agent: "noted",
  tool: "from a tool",
  import: "imported",
  team: "a colleague",
};

/**
 * `- Use pnpm, never npm (3 Apr, #4k)`. What the user did not say is quoted and its source named, so that it cannot
 * pass for a rule.
 */
export function startLine(node: NodeOutline, context: LineContext): string {
  const text = cutToTokens(plainText(node.l0, context.projectName), storedLimits.l0TokensMax);
  const until = untilOf(node, context.nowMs);
  if (node.origin === "team")
    return `- ${teamVoice(node, context.nowMs)}: ${quote(text)} (${shortIdOf(node.id)}${until})`;
  const date = shortDate(node.updatedAt, context.nowMs);
  const marks = `${until}${neutralise(context.anchored?.(node) ?? "")}`;
  const said =
    node.origin === "user" && !isOwnWords(node) ? quote(text) : voiced(node.origin, text);
  return `- ${said} (${date}${marks}, ${shortIdOf(node.id)})`;
}

/** A wish that holds for a while, without naming the end, is doubtful after this. */
const awhileDays = 14;

/**
 * `, until 2 Dec` for a memory with an end that its text does not name; `, may be over` for one that was said long ago
 * "for now". No end is made up.
 */
export function untilOf(node: NodeOutline, nowMs: number): string {
  const { category, expiresAt, l0, tags, updatedAt } = node;
  if (category === "sessions" || tags.includes(untilMergedTag)) return "";
  if (expiresAt !== null)
    return namesLastDay(l0, expiresAt) ? "" : `, until ${shortDate(expiresAt - 1, nowMs)}`;
  return nowMs - updatedAt > awhileDays * msPerDay && isForAWhile(l0) ? ", may be over" : "";
}

export interface LineContext {
  readonly nowMs: number;
  readonly projectName: string | null;
  /** The remark of its line on the code that a memory is about. */
  readonly anchored?: (node: NodeOutline) => string;
}

export const voiced = (origin: Origin, text: string): string =>
  origin === "user" ? text : `${voices[origin]}: ${quote(text)}`;

/** Without the name of the project that the session is in, or of the user who is told. */
export function plainText(l0: string, projectName: string | null): string {
  const text = l0.replace(/^user\s*:\s*/iu, "");
  const head = projectName === null ? "" : `${projectName}: `;
  const own = head !== "" && text.toLowerCase().startsWith(head.toLowerCase());
  return neutralise(own ? text.slice(head.length) : text);
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `3 Apr`; with the year when it is not this one. */
export function shortDate(atMs: number, nowMs: number): string {
  const [year = "", month = "", day = ""] = localDate(atMs).split("-");
  const date = `${Number(day)} ${months[Number(month) - 1] ?? ""}`;
  return localDate(nowMs).startsWith(`${year}-`) ? date : `${date} ${year}`;
}

/**
 * An exchange older than this may tell of something that changed unnoticed: of the replaced values
 * that prompts of the voices were told, 26 of 28 were older.
 */
const freshDays = 30;

/** Said so long ago that it may no longer hold. */
export const isDated = (atMs: number, nowMs: number): boolean =>
  nowMs - atMs > freshDays * msPerDay;

/** `3 Apr`, and behind the date of old words that they may no longer hold. */
export const saidOn = (atMs: number, nowMs: number): string =>
  `${shortDate(atMs, nowMs)}${isDated(atMs, nowMs) ? " (may be outdated)" : ""}`;

/** Share of words from which two lines say the same. */
const sameShareMin = 0.8;
/** A line of fewer words is not found inside a longer one by chance alone. */
const containedWordsMin = 3;

/** Remembers what was said, and tells what says it again. */
export interface Said {
  readonly has: (text: string) => boolean;
  readonly add: (text: string) => void;
}

export function createSaid(): Said {
  const told: ReadonlySet<string>[] = [];
  return {
    has: (text) => {
      if (told.length === 0) return false;
      const words = wordsOf(text);
      return words.size > 0 && told.some((other) => isSame(words, other));
    },
    add: (text) => void told.push(wordsOf(text)),
  };
}

const wordsOf = (text: string): ReadonlySet<string> => {
  const { content, plain } = readWords(neutralise(text));
  // Numbers of one digit tell two statements apart, though no search would ask for them.
  return new Set([...content, ...plain.filter((word) => /^\d+$/u.test(word))]);
};

/** The same words, or nothing that was not told already. What tells more than before is told. */
function isSame(words: ReadonlySet<string>, told: ReadonlySet<string>): boolean {
  const shared = [...words].filter((word) => told.has(word)).length;
  if (shared === words.size && words.size >= containedWordsMin) return true;
  return shared / Math.max(1, words.size + told.size - shared) >= sameShareMin;
}

// "Also known": names of what else is remembered of the project, without the values, so that an agent knows what it
// can ask for. Pure.

const nameCharsMax = 60;
/** Uses from which on more make no difference. */
const usesMax = 5;
const daysHalf = 30;

const namesTitle = "Also known";

/** Memories in reach that are neither of the user himself nor told above. */
function untold(
  { latest, projectName, sinceMs }: StartSnapshot,
  said: Said,
): readonly NodeOutline[] {
  return latest.filter(
    ({ category, updatedAt, l0 }) =>
      category !== "profile" &&
      (sinceMs === null || updatedAt > sinceMs) &&
      !said.has(plainText(l0, projectName)),
  );
}

/**
 * As many names as fit, the likeliest to be needed first; what was told above is not named again, nor what has
 * no subject: how a line begins says too little. A name gives no memory, so there are no reasons.
 */
export function namesSection(snapshot: StartSnapshot, tokensMax: number, said: Said): Section {
  const nodes = untold(snapshot, said)
    .filter(({ slot }) => slot !== null)
    .map((node) => ({ node, weight: weightOf(node, snapshot) }))
    .toSorted((a, b) => b.weight - a.weight || b.node.id - a.node.id);
  const subjects = new Map<string, readonly string[]>();
  let text = "";
  for (const { node } of nodes) {
    const { subject, attribute } = slotNameOf(node);
    const known = subjects.get(subject);
    const tried = new Map(subjects).set(
      subject,
      known === undefined ? [attribute] : [...new Set([...known, attribute])],
    );
    const next = lineOf(tried);
    const line = `## ${namesTitle}\n${next}\n`;
    if (tokensOf(line) > tokensMax) continue;
    subjects.set(subject, tried.get(subject) ?? []);
    text = next;
  }
  return { title: namesTitle, lines: text === "" ? [] : [text], nodeIds: [], reasons: [] };
}

/** `- invoices (currency, due date); demo account (name)`. */
const lineOf = (subjects: ReadonlyMap<string, readonly string[]>): string =>
  `- ${[...subjects]
    .map(([subject, attributes]) => {
      const named = attributes.filter((one) => one !== "");
      const name = named.length === 0 ? subject : `${subject} (${named.join(", ")})`;
      return cutAtWord(name, nameCharsMax);
    })
    .join("; ")}`;

/** Adds up: of this project, near the last sessions, used, young. 0 to 4. */
function weightOf(node: NodeOutline, snapshot: StartSnapshot): number {
  const days = Math.max(0, snapshot.nowMs - node.updatedAt) / msPerDay;
  return (
    Number(node.project === snapshot.project) +
    Number(isOfLastWork(node, snapshot)) +
    Math.min(usesMax, node.accessCount) / usesMax +
    daysHalf / (daysHalf + days)
  );
}

/** Sessions that count as the last ones. */
const sessionsMax = 2;

/** True for a memory of what the last sessions of this branch did: the same files, or the same subject. */
function isOfLastWork(node: NodeOutline, { branch, digests }: StartSnapshot): boolean {
  const last = digests.filter((digest) => digest.branch === branch).slice(0, sessionsMax);
  const edited = new Set(last.flatMap(({ filesEdited }) => filesEdited));
  if (node.files.some((file) => edited.has(file))) return true;
  if (node.slot === null) return false;
  const subject = readWords(slotNameOf(node).subject).content;
  const texts = last.flatMap(({ request, completed }) => [request, completed]);
  const said = new Set(texts.flatMap((text) => readWords(text).content));
  return subject.length > 0 && subject.every((word) => said.has(word));
}
