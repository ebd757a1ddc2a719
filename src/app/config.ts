/** `continuity config`: one key read, changed or edited; a change that does not parse is never written. */
import { mkdirSync, writeFileSync } from "node:fs";
import { type ConfigEntry, type ConfigPort, failureOf, isCliFailure } from "#cli";
import {
  commandLine,
  type ConfigError,
  defaultOf,
  describeConfigError,
  getSetting,
  readSettings,
  setSetting,
  settingKeys,
} from "#config";
import type { HomePaths, SettingsSource } from "#domain";
import { err, ok, type Result, readText, writeFaultIn, writeWhole } from "#kit";
import type { ConfigItemJson } from "#api";
import type { ServiceContext, ServiceError } from "#api/server";
import { endPause, isPaused, pauseFile, startPause } from "#hooks";

type Env = Readonly<Record<string, string | undefined>>;

export const createConfigPort = (paths: HomePaths, env: Env): ConfigPort => ({
  path: () => paths.config,
  get: (key) => entries(paths, env, key),
  set: (key, value) => set(paths, env, key, value),
  edit: () => edit(paths, env),
});

function valueOf<Value>(result: Result<Value, ConfigError>): Value {
  if (result.ok) return result.value;
  const { error } = result;
  const message = describeConfigError(error);
  throw failureOf({ type: error.type, message, isMisuse: isTyped(error) });
}

/** Wrong as it was typed, not in the file. */
const isTyped = (error: ConfigError): boolean =>
  error.type === "config.unknown-key" ||
  (error.type === "config.value" && error.source === commandLine);

function entries(paths: HomePaths, env: Env, wanted: string | null): readonly ConfigEntry[] {
  const read = valueOf(readSettings({ path: paths.config, env, readFile: readText }));
  const names = wanted === null ? settingKeys.map(({ name }) => name) : [wanted];
  return names.map((key) => ({
    key,
    value: valueOf(getSetting(read.settings, key)),
    source: read.sources.get(key) ?? "default",
  }));
}

function set(paths: HomePaths, env: Env, key: string, value: string): ConfigEntry {
  const changed = valueOf(setSetting(readText(paths.config) ?? "", key, value));
  try {
    mkdirSync(paths.root, { recursive: true, mode: 0o700 });
    writeWhole(paths.config, changed);
  } catch (error) {
    const { place, why, next } = writeFaultIn(paths.root, error);
    throw failureOf({
      type: "config.not-written",
      message: `${place} cannot be written: ${why}`,
      next,
    });
  }
  const [entry] = entries(paths, env, key);
  if (entry !== undefined) return entry;
  throw unknownKey(key);
}

const unknownKey = (key: string) =>
  failureOf({ type: "config.unknown-key", message: `there is no setting ${key}` });

async function edit(paths: HomePaths, env: Env): Promise<void> {
  mkdirSync(paths.root, { recursive: true, mode: 0o700 });
  if (readText(paths.config) === null) writeFileSync(paths.config, "", { mode: 0o600 });
  const editor = env["VISUAL"] ?? env["EDITOR"] ?? "vi";
  // $EDITOR may hold arguments ("code --wait"), so a shell splits it; the path is passed apart.
  const child = Bun.spawn(["sh", "-c", `${editor} "$1"`, "sh", paths.config], {
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  });
  const status = await child.exited;
  if (status !== 0)
    throw failureOf({
      type: "config.editor",
      message: `the editor ended with status ${status}`,
    });
  valueOf(readSettings({ path: paths.config, env, readFile: readText }));
}

// Settings for the service: every key with what it is, and changing one in the user's file.

/** The same file and the same rules as `continuity config`. */
export function createSettingsPort(
  paths: HomePaths,
  env: Env,
  settings: SettingsSource,
): ServiceContext["config"] {
  const port = createConfigPort(paths, env);
  return {
    path: paths.config,
    warnings: settings.warnings,
    read: () => answered(() => port.get(null).map(itemOf)),
    set: (key, value) => answered(() => itemOf(port.set(key, value))),
  };
}

function itemOf(entry: ConfigEntry): ConfigItemJson {
  const key = settingKeys.find(({ name }) => name === entry.key);
  if (key === undefined) throw unknownKey(entry.key);
  const { section, expected, choices, effect, variable } = key;
  // A key without a variable is one that a project must not choose; nor may whoever holds a token.
  const editable = variable !== null;
  return {
    ...entry,
    section,
    default: defaultOf(key),
    expected,
    choices,
    effect,
    variable,
    editable,
  };
}

function answered<Value>(work: () => Value): Result<Value, ServiceError> {
  try {
    return ok(work());
  } catch (error) {
    if (!isCliFailure(error)) throw error;
    const { message, type } = error;
    const isOfKey = type === "config.unknown-key" || type === "config.value";
    return err({ type: isOfKey ? type : "config.unreadable", message });
  }
}

/** The pause switch as a file in the home folder, because a hook asks with one failed `stat` when nothing is paused. */
export function createPauseFile(paths: HomePaths): ServiceContext["pause"] {
  const file = pauseFile(paths);
  return {
    state: (nowMs) =>
      isPaused(paths, nowMs)
        ? { paused: true, until: untilOf(file) }
        : { paused: false, until: null },
    pause: (untilMs, nowMs) => startPause(paths, nowMs, untilMs),
    resume: (nowMs) => endPause(paths, nowMs),
  };
}

function untilOf(file: string): number | null {
  const text = readText(file)?.trim() ?? "";
  return /^\d+$/.test(text) ? Number(text) : null;
}
