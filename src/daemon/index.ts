/** The daemon's life: one per home, started when needed, gone when idle. */
export type { AcceptStep, DaemonApp, DaemonControl } from "./app.ts";
export { connectDaemon, ensureDaemon, stopDaemon } from "./client.ts";
export type { DaemonClient, EnsureDeps, EnsureError, StopOutcome } from "./client.ts";
export type { FlushReport } from "./flush.ts";
export { holdLock } from "./hold.ts";
export { readLock } from "./lock.ts";
export { isAlive } from "./process-identity.ts";
export type { ProcessIdentity } from "./process-identity.ts";
export { isPortTaken } from "./port.ts";
export { runDaemon } from "./run.ts";
export type { DaemonDeps, DaemonOptions, DaemonOutcome } from "./run.ts";
export { serviceFile, servicePlaces, serviceSystemOf } from "./user-service.ts";
export type { ServiceFile } from "./user-service.ts";
