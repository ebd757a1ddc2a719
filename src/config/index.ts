/** The configuration room: config.toml and CONTINUITY_* variables to Settings, and back. */
export { getSetting, setSetting } from "./edit.ts";
export {
  commandLine,
  type ConfigError,
  type ConfigWarning,
  describeConfigError,
  describeConfigWarning,
} from "./kinds.ts";
export { defaultOf, type SettingKey, settingKeys } from "./keys.ts";
export { readSettings, type ReadSettings, type SettingsInput } from "./read.ts";
export { configReference } from "./reference.ts";
