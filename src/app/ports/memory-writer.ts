/** Memories that people add by hand go the way of all candidates: category, slug, dedup, merge. */
import { categoryOfWords } from "#memory";
import type { MemoryWriterDep } from "#service";
import type { Worker } from "#worker";

export const createMemoryWriter = (worker: Worker | null): MemoryWriterDep["memoryWriter"] => ({
  categoryOf: categoryOfWords,
  write: (candidate, by) => {
    if (worker === null) throw new Error("a read-only process writes no memory");
    return worker.remember(candidate, by);
  },
  index: (node) => worker?.index(node),
});
