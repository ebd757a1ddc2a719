/** A session summary of claude-mem (an "overview" until version 3) as a checkpoint. Pure but for the gate. */
import type { ForeignRow, GateDep } from "#domain";
import { cutToTokens, isoDate, oneLine } from "#kit";
import { limits } from "#memory";
import type { ImportedCheckpoint } from "../items.ts";
import { gatedPaths } from "../memory-of.ts";
import type { NotePlace } from "./note.ts";
import { listOf, textOf } from "./rows.ts";

const fieldCharsMax = 10_000;

/** Null when nothing of it may be kept, or nothing is there. */
export function summaryOf(
  { gate }: GateDep,
  row: ForeignRow,
  place: NotePlace,
): ImportedCheckpoint | null {
  const field = (column: string): string =>
    gate.clean(textOf(row, column)).text.trim().slice(0, fieldCharsMax);
  const [request, investigated, learned, completed, nextSteps, notes, content] = [
    field("request"),
    field("investigated"),
    field("learned"),
    field("completed"),
    field("next_steps"),
    field("notes"),
    field("content"),
  ];
  const told = [completed, learned, request, content, investigated, notes, nextSteps].find(
    (text) => text !== "",
  );
  if (told === undefined) return null;
  const name = place.projectName === "" ? "" : `${place.projectName}, `;
  return {
    l0: cutToTokens(`${name}${isoDate(place.atMs)}: ${oneLine(told)}`, limits.l0TokensMax),
    fields: {
      request,
      investigated,
      learned,
      completed: completed === "" ? content : completed,
      nextSteps,
      notes,
      currentTask: "",
      filesRead: gatedPaths(gate, listOf(row, "files_read")),
      filesEdited: gatedPaths(gate, listOf(row, "files_edited")),
      filesInHand: [],
      uncommitted: [],
      thrash: [],
    },
  };
}
