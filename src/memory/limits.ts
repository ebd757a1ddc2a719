/**
 * Every loop, buffer and text in the engine's tree, decay, evaluation and summaries is bounded by a line in this file.
 * Units are in the names. Numbers come from docs/design/memory.md and docs/design/extraction.md unless a comment says
 * otherwise.
 */
import { storedLimits } from "#domain";
import { assert } from "#kit";

export const limits = {
  ...storedLimits,

  /** docs/design/memory.md, "The tree". */
  uriSegmentsMax: 8,
  uriCharsMax: 200,
  /** Six words of ten letters: a slug that still reads as a name. */
  slugCharsMax: 60,
  slugWordsMax: 6,
  /** Numbered alternatives tried before a URI falls back to a hash. */
  uriCollisionsMax: 99,
  /** Rounds of percent decoding: more than any honest caller nests. */
  uriDecodeRoundsMax: 3,

  exchangeTagsMax: 8,

  checkpointItemsMax: 12,
  checkpointFilesMax: 30,
  checkpointInHandMax: 8,
  /** "the same file edited or the same search repeated five times or more". */
  thrashRepeatsMin: 5,
} as const;

assert(
  limits.slugCharsMax * 2 < limits.uriCharsMax,
  "a slug with a project suffix must fit into a URI",
);
