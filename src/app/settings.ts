/**
 * Settings as they are now: defaults, config.toml, environment. A file that changed is read again, so that a running
 * daemon follows it; a broken file keeps what was in force and says what is wrong.
 */
import { statSync } from "node:fs";
import {
  describeConfigError,
  describeConfigWarning,
  readSettings,
  type ConfigError,
  type ReadSettings,
} from "#config";
import { readText } from "#kit";
import { defaultSettings, type HomePaths, type Settings, type SettingsSource } from "#domain";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * In force while a file that was never readable cannot be read: what it excludes is not known, so everything is.
 */
const nothingCaptured: Settings = {
  ...defaultSettings,
  privacy: { ...defaultSettings.privacy, exclude: ["/**"] },
};

/** These sections decide what may be stored at all: while one of their values is wrong, nothing is. */
const canMiss = (section: string): boolean => section !== "privacy" && section !== "capture";

export function createSettingsSource(paths: HomePaths, env: Env): SettingsSource {
  let settings: Settings = defaultSettings;
  let warnings: readonly string[] = [];
  let seen: string | null = null;
  let hasRead = false;
  const refresh = (): void => {
    const stamp = stampOf(paths.config);
    if (stamp === seen) return;
    seen = stamp;
    const input = { path: paths.config, env, readFile: readText };
    // A file that was good before is followed when it is good again; one that never was, as far as it is.
    const read = readSettings(hasRead ? input : { ...input, canMiss });
    if (read.ok) settings = read.value.settings;
    else if (!hasRead) settings = nothingCaptured;
    warnings = read.ok ? complaintsOf(read.value) : [complaintOf(read.error, hasRead)];
    hasRead ||= read.ok;
  };
  return {
    current: () => {
      refresh();
      return settings;
    },
    warnings: () => {
      refresh();
      return warnings;
    },
    isKnown: () => {
      refresh();
      return settings !== nothingCaptured;
    },
  };
}

const complaintOf = (error: ConfigError, hasRead: boolean): string =>
  `${describeConfigError(error)}; ` +
  (hasRead ? "the previous settings stay in effect" : "nothing is captured until it is fixed");

/** One each: a table that is none is a fault of all its keys. */
const complaintsOf = ({ faults, warnings }: ReadSettings): readonly string[] => [
  ...new Set(
    faults.map(
      ({ error, section }) =>
        `${describeConfigError(error)}; until it is fixed, ` +
        (section === "llm" ? "no model is used" : `[${section}] uses its defaults`),
    ),
  ),
  ...warnings.map(describeConfigWarning),
];

/** Changes whenever the file does; one `stat` a call. */
function stampOf(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? "none" : `${found.mtimeMs}:${found.size}:${found.ino}`;
  } catch {
    return "none"; // Under a home that is no folder, or not ours: whoever opens that says so.
  }
}
