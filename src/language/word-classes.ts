/**
 * The word classes of the local scorer, and what takes their force away. All are patterns over the `plain` form of a
 * sentence (plain-sentences.ts).
 */
import { listsOf, phrasesOf, wordClass } from "./lists.ts";
import learnedText from "./lists/learned.txt" with { type: "text" };
import requestText from "./lists/request.txt" with { type: "text" };
import saidText from "./lists/said.txt" with { type: "text" };
import technicalNounsText from "./lists/technical-nouns.txt" with { type: "text" };

const learned = listsOf(
  learnedText,
  "relief",
  "structure",
  "cause",
  "outright",
  "why",
  "pattern",
  "deadEnd",
  "attempt",
  "unsolved",
  "unresolved",
);

const said = listsOf(
  saidText,
  "decision",
  "advice",
  "smallChoice",
  "rule",
  "norm",
  "hedge",
  "reproach",
  "objection",
  "admission",
);

const request = listsOf(
  requestText,
  "diagnosis",
  "choice",
  "chore",
  "errand",
  "lesson",
  "deixis",
  "notice",
  "life",
  "reason",
);

const classesOf = <Name extends string>(
  lists: Readonly<Record<Name, readonly string[]>>,
): Readonly<Record<Name, RegExp>> => {
  const classes = Object.entries<readonly string[]>(lists).map(([name, list]) => [
    name,
    wordClass(list),
  ]);
  return Object.fromEntries(classes) as Record<Name, RegExp>;
};

export const says = {
  ...classesOf(learned),
  ...classesOf(said),
  ...classesOf(request),
  /** A refusal opens the sentence; "no problem" and "no idea" refuse nothing. */
  refusal: new RegExp(
    String.raw`^(?:oh |ah |hmm+,? |uh,? )?(?:no|nope|nein)(?=[\s,.!:;]|$)` +
      "(?! (?:problem|worries|idea|need|errors?|rush|thanks|way|one|hurry|matter))",
    "u",
  ),
  /** "A, not B": a fact put right. */
  contrast: new RegExp(
    String.raw`(?:^|[\s,;:(])(?:\S+ )*?` +
      "(?:is|are|was|were|lives?|runs?|goes|comes|has|have|the|in|on|at|to|und|ist|use[sd]?)" +
      String.raw`\b[^.?!]{1,80}(?:,| and)? not (?:in |on |at |the |to |a |from )?[\w§.-]`,
    "u",
  ),
  /** Numbers, files and outcomes that show a thing was checked. */
  measured: new RegExp(
    String.raw`\b\d+(?:[.,:]\d+)?\s*` +
      String.raw`(?:%|ms|s|seconds?|minutes?|mb|gb|kb|x|requests|rows|fps|tests?|/s|m\b)|` +
      String.raw`\bp9\d\b|\bno (?:duplicates|errors|leaks?)\b|` +
      String.raw`\b(?:verified|confirmed|reproduced|re-run)\b|\bpass(?:es|ed)?\b`,
    "u",
  ),
} as const;

export type WordClass = keyof typeof says;

/** Takes the force out of a claim that follows within a few words: "we have not decided", "it never clicked". */
export const negation = new RegExp(
  String.raw`(?:\bnot|n't|\bnever|\bneither|\bnone|\bnor|\bno longer|\bwithout|\bwhether|\bif we|\bhaven't|` +
    String.raw`\bnicht|\bkein\w*)\s+(?:\w+\s+){0,2}$`,
  "u",
);

/** Technical nouns: with one of them a sentence is about work. */
export const technicalNouns = wordClass(phrasesOf(technicalNounsText));
