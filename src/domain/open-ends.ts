/** What sessions left unfinished, and what became of it since. */
import { sha256 } from "#kit";
import type { NotesStore } from "./notes.ts";

/** Of a project. Items are known by `openEndKey`; no text is kept. */
export interface OpenEndsState {
  /** Seen to be finished, the oldest first. */
  readonly closed: readonly string[];
  /** With the session that was told it at its start, the oldest first. */
  readonly told: readonly (readonly [key: string, sessionId: string])[];
}

export interface OpenEndsStore {
  readonly of: (project: string) => OpenEndsState;
  readonly put: (project: string, state: OpenEndsState) => void;
}

/** What is kept of memories and sessions as they were looked at later. */
export interface FollowedStores {
  readonly notes: NotesStore;
  readonly openEnds: OpenEndsStore;
}

/** Of an item as the session's checkpoint has it. */
export const openEndKey = (sessionId: string, item: string): string =>
  sha256(`${sessionId}\n${item}`, 12);

/** The items of a checkpoint's next steps. */
export const openEndsIn = (nextSteps: string): readonly string[] =>
  nextSteps
    .split(/\n|;\s+/u)
    .map((item) => item.replace(/^\s*- /u, "").trim())
    .filter((item) => item !== "");
