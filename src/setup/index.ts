/** Install and uninstall: the room that knows Claude Code's settings. */
export { lineDiff } from "./diff.ts";
export { setupFiles } from "./files.ts";
export type { SetupFiles } from "./files.ts";
export { isOurServer, serverEntry, serverPath } from "./entries.ts";
export { hookEntryFor, isOurEntry, isOurProgram, registeredEvents } from "./hooks.ts";
export type { HookEntry } from "./hooks.ts";
export type { SetupDeps, SetupError, SetupOptions, SetupReport, TakenOut } from "./change.ts";
export { putIn, takeOut } from "./change.ts";
export { withHooks, withoutHooks } from "./hook-plan.ts";
export type { HookSet } from "./hook-plan.ts";
export { emptyIn, valueAt, withMember, withoutMember } from "./members.ts";
export { install, installServer, uninstall } from "./install.ts";
export type { InstallOptions } from "./install.ts";
export {
  clientFolder,
  hasClientFolder,
  managedSettingsPath,
  serversPathFor,
  settingsPathFor,
} from "./places.ts";
export { isPluginOn, planInstall, planOver, planServer, planUninstall, textHash } from "./plan.ts";
export type { InstallState, Plan, SettingsWish } from "./plan.ts";
export { planned } from "./plan-fault.ts";
export type { PlanError } from "./plan-fault.ts";
export { serviceFile, servicePlaces, serviceSystemOf } from "./service.ts";
export type { ServiceFile } from "./service.ts";
export { survey } from "./survey.ts";
export type { Importable, OtherTool, Survey, SurveyFiles } from "./survey.ts";
export { stepsOf } from "./steps.ts";
export type { SetupStep, SetupSteps } from "./steps.ts";
