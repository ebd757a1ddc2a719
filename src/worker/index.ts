/** The door of the worker: from accepted events to memories. */
export type { Fault } from "./announce.ts";
export { noteFiles } from "./agent-notes.ts";
export { notesFor } from "./notes.ts";
export { spentBudget } from "./model/refiner.ts";
export type { StepDep } from "./model/deps.ts";
export { previewPrompt } from "./inject.ts";
export { tryModel } from "./model/trial.ts";
export type { TranscriptFacts, TranscriptPort, TranscriptTurnFacts } from "./transcripts.ts";
export { quietOf } from "./quiet-turns.ts";
export { upkeepState } from "./upkeep-schedule.ts";
export { createWorker } from "./worker.ts";
export type { Worker, WorkerDeps } from "./worker.ts";
