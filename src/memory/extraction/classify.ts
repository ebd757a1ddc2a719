/** Which category the words of a memory belong to that is asked for by hand. Pure. */
import type { Category } from "#domain";

/** The local classifier for "remember …": what the words look like; entities when nothing speaks. */
export function categoryOfWords(asked: string): Category {
  // "don't forget that Tom owns billing" forbids nothing.
  const text = asked.replace(
    /^(?:please |pls )?(?:don'?t forget|do not forget|never forget)\b(?: that\b)?/i,
    "",
  );
  if (/\b(?:i'?m|my name|i work|i live|i sit|call me)\b/i.test(text)) return "profile";
  if (/\b(?:root cause|caused by|turns? out|the (?:bug|problem|issue) was)\b/i.test(text))
    return "cases";
  if (/\b(?:decided|agreed|chose|chosen|go with|switched|migrated|released|shipped)\b/i.test(text))
    return "events";
  if (
    /\b(?:always|never|prefer|don'?t|do not|must|should|only use|instead of)\b|\bto \p{L}+\b/iu.test(
      firstWords(text),
    )
  )
    return "preferences";
  if (/\b(?:the trick|pattern|rule of thumb)\b/i.test(text)) return "patterns";
  return "entities";
}

const firstWords = (text: string): string => text.slice(0, 80);
