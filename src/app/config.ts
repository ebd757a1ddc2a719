/** `continuity config`: one key read, changed or edited; a change that does not parse is never written. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { CliDeps, CliError, ConfigEntry, ConfigPort } from "#cli";
import {
  commandLine,
  type ConfigError,
  defaultOf,
  describeConfigError,
  getSetting,
  readSettings,
  setSetting,
  type SettingKey,
  settingKeys,
} from "#config";
import type { HomePaths, SettingsSource } from "#domain";
import { err, ok, type Result } from "#kit";
import type { ConfigItemJson } from "#api";
import type { ServiceContext, ServiceError } from "#api/server";
import { endPause, isPaused, pauseFile, startPause } from "#hooks";
import { readIfThere } from "./settings.ts";

type Env = Readonly<Record<string, string | undefined>>;

export const createConfigPort = (paths: HomePaths, env: Env): CliDeps["config"] => ({
  path: () => paths.config,
  get: (key) => entries(paths, env, key),
  set: (key, value) => set(paths, env, { key, value }),
  edit: () => edit(paths, env),
});

const failed = (error: ConfigError): { readonly ok: false; readonly error: CliError } =>
  err({ type: error.type, message: describeConfigError(error), isMisuse: isTyped(error) });

/** Wrong as it was typed, not in the file. */
const isTyped = (error: ConfigError): boolean =>
  error.type === "config.unknown-key" ||
  (error.type === "config.value" && error.source === commandLine);

function entries(
  paths: HomePaths,
  env: Env,
  wanted: string | null,
): Result<readonly ConfigEntry[], CliError> {
  const read = readSettings({ path: paths.config, env, readFile: readIfThere });
  if (!read.ok) return failed(read.error);
  const names = wanted === null ? settingKeys.map(({ name }) => name) : [wanted];
  const found: ConfigEntry[] = [];
  for (const key of names) {
    const value = getSetting(read.value.settings, key);
    if (!value.ok) return failed(value.error);
    found.push({ key, value: value.value, source: read.value.sources.get(key) ?? "default" });
  }
  return ok(found);
}

function set(
  paths: HomePaths,
  env: Env,
  change: { readonly key: string; readonly value: string },
): Result<ConfigEntry, CliError> {
  const changed = setSetting(readIfThere(paths.config) ?? "", change.key, change.value);
  if (!changed.ok) return failed(changed.error);
  try {
    mkdirSync(paths.root, { recursive: true, mode: 0o700 });
    const temporary = `${paths.config}.new`;
    writeFileSync(temporary, changed.value, { mode: 0o600 });
    renameSync(temporary, paths.config);
  } catch (error) {
    return err({
      type: "config.not-written",
      message: `${paths.config} cannot be written: ${error instanceof Error ? error.message : "unknown"}`,
    });
  }
  const written = entries(paths, env, change.key);
  if (!written.ok) return written;
  const [entry] = written.value;
  return entry === undefined
    ? err({ type: "config.unknown-key", message: `there is no setting ${change.key}` })
    : ok(entry);
}

async function edit(paths: HomePaths, env: Env): Promise<Result<null, CliError>> {
  mkdirSync(paths.root, { recursive: true, mode: 0o700 });
  if (readIfThere(paths.config) === null) writeFileSync(paths.config, "", { mode: 0o600 });
  const editor = env["VISUAL"] ?? env["EDITOR"] ?? "vi";
  // $EDITOR may hold arguments ("code --wait"), so a shell splits it; the path is passed apart.
  const child = Bun.spawn(["sh", "-c", `${editor} "$1"`, "sh", paths.config], {
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  });
  const status = await child.exited;
  if (status !== 0)
    return err({ type: "config.editor", message: `the editor ended with status ${status}` });
  const read = readSettings({ path: paths.config, env, readFile: readIfThere });
  return read.ok ? ok(null) : failed(read.error);
}

// Settings for the service: every key with what it is, and changing one in the user's file.

type Config = ServiceContext["config"];

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
      return entries.ok ? ok(entries.value.flatMap(itemOf)) : refused(entries.error);
    },
    set: (key, value) => setOne(port, key, value),
  };
}

function setOne(
  port: ConfigPort,
  key: string,
  value: string,
): Result<ConfigItemJson, ServiceError> {
  const written = port.set(key, value);
  if (!written.ok) return refused(written.error);
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
  // A key without a variable is one that a project must not choose; nor may whoever holds a token.
  editable: key.variable !== null,
});

const refused = ({ type, message }: CliError): Result<never, ServiceError> =>
  err({
    type: type === "config.unknown-key" || type === "config.value" ? type : "config.unreadable",
    message,
  });

/** The pause switch as a file in the home folder, because a hook asks with one failed `stat` when nothing is paused. */
export function createPauseFile(paths: HomePaths): ServiceContext["pause"] {
  const file = pauseFile(paths);
  return {
    state: (nowMs) => {
      if (!isPaused(paths, nowMs)) return { paused: false, until: null };
      return { paused: true, until: untilOf(file) };
    },
    pause: (untilMs, nowMs) => startPause(paths, nowMs, untilMs),
    resume: (nowMs) => endPause(paths, nowMs),
  };
}

function untilOf(file: string): number | null {
  try {
    const text = readFileSync(file, "utf8").trim();
    return /^\d+$/.test(text) ? Number(text) : null;
  } catch {
    return null; // Resumed in this very moment.
  }
}
