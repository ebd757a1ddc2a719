/** The door of the command-line room. */
export type {
  CliDeps,
  ConfigEntry,
  ConfigPort,
  Connection,
  FlushReport,
  InstallOptions,
  Io,
  McpOptions,
  SetupOptions,
  SetupReport,
  ImportAsk,
  ImportProgress,
  ImportResult,
} from "./deps.ts";
export { OutputFailure } from "./failure.ts";
export type {
  ArchiveEntry,
  BackupEntry,
  CleanReport,
  ExportReport,
  KeepPort,
  RestoreReport,
  UnarchiveTarget,
} from "./keep.ts";
export { cliReference } from "./reference.ts";
export { runCli } from "./all.ts";
export type { InstructionsAsk, InstructionsChange, InstructionsPort } from "./instructions.ts";
export type { TeamPort } from "./team.ts";
export type { SyncDevice, SyncDone, SyncPort, SyncStarted } from "./sync.ts";
export type { HubMember, TeamHubPort } from "./team-hub.ts";
export type { CliError } from "./failure.ts";
