/**
 * Bounds of what is stored, which more than one room keeps: local rules and a model write the same fields. Units are in
 * the names. Bounds of one room's own work stand in that room.
 */
export const storedLimits = {
  l0TokensMax: 100,
  l1TokensMax: 2_000,
  l2CharsMax: 40_000,
  /** The verbatim span of an evidence. */
  quoteCharsMax: 300,
  /**
   * Other words for a memory, of one writer. A memory that a model words anew keeps the words of both: twice as many.
   */
  aliasesMax: 8,

  checkpointFieldCharsMax: 1_200,
  /** Of one session: "about 15–20 for a long session". */
  narrativesMax: 20,

  /** Of one recorded prompt or answer; of longer ones both ends are kept. */
  promptCharsMax: 100_000,
  answerCharsMax: 40_000,
} as const;
