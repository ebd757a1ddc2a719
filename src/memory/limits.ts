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

  scorerTagsMax: 6,
  scorerToolsMax: 500,

  observationFactsMax: 6,
  observationConceptsMax: 6,
  observationFilesMax: 20,

  checkpointItemsMax: 12,
  checkpointFilesMax: 30,
  checkpointInHandMax: 8,
  checkpointTurnsMax: 2_000,
  /** "the same file edited or the same search repeated five times or more". */
  thrashRepeatsMin: 5,

  narrativeL1TokensMax: 400,

  /** Above this many moments in one session the threshold rises for its rest. */
  momentsPerSessionBeforeStrict: 30,
} as const;

assert(
  limits.slugCharsMax * 2 < limits.uriCharsMax,
  "a slug with a project suffix must fit into a URI",
);
