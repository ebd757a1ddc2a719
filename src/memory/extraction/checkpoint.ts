/**
 * Checkpoints: what a session was about, in a fixed structure, without a model.
 *
 * Pure, and of facts alone: requests are the user's words, outcomes the tool record's and the end of the answer
 * (docs/design/extraction.md, "Summaries"). What an earlier checkpoint knew is carried over, so that only what came
 * after it has to be read: a checkpoint costs the same in a long session as in a short one.
 */
import {
  emptyCheckpoint,
  openEndsIn,
  type CheckpointFields,
  type CheckpointTrigger,
} from "#domain";
import { cutAtWord, cutToTokens, oneLine } from "#kit";
import { limits } from "../limits.ts";
import {
  choicesIn,
  filesEditedOf,
  filesInHandOf,
  filesReadOf,
  type SessionMaterial,
  shortPath,
  thrashOf,
} from "./checkpoint-files.ts";
import { itemsOf, textOf, united } from "./checkpoint-render.ts";
import { isCut, openEndsOf } from "./open-closed.ts";
import {
  isErrandTitle,
  outcomeOf,
  saidIn,
  sessionWork,
  titleFor,
  titleOf,
  typedIn,
} from "./digest-title.ts";

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

const itemCharsMax = 220;
const openEndsMax = 3;

/**
 * The structured summary of a session so far: title, outcome and open ends of its digest, and what a brief after a
 * compaction needs beside them. The same material gives the same summary; running it twice adds nothing.
 */
export function summariseSession(material: CheckpointMaterial): {
  readonly l0: string;
  readonly fields: CheckpointFields;
} {
  const { turns, toolUses, session } = material;
  const before = material.previous ?? emptyCheckpoint;
  const work = sessionWork(material);
  const request = titleOf(turns, work, before.request);
  const ends = openEndsOf(turns, toolUses, openEndsIn(before.nextSteps));
  const fields: CheckpointFields = {
    request,
    investigated: "",
    learned: grown(before.learned, choicesIn(toolUses)),
    completed: outcomeOf(turns, work, request, before.completed) || before.completed,
    nextSteps: nextStepsOf(material, ends),
    filesRead: filesReadOf(material, before.filesRead),
    filesEdited: filesEditedOf(material, before.filesEdited),
    notes: grown(before.notes, cutShortIn(material)),
    currentTask: currentTaskOf(material, ends),
    filesInHand: filesInHandOf(material),
    uncommitted: material.uncommitted
      .map((path) => shortPath(path, session.cwd))
      .slice(-limits.checkpointFilesMax),
    thrash: thrashOf(material, before.thrash),
  };
  return { l0: l0Of(material, request), fields };
}

/** Open ends; without any, those that the client's summary calls pending. */
const nextStepsOf = ({ compactSummary }: CheckpointMaterial, ends: readonly string[]): string =>
  (ends.length > 0 ? ends : pendingIn(compactSummary)).slice(0, openEndsMax).join("; ");

/** Items of before and now as one field; the latest win when there are too many. */
const grown = (before: string, now: readonly string[]): string =>
  textOf(united(itemsOf(before), now));

/** Lines under a heading about pending work in the client's compaction summary. */
function pendingIn(summary: string | null): readonly string[] {
  const section =
    /(?:pending tasks?|next steps?|optional next step)[^\n]*:\s*\n?([\s\S]{0,1500}?)(?:\n\s*\n|\n\s*\d+\.\s|$)/i.exec(
      summary ?? "",
    )?.[1];
  return saidIn(section ?? "").map(({ text }) =>
    cutAtWord(text.replace(/[.;\s]+$/u, ""), itemCharsMax),
  );
}

const cutShortIn = ({ turns }: CheckpointMaterial): readonly string[] =>
  requestsIn(turns)
    .filter(({ isInterrupted }) => isInterrupted)
    .map(({ text }) => `Interrupted: ${cutAtWord(text, itemCharsMax / 2)}`);

/** Last typed text that is more than a nod, while it is open; always before a compaction. */
function currentTaskOf({ previous, trigger, turns }: CheckpointMaterial, ends: readonly string[]) {
  const last = turns.at(-1);
  const isOpen = ends.length > 0 || (last !== undefined && isCut(last));
  if (!isOpen && trigger !== "precompact") return "";
  return cutAtWord(requestsIn(turns).at(-1)?.text ?? previous?.request ?? "", itemCharsMax);
}

const requestsIn = (turns: CheckpointMaterial["turns"]) =>
  turns.flatMap((turn, at) => {
    const text = oneLine(typedIn(turn, turns[at - 1]?.answer ?? null));
    const isErrand = isErrandTitle(titleFor(text)) && isErrandTitle(text);
    return isErrand ? [] : [{ text, isInterrupted: turn.status === "interrupted" }];
  });

/** One line for lists: the title, or how a session without a request began. */
function l0Of({ session }: CheckpointMaterial, title: string): string {
  const about = [title, titleFor(session.firstPrompt ?? "")].find((text) => text !== "");
  return cutToTokens(about ?? "No request recorded", limits.l0TokensMax);
}
