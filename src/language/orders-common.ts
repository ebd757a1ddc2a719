/** An order to remember as the grammar finds it in a sentence. Pure. */

export type OrderKind = "cause" | "decision" | "fact" | "place" | "rule" | "technique";

/** An order as it stands in a sentence. */
export interface SentenceOrder {
  readonly kind: OrderKind;
  /** True for an order in so many words; false for the head of a sentence that is worth keeping. */
  readonly isOutright: boolean;
  /** The place of the matter in the sentence; null when the order points at something outside of it. */
  readonly matter: Span | null;
  /** Side that an order without matter points at: `below` after a colon. */
  readonly points: "above" | "below";
  /** End of what the sentence says before the order; 0 when the order stands at its head. */
  readonly before: number;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** An order in so many words to keep what stands at `matter`. */
export const keeping = (kind: OrderKind, matter: Span, before = 0): SentenceOrder => ({
  kind,
  isOutright: true,
  matter,
  points: "above",
  before,
});

/** An order in so many words to keep what stands elsewhere. */
export const pointingAt = (
  points: "above" | "below",
  before = 0,
  kind: OrderKind = "fact",
): SentenceOrder => ({ kind, isOutright: true, matter: null, points, before });

/** A sentence that is kept for its head. */
export const headed = (kind: OrderKind, matter: Span): SentenceOrder => ({
  kind,
  isOutright: false,
  matter,
  points: "above",
  before: 0,
});
