/** Everything that the worker has; its functions take it whole. Tests build it by test/support/worker.ts. */
import type {
  Embedder,
  History,
  Llm,
  PrivacyGate,
  ProjectIdentity,
  Settings,
  Store,
  VectorIndex,
} from "#domain";
import type { Clock, Log } from "#kit";
import type { Finder } from "#memory";
import type { LatencyBook } from "./intake/latencies.ts";
import type { PrivateTextRegister } from "./intake/private-texts.ts";
import type { PrivateWords } from "./intake/private-words.ts";
import type { CodePort } from "./jobs/code.ts";
import type { AgentNotesPort, NotesPort } from "./jobs/note-files.ts";
import type { TranscriptPort } from "./jobs/transcript-reading.ts";
import type { BackgroundWork, Fault, Step } from "./ports.ts";

export interface WorkerParts {
  readonly clock: Clock;
  readonly gate: PrivacyGate;
  readonly log: Log;
  readonly store: Store;
  readonly embedder: Embedder;
  readonly vectors: VectorIndex;
  readonly finder: Finder;
  readonly settings: () => Settings;
  readonly transcripts: TranscriptPort;
  readonly projectOf: (cwd: string) => ProjectIdentity | null;
  /** Null without a repository of its own. */
  readonly historyAt: (folder: string) => History | null;
  /** Tells a folder after a rename; null when it is gone. */
  readonly folderMark: (folder: string) => string | null;
  readonly code: CodePort;
  /** The instruction files that clients load. */
  readonly notes: NotesPort;
  /** Files in which agents keep notes of their own. */
  readonly agentNotes: AgentNotesPort;
  /** True when `.continuityignore` or `[privacy] exclude` switches this folder, or one of these paths in it, off. */
  readonly isExcluded: (cwd: string, paths: readonly string[]) => boolean;
  readonly paused: () => boolean;
  /** True while a Stop of the session is on its way, behind a later event. */
  readonly isStopCarried: (sessionId: string) => boolean;
  /**
   * The program as a session's shell can call it; null where the session has our MCP tools, and is told to ask them.
   */
  readonly lookUp: (projectRoot: string | null) => string | null;
  /** The program as its user's shell can call it, whatever the PATH. */
  readonly program: string;
  /** Returns what is broken now; absent = nobody looks. */
  readonly fault?: () => Fault | null;
  readonly privateWords: PrivateWords;
  /** The language model that is chosen now; null or absent = none, and everything is local. */
  readonly llm?: () => Llm | null;
  /** Integrity check, backup and archive, in a process of their own; absent = they are not done. */
  readonly background?: BackgroundWork;
  /** Something became due outside `accept` and `work`. */
  readonly onDue?: () => void;
  /** Told at each boundary, with the kind of the job; nothing in the product listens. */
  readonly onStep?: (step: Step, kind: string) => void;
}

export interface WorkerContext extends WorkerParts {
  readonly hidden: PrivateTextRegister;
  readonly latencies: LatencyBook;
  readonly llm: () => Llm | null;
  readonly onDue: () => void;
  readonly onStep: (step: Step, kind: string) => void;
}
