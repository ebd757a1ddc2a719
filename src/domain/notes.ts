/** The instruction files that a client loads by itself for a folder, such as CLAUDE.md, and what of them is known. */
import { sha256 } from "#kit";

/** A statement of such a file. */
export interface NoteLine {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
  /** Last change of the file, epoch ms. */
  readonly atMs: number;
}

/** Finds the line of a folder's instruction files that says what a memory says; null = none. */
export type NotesHere = (node: { readonly id: number; readonly l0: string }) => NoteLine | null;

/** The memories found in note lines at the last look, by folder. */
export interface NotesStore {
  readonly of: (folder: string) => ReadonlyMap<number, NoteLine>;
  readonly put: (folder: string, findings: ReadonlyMap<number, NoteLine>) => void;
}

// Keeps the unfinished items of sessions, and their fate since.

/** The state of a project's items. Items are known by `openEndKey`; no text is kept. */
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

/** The stores of facts that are found by looking at memories and sessions again. */
export interface FollowedStores {
  readonly notes: NotesStore;
  readonly openEnds: OpenEndsStore;
}

/** `openEndKey` identifies an item of a session's checkpoint. */
export const openEndKey = (sessionId: string, item: string): string =>
  sha256(`${sessionId}\n${item}`, 12);

/** The items of a checkpoint's next steps. */
export const openEndsIn = (nextSteps: string): readonly string[] =>
  nextSteps
    .split(/\n|;\s+/u)
    .map((item) => item.replace(/^\s*- /u, "").trim())
    .filter((item) => item !== "");
