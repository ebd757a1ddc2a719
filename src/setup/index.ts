/** Install and uninstall: the room that knows Claude Code's settings. */
export { lineDiff } from "./diff.ts";
export { setupFiles } from "./files.ts";
export type { SetupFiles } from "./files.ts";
export { hookEntryFor, isOurEntry, registeredEvents } from "./hooks.ts";
export type { HookEntry } from "./hooks.ts";
export { install, settingsPathFor, uninstall } from "./install.ts";
export type {
  InstallOptions,
  SetupDeps,
  SetupError,
  SetupOptions,
  SetupReport,
} from "./install.ts";
export { planInstall, planUninstall, textHash } from "./plan.ts";
export type { InstallState, Plan, PlanError } from "./plan.ts";
export { stepsOf } from "./steps.ts";
export type { SetupStep, SetupSteps } from "./steps.ts";
