/** Tells a sentence that says that a value is another one now. Pure. */
import { cue, listsOf } from "./lists.ts";
import text from "./lists/changes.txt" with { type: "text" };

const lists = listsOf(text, "change", "change, any place");
const changed = cue(lists.change, lists["change, any place"]);

/** True for words such as "is now", "moved to", "statt", "不再": the subject is looked up, so they decide nothing. */
export const tellsChange = (text: string): boolean => changed.test(text.normalize("NFKC"));
