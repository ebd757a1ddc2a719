/** Claims from the work itself: a step of debugging, or plain work. Pure. */
import { says } from "#language";
import { bonus, claim, firstSaying, lastOf } from "./scorer-judging.ts";
import type { Claim, Judge } from "./scorer-judging.ts";
import { has } from "./scorer-reading.ts";
import type { Reading } from "./scorer-reading.ts";

/** A step of debugging: tried, failed, switched, or still broken. */
export const trial: Judge = (reading) => {
  const { work, prompt, answer } = reading;
  const tried = firstSaying(answer, "attempt") ?? firstSaying(prompt, "attempt");
  const told = tried ?? lastOf(answer);
  if (work.endsFailing)
    return claim("error", 0.55 + bonus(work.failures > 1, 0.04), told, "assistant");
  if (work.recovered) return claim("iteration", 0.6, told, "assistant");
  if (work.commands + work.filesEdited.length === 0) return null;
  if (tried !== null) return claim("iteration", 0.57, tried, "assistant");
  const isOpen =
    answer.some((said) => has(said, "unresolved")) || prompt.some((said) => has(said, "unsolved"));
  return isOpen ? claim("error", 0.52, told, "assistant") : null;
};

/** Plain work, weighed by how much of it was done; housekeeping stays housekeeping. */
export const plainWork: Judge = (reading) => {
  const changes = reading.work.filesEdited.length + reading.work.changingCommands;
  if (changes === 0) return null;
  if (reading.prompt.some((sentence) => has(sentence, "chore")))
    return housekeeping(reading, changes);
  const score = Math.min(labourMax, 0.4 + Math.min(0.05 * changes, 0.15) + care(reading));
  return claim(
    score < 0.46 ? "routine" : "iteration",
    score,
    reading.answer[0] ?? null,
    "assistant",
  );
};

const housekeeping = ({ answer }: Reading, changes: number): Claim =>
  claim("routine", Math.min(0.34 + 0.02 * changes, 0.42), lastOf(answer), "assistant");

/** However much is done, work alone is an iteration. */
const labourMax = 0.66;

/** Signs that it was more than a line: checked, new files, measured, worth a second sentence. */
const care = ({ work, answer }: Reading): number =>
  bonus(work.commands > work.changingCommands, 0.03) +
  bonus(work.written > 0, 0.03) +
  bonus(
    answer.some(({ plain }) => says.measured.test(plain)),
    0.03,
  ) +
  bonus(answer.length > 1, 0.02);
