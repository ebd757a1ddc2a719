/** The instruction files that a client loads by itself for a folder, such as CLAUDE.md, and what of them is known. */

/** A statement of such a file. */
export interface NoteLine {
  /** Its path. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
  /** Last change of the file, epoch ms. */
  readonly atMs: number;
}

/** Where a session runs, as its client says it. */
export interface NotesPlace {
  readonly cwd: string;
  /** Tells the client, and where it keeps its own memory of the folder. */
  readonly transcriptPath: string;
}

export interface NotesPort {
  /** What the client loads there; the same array as long as no file changes. Reads files, bounded. */
  readonly linesFor: (place: NotesPlace) => readonly NoteLine[];
}

/** `said`: a line says the same as the memory. `contrary`: it gives the same thing another value. */
export interface NoteFinding extends NoteLine {
  readonly kind: "said" | "contrary";
}

/** What the instruction files of a folder say of a memory; null = nothing. */
export type NotesHere = (node: { readonly id: number; readonly l0: string }) => NoteFinding | null;

/** What was found when it was looked up last, by folder. */
export interface NotesStore {
  readonly of: (folder: string) => ReadonlyMap<number, NoteFinding>;
  readonly put: (folder: string, findings: ReadonlyMap<number, NoteFinding>) => void;
  /** Every finding of one kind with its memory, over all folders; each memory and line once. */
  readonly all: (
    kind: NoteFinding["kind"],
  ) => readonly { readonly nodeId: number; readonly finding: NoteFinding }[];
}

/**
 * Is a memory silent where these files are loaded? What they say is not said again; what they contradict holds only if
 * it was said after the file was changed.
 */
export const isSilent = (finding: NoteFinding | null, updatedAt: number): boolean =>
  finding !== null && (finding.kind === "said" || updatedAt <= finding.atMs);
