/** Tells whether a new value of a subject may take the place of what was said of the subject before. Pure. */
import { tellsChange } from "#language";
import { wordsIn } from "../typed/words.ts";
import { changesValueOf } from "./value-change.ts";

/**
 * True when a line that gives a subject a value may take the place of an older line about it: it tells of a change, or
 * both share a word beside the subject and the words with which they begin. "The API uses Go" stands beside "the API
 * uses port 8080".
 */
export function takesPlaceOf(line: string, older: string, subject: string): boolean {
  const named = new Set(wordsIn(subject));
  const isShared = (one: string, other: string): boolean => {
    const said = new Set(wordsIn(one));
    return wordsIn(other).some((word) => said.has(word) && !named.has(word));
  };
  if (!isShared(line, older)) return false;
  return tellsChange(line) || changesValueOf(line, older) || isShared(...beyondHead(line, older));
}

/** Two lines without the words with which both begin. */
function beyondHead(line: string, older: string): readonly [string, string] {
  const [mine = [], theirs = []] = [line, older].map((text) => text.toLowerCase().split(/\s+/u));
  const head = theirs.findIndex((word, at) => word !== mine[at]);
  // The older line stands in the newer one as a whole.
  if (head < 0) return [line, older];
  return [mine.slice(head).join(" "), theirs.slice(head).join(" ")];
}
