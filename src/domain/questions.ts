/** Number of questions that a model is asked about a session, by how much it may be shown of it. */

/** Characters that one question tells well, and questions about what a session has had since the last one. */
const charsOfOne = 12_000;
const questionsMax = 4;

export const questionsFor = (chars: number): number =>
  Math.min(questionsMax, Math.max(1, Math.ceil(chars / charsOfOne)));
