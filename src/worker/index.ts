/** The door of the worker: from accepted events to memories. */
export type { TranscriptFacts, TranscriptPort, TranscriptTurnFacts } from "./transcripts.ts";
export { createWorker } from "./worker.ts";
export type { Worker, WorkerDeps } from "./worker.ts";
