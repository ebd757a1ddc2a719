/** The door of the worker: from accepted events to memories. */
export type { Fault } from "./announce.ts";
export { noteFiles } from "./agent-notes.ts";
export { notesFor } from "./notes.ts";
export { spentBudget } from "./model/refiner.ts";
export type { StepDep } from "./model/replies.ts";
export { previewPrompt } from "./inject.ts";
export { tryModel } from "./model/digest.ts";
export type { TranscriptFacts, TranscriptPort, TranscriptTurnFacts } from "./transcripts.ts";
export { quietOf } from "./private-texts.ts";
export { upkeepState } from "./upkeep-schedule.ts";
export { createWorker, type Worker, type WorkerDeps } from "./worker.ts";
