/**
 * Does a newer statement end an older one? Found clause by clause: the same subject with another value, a choice that
 * names what it turns down, or opposite ends of one preference. Conservative: a wrong yes loses a good memory. Pure.
 */
import type { Candidate, MemoryNode } from "#domain";
import {
  canonicalWord,
  contentWords,
  identifiersOf,
  jaccard,
  sharedCount,
  toolFamily,
  valuesOf,
  wordsOf,
} from "../language/index.ts";
import { chosenIn, endedIn, rejectedIn } from "./choices.ts";
import { areSiblings } from "./modifiers.ts";
import { oppositeIn } from "./opposites.ts";
import { restated } from "./restated.ts";
import { resaid, successor } from "./succession.ts";
import {
  differingKind,
  isColourless,
  isVaguer,
  subjectCoverage,
  subjectOf,
  subjectShare,
} from "./slots.ts";
import { bareTexts, clausesOf } from "./statement.ts";

export interface Replacement {
  readonly reason: string;
  /** Larger is surer; only compared with other replacements of the same candidate. */
  readonly strength: number;
}

/** Why and how surely `candidate` replaces `node`; null when it does not. */
export function replacement(candidate: Candidate, node: MemoryNode): Replacement | null {
  const [newer, older] = bareTexts(candidate.l0, node.l0);
  return (
    changedValue(newer, older, candidate.replaces) ??
    (candidate.replaces ? namedOld(newer, older, node) : null) ??
    (candidate.replaces ? widerRule(newer, older) : null) ??
    (candidate.replaces && node.category !== "profile" ? successor(newer, older) : null) ??
    resaid(candidate, node) ??
    restated(newer, older, candidate.replaces) ??
    otherTool(newer, older) ??
    otherEnd(newer, older, candidate)
  );
}

/** Subject overlap asked for when the words say that something changed, and when they do not. */
const subjectShareChanged = 0.5;
const subjectShareSilent = 0.75;
/** The newer words name the old value itself: little else must agree. */
const subjectShareNamed = 0.3;

/** The same subject with another value of the same kind, in any pair of clauses; the nearest pair decides. */
function changedValue(newer: string, older: string, isChange: boolean): Replacement | null {
  const namesOld = namesOldValue(newer, older, isChange);
  let best: Replacement | null = null;
  for (const clause of clausesOf(newer))
    for (const other of clausesOf(older)) {
      const found = changedPair(clause, other, { isChange, namesOld });
      if (found !== null && found.strength > (best?.strength ?? 0)) best = found;
    }
  return best;
}

interface Announced {
  /** The words say that something changed. */
  readonly isChange: boolean;
  /** They name the old value. */
  readonly namesOld: boolean;
}

function changedPair(clause: string, other: string, said: Announced): Replacement | null {
  const { isChange, namesOld } = said;
  const needed = namesOld ? subjectShareNamed : isChange ? subjectShareChanged : subjectShareSilent;
  const covered = isChange ? subjectCoverage(clause, other) : 0;
  const strength = Math.max(subjectShare(clause, other), covered);
  if (strength < needed || areSiblings(clause, other)) return null;
  const kind = conflictingKind(clause, other, isChange);
  if (kind === null) return null;
  const isSure = namesOld || (isChange && namedKinds.has(kind));
  if (isVaguer(clause, other) && !isSure) return null;
  return { reason: `another ${kind} for the same subject`, strength };
}

/** Values that are names: a subject has few of them, so that half its name tells it. */
const namedKinds = new Set(["channel", "host", "region", "address", "language"]);

/** The kind of value that cannot hold twice; null when both clauses can stand. */
function conflictingKind(clause: string, other: string, isChange: boolean): string | null {
  const opposite = oppositeIn(contentWords(clause), contentWords(other));
  if (opposite !== null && !(isChange && calendarWords.has(opposite[0]))) return null;
  if (!isChange && boundOf(clause) !== boundOf(other)) return null;
  const kind = differingKind(clause, other, isChange);
  // Two days can both have the rule, unless the words say that it changed.
  return !isChange && kind === "weekday" ? null : kind;
}

/** Days and rhythms exclude each other as values do, once the words say that something changed. */
const calendarWords = new Set(
  "monday tuesday wednesday thursday friday saturday sunday daily weekly monthly hourly"
    .split(" ")
    .flatMap((word) => contentWords(word)),
);

/** "the page size is 50" and "the maximum page size is 200" are two settings. */
const boundOf = (clause: string): string =>
  /\b(?:max(?:imum)?|min(?:imum)?|default|at (?:most|least))\b/i
    .exec(clause)?.[0]
    .slice(0, 3)
    .toLowerCase() ?? "";

/** "24h wasnt enough", "the 60 limit … make it 300": the newer words name the old value beside the new one. */
function namesOldValue(newer: string, older: string, isChange: boolean): boolean {
  const rejected = rejectedIn(newer);
  const old = valuesOf(older);
  if (old.some(({ text }) => rejected.has(text.toLowerCase()))) return true;
  const named = new Set(valuesOf(newer).map(({ canonical }) => canonical));
  return isChange && old.some(({ kind, canonical }) => kind !== "date" && named.has(canonical));
}

/** "jest is gone", "instead of the xlsx", "greta left": the old statement is about what is turned down here. */
function namedOld(newer: string, older: string, node: MemoryNode): Replacement | null {
  if (node.category === "profile") return null;
  const left = leftIn(newer);
  const rejected = new Set([...rejectedIn(newer), ...left]);
  const inOlder = new Set(contentWords(older));
  const named = [...rejected].filter((word) => inOlder.has(word) && !isColourless(word));
  if (named.length === 0) return null;
  const gone = rejectedIn(older);
  if (named.every((word) => gone.has(word))) return null;
  const shared = sharedCount(
    withParts(older, (word) => !named.includes(word) && !isColourless(word)),
    withParts(newer, (word) => !named.includes(word)),
  );
  if (shared < sharedNeeded(named, newer, older)) return null;
  return { reason: `${named.join(", ")} no longer holds`, strength: 0.6 + shared / 20 };
}

/** The surer it is that the turned-down word is a thing of its own, the less else must be shared. */
function sharedNeeded(named: readonly string[], newer: string, older: string): number {
  const ended = endedIn(newer);
  const chosen = chosenIn(older);
  if (named.some((word) => isSucceeded(word, newer) || chosen.has(word))) return 0;
  const left = leftIn(newer);
  if (named.some((word) => isObject(word, older) && (left.has(word) || isTool(word, ended, newer))))
    return 0;
  return named.some((word) => ended.has(word) || isTelling(word, newer, older)) ? 1 : 2;
}

const isTool = (word: string, ended: ReadonlySet<string>, text: string): boolean =>
  ended.has(word) &&
  wordsOf(text).some((said) => canonicalWord(said) === word && toolFamily(said) !== null);

/** "we went from i18next to lingui", "biome replaces eslint": said in so many words. */
const leftIn = (text: string): ReadonlySet<string> =>
  new Set(
    [
      ...text.matchAll(
        /\b(?:(?:went|switched|moved|migrated|changed|move|switch|migrate) (?:\S+ ){0,3}?from|replac(?:e|es|ed|ing)|instead of|in place of|off)\s+([\p{L}\p{N}][\p{L}\p{N}_.@/-]{1,40})/giu,
      ),
      ...text.matchAll(/([\p{L}\p{N}][\p{L}\p{N}_.@/-]{1,40}) (?:->|→|=>) /gu),
    ].map(([, word = ""]) => canonicalWord(word.toLowerCase())),
  );

/** "the job queue is bullmq": the tool is what the older statement comes down to. */
const isObject = (word: string, older: string): boolean =>
  clausesOf(older).some((clause) => contentWords(clause).at(-1) === word);

/** Content words with the parts of compound ones: `chart.js` is also a chart. */
const withParts = (text: string, keep: (word: string) => boolean): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const word of contentWords(text)) {
    if (!keep(word)) continue;
    found.add(word);
    for (const part of word.split(/[._/-]/)) for (const own of contentWords(part)) found.add(own);
  }
  return found;
};

/** The newer words choose another tool of the same family. */
const isSucceeded = (word: string, newer: string): boolean => {
  const family = toolFamily(word);
  return (
    family !== null &&
    wordsOf(newer).some((other) => other !== word && toolFamily(other) === family)
  );
};

/** A tool, a name or an identifier; common nouns are turned down all the time. */
const isTelling = (word: string, newer: string, older: string): boolean =>
  toolFamily(word) !== null ||
  identifiersOf(word).length > 0 ||
  new RegExp(`(?<=^|[^\\p{L}])${escaped(capital(word))}`, "u").test(`${newer} ${older}`);

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const ruleWord = /\b(?:no|never|don'?t|dont|do not|must|always|only|every|forbidden)\b/i;
const universal =
  /\b(?:at all|any ?more|entirely|completely|always|never|any|whatsoever|all day)\b/i;

/** All that a rule is about, its days included; its hours are what gets widened. */
const termsOf = (clause: string): ReadonlySet<string> =>
  new Set(contentWords(clause).filter((word) => !/\d/.test(word) && !isColourless(word)));

/** "no deploys on fridays at all" after "no deploys on fridays after 14:00". */
function widerRule(newer: string, older: string): Replacement | null {
  if (!universal.test(newer)) return null;
  for (const clause of clausesOf(newer))
    for (const other of clausesOf(older)) {
      if (!ruleWord.test(clause) || !ruleWord.test(other)) continue;
      const terms = termsOf(other);
      const share = jaccard(termsOf(clause), terms);
      if (share >= subjectShareChanged && terms.size >= 2)
        return { reason: "the rule was widened", strength: share };
    }
  return null;
}

/** Two tools of one family in statements about the same thing: "tests run on jest", "tests run on vitest". */
function otherTool(newer: string, older: string): Replacement | null {
  const rejected = rejectedIn(newer);
  const rejectedOld = rejectedIn(older);
  for (const clause of clausesOf(newer))
    for (const other of clausesOf(older)) {
      const mine = toolsOf(clause, rejected);
      const theirs = toolsOf(other, rejectedOld);
      const family = [...mine.keys()].find(
        (name) => theirs.has(name) && mine.get(name) !== theirs.get(name),
      );
      if (family === undefined) continue;
      const share = jaccard(withoutTools(clause), withoutTools(other));
      if (share >= subjectShareChanged) return { reason: `another ${family}`, strength: share };
    }
  return null;
}

const toolsOf = (clause: string, rejected: ReadonlySet<string>): ReadonlyMap<string, string> =>
  new Map(
    wordsOf(clause)
      .filter((word) => toolFamily(word) !== null && !rejected.has(word))
      .map((word) => [toolFamily(word) ?? "", word]),
  );

const withoutTools = (clause: string): ReadonlySet<string> =>
  new Set([...subjectOf(clause)].filter((word) => toolFamily(word) === null));

const verbosity = {
  short:
    /\b(?:less (?:explanation|detail|talk|prose)|one sentence|short|shorter|brief|concise|terse|skim|max(?:imum)? \d+ bullets?|to the point|no fluff)\b/i,
  long: /\b(?:step by step|detail|details|detailed|in depth|thorough|verbose|explain the why|long (?:answers|explanations|replies)|elaborate)\b/i,
  topic:
    /\b(?:answers?|repl(?:y|ies)|responses?|explain|explanations?|bullets?|keep (?:it|them)|why)\b/i,
} as const;

/** Opposite ends of how the user wants to be answered; opposite words in one and the same rule. */
function otherEnd(newer: string, older: string, candidate: Candidate): Replacement | null {
  const isStyle = candidate.category === "preferences" && candidate.project === null;
  if (isStyle && (verbosity.topic.test(newer) || verbosity.topic.test(older))) {
    const shortens = verbosity.short.test(newer) && verbosity.long.test(older);
    const lengthens = verbosity.long.test(newer) && verbosity.short.test(older);
    if (shortens || lengthens)
      return { reason: "answers are to have another length", strength: 0.7 };
  }
  return reversedChoice(newer, older);
}

/** "tabs over spaces" after "spaces over tabs"; "enabled" after "disabled" in an otherwise equal clause. */
function reversedChoice(newer: string, older: string): Replacement | null {
  for (const clause of clausesOf(newer))
    for (const other of clausesOf(older)) {
      const a = new Set(contentWords(clause));
      const b = new Set(contentWords(other));
      const pair = oppositeIn([...a], [...b]);
      if (pair === null || placeWords.has(pair[0])) continue;
      a.delete(pair[0]);
      b.delete(pair[1]);
      if (a.size > 0 && jaccard(a, b) >= subjectShareSilent)
        return { reason: `${pair[0]} in place of ${pair[1]}`, strength: 0.8 };
    }
  return null;
}

/** Opposites that tell two things apart instead of contradicting: staging and production both exist. */
const placeWords = new Set(
  "staging production local remote development frontend backend client server internal external first last primary replica secondary master request response upload download left right input output minimum maximum public private morning evening day night read write monday tuesday wednesday thursday friday saturday sunday"
    .split(" ")
    .flatMap((word) => contentWords(word)),
);
