/** Every bound of a prompt or a reply. Tokens as `tokensOf` counts; sums are checked in sums.test.ts. */
import { storedLimits } from "#domain";

export const promptLimits = {
  ...storedLimits,

  /** Tokens of one question with its reply. The record gets what instructions, known memories and reply leave. */
  callTokensMax: 6_000,
  /** Tokens of a reply: beside its memories, and for each (730 characters in the longest of 80 real replies). */
  replyTokens: 200,
  memoryTokens: 180,
  recordTokensMax: 3_300,
  recordTokensMin: 1_200,
  /** Known slots, each in full, the nearest first: as many as fit; then names alone of others. */
  knownMax: 60,
  knownCharsMax: 3_500,
  knownNamesMax: 60,

  /**
   * Memories of a session, which may be asked about several times: one for so many typed prompts. On judged replies to
   * real sessions the fourth is kept as often as the first (docs/adr/0038).
   */
  memoriesOfSession: 8,
  memoriesOfLongMax: 24,
  promptsPerMemory: 2,
  /**
   * Of a later part of a session that has had its share: one for so many tokens of its record, and fewer where they
   * would cut it. One more for so many choices of the user.
   */
  memoriesOfPartMin: 3,
  tokensPerMemory: { whole: 300, cut: 500 },
  choicesPerMemory: 2,
  /** Of any reply. */
  memoriesMax: 10,
  /** Asked for: 45; what is longer than 60 words is no line. */
  memoryWordsMin: 4,
  memoryWordsMax: 60,
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
