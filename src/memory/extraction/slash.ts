/**
 * Prompts that are commands of the client (`/continuity:remember we deploy on Tuesdays`): what of them the user has
 * said, and the category of words that are to be remembered. Pure.
 */
import type { Category } from "#domain";

/** Our own commands, by their short or full name. */
const ours =
  /^\/(?:continuity:)?(remember|learn|recall|forget|consolidate|memory-status)(?:\s+|$)/iu;
/** A command of any plugin; names without one look like the paths that prompts begin with. */
const ofPlugins = /^\/[\w-]+:[\w-]+(?:\s+|$)/u;

/**
 * The prompt without its command. Of ours only `remember` says something to keep, and asks for that; what is looked up
 * or forgotten must not be learnt from the asking. Empty = nothing was said.
 */
export function spokenIn(prompt: string): string {
  const [command = "", name = ""] = ours.exec(prompt) ?? [];
  const said = prompt.slice(command.length).trim();
  if (name.toLowerCase() === "remember") return said === "" ? "" : `remember that ${said}`;
  return name === "" ? prompt.replace(ofPlugins, "") : "";
}

const learn = /^\/(?:continuity:)?learn(?:\s+|$)/iu;

/** Returns what follows `/learn`, which asks for the words of the turn before it; null for any other prompt. */
export const afterLearn = (prompt: string): string | null =>
  learn.test(prompt) ? prompt.replace(learn, "").trim() : null;

/** Returns the category of the words of a `remember …`, by local rules; entities when no rule matches. */
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
