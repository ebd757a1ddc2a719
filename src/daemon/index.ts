/**
 * The daemon: one per home, started when needed, gone when idle (`process/`); hook events to memories (`intake/`),
 * what a prompt is given (`inject/`), what runs later (`jobs/`), and what a model refines (`model/`).
 */
export type { AcceptStep, DaemonApp, DaemonControl, Rest } from "./process/app.ts";
export {
  connectDaemon,
  type DaemonClient,
  ensureDaemon,
  holdLock,
  isPortTaken,
  stopDaemon,
} from "./process/client.ts";
export type { FlushReport } from "./process/routes.ts";
export { isAlive, readLock } from "./process/lock.ts";
export { runDaemon } from "./process/run.ts";
export { noteFiles } from "./jobs/agent-notes.ts";
export { instructionsFor } from "./inject/notes.ts";
export { spentBudget } from "./model/refiner.ts";
export { previewPrompt } from "./inject/inject.ts";
export { tryModel } from "./model/digest.ts";
export type { WorkerParts } from "./context.ts";
export type { Fault } from "./ports.ts";
export { quietOf } from "./intake/private-texts.ts";
export { upkeepState } from "./jobs/upkeep-schedule.ts";
export { createWorker, type Worker, workerContext } from "./intake/worker.ts";
export { createCodePort } from "./jobs/code.ts";
export { publishGuards } from "./process/guards-file.ts";
export {
  createAgentNotesPort,
  createNotesPort,
  noteFilesHolding,
  type NotesPort,
} from "./jobs/note-files.ts";
export { createTranscriptPort, typedMeanwhile } from "./jobs/transcript-reading.ts";
export {
  archiveStanding,
  createPrivateWords,
  importRetelling,
  type PrivateWords,
  standingIn,
} from "./intake/private-words.ts";
