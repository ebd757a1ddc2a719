/** What accepting an event and answering it need. */
import type {
  AgentNotesPort,
  CodePort,
  Embedder,
  Llm,
  NotesPort,
  ProjectIdentity,
  Settings,
  Store,
  VectorIndex,
  PrivacyGate,
} from "#domain";
import type { Finder } from "#memory";
import type { PrivateTextRegister } from "./private-texts.ts";
import type { LatencyBook, PlacesDeps } from "./moved.ts";
import type { Fault } from "./announce.ts";
import type { Log, Clock } from "#kit";

export interface AcceptDeps extends Pick<PlacesDeps, "historyAt"> {
  readonly clock: Clock;
  readonly gate: PrivacyGate;
  readonly log: Log;
  /** Tells a folder after a rename; null when it is gone. Absent = renamed folders are not looked for. */
  readonly folderMark?: (folder: string) => string | null;
  readonly store: Store;
  readonly embedder: Embedder;
  readonly vectors: VectorIndex;
  readonly finder: Finder;
  readonly settings: () => Settings;
  readonly hidden: PrivateTextRegister;
  readonly latencies: LatencyBook;
  /** The code of projects; absent = memories are not held against it. */
  readonly code?: CodePort;
  /** The instruction files that clients load; absent = they are not known. */
  readonly notes?: NotesPort;
  /** Files in which agents keep notes of their own; absent = they are not read. */
  readonly agentNotes?: AgentNotesPort;
  /** Project of a folder; null outside any. */
  readonly projectOf: (cwd: string) => ProjectIdentity | null;
  /** True when `.continuityignore` or `[privacy] exclude` switches this folder, or one of these paths in it, off. */
  readonly isExcluded: (cwd: string, paths: readonly string[]) => boolean;
  readonly paused: () => boolean;
  /**
   * The program as a session's shell can call it; null where the session has our MCP tools, and is told to ask them.
   */
  readonly lookUp: (projectRoot: string | null) => string | null;
  /** The program as its user's shell can call it, whatever the PATH. */
  readonly program: string;
  /** Returns what is broken now; absent = nobody looks. */
  readonly fault?: () => Fault | null;
  /** Null when no model is chosen. */
  readonly llm: () => Llm | null;
}
