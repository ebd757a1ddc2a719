/**
 * Observations: what a turn's tool use brought about, compressed to what is worth looking up later.
 *
 * Pure. Not routine reading, not work in progress, not the obvious (docs/design/extraction.md, "Observe"); the outcome
 * is told in the assistant's own words, the files come from the tool record.
 */
import type { ObservationDraft, ObservationType } from "#domain";
import { cutAtWord } from "#kit";
import { type PlainSentence, identifiersOf, startsWithPronoun, technicalNouns } from "#language";
import { limits } from "../limits.ts";
import { headline, isDone, isPlan } from "./observe-headline.ts";
import { claimsOf } from "./scorer-claims.ts";
import { isTrouble } from "./scorer-judging.ts";
import type { Claim } from "./scorer-judging.ts";
import { ceilingOf, has, readingOf } from "./scorer-reading.ts";
import type { Reading } from "./scorer-reading.ts";
import type { TurnContext } from "./turn-context.ts";

/** Claims below these are remarks, not observations: decision and dead end, cause and pattern. */
const decisionScoreMin = 0.68;
const causeScoreMin = 0.66;

/**
 * Typed observations of a closed turn, the most telling first; empty when it was interrupted, only looked around or
 * left nothing that holds.
 */
export function observeTurn(turn: TurnContext): readonly ObservationDraft[] {
  if (turn.prompt === null || turn.answer === null || turn.interrupted) return [];
  const reading = readingOf(turn, [{ prompt: turn.previousPrompt, answer: turn.previousAnswer }]);
  if (!isMeaningful(reading)) return [];
  const claims = claimsOf(reading);
  const work = workObservation(turn, reading, claims);
  const decided = decisions(turn, reading, claims);
  const found = [
    decided.length > 0 && isPaperTrail(reading) ? null : work,
    ...decided,
    work === null ? discovery(turn, reading, claims) : null,
  ];
  return distinct(found.filter((draft) => draft !== null)).slice(0, limits.observationsPerTurnMax);
}

/** Something was changed, run or looked into, and not as an errand. */
function isMeaningful(reading: Reading): boolean {
  const { work } = reading;
  const acted = work.filesEdited.length + work.changingCommands + work.commands + work.looks > 0;
  return acted && ceilingOf(reading) === 1;
}

/** Only documents were touched: the record of a decision is not a second event. */
const isPaperTrail = ({ work }: Reading): boolean =>
  work.changingCommands === 0 &&
  work.filesEdited.every((path) => /\.(?:md|mdx|txt|rst|adoc)$/i.test(path));

/** What was done, if it holds: a failing last command means work in progress. */
function workObservation(
  turn: TurnContext,
  reading: Reading,
  claims: readonly Claim[],
): ObservationDraft | null {
  const { work } = reading;
  if (work.filesEdited.length + work.changingCommands === 0 || work.endsFailing) return null;
  const isHousekeeping = reading.prompt.some((said) => has(said, "chore"));
  if (isHousekeeping && work.filesEdited.length <= 1 && reading.answer.length <= 1) return null;
  const done = doneSentence(reading);
  if (done === null) return null;
  return draftOf(turn, reading, { type: workType(reading, claims), sentence: done });
}

/** The sentence that tells the outcome best: one that stands alone, else the first that says something was done. */
function doneSentence({ answer }: Reading): PlainSentence | null {
  const done = answer.filter(isDone);
  return (
    done.find(
      (said) =>
        !startsWithPronoun(headline(said, limits.observationTitleCharsMax)) && saysEnough(said),
    ) ??
    done.find(saysEnough) ??
    null
  );
}

const saysEnough = ({ plain }: PlainSentence): boolean => plain.split(" ").length >= 4;

/** Kinds of work by the words of the request, then of the outcome; the first row that fits. */
const workKinds: readonly { readonly type: ObservationType; readonly words: RegExp }[] = [
  {
    type: "bugfix",
    words:
      /\b(?:fix(?:e[sd])?|bugs?|crash\w*|leak\w*|broken|broke|wrong|fail(?:s|ed|ing|ure)?|errors?|deadlock|regression|flaky|flicker|corrupt\w*|reset(?:s|ting) (?:after|randomly)|slow)\b/u,
  },
  {
    type: "refactor",
    words:
      /\b(?:refactor\w*|extract(?:ed)?|split|simplif\w+|restructur\w+|renam\w+|clean(?:ed)? up|dedup\w*|inline[ds]?|reorgani\w+|subclasses|decoupl\w+|into its own)\b/u,
  },
  {
    type: "feature",
    words:
      /\b(?:implement\w*|add(?:s|ed)?|support(?:s|ed)?|introduc\w+|creat\w+|build|built|new|endpoint|dark mode|speed up|backfill\w*)\b/u,
  },
];

function workType(reading: Reading, claims: readonly Claim[]): ObservationType {
  const asked = kindOf(reading.prompt);
  const hasCause =
    isTrouble(reading) &&
    claims.some(({ type, score }) => type === "insight" && score >= causeScoreMin);
  if (hasCause && asked !== "feature" && asked !== "refactor") return "bugfix";
  if (claims.some(({ type }) => type === "correction"))
    return asked === "bugfix" ? asked : "change";
  return (
    asked ??
    (toldFix.test(plainOf(reading.answer.slice(0, 2)))
      ? "bugfix"
      : kindOf(reading.answer.slice(0, 1), "bugfix")) ??
    "change"
  );
}

/** An answer speaks of errors and failures all the time; only these words say that one was mended. */
const toldFix =
  /\b(?:fixed|the (?:bug|crash|leak|error) (?:is|was)|no longer (?:crash|fail|leak|hang)\w*)\b/u;

const kindOf = (
  sentences: readonly PlainSentence[],
  except?: ObservationType,
): ObservationType | null =>
  workKinds.find(({ type, words }) => type !== except && words.test(plainOf(sentences)))?.type ??
  null;

const plainOf = (sentences: readonly PlainSentence[]): string =>
  sentences.map(({ plain }) => plain).join(" ");

const decisions = (
  turn: TurnContext,
  reading: Reading,
  claims: readonly Claim[],
): readonly ObservationDraft[] =>
  claims.flatMap(({ type, score, sentence }) =>
    type === "decision" && score >= decisionScoreMin && sentence !== null && saysEnough(sentence)
      ? [draftOf(turn, reading, { type: "decision", sentence })]
      : [],
  );

/** A cause or pattern; beside a change it is part of that change's narrative, so it stands alone only without one. */
function discovery(
  turn: TurnContext,
  reading: Reading,
  claims: readonly Claim[],
): ObservationDraft | null {
  const sentence = claims
    .filter(({ type, score }) => type === "insight" && score >= causeScoreMin)
    .toSorted((a, b) => b.score - a.score)
    .find((claim) => claim.sentence !== null && saysEnough(claim.sentence))?.sentence;
  return sentence == null ? null : draftOf(turn, reading, { type: "discovery", sentence });
}

function draftOf(
  turn: TurnContext,
  reading: Reading,
  about: { readonly type: ObservationType; readonly sentence: PlainSentence },
): ObservationDraft {
  const title = titleOf(turn, about.sentence);
  return {
    sessionId: turn.sessionId,
    turn: turn.turn,
    project: turn.project,
    type: about.type,
    title,
    subtitle: cutAtWord(reading.prompt[0]?.text ?? "", limits.observationSubtitleCharsMax),
    narrative: cutAtWord(narrativeOf(reading, about.sentence), limits.observationNarrativeCharsMax),
    facts: factsOf(reading, about.sentence),
    concepts: conceptsOf(`${title} ${reading.prompt.map(({ text }) => text).join(" ")}`),
    filesRead: reading.work.filesRead.slice(0, limits.observationFilesMax),
    filesModified: reading.work.filesEdited.slice(0, limits.observationFilesMax),
    atMs: turn.atMs,
  };
}

/** A title that leans on the conversation takes the request in front. */
function titleOf(turn: TurnContext, sentence: PlainSentence): string {
  const title = headline(sentence, limits.observationTitleCharsMax);
  const ask = turn.prompt?.split("\n")[0]?.trim() ?? "";
  if (!startsWithPronoun(title) || ask === "") return title;
  return cutAtWord(
    `${cutAtWord(ask, limits.observationTitleCharsMax / 2)}: ${title}`,
    limits.observationTitleCharsMax,
  );
}

/** The answer's statements around the headline: cause first when one is named, plans and nods left out. */
function narrativeOf({ answer }: Reading, sentence: PlainSentence): string {
  const telling = answer.filter((said) => !said.isQuestion && !isPlan(said) && saysEnough(said));
  const causes = telling.filter((said) => has(said, "cause"));
  const ordered = [...causes, ...telling.filter((said) => !causes.includes(said))];
  return (ordered.length === 0 ? [sentence] : ordered).map(({ text }) => text).join(" ");
}

/** Statements with something hard in them: a number, an identifier, a name in code. */
function factsOf({ answer, prompt }: Reading, sentence: PlainSentence): readonly string[] {
  const hard = [...answer, ...prompt].filter(
    (said) =>
      said !== sentence &&
      !said.isQuestion &&
      !isPlan(said) &&
      saysEnough(said) &&
      /\d|`|\w[_/]\w|[a-z][A-Z]/.test(said.text),
  );
  return hard
    .slice(0, limits.observationFactsMax)
    .map(({ text }) => cutAtWord(text, limits.observationSubtitleCharsMax));
}

/** Topic words: identifiers as written, technical nouns. */
function conceptsOf(text: string): readonly string[] {
  const words = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}_./-]+/u)
    .filter((word) => word.length > 2 && technicalNouns.test(word));
  const concepts = [...words, ...identifiersOf(text).map((name) => name.toLowerCase())].map(
    (word) => word.replace(/^[./-]+|[./-]+$/g, ""),
  );
  return [...new Set(concepts)]
    .filter((word) => word.length > 1 && word.length <= 40)
    .slice(0, limits.observationConceptsMax);
}

function distinct(drafts: readonly ObservationDraft[]): readonly ObservationDraft[] {
  return drafts.filter(
    (draft, index) => drafts.findIndex(({ title }) => title === draft.title) === index,
  );
}
