/**
 * Every bound of a prompt or a reply. Tokens as `tokensOf` counts; sums are checked in sums.test.ts: a session of 50
 * turns costs at most 40,000 tokens in and 6,000 out (docs/design/extraction.md, "Models").
 */
import { storedLimits } from "#domain";

export const promptLimits = {
  ...storedLimits,

  /** docs/design/extraction.md, "Evaluate". */
  turnsPerCallMax: 10,
  /** Of one turn in `evaluate`, label included. */
  evaluateTurnTokensMax: 150,
  /** Of one turn in `observe`. */
  observeTurnTokensMax: 120,
  /** One-line form of an earlier turn. */
  beforeLineTokensMax: 30,
  /** Of a session's record, counted as providers do (`costOf`); long ones shrink to it. */
  recordTokensMax: 5_400,
  /** Known slots, each in full, the nearest first: as many as fit; then names alone of others. */
  knownMax: 60,
  knownCharsMax: 3_500,
  knownNamesMax: 60,
  /** With all extras a session of 50 turns fits 40,000. */
  windowTokensMax: 4_000,
  /** In a window: the assistant's first text is a plan, its last a conclusion. */
  windowFirstTokensMax: 60,
  windowLastTokensMax: 160,
  windowToolsTokensMax: 80,
  summaryTokensMax: 1_400,
  narrateTokensMax: 3_000,
  relationalTokensMax: 1_200,

  /**
   * Memories a session, and of one with more than ten typed prompts. On judged replies to real sessions the fourth is
   * kept as often as the first; five and eight cost a fifth of the facts of dense sessions (docs/adr/0038).
   */
  memoriesMax: 8,
  memoriesOfLongMax: 12,
  longPrompts: 10,
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

  /** Of an overview in a reply: three times what the template asks for. */
  overviewCharsMax: 1_000,
  /** A shorter quote stands in any text. */
  quoteCharsMin: 4,
  aliasCharsMax: 60,
  tagsMax: 6,
  tagCharsMax: 30,
  filesMax: 20,
  pathCharsMax: 300,

  summaryLineCharsMax: 240,
  observationItemsMax: 6,
  observationItemCharsMax: 200,
  conceptCharsMax: 40,
  narrativeItemsMax: 6,
  narrativeItemCharsMax: 200,
  /** A profile is read whole at session start. */
  statementsMax: 40,
  statementCharsMax: 160,
  /** Of one that the user wrote; a model is shown its first `statementCharsMax`. */
  statementByHandCharsMax: 400,
  /** Earlier wordings of one statement that are kept. */
  statementHistoryMax: 10,
  subQueriesMax: 3,
  queryCharsMax: 200,

  /** Items of a reply's list that are looked at; a list of thousands is an attack or an accident. */
  replyItemsMax: 60,
} as const;
