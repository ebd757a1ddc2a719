/** Notes that a coding agent keeps in files of its own, as they are found where a session runs. */
import type { AgentName } from "./agent.ts";

/** Where a session runs, as its client says it. */
export interface AgentNotesPlace {
  readonly sessionId: string;
  readonly cwd: string;
  /** Tells where its client keeps its files. */
  readonly transcriptPath: string;
}

export interface AgentNotesFile {
  readonly path: string;
  /** The path for people: with `~` for the home folder. */
  readonly shown: string;
  readonly agent: AgentName;
  /** `topic`: one note; `list`: one a line; `added`: the section of an instruction file that the agent itself added. */
  readonly form: "added" | "list" | "topic";
  /** True for a file that belongs to no project. */
  readonly isGlobal: boolean;
  /**
   * Key of the places whose sessions have the file loaded by their client; "" = every session of the agent, null =
   * none. Of a list, its first `loadedLines` lines.
   */
  readonly loadedIn: string | null;
  readonly loadedLines: number;
  /** Last change, epoch ms. */
  readonly atMs: number;
  /** Changes when the file does. */
  readonly stamp: string;
}

export interface AgentNotesPort {
  /** The note files of a place, and the folders in which a known file that is not among them was deleted. */
  readonly find: (place: AgentNotesPlace) => {
    readonly files: readonly AgentNotesFile[];
    readonly folders: readonly string[];
  };
  /** Null when it cannot be read as text. */
  readonly read: (path: string) => string | null;
  /** Key of a session's place, as in `loadedIn`. */
  readonly placeOf: (place: Pick<AgentNotesPlace, "sessionId" | "transcriptPath">) => string;
}

/** Tag of a memory that was read from such a file. */
export const agentNoteTag = "agent-note";
