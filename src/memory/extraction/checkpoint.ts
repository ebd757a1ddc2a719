/**
 * Checkpoints: what a session was about, in a fixed structure, without a model.
 *
 * Pure. Request and notes are the user's words, outcomes the assistant's, files the tool record's (30-extraction,
 * "Summarise"). What an earlier checkpoint knew is carried over, so that only what came after it has to be read: a
 * checkpoint costs the same in a long session as in a short one.
 */
import type { CheckpointFields, CheckpointTrigger } from "#domain";
import { cutAtWord, cutToTokens, isoDate, oneLine } from "#kit";
import { limits } from "../limits.ts";
import { digestsOf, shortPath } from "./checkpoint-digest.ts";
import type { SessionMaterial, TurnDigest } from "./checkpoint-digest.ts";
import { filesEditedOf, filesInHandOf, filesReadOf, thrashOf } from "./checkpoint-files.ts";
import { itemsOf, textOf, united } from "./checkpoint-items.ts";
import { headline, isPlan } from "./observe-headline.ts";
import { statements } from "./scorer-judging.ts";
import { has, isAboutLife } from "./scorer-reading.ts";
import { sentencesOf } from "./scorer-text.ts";
import type { Sentence } from "./scorer-text.ts";

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
 * The structured summary of a session so far, with one self-contained line of at most 100 tokens that names project,
 * date and what was done. The same material gives the same summary; running it twice adds nothing.
 */
export function summariseSession(material: CheckpointMaterial): {
  readonly l0: string;
  readonly fields: CheckpointFields;
} {
  const digests = digestsOf(material);
  const before = material.previous;
  const fields: CheckpointFields = {
    request: requestOf(material, digests),
    investigated: grown(before?.investigated, investigatedIn(digests)),
    learned: grown(before?.learned, learnedIn(digests)),
    completed: grown(before?.completed, completedIn(digests)),
    nextSteps: textOf(nextStepsOf(material, digests)),
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
  return { l0: l0Of(material, fields), fields };
}

/** Items of before and now as one field; the latest win when there are too many. */
const grown = (before: string | undefined, now: readonly string[]): string =>
  textOf(united(itemsOf(before ?? ""), now));

/** `<first prompt> → latest: <aim>`; the aim is the last request that was about the work. */
function requestOf(material: CheckpointMaterial, digests: readonly TurnDigest[]): string {
  const first = oneLine(material.session.firstPrompt ?? digests[0]?.context.prompt ?? "");
  const aim = oneLine(aimOf(digests)?.context.prompt ?? "");
  const before = material.previous?.request ?? "";
  const head = cutAtWord(first, itemCharsMax);
  if (aim === "") return before === "" ? head : before;
  if (aim === first) return head;
  const latest = cutAtWord(aim, itemCharsMax);
  return head === "" ? latest : `${head}${latestMark}${latest}`;
}

const latestMark = " → latest: ";

const aimOf = (digests: readonly TurnDigest[]): TurnDigest | null =>
  digests.findLast(({ isAim }) => isAim) ?? null;

/** What was looked into: questions and faults that made somebody read or run something. */
const investigatedIn = (digests: readonly TurnDigest[]): readonly string[] =>
  digests.flatMap(({ context, reading, isAim }) => {
    const hasLooked = reading.work.looks + reading.work.failures > 0;
    const asked = reading.prompt.some(
      (said) =>
        said.isQuestion ||
        (has(said, "diagnosis") &&
          !forbids.test(said.plain) &&
          !rulings.some((words) => has(said, words))),
    );
    return isAim && hasLooked && asked
      ? [cutAtWord(oneLine(context.prompt ?? ""), itemCharsMax)]
      : [];
  });

const forbids = /^(?:please |pls )?(?:don't|do not|never)\b/;

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

/** What was done and holds. */
const completedIn = (digests: readonly TurnDigest[]): readonly string[] =>
  digests.flatMap(({ observations }) =>
    observations
      .filter(({ type }) => type !== "decision" && type !== "discovery")
      .map(({ title }) => title),
  );

/** What the last answer leaves open; else what the client's summary calls pending. */
function nextStepsOf(
  material: CheckpointMaterial,
  digests: readonly TurnDigest[],
): readonly string[] {
  const last = digests.findLast(({ context }) => context.answer !== null) ?? null;
  if (last === null) return itemsOf(material.previous?.nextSteps ?? "");
  const planned = last.reading.answer.filter((said) => isPlan(said) && !isOffer(said)).map(told);
  const failing = last.reading.work.endsFailing ? failureOf(last) : [];
  const found = [...failing, ...planned].slice(0, limits.checkpointItemsMax);
  return found.length > 0
    ? found
    : pendingIn(material.compactSummary).slice(0, limits.checkpointItemsMax);
}

/** "Let me know if …" offers; it plans nothing. */
const isOffer = ({ plain }: Sentence): boolean =>
  /^(?:let me know|if you|feel free|shall i|do you want|would you like|you (?:can|could|may)|want me to)\b/u.test(
    plain,
  );

const failureOf = ({ context }: TurnDigest): readonly string[] => {
  const failed = context.tools.findLast(({ outcome }) => outcome === "error");
  if (failed === undefined) return [];
  const reason = failed.text?.split("\n").find((line) => line.trim() !== "") ?? "";
  return [
    cutAtWord(
      oneLine(
        `Still failing: ${failed.target ?? failed.tool}${reason === "" ? "" : ` (${reason})`}`,
      ),
      itemCharsMax,
    ),
  ];
};

/** Lines under a heading about pending work in the client's compaction summary. */
function pendingIn(summary: string | null): readonly string[] {
  const section =
    /(?:pending tasks?|next steps?|optional next step)[^\n]*:\s*\n?([\s\S]{0,1500}?)(?:\n\s*\n|\n\s*\d+\.\s|$)/i.exec(
      summary ?? "",
    )?.[1];
  return sentencesOf(section ?? "").map(told);
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
  const aim = aimOf(digests)?.context.prompt ?? latestIn(material.previous?.request ?? "");
  const last = digests.at(-1);
  if (aim === null || last === undefined) return "";
  const isOpen =
    last.context.interrupted ||
    last.context.answer === null ||
    last.reading.work.endsFailing ||
    last.reading.answer.some((said) => isPlan(said) && !isOffer(said));
  if (!isOpen && material.trigger !== "precompact") return "";
  return cutAtWord(oneLine(aim), itemCharsMax);
}

/** The latest aim that a request's text names. */
const latestIn = (request: string): string | null =>
  request.split(latestMark).findLast((text) => text !== "") ?? null;

function l0Of(material: CheckpointMaterial, fields: CheckpointFields): string {
  const { session } = material;
  const done = [...itemsOf(fields.completed)].slice(-2).join("; ");
  const about = [done, itemsOf(fields.learned).at(-1) ?? "", fields.request].find(
    (text) => text !== "",
  );
  const asked =
    done === "" || fields.request === ""
      ? ""
      : ` (asked: ${cutAtWord(fields.request.split(latestMark)[0] ?? "", 80)})`;
  const head = `${session.projectName ?? "session"}, ${isoDate(session.lastEventAt)}: `;
  return cutToTokens(
    oneLine(`${head}${about ?? "no request recorded"}${asked}`),
    limits.l0TokensMax,
  );
}

const told = (sentence: Sentence): string => headline(sentence, itemCharsMax);
