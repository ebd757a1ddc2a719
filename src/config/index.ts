/** The configuration room: config.toml and CONTINUITY_* variables to Settings, and back. */
export { getSetting, setSetting } from "./edit.ts";
export { commandLine, describeConfigError, describeConfigWarning } from "./errors.ts";
export type { ConfigError, ConfigWarning } from "./errors.ts";
export { defaultOf, settingKeys } from "./keys.ts";
export type { SettingKey } from "./keys.ts";
export { readSettings } from "./read.ts";
export type { ReadSettings, SettingsInput } from "./read.ts";
export { configReference } from "./reference.ts";
