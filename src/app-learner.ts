/** Memories that people add by hand go the way of all candidates: category, slug, dedup, merge. */
import { classifyText, slugOf } from "#memory";
import type { LearnerDep } from "#service";
import type { Worker } from "#worker";
import type { Reader } from "./app.ts";

export const createLearner = (
  reader: Reader,
  worker: Worker | null,
): LearnerDep["learner"] => ({
  categoryOf: classifyText,
  hintOf: slugOf,
  learn: (candidate, cause) => {
    if (worker === null) throw new Error("a read-only process learns nothing");
    const { plan, node } = reader.store.transaction(() => worker.remember(candidate, cause.by));
    if (node === null) throw new Error("the text was forgotten and not lifted");
    return { action: plan, node };
  },
});
