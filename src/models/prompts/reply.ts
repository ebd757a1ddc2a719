/**
 * Reading a model's reply: JSON of any shape. Every reader takes `unknown`, looks at own properties only, and gives a
 * bounded value or a default; none throws. Pure.
 */
import { cutAtWord, oneLine, stripInvisible, type Json } from "#kit";
import { storedLimits } from "#domain";

// Every bound of a prompt or a reply. Tokens as `tokensOf` counts; sums are checked in sums.test.ts.

export const promptLimits = {
  ...storedLimits,

  /** Tokens of one question with its reply. */
  callTokensMax: 6_000,
  /** Tokens of a reply: beside its memories, and for each (of 330 on real sessions, written anew in this form). */
  replyTokens: 200,
  memoryTokens: 140,
  /** Tokens of the record: the most, where nothing is known, so many less for each token of Known, and the least. */
  recordTokensMax: 2_800,
  recordTokensPerKnown: 2,
  recordTokensMin: 1_700,
  /** Characters of known memories in full, the nearest first, and of those that follow: name and beginning. */
  knownCharsMax: 1_300,
  knownNamesCharsMax: 850,
  knownStartCharsMax: 40,
  /** Characters of what was typed in earlier sessions in much the same words. */
  typedBeforeCharsMax: 480,

  /**
   * Memories of a session, which may be asked about several times: one for so many typed prompts. On judged replies
   * to real sessions the fourth is kept as often as the first (docs/adr/0038).
   */
  memoriesOfSession: 8,
  memoriesOfLongMax: 24,
  promptsPerMemory: 2,
  /**
   * The limit for a later part of a session that has had its share: one for so many tokens of its
   * record, and fewer where they would cut it. One more for so many choices of the user.
   */
  memoriesOfPartMin: 3,
  tokensPerMemory: { whole: 300, cut: 500 },
  choicesPerMemory: 2,
  /** The limit of any reply. */
  memoriesMax: 10,
  /** Asked for: 45, and 60 where it replaces others; what is longer is no line. */
  memoryWordsMin: 4,
  memoryWordsMax: 75,
  memoryLineCharsMax: 600,
  slotCharsMax: 80,
  valueCharsMax: 200,
  digestTitleCharsMax: 120,
  digestOutcomeCharsMax: 600,
  digestOpenMax: 3,
  digestOpenCharsMax: 200,

  /** A shorter quote stands in any text. */
  quoteCharsMin: 4,
  aliasCharsMax: 60,

  /** Items of a reply's list that are looked at; a list of thousands is an attack or an accident. */
  replyItemsMax: 60,
} as const;

/** An own property; what stands on the prototype is not part of a reply. */
export const fieldOf = (record: Json, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** One clean line, cut at a word; empty when the field is no text. */
export function lineOf(record: Json, name: string, charsMax: number): string {
  const value = fieldOf(record, name);
  return typeof value === "string" ? cleanLine(value, charsMax) : "";
}

/** Distinct non-empty lines of a list field. */
export function linesOf(
  record: Json,
  name: string,
  bounds: { readonly itemsMax: number; readonly charsMax: number },
): readonly string[] {
  const lines = listOf(record, name).flatMap((item) =>
    typeof item === "string" ? cleanLine(item, bounds.charsMax) : [],
  );
  return [...new Set(lines.filter((line) => line !== ""))].slice(0, bounds.itemsMax);
}

/** The first items of a list field; empty when it is no list. */
export function listOf(record: Json, name: string): readonly unknown[] {
  const value = fieldOf(record, name);
  return Array.isArray(value) ? value.slice(0, promptLimits.replyItemsMax) : [];
}

/** The value when it is one of those allowed. */
export const oneOf = <Value extends string>(
  value: unknown,
  allowed: readonly Value[],
): Value | null => allowed.find((each) => each === value) ?? null;

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

/** True for as many words as a line of a memory may have. */
export const isLine = (text: string): boolean => {
  const count = wordCount(text);
  return count >= promptLimits.memoryWordsMin && count <= promptLimits.memoryWordsMax;
};

// Text without what people do not see: escape sequences, control and invisible characters. Applied to what goes into
// a prompt and to what comes back, so that a quote is compared with what the model was shown. Pure.

/** Readable text with its line breaks. Idempotent. */
export const cleanText = (text: string): string =>
  stripInvisible(text.replace(/\r\n?|[\u2028\u2029\u0085]/gu, "\n"));

/** One line of at most `charsMax` characters. Reads no more of an over-long text than it may keep. */
export const cleanLine = (text: string, charsMax: number): string =>
  cutAtWord(oneLine(cleanText(text.slice(0, charsMax * 4))), charsMax);
