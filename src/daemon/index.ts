/** The daemon's life: one per home, started when needed, gone when idle. */
export type { AcceptStep, DaemonApp, DaemonControl } from "./app.ts";
export {
  connectDaemon,
  type DaemonClient,
  ensureDaemon,
  type EnsureDeps,
  type EnsureError,
  holdLock,
  isPortTaken,
  stopDaemon,
  type StopOutcome,
} from "./client.ts";
export type { FlushReport } from "./routes.ts";
export { isAlive, type ProcessIdentity, readLock } from "./lock.ts";
export { type DaemonDeps, type DaemonOptions, type DaemonOutcome, runDaemon } from "./run.ts";
export { serviceFile, type ServiceFile, servicePlaces, serviceSystemOf } from "./user-service.ts";
