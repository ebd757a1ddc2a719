/**
 * Sentences that rules of version 0.1 made memories of. Of those, judged on real sessions, one in five was worth
 * keeping: what was merely stated belongs to the archive, what was asked for or decided stays. Pure.
 */
import { categoryRules, type MemoryNode } from "#domain";
import { archiveUri } from "../tree/uri.ts";

/** What a rule took for a statement. */
const stated: ReadonlySet<string> = new Set([
  "fact",
  "note",
  "naming",
  "person",
  "change",
  "pattern",
  "state",
]);

/** What was said in so many words: one of these is enough to stay. */
const meant: ReadonlySet<string> = new Set([
  "rule",
  "decision",
  "preference",
  "remember",
  "self",
  "cause",
]);

/** The types of claude-mem's notes that say more than what was seen on the way. */
const telling: ReadonlySet<string> = new Set(["bugfix", "decision", "preference"]);

/** Is a note of claude-mem's a memory, by its type? All others are the archive's. */
export const isTellingNote = (type: string): boolean => telling.has(type);

/** True for a memory that is no more than a sentence. `by`: who made it, as its first revision says. */
export function isRuleSentence(
  { category, maker, tags }: Pick<MemoryNode, "category" | "maker" | "tags">,
  by: string,
): boolean {
  if (category === null || category === "sessions" || tags.some((tag) => meant.has(tag)))
    return false;
  if (maker === "stop") return tags.some((tag) => stated.has(tag));
  if (maker !== "import") return false;
  const [, source] = by.split(":");
  if (source === "claude-mem") return !tags.some(isTellingNote);
  // Other programs' memories were kept on purpose; only transcripts went through our rules.
  return source === "claude-code" && tags.some((tag) => stated.has(tag));
}

/** Its place in the archive: with its session, or apart where that is not known. `n` tells it from all others. */
export const sentenceUri = (sessionId: string | null, n: number): string =>
  sessionId === null
    ? `${categoryRules.sessions.root}/sentences/${n}`
    : archiveUri({ sessionId, part: "sentences", n });
