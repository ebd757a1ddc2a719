/** Proves each link of the chain from the client to the memory, and names the fix of what is broken. */
export { failed, fine, skipped, warned } from "./check.ts";
export type { Check, Remedy } from "./check.ts";
export { diagnose } from "./diagnose.ts";
export type { Diagnosis, HookLine } from "./diagnose.ts";
export type {
  DaemonFacts,
  Facts,
  HomeFacts,
  HookFacts,
  InstalledHook,
  InstallFacts,
  InstallPlace,
  ModelFacts,
  ProgramFacts,
  StoreFacts,
} from "./facts.ts";
export { daemonFacts, homeFacts } from "./facts-home.ts";
export type { HomeFactsDeps } from "./facts-home.ts";
export { installFacts } from "./facts-install.ts";
export { selfTest } from "./self-test.ts";
export type { HookRun, SelfTest, SelfTestPorts, TestedHook } from "./self-test.ts";
