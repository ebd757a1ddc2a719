/** The configuration room: config.toml and CONTINUITY_* variables to Settings, and back. */
export { getSetting, setSetting } from "./edit.ts";
export {
  commandLine,
  type ConfigError,
  describeConfigError,
  describeConfigWarning,
} from "./kinds.ts";
export { defaultOf, type SettingKey, settingKeys } from "./keys.ts";
export { otherVariables, readSettings, type ReadSettings } from "./read.ts";
