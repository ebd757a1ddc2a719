/** The door of the command-line room. */
export type {
  CliDeps,
  ConfigEntry,
  ConfigPort,
  Connection,
  FlushReport,
  ImportAsk,
  ImportProgress,
  ImportResult,
  InstallOptions,
  InstructionsAsk,
  InstructionsChange,
  InstructionsPort,
  Io,
  McpOptions,
  SetupOptions,
  SetupReport,
} from "./deps.ts";
export { type CliError, OutputFailure } from "./failure.ts";
export type {
  ArchiveEntry,
  BackupEntry,
  CleanReport,
  ExportReport,
  KeepPort,
  RestoreReport,
  UnarchiveTarget,
} from "./keep.ts";
export { cliReference, runCli } from "./reference.ts";
export type {
  HubMember,
  SyncDevice,
  SyncDone,
  SyncPort,
  SyncStarted,
  TeamHubPort,
  TeamPort,
} from "./sync.ts";
export { currentWords } from "./run.ts";
export { isQuick } from "./quick.ts";
export { runQuick } from "./quick.ts";

/** The demonstration: two recorded sessions, loaded by its command. */
export const loadDemo = async () => import("./demo/run.ts");
export { terminal } from "./terminal.ts";
