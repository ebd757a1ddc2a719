/** Words, values and tools: how texts are compared. Sees no other folder of the engine; extraction and merge use it. */
export { identifiersOf, valuesOf } from "./values.ts";
export { isTool, toolFamilies, toolFamily } from "./tools.ts";
export { canonicalWord, contentWords, isStopWord, jaccard, sharedCount, wordsOf } from "./words.ts";
