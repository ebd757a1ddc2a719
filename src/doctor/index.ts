/** Proves each link of the chain from the client to the memory, and names the fix of what is broken. */
export {
  type Check,
  type DaemonFacts,
  daemonFacts,
  type Facts,
  failed,
  fine,
  type HomeFacts,
  homeFacts,
  type HookFacts,
  type InstalledHook,
  type InstallFacts,
  type InstallPlace,
  type ModelFacts,
  type ProgramFacts,
  type Remedy,
  skipped,
  type StoreFacts,
  warned,
} from "./facts.ts";
export {
  diagnose,
  type Diagnosis,
  type HookLine,
  type HookRun,
  selfTest,
  type SelfTest,
  type SelfTestPorts,
  type TestedHook,
} from "./diagnose.ts";
export { installFacts } from "./facts-install.ts";
