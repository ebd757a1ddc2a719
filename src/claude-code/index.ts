/**
 * Everything that knows Claude Code's files: its transcripts (JSONL in, turns out), its settings
 * (install and uninstall), the plugin that it loads, and whether it has our tools. Must not know the store, a model or
 * the privacy gate.
 */
export { createNotesReader, type NotesFile } from "./notes.ts";
export { createPluginFolder } from "./plugin/folder.ts";
export { withoutComments } from "./settings/json-text.ts";
export { lineDiff, setupFiles, type SetupFiles } from "./settings/files.ts";
export {
  type HookEntry,
  hookEntryFor,
  type HookSet,
  isOurEntry,
  isOurProgram,
  isOurServer,
  type PlanError,
  planned,
  registeredEvents,
  serverEntry,
  serverPath,
  withHooks,
  withoutHooks,
} from "./settings/hooks.ts";
export {
  install,
  type InstallOptions,
  installServer,
  putIn,
  type SetupDeps,
  type SetupError,
  type SetupOptions,
  type SetupReport,
  type TakenOut,
  uninstall,
} from "./settings/change.ts";
export {
  emptyIn,
  type InstallState,
  isPluginOn,
  type Plan,
  planInstall,
  planOver,
  planServer,
  planUninstall,
  type SettingsWish,
  textHash,
  valueAt,
  withMember,
  withoutMember,
} from "./settings/plan.ts";
export {
  clientFolder,
  hasClientFolder,
  type Importable,
  managedSettingsPath,
  type OtherTool,
  serversPathFor,
  settingsPathFor,
  type SetupStep,
  type SetupSteps,
  stepsOf,
  survey,
  type Survey,
  type SurveyFiles,
} from "./settings/survey.ts";
export { ruleItem, withoutRule, withRule } from "./settings/promoted.ts";
export { type LookUp, lookUpFor, noteProjectTools, shellCommand } from "./tools.ts";
export type { Choice } from "./transcript/answers.ts";
export {
  type AssistantTextEntry,
  type CommandEntry,
  type ForkPoint,
  parentSessionOf,
  type PromptEntry,
  sessionIdOfPath,
  type SubagentAnswerEntry,
  type TranscriptEntry,
  transcriptLimits,
} from "./transcript/entry.ts";
export {
  readTranscript,
  type TranscriptError,
  type TranscriptFile,
  transcriptFiles,
  type TranscriptIo,
  type TranscriptLimits,
  type TranscriptOffset,
  type TranscriptRead,
} from "./transcript/read.ts";
export {
  createKeeper,
  type KeepGate,
  type TurnStanding,
  turnStandings,
} from "./transcript/keep.ts";
export { parseTranscriptLine } from "./transcript/parse.ts";
export {
  subagentAnswerOf,
  type ToolOutcome,
  type TranscriptToolCall,
  type TranscriptTurn,
  turnsOf,
} from "./transcript/turns.ts";
