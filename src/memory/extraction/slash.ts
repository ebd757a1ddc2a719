/**
 * Prompts that are commands of the client (`/continuity:remember we deploy on Tuesdays`): what of them the user has
 * said. Pure.
 */

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
