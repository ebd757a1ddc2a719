/**
 * Checkpoints: what a session was about, in a fixed structure, without a model.
 *
 * Pure. Request and notes are the user's words, outcomes the assistant's, files the tool record's
 * (docs/design/extraction.md, "Summaries"). What an earlier checkpoint knew is carried over, so that only what came
 * after it has to be read: a checkpoint costs the same in a long session as in a short one.
 */
import { openEndsIn, type CheckpointFields, type CheckpointTrigger } from "#domain";
import { cutAtWord, cutToTokens, oneLine } from "#kit";
import { type PlainSentence, plainSentencesOf } from "#language";
import { limits } from "../limits.ts";
import { digestsOf, shortPath } from "./checkpoint-digest.ts";
import type { SessionMaterial, TurnDigest } from "./checkpoint-digest.ts";
import { filesEditedOf, filesInHandOf, filesReadOf, thrashOf } from "./checkpoint-files.ts";
import { itemsOf, textOf, united } from "./checkpoint-items.ts";
import { isTalk, openEndsMax, openEndsOf } from "./digest-open.ts";
import { outcomeOf } from "./digest-outcome.ts";
import { isErrandTitle, titleFor, titleOf } from "./digest-title.ts";
import { isAbout, type Work, workOf } from "./digest-work.ts";
import { headline, isPlan } from "./observe-headline.ts";
import { statements } from "./scorer-judging.ts";
import { has, isAboutLife } from "./scorer-reading.ts";

/** `turns` may lack what `previous` told; the tool record is the session's, as far as it is kept. */
export interface CheckpointMaterial extends SessionMaterial {
  /** The session's checkpoint before this one. */
  readonly previous: CheckpointFields | null;
  readonly trigger: CheckpointTrigger;
  /** The client's own compaction summary, if it made one. */
  readonly compactSummary: string | null;
  /** Files with changes that are not committed. */
  readonly uncommitted: readonly string[];
}

/** Claims from here on are worth telling as learned: cause, correction, pattern, decision, a fact handed over. */
const learnedScoreMin = 0.58;
const itemCharsMax = 220;

/**
 * The structured summary of a session so far: title, outcome and open ends of its digest, and what a brief after a
 * compaction needs beside them. The same material gives the same summary; running it twice adds nothing.
 */
export function summariseSession(material: CheckpointMaterial): {
  readonly l0: string;
  readonly fields: CheckpointFields;
} {
  const digests = digestsOf(material);
  const before = material.previous;
  const work = workOf({
    turns: material.turns,
    toolUses: material.toolUses,
    cwd: material.session.cwd,
    filesBefore: before?.filesEdited ?? [],
  });
  const request = requestOf(material, work);
  const fields: CheckpointFields = {
    request,
    investigated: "",
    learned: grown(before?.learned, learnedIn(digests)),
    completed: completedOf(material, work, request),
    nextSteps: nextStepsOf(material),
    filesRead: filesReadOf(material, before?.filesRead ?? []),
    filesEdited: filesEditedOf(material, before?.filesEdited ?? []),
    notes: grown(before?.notes, notesIn(digests)),
    currentTask: currentTaskOf(material, digests),
    filesInHand: filesInHandOf(material),
    uncommitted: material.uncommitted
      .map((path) => shortPath(path, material.session.cwd))
      .slice(-limits.checkpointFilesMax),
    thrash: thrashOf(material, before?.thrash ?? []),
  };
  return { l0: l0Of(material, request), fields };
}

/** A title stands once it tells of the work; until then what comes later may tell more. */
function requestOf({ previous, turns }: CheckpointMaterial, work: Work): string {
  const now = titleOf(turns, work);
  if (turns[0]?.n === 1 || previous === null) return now;
  const stands = !isErrandTitle(previous.request) && isAbout(work, previous.request);
  return stands || (isErrandTitle(now) && previous.request !== "") ? previous.request : now;
}

/** What was done and holds; of a stretch that does not say it, what was told before. */
function completedOf({ previous, turns }: CheckpointMaterial, work: Work, title: string): string {
  const outcome = outcomeOf(turns, work, title);
  return outcome === "" ? (previous?.completed ?? "") : outcome;
}

/** Returns what the last turns leave open; else what the client's summary calls pending. */
function nextStepsOf({ turns, toolUses, compactSummary, previous }: CheckpointMaterial): string {
  const found = openEndsOf(turns, toolUses, openEndsIn(previous?.nextSteps ?? ""));
  const ends = found.length > 0 ? found : pendingIn(compactSummary).slice(0, openEndsMax);
  return ends.join("; ");
}

/** Items of before and now as one field; the latest win when there are too many. */
const grown = (before: string | undefined, now: readonly string[]): string =>
  textOf(united(itemsOf(before ?? ""), now));

const aimOf = (digests: readonly TurnDigest[]): TurnDigest | null =>
  digests.findLast(({ isAim }) => isAim) ?? null;

/** Sentences of the user that settle or hand over something. Standing wishes are notes. */
const rulings = ["decision", "norm", "notice", "cause", "pattern"] as const;

/** What is known now that was not: what the user settled, and the sentence that carried the turn's claim. */
const learnedIn = (digests: readonly TurnDigest[]): readonly string[] =>
  digests.flatMap(({ claim, reading }) => {
    if (claim.score < learnedScoreMin) return [];
    const settled = statements(reading.prompt).filter(
      (said) =>
        rulings.some((words) => has(said, words)) && !isAboutLife(said) && !has(said, "diagnosis"),
    );
    const carried = claim.sentence === null || isMereWork(claim.type) ? [] : [claim.sentence];
    return [...new Set([...settled, ...carried])].filter((said) => !has(said, "rule")).map(told);
  });

const isMereWork = (type: string): boolean =>
  type === "iteration" || type === "routine" || type === "error";

/** "Let me know if …" offers; it plans nothing. */
const isOffer = ({ plain }: PlainSentence): boolean =>
  /^(?:let me know|if you|feel free|shall i|do you want|would you like|you (?:can|could|may)|want me to)\b/u.test(
    plain,
  );

/** Lines under a heading about pending work in the client's compaction summary. */
function pendingIn(summary: string | null): readonly string[] {
  const section =
    /(?:pending tasks?|next steps?|optional next step)[^\n]*:\s*\n?([\s\S]{0,1500}?)(?:\n\s*\n|\n\s*\d+\.\s|$)/i.exec(
      summary ?? "",
    )?.[1];
  return plainSentencesOf(section ?? "").map(told);
}

/** Standing wishes, and what was cut short. */
const notesIn = (digests: readonly TurnDigest[]): readonly string[] =>
  digests.flatMap(({ context, reading, isAim }) => {
    const wishes = reading.prompt.filter((said) => isAim && !said.isQuestion && has(said, "rule"));
    const cut =
      context.interrupted && isAim
        ? [`Interrupted: ${cutAtWord(oneLine(context.prompt ?? ""), itemCharsMax / 2)}`]
        : [];
    return [...wishes.map(told), ...cut];
  });

/** The latest aim while it is open: interrupted, failing, or with steps left; always before a compaction. */
function currentTaskOf(material: CheckpointMaterial, digests: readonly TurnDigest[]): string {
  const aim = aimOf(digests)?.context.prompt ?? (material.previous?.request || null);
  const { turns, toolUses } = material;
  const worked = turns.findLastIndex((turn) => !isTalk(turn, toolUses));
  const last = digests.at(worked);
  if (aim === null || last === undefined) return "";
  const isOpen =
    last.context.interrupted ||
    last.context.answer === null ||
    last.reading.work.endsFailing ||
    last.reading.answer.some((said) => isPlan(said) && !isOffer(said));
  if (!isOpen && material.trigger !== "precompact") return "";
  return cutAtWord(oneLine(aim), itemCharsMax);
}

/** One line for lists: the title, or how a session without an order began. */
function l0Of(material: CheckpointMaterial, title: string): string {
  const { session } = material;
  const about = [title, titleFor(session.firstPrompt ?? "")].find((text) => text !== "");
  return cutToTokens(about ?? "No request recorded", limits.l0TokensMax);
}

const told = (sentence: PlainSentence): string => headline(sentence, itemCharsMax);
