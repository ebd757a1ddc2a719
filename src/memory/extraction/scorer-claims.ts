/**
 * What a turn can claim to be, each claim with the weight that 30-extraction gives its kind: 0.9 breakthrough,
 * 0.7 decision, correction after investigation, cause or pattern, 0.5 iteration, 0.3 routine.
 *
 * A claim is a word class said by the right speaker, held against the tool record. Pure.
 */
import type { EvaluationType } from "#domain";
import { has, isAboutLife, isAboutWork, isSpecific } from "./scorer-reading.ts";
import type { Reading } from "./scorer-reading.ts";
import { leansOnOthers } from "./scorer-text.ts";
import type { Sentence } from "./scorer-text.ts";
import type { Work } from "./scorer-tools.ts";
import { says } from "./scorer-words.ts";
import type { WordClass } from "./scorer-words.ts";

export interface Claim {
  readonly type: EvaluationType;
  /** 0 to 1. */
  readonly score: number;
  /** The sentence that says it, for the summary; null when only the tool record does. */
  readonly sentence: Sentence | null;
  readonly speaker: "user" | "assistant";
}

/** Every claim the turn makes, in no order. Empty when nothing happened. */
export function claimsOf(reading: Reading): readonly Claim[] {
  return [
    breakthrough,
    correction,
    decision,
    rule,
    insight,
    pattern,
    notice,
    deadEnd,
    trial,
    labour,
  ]
    .map((judge) => judge(reading))
    .filter((claim) => claim !== null);
}

type Judge = (reading: Reading) => Claim | null;

/** Relief beside an explanation: the whole became clear. Relief alone is only a mood. */
const breakthrough: Judge = (reading) => {
  const relief = firstSaying(statements(reading.prompt), "relief");
  if (relief === null || isAboutLife(relief)) return null;
  const wholeIsClear = [...reading.prompt, ...reading.answer].some((sentence) =>
    has(sentence, "structure"),
  );
  const explained =
    wholeIsClear ||
    firstSaying(reading.answer, "cause") !== null ||
    firstSaying(reading.prompt, "cause") !== null;
  if (!explained) return claim("insight", 0.55, relief, "user");
  const score =
    0.86 + bonus(wholeIsClear, 0.06) + bonus(reading.work.recovered || reading.afterStruggle, 0.03);
  return claim("insight", score, bestExplanation(reading) ?? relief, "user");
};

/** The user objects, or the assistant sees its own error. Investigation is what lifts it. */
const correction: Judge = (reading) => {
  const said = objectionIn(reading);
  const admitted = firstSaying(reading.answer.slice(0, 4), "admission");
  if (said === null && (admitted === null || isPoliteness(reading, admitted))) return null;
  const investigated =
    isInvestigated(reading.work) &&
    (admitted !== null || firstSaying(reading.answer, "cause") !== null);
  const score =
    (said === null || admitted === null ? 0.62 : 0.66) +
    bonus(investigated, 0.1) +
    bonus(firstSaying(reading.answer, "cause") !== null, 0.03) +
    bonus(reading.work.filesEdited.length + reading.work.changingCommands > 0, 0.03);
  return claim(
    "correction",
    score,
    telling(reading, said) ?? admitted,
    said === null ? "assistant" : "user",
  );
};

/** "No!" says nothing to a later reader: then the sentence after it does. */
function telling({ prompt }: Reading, said: Sentence | null): Sentence | null {
  if (said === null || said.plain.split(" ").length >= wordsThatTell) return said;
  return (
    prompt
      .slice(prompt.indexOf(said))
      .find(({ plain }) => plain.split(" ").length >= wordsThatTell) ?? said
  );
}

const wordsThatTell = 5;

/** A choice with consequences; a stated reason or a written record makes it weigh more. */
const decision: Judge = (reading) => {
  const byUser = firstSaying(workStatements(reading), "decision");
  if (byUser !== null) {
    const reasoned = reading.prompt.some((sentence) => says.reason.test(sentence.plain));
    return claim("decision", 0.74 + bonus(reasoned, 0.04), byUser, "user");
  }
  const wasAsked = reading.prompt.some((sentence) => sentence.isQuestion);
  const byAssistant = firstSaying(reading.answer, "decision");
  if (byAssistant !== null && wasAsked && isSpecific(reading)) {
    return claim(
      "decision",
      0.72 + bonus(says.reason.test(byAssistant.plain), 0.03),
      byAssistant,
      "assistant",
    );
  }
  const small = firstSaying(workStatements(reading), "smallChoice");
  return small === null ? null : claim("decision", 0.62, small, "user");
};

/** A standing wish for this project or for all work. */
const rule: Judge = (reading) => {
  const wish = firstSaying(workStatements(reading), "rule");
  return wish === null ? null : claim("decision", 0.7, wish, "user");
};

/** A cause was named: by the user outright, or by the assistant when somebody had asked or looked. */
const insight: Judge = (reading) => {
  const byUser = firstSaying(workStatements(reading), "cause");
  if (byUser !== null) return claim("insight", 0.74 + proof(reading), byUser, "user");
  if (!isSpecific(reading)) return null;
  const wasAsked = reading.prompt.some((sentence) => has(sentence, "diagnosis"));
  const named = firstSaying(reading.answer, "cause");
  if (named !== null && (wasAsked || isInvestigated(reading.work))) {
    return claim("insight", 0.7 + proof(reading), named, "assistant");
  }
  const mechanism =
    wasAsked && isInvestigated(reading.work) ? firstSaying(reading.answer, "mechanism") : null;
  const solved = mechanism !== null && firstSaying(reading.answer, "unresolved") === null;
  return solved ? claim("insight", 0.66 + proof(reading), mechanism, "assistant") : null;
};

/** Something repeats, or a rule is drawn from cases. */
const pattern: Judge = (reading) => {
  const byUser = firstSaying(workStatements(reading), "pattern");
  if (byUser !== null) return claim("insight", 0.75 + proof(reading), byUser, "user");
  const byAssistant = isSpecific(reading) ? firstSaying(reading.answer, "pattern") : null;
  return byAssistant === null
    ? null
    : claim("insight", 0.7 + proof(reading), byAssistant, "assistant");
};

/** The user hands over a fact. */
const notice: Judge = (reading) => {
  const fact = firstSaying(workStatements(reading), "notice");
  return fact === null ? null : claim("insight", 0.58, fact, "user");
};

/** A way was given up: worth knowing before somebody walks it again. */
const deadEnd: Judge = (reading) => {
  const said = firstSaying(workStatements(reading), "deadEnd");
  if (said !== null) return claim("decision", 0.68, said, "user");
  const found = isSpecific(reading) ? firstSaying(reading.answer, "deadEnd") : null;
  return found === null ? null : claim("iteration", 0.6, found, "assistant");
};

/** A step of debugging: tried, failed, switched, or still broken. */
const trial: Judge = (reading) => {
  const { work } = reading;
  const tried = firstSaying(reading.answer, "attempt") ?? firstSaying(reading.prompt, "attempt");
  const open =
    work.endsFailing ||
    [...reading.prompt, ...reading.answer].some((sentence) => has(sentence, "unresolved"));
  const acted = work.commands + work.filesEdited.length > 0;
  if (work.endsFailing)
    return claim(
      "error",
      0.55 + bonus(work.failures > 1, 0.04),
      tried ?? lastOf(reading.answer),
      "assistant",
    );
  if (work.recovered) return claim("iteration", 0.6, tried ?? lastOf(reading.answer), "assistant");
  if (tried !== null && acted) return claim("iteration", 0.57, tried, "assistant");
  return open && acted ? claim("error", 0.52, lastOf(reading.answer), "assistant") : null;
};

/** Plain work, weighed by how much of it was done; housekeeping stays housekeeping. */
const labour: Judge = (reading) => {
  const { work } = reading;
  const changes = work.filesEdited.length + work.changingCommands;
  if (changes === 0) return null;
  if (reading.prompt.some((sentence) => has(sentence, "chore"))) {
    return claim(
      "routine",
      Math.min(0.34 + 0.02 * changes, 0.42),
      lastOf(reading.answer),
      "assistant",
    );
  }
  const score =
    0.4 +
    Math.min(0.05 * changes, 0.15) +
    bonus(work.commands > work.changingCommands, 0.03) +
    bonus(work.written > 0, 0.03) +
    bonus(
      reading.answer.some((sentence) => says.measured.test(sentence.plain)),
      0.03,
    ) +
    bonus(reading.answer.length > 1, 0.02);
  return claim(
    score < 0.46 ? "routine" : "iteration",
    Math.min(score, 0.66),
    reading.answer[0] ?? null,
    "assistant",
  );
};

/** What backs a cause: somebody looked, something was changed, the outcome was checked. */
const proof = ({ work, answer }: Reading): number =>
  bonus(isInvestigated(work), 0.03) +
  bonus(work.filesEdited.length + work.changingCommands > 0, 0.03) +
  bonus(work.recovered || answer.some((sentence) => says.measured.test(sentence.plain)), 0.03);

const isInvestigated = (work: Work): boolean => work.looks + work.failures >= 2 || work.recovered;

function objectionIn(reading: Reading): Sentence | null {
  const sentences = reading.prompt.filter((sentence) => !isAboutLife(sentence));
  const outright = sentences.find(
    (sentence) =>
      says.refusal.test(sentence.plain) || (has(sentence, "objection") && reading.hasPrevious),
  );
  const halted = sentences.find(
    (sentence) => !sentence.isQuestion && opensWithHalt(sentence) && !has(sentence, "rule"),
  );
  const contrast = statements(sentences).find(
    (sentence) => says.contrast.test(sentence.plain) && has(sentence, "objection"),
  );
  return outright ?? halted ?? contrast ?? null;
}

/** "don't mock it", "stop adding comments", "it deleted my fixtures"; not "I don't know". */
const opensWithHalt = ({ plain }: Sentence): boolean =>
  /^(?:please |pls |hey,? |bitte )?(?:don'?t|do not|stop \w+|undo|revert)\b/.test(plain) ||
  /\b(?:it|that|this|which|and|now) (?:just )?(?:deleted|deletes|broke|breaks|wiped|wipes|overwrote)\b/.test(
    plain,
  );

/** "Sorry to hear that" in small talk admits nothing. */
const isPoliteness = (reading: Reading, admitted: Sentence): boolean =>
  !reading.hasPrevious &&
  reading.work.looks + reading.work.filesEdited.length === 0 &&
  !has(admitted, "cause");

/** The user's statements that are about work: its words, a name, or tools at work in the same turn. */
function workStatements(reading: Reading): readonly Sentence[] {
  const busy = reading.work.filesEdited.length + reading.work.commands > 0;
  return statements(reading.prompt).filter(
    (sentence) =>
      !isAboutLife(sentence) && (busy || isAboutWork(sentence) || reading.prompt.some(isAboutWork)),
  );
}

const statements = (sentences: readonly Sentence[]): readonly Sentence[] =>
  sentences.filter((sentence) => !sentence.isQuestion);

const firstSaying = (sentences: readonly Sentence[], wordClass: WordClass): Sentence | null =>
  sentences.find((sentence) => has(sentence, wordClass)) ?? null;

/** The sentence that tells what became clear; one that stands alone, if there is one. */
function bestExplanation({ prompt, answer }: Reading): Sentence | null {
  const found = [
    firstSaying(answer, "cause"),
    firstSaying(answer, "structure"),
    firstSaying(statements(prompt), "structure"),
    firstSaying(statements(prompt), "cause"),
  ].filter((sentence) => sentence !== null);
  return found.find(({ text }) => !leansOnOthers(text)) ?? found[0] ?? null;
}

const lastOf = (sentences: readonly Sentence[]): Sentence | null => sentences.at(-1) ?? null;
const bonus = (holds: boolean, amount: number): number => (holds ? amount : 0);
const claim = (
  type: EvaluationType,
  score: number,
  sentence: Sentence | null,
  speaker: Claim["speaker"],
): Claim => ({ type, score, sentence, speaker });
