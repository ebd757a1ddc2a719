/** Memories that people add by hand go the way of all candidates: category, slug, dedup, merge. */
import type { Store } from "#domain";
import { categoryOfWords } from "#memory";
import type { MemoryWriterDep } from "#service";
import { quietOf, type Worker } from "#worker";

export const createMemoryWriter = (
  worker: Worker | null,
  store: Store,
): MemoryWriterDep["memoryWriter"] => ({
  categoryOf: categoryOfWords,
  write: (candidate, by) => {
    if (worker === null) throw new Error("a read-only process writes no memory");
    return worker.remember(candidate, by);
  },
  noteFolder: (project, root) => worker?.noteFolder(project, root),
  index: (node) => worker?.index(node),
  isQuiet: (sessionId) => quietOf(store)[sessionId] !== undefined,
});
