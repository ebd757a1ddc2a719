/**
 * Everything that knows Claude Code's files: its transcripts (JSONL in, turns out), its settings
 * (install and uninstall), the plugin that it loads, and whether it has our tools. Must not know the store, a model or
 * the privacy gate.
 */
export { createNotesReader } from "./notes.ts";
export type { NotesFile } from "./notes.ts";
export { createPluginFolder } from "./plugin/folder.ts";
export { withoutComments } from "./settings/comments.ts";
export { lineDiff } from "./settings/diff.ts";
export { setupFiles } from "./settings/files.ts";
export type { SetupFiles } from "./settings/files.ts";
export { isOurServer, serverEntry, serverPath } from "./settings/entries.ts";
export { hookEntryFor, isOurEntry, isOurProgram, registeredEvents } from "./settings/hooks.ts";
export type { HookEntry } from "./settings/hooks.ts";
export type {
  SetupDeps,
  SetupError,
  SetupOptions,
  SetupReport,
  TakenOut,
} from "./settings/change.ts";
export { putIn, takeOut } from "./settings/change.ts";
export { withHooks, withoutHooks } from "./settings/hook-plan.ts";
export type { HookSet } from "./settings/hook-plan.ts";
export { emptyIn, valueAt, withMember, withoutMember } from "./settings/members.ts";
export { install, installServer, uninstall } from "./settings/install.ts";
export type { InstallOptions } from "./settings/install.ts";
export {
  clientFolder,
  hasClientFolder,
  managedSettingsPath,
  serversPathFor,
  settingsPathFor,
} from "./settings/places.ts";
export {
  isPluginOn,
  planInstall,
  planOver,
  planServer,
  planUninstall,
  textHash,
} from "./settings/plan.ts";
export type { InstallState, Plan, SettingsWish } from "./settings/plan.ts";
export { planned } from "./settings/plan-fault.ts";
export type { PlanError } from "./settings/plan-fault.ts";
export { ruleItem, withoutRule, withRule } from "./settings/promoted.ts";
export { survey } from "./settings/survey.ts";
export type { Importable, OtherTool, Survey, SurveyFiles } from "./settings/survey.ts";
export { stepsOf } from "./settings/steps.ts";
export type { SetupStep, SetupSteps } from "./settings/steps.ts";
export { lookUpFor, noteProjectTools, shellCommand } from "./tools.ts";
export type { LookUp } from "./tools.ts";
export type { Choice } from "./transcript/answers.ts";
export type {
  AssistantTextEntry,
  CommandEntry,
  PromptEntry,
  SubagentAnswerEntry,
  TranscriptEntry,
} from "./transcript/entry.ts";
export { parentSessionOf, sessionIdOfPath } from "./transcript/fork.ts";
export type { ForkPoint } from "./transcript/fork.ts";
export { transcriptFiles } from "./transcript/io.ts";
export type { TranscriptError, TranscriptFile, TranscriptIo } from "./transcript/io.ts";
export { createKeeper, turnStandings } from "./transcript/keep.ts";
export type { KeepGate } from "./transcript/keep.ts";
export { transcriptLimits } from "./transcript/limits.ts";
export { parseTranscriptLine } from "./transcript/parse.ts";
export { readTranscript } from "./transcript/read.ts";
export type { TranscriptLimits, TranscriptOffset, TranscriptRead } from "./transcript/read.ts";
export { subagentAnswerOf, turnsOf } from "./transcript/turns.ts";
export type { ToolOutcome, TranscriptToolCall, TranscriptTurn } from "./transcript/turns.ts";
