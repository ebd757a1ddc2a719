/** Every bound and constant of retrieval, with units and sources. */
export const retrievalLimits = {
  /**
   * Candidates per source before fusion, as a multiple of the results asked for and within bounds: of ten results, 200
   * instead of 100 would change one in six hundred and cost a third of the time (docs/adr/0027).
   */
  candidatesPerResult: 10,
  candidatesMin: 100,
  candidatesMax: 200,
  /** Nearest vectors taken when a filter will reject most of them; read lazily. */
  narrowCandidatesMax: 1_000,
  /** Nodes read from the store at a time, and ranked for each result asked for. */
  readChunk: 64,
  rankedPerResult: 6,
  /** docs/design/retrieval.md, "Words of a question". */
  termsMax: 8,
  /** Terms in more than this share of documents only re-rank (and only where there are documents enough to say so). */
  commonShare: 0.15,
  commonDocumentsMin: 200,
  /**
   * Documents ranked per query, counted once per term: so many at least, and so many times the root of all documents
   * (docs/adr/0027). What is beyond only re-ranks; one term alone may take `rarestShare` times as many.
   */
  rankedMin: 1_000,
  rankedPerRoot: 10,
  rarestShare: 4,
  /** Documents that hold two of the common terms, newest first, taken as candidates to be re-ranked. */
  commonCandidatesMax: 100,
  /** Characters of a document in which common terms are looked for. */
  rerankCharsMax: 4_000,
  /** Results per query. */
  resultsMax: 100,
  /** Narrow filters are scanned exactly up to this many nodes. */
  filteredNodesMax: 2_000,
  /** Observations, prompts and checkpoints read per query, per kind. */
  recordsMax: 60,
  /** Steps from an outdated memory to the current one. */
  successionDepthMax: 5,
} as const;

/** Candidates taken from each source for so many results. */
export const candidatesFor = (limit: number): number =>
  Math.min(
    retrievalLimits.candidatesMax,
    Math.max(retrievalLimits.candidatesMin, limit * retrievalLimits.candidatesPerResult),
  );

/** Share of the score that query expansion may contribute, against 1 for typed words. */
export const synonymWeight = 0.35;
/** The same for words of earlier results (see feedback.ts; docs/adr/0028). */
export const feedbackWeight = 0.2;
/** Queries whose own words match this well are not expanded. */
export const expandBelow = 0.6;
/** U of models/README.md: BM25 saturates at about this many times the sum of the terms' weights. */
export const saturation = 1.3;
export const idfMin = 0.1;
/** Nudges move a score by at most this share each way (docs/design/retrieval.md, "Find"). */
export const nudgeMax = 0.1;
/** What is of a date that the question names. Words such as "recently" only nudge (docs/adr/0028). */
export const datedBoost = 0.3;
/** An outdated memory stands this far below what replaced it. */
export const outdatedFactor = 0.9;
