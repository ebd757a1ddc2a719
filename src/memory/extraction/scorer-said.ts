/** Claims from what the user says: a correction, a decision, a rule, a fact, a way given up. Pure. */
import { type PlainSentence, says, valuesOf } from "#language";
import {
  bonus,
  claim,
  firstSaying,
  isChanged,
  isInvestigated,
  isTrouble,
  statements,
  telling,
  wordsThatTell,
  workStatements,
} from "./scorer-judging.ts";
import type { Judge } from "./scorer-judging.ts";
import { declares, has, isAboutLife, isAboutWork, isSpecific } from "./scorer-reading.ts";
import type { Reading } from "./scorer-reading.ts";

/** The user objects, or the assistant sees its own error. Investigation is what lifts it. */
export const correction: Judge = (reading) => {
  const said = objectionIn(reading);
  const admitted = firstSaying(reading.answer.slice(0, 4), "admission");
  if (said === null && (admitted === null || isPoliteness(reading, admitted))) return null;
  const told = said === null ? admitted : telling(reading.prompt, said);
  const speaker = said === null ? "assistant" : "user";
  const isIdle = admitted === null && !isChanged(reading.work) && !reading.prompt.some(isConcrete);
  if (isIdle) return claim("correction", 0.45, told, speaker);
  return claim(
    "correction",
    plainness(said, admitted) + weightOfMending(reading, admitted),
    told,
    speaker,
  );
};

/** An outright no, or an objection that the assistant grants, is surer than either side alone. */
function plainness(said: PlainSentence | null, admitted: PlainSentence | null): number {
  if (said === null) return 0.62;
  return admitted !== null || says.refusal.test(said.plain) ? 0.67 : 0.62;
}

/** A correction after investigation weighs more than one that was only obeyed. */
function weightOfMending(reading: Reading, admitted: PlainSentence | null): number {
  const hasCause = firstSaying(reading.answer, "cause") !== null;
  return (
    bonus(isInvestigated(reading.work) && (admitted !== null || hasCause), 0.1) +
    bonus(hasCause, 0.03) +
    bonus(isChanged(reading.work), 0.03)
  );
}

/** Something to hold on to: work words in more than a remark. */
const isConcrete = (sentence: PlainSentence): boolean =>
  isAboutWork(sentence) && !sentence.isQuestion && sentence.plain.split(" ").length >= 4;

function objectionIn(reading: Reading): PlainSentence | null {
  const sentences = reading.prompt.filter((sentence) => !isAboutLife(sentence));
  const objects = (sentence: PlainSentence): boolean =>
    says.refusal.test(sentence.plain) ||
    (reading.hasPrevious && (has(sentence, "objection") || has(sentence, "reproach"))) ||
    damage.test(sentence.plain) ||
    (!sentence.isQuestion && says.contrast.test(sentence.plain) && has(sentence, "objection"));
  const halted = sentences.find((sentence) => !sentence.isQuestion && halt.test(sentence.plain));
  const outright = sentences.find(objects);
  if (outright !== undefined) return outright;
  // "Don't extend the store" forbids; it objects only where something was done to be taken back.
  return halted !== undefined && (takesBack.test(halted.plain) || admits(reading)) ? halted : null;
}

const admits = (reading: Reading): boolean =>
  firstSaying(reading.answer.slice(0, 4), "admission") !== null;

const halt = /^(?:please |pls |hey,? |bitte )?(?:don't|do not|stop \w+|undo|revert)\b/;
const takesBack = /^(?:please |pls |hey,? |bitte )?(?:stop \w+ing|undo|revert)\b/;
const damage =
  /\b(?:it|that|this|which|and|now) (?:just )?(?:deleted|deletes|broke|breaks|wiped|wipes|overwrote)\b/;

/** "Sorry to hear that" in small talk admits nothing. */
const isPoliteness = (reading: Reading, admitted: PlainSentence): boolean =>
  !reading.hasPrevious &&
  reading.work.looks + reading.work.filesEdited.length === 0 &&
  !has(admitted, "cause");

/** A choice with consequences; a stated reason makes it weigh more. */
export const decision: Judge = (reading) => {
  const byUser = firstSaying(workStatements(reading), "decision");
  if (byUser !== null) {
    const isReasoned = reading.prompt.some(({ plain }) => says.reason.test(plain));
    return claim("decision", 0.74 + bonus(isReasoned, 0.04), byUser, "user");
  }
  const advised = adviceIn(reading);
  if (advised !== null) {
    return claim(
      "decision",
      0.72 + bonus(says.reason.test(advised.plain), 0.03),
      advised,
      "assistant",
    );
  }
  const small = firstSaying(workStatements(reading), "smallChoice");
  return small === null ? null : claim("decision", 0.62, small, "user");
};

/** A choice was asked for, and the assistant made one; a fault that was asked about is no choice. */
function adviceIn(reading: Reading): PlainSentence | null {
  const asked = reading.prompt.filter((said) => said.isQuestion || asksToWeigh.test(said.plain));
  if (asked.length === 0 || !isSpecific(reading)) return null;
  const hasChoice = asked.some((said) => has(said, "choice") || asksToWeigh.test(said.plain));
  if (!hasChoice && isTrouble(reading)) return null;
  const outright = reading.answer.find((said) => says.advice.test(said.plain));
  if (outright !== undefined) return outright;
  return hasChoice ? (reading.answer.find(({ plain }) => says.reason.test(plain)) ?? null) : null;
}

const asksToWeigh =
  /^(?:please |pls |can you |could you )?(?:compare|evaluate|weigh|recommend|suggest|propose|choose|pick|assess)\b/;

/** A standing wish, or what has to be. It needs no technical noun: "never do that again" is about work, too. */
export const rule: Judge = (reading) => {
  const own = statements(reading.prompt).filter((sentence) => !isAboutLife(sentence));
  const wish = firstSaying(own, "rule");
  if (wish !== null) return claim("decision", 0.7, wish, "user");
  const norm =
    firstSaying(own, "norm") ?? own.find(({ plain }) => halt.test(plain) && !takesBack.test(plain));
  return norm === undefined ? null : claim("decision", 0.66, norm, "user");
};

/** A setting was given a value and a reason: small, but the reason will be asked for. */
export const setting: Judge = (reading) => {
  const own = workStatements(reading);
  const valued = own.find(({ text }) => valuesOf(text).length > 0);
  const isReasoned = own.some((said) => says.reason.test(said.plain) || declares(said));
  return valued !== undefined && isReasoned && isChanged(reading.work)
    ? claim("decision", 0.56, valued, "user")
    : null;
};

/** The user hands over a fact, marked as such or plainly stated. */
export const notice: Judge = (reading) => {
  const calm = workStatements(reading).filter(
    (sentence) => !has(sentence, "diagnosis") || !isInvestigated(reading.work),
  );
  const marked = firstSaying(calm, "notice");
  if (marked !== null) return claim("insight", 0.58, marked, "user");
  const stated = calm.find(
    (said) =>
      declares(said) && !has(said, "diagnosis") && said.plain.split(" ").length >= wordsThatTell,
  );
  return stated === undefined ? null : claim("insight", 0.5, stated, "user");
};

/** A way was given up: worth knowing before it is tried again. */
export const deadEnd: Judge = (reading) => {
  const said = firstSaying(workStatements(reading), "deadEnd");
  if (said !== null) return claim("decision", 0.68, said, "user");
  const found = isSpecific(reading) ? firstSaying(reading.answer, "deadEnd") : null;
  return found === null ? null : claim("iteration", 0.6, found, "assistant");
};
