/** The door of the command-line room. */
export type {
  CliDeps,
  ConfigEntry,
  ConfigPort,
  Connection,
  FlushReport,
  Io,
  SetupOptions,
  SetupReport,
  ImportAsk,
  ImportProgress,
  ImportResult,
} from "./deps.ts";
export { OutputFailure } from "./failure.ts";
export type { BackupEntry, ExportReport, KeepPort, RestoreReport } from "./keep.ts";
export { cliReference } from "./reference.ts";
export { manualPage } from "./manual.ts";
export { standingAnswers } from "./standing.ts";
export { runCli } from "./all.ts";
export type { CliError } from "./failure.ts";
