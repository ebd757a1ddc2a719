/** The door of the worker: from accepted events to memories. */
export { createWorker } from "./worker.ts";
export type { Worker, WorkerDeps } from "./worker.ts";
