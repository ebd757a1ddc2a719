/**
 * Coding agents and their files. Claude Code: its transcripts (JSONL in, turns out), its settings (install and
 * uninstall), the plugin that it loads, and whether it has our tools. Others: how they call hooks, what they are
 * answered, where they keep their sessions. Must not know the store, a model or the privacy gate.
 */
export { createNotesReader, type NotesFile } from "./claude-code/notes.ts";
export { createPluginFolder } from "./claude-code/plugin/folder.ts";
export {
  hookEntryFor,
  isOurEntry,
  isOurProgram,
  isOurServer,
  planned,
  registeredEvents,
  withHooks,
} from "./claude-code/settings/hooks.ts";
export {
  install,
  installServer,
  noteBefore,
  putIn,
  type SetupError,
  type SetupOptions,
  type SetupReport,
  uninstall,
} from "./claude-code/settings/change.ts";
export { isPluginOn, planUninstall, valueAt } from "./claude-code/settings/plan.ts";
export {
  clientFolder,
  hasClientFolder,
  managedSettingsPath,
  notWritten,
  serversPathFor,
  settingsPathFor,
  type SetupStep,
  stepsOf,
  survey,
  type SurveyFiles,
} from "./claude-code/settings/survey.ts";
export { hasHooks, lookUpFor, noteProjectTools, shellCommand } from "./claude-code/tools.ts";
export {
  type CommandEntry,
  parentSessionOf,
  type PromptEntry,
  sessionIdOfPath,
  type TranscriptEntry,
  transcriptLimits,
} from "./claude-code/transcript/entry.ts";
export {
  readTranscript,
  type TranscriptLimits,
  type TranscriptOffset,
} from "./claude-code/transcript/read.ts";
export {
  createKeeper,
  type KeepGate,
  type TurnStanding,
  turnStandings,
} from "./claude-code/transcript/keep.ts";
export { parseTranscriptLine } from "./claude-code/transcript/parse.ts";
export {
  type TranscriptToolCall,
  type TranscriptTurn,
  turnsOf,
} from "./claude-code/transcript/turns.ts";
export {
  type AgentFile,
  agentFiles,
  agentFolder,
  agentProgram,
  hookCommand,
  hooksPath,
  sessionsPlace,
} from "./agents/files.ts";
export { agentSpecs, type HookedAgent, hookedAgents } from "./agents/spec.ts";
export type { AgentSession } from "./agents/sessions/entries.ts";
export { readSessionFile, sessionFiles } from "./agents/sessions/find.ts";
export { openCodeRow, type OpenCodeRow, readOpenCode } from "./agents/sessions/opencode.ts";
export { hookAdapter } from "./agents/hook.ts";

/** `loadTools` tells whether the client has our tools: loaded by a hook whose daemon is away. */
export const loadTools = async () => import("./claude-code/tools.ts");
