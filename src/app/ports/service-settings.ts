/** Settings for the service: every key with what it is, and changing one in the user's file. */
import { defaultOf, settingKeys, type SettingKey } from "#config";
import type { ConfigItemJson } from "#api";
import type { CliError, ConfigEntry, ConfigPort } from "#cli";
import type { HomePaths } from "#domain";
import { err, ok, type Result } from "#kit";
import type { ConfigDep, ServiceError } from "#service";
import { createConfigPort } from "./config.ts";
import type { SettingsSource } from "../context.ts";

type Config = ConfigDep["config"];

/** The same file and the same rules as `continuity config`. */
export function createSettingsPort(
  paths: HomePaths,
  env: Readonly<Record<string, string | undefined>>,
  settings: SettingsSource,
): Config {
  const port = createConfigPort(paths, env);
  return {
    path: paths.config,
    warnings: settings.warnings,
    read: () => {
      const entries = port.get(null);
      return entries.ok ? ok(entries.value.flatMap(itemOf)) : failed(entries.error);
    },
    set: (key, value) => set(port, key, value),
  };
}

function set(port: ConfigPort, key: string, value: string): Result<ConfigItemJson, ServiceError> {
  const written = port.set(key, value);
  if (!written.ok) return failed(written.error);
  const [item] = itemOf(written.value);
  return item === undefined ? err({ type: "config.unknown-key", message: key }) : ok(item);
}

function itemOf(entry: ConfigEntry): readonly ConfigItemJson[] {
  const key = settingKeys.find(({ name }) => name === entry.key);
  return key === undefined ? [] : [describedBy(key, entry)];
}

const describedBy = (key: SettingKey, entry: ConfigEntry): ConfigItemJson => ({
  key: key.name,
  section: key.section,
  value: entry.value,
  default: defaultOf(key),
  source: entry.source,
  expected: key.expected,
  choices: key.choices,
  effect: key.effect,
  variable: key.variable,
  // What has no variable is what a project must not choose; nor may whoever holds a token.
  editable: key.variable !== null,
});

const failed = ({ type, message }: CliError): Result<never, ServiceError> =>
  err({
    type: type === "config.unknown-key" || type === "config.value" ? type : "config.unreadable",
    message,
  });
