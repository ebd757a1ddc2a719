/** Claims that something was learned: a breakthrough, a cause, a pattern. Pure. */
import { type PlainSentence, says, startsWithPronoun } from "#language";
import {
  bonus,
  claim,
  explanationIn,
  firstSaying,
  isChanged,
  isInvestigated,
  isTrouble,
  proof,
  statements,
  telling,
  workStatements,
} from "./scorer-judging.ts";
import type { Judge } from "./scorer-judging.ts";
import { has, isAboutLife, isOrder, isSpecific } from "./scorer-reading.ts";
import type { Reading } from "./scorer-reading.ts";

/** Relief beside an explanation: the whole became clear. Relief alone is only a mood. */
export const breakthrough: Judge = (reading) => {
  const relief = firstSaying(statements(reading.prompt), "relief");
  if (relief === null || isAboutLife(relief)) return null;
  const talk = [...reading.prompt, ...reading.answer];
  const wholeIsClear = talk.some((sentence) => has(sentence, "structure"));
  const isExplained =
    wholeIsClear ||
    talk.some((sentence) => has(sentence, "cause")) ||
    statements(reading.prompt).some(({ plain }) => says.why.test(plain)) ||
    (reading.work.recovered && explanationIn(reading) !== null);
  if (!isExplained) return claim("insight", 0.55, relief, "user");
  const wasStruggle = reading.work.recovered || reading.afterStruggle();
  const score = 0.86 + bonus(wholeIsClear, 0.06) + bonus(wasStruggle, 0.03);
  return claim("insight", score, bestExplanation(reading) ?? relief, "user");
};

/** The sentence that tells what became clear; one that stands alone, if there is one. */
function bestExplanation({ prompt, answer }: Reading): PlainSentence | null {
  const found = [
    firstSaying(answer, "cause"),
    firstSaying(answer, "structure"),
    firstSaying(statements(prompt), "structure"),
    firstSaying(statements(prompt), "cause"),
  ].filter((sentence) => sentence !== null);
  return found.find(({ text }) => !startsWithPronoun(text)) ?? found[0] ?? null;
}

/** A cause was named: by the user outright, or by the assistant after a question or a look. */
export const insight: Judge = (reading) => {
  const byUser = firstSaying(workStatements(reading), "cause");
  if (byUser !== null) {
    const isGuess = says.hedge.test(byUser.plain) && !isChanged(reading.work);
    return claim("insight", (isGuess ? 0.55 : 0.74) + proof(reading), byUser, "user");
  }
  const reasoned = workStatements(reading).find(
    (said) => !isOrder(said) && says.why.test(said.plain),
  );
  if (reasoned !== undefined) return claim("insight", 0.68 + proof(reading), reasoned, "user");
  if (!isSpecific(reading)) return null;
  const named = firstSaying(reading.answer, "cause");
  const isOutright = named !== null && says.outright.test(named.plain) && isChanged(reading.work);
  if (named !== null && (isOutright || isTrouble(reading) || isInvestigated(reading.work))) {
    return claim("insight", shown(reading, 0.7), telling(reading.answer, named), "assistant");
  }
  return explained(reading);
};

/** No cause by name: then trouble that was answered with how things are. */
function explained(reading: Reading): ReturnType<Judge> {
  if (!isTrouble(reading) || firstSaying(reading.answer, "unsolved") !== null) return null;
  const sentence = explanationIn(reading);
  if (sentence === null) return null;
  if (reading.work.looks > 0) return claim("insight", shown(reading, 0.66), sentence, "assistant");
  return reading.hasPrevious ? claim("insight", 0.6, sentence, "assistant") : null;
}

/** A cause that the last command still contradicts is a guess. */
const shown = (reading: Reading, base: number): number =>
  reading.work.endsFailing ? 0.6 : base + proof(reading);

/** Something repeats, or a rule is drawn from it. */
export const pattern: Judge = (reading) => {
  const byUser = firstSaying(workStatements(reading), "pattern");
  if (byUser !== null) return claim("insight", 0.75 + proof(reading), byUser, "user");
  const byAssistant = isSpecific(reading) ? firstSaying(reading.answer, "pattern") : null;
  return byAssistant === null
    ? null
    : claim("insight", 0.7 + proof(reading), byAssistant, "assistant");
};
