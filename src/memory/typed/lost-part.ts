/**
 * Finds the parts of a memory that what takes its place does not say, and adds them to it: they would end with the old
 * one, though they may hold. Pure.
 */
import { clausesOf, wordsIn } from "./words.ts";

/** Share of a clause's words that are said again, above which the rest is a value that changed. */
const saidAgainMax = 0.25;
/** Words of all lost clauses together, days aside; a single one is a name or a filler. */
const lostWordsMin = 2;

/** Label of the agent, whatever brackets it has, or the user's words, behind a line. */
const behind = / \((?:agent: .*|the user: "[^"]*")\)$/su;

/** Clauses of an old line of which a new text says next to nothing; empty where nothing is lost. */
export function lostPart(old: string, told: string): string {
  const said = new Set(wordsIn(told));
  const lost = clausesOf(sayersWords(old)).filter((clause) => {
    const words = wordsIn(clause);
    const again = words.filter((word) => said.has(word)).length;
    return words.length > 0 && again <= words.length * saidAgainMax;
  });
  const words = lost.flatMap((clause) => wordsIn(clause.replaceAll(/\d{4}-\d\d-\d\d/gu, "")));
  return words.length < lostWordsMin ? "" : lost.join("; ");
}

/** The user's own words where an agent's wording stands before them; else the line without its label. */
const sayersWords = (line: string): string =>
  / \(the user: "([^"]*)"\)$/u.exec(line)?.[1] ?? line.replace(behind, "");

/** A text with a part of an older one behind its own words; what an agent said stands in its label, without brackets. */
export function withPart(text: string, part: string, by: "user" | "agent"): string {
  const [tail = ""] = behind.exec(text) ?? [];
  const own = text.slice(0, text.length - tail.length);
  if (by === "user") return `${own.replace(/[.;。；]+$/u, "")}; ${part}${tail}`;
  const told = part.replace(/[()]/gu, "");
  const label = /^ \(agent: (.*)\)$/su.exec(tail)?.[1];
  return label === undefined ? `${text} (agent: ${told})` : `${own} (agent: ${label}; ${told})`;
}
