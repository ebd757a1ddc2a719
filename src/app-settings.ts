/**
 * Settings as they are now: defaults, config.toml, environment. A file that changed is read again, so that a running
 * daemon follows it; a broken file keeps what was in force and says what is wrong.
 */
import { readFileSync, statSync } from "node:fs";
import { describeConfigError, describeConfigWarning, readSettings } from "#config";
import { defaultSettings, type HomePaths, type Settings } from "#domain";
import type { SettingsSource } from "./app-host.ts";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * In force while a file that was never readable cannot be read: what it excludes is not known, so everything is.
 */
const nothingCaptured: Settings = {
  ...defaultSettings,
  privacy: { ...defaultSettings.privacy, exclude: ["/**"] },
};

export function createSettingsSource(paths: HomePaths, env: Env): SettingsSource {
  let settings: Settings = defaultSettings;
  let warnings: readonly string[] = [];
  let seen: string | null = null;
  let hasRead = false;
  const refresh = (): void => {
    const stamp = stampOf(paths.config);
    if (stamp === seen) return;
    seen = stamp;
    const read = readSettings({ path: paths.config, env, readFile: readIfThere });
    if (read.ok) settings = read.value.settings;
    else if (!hasRead) settings = nothingCaptured;
    hasRead ||= read.ok;
    warnings = read.ok
      ? read.value.warnings.map(describeConfigWarning)
      : [
          `${describeConfigError(read.error)}; ` +
            (hasRead
              ? "the settings before it stay in force"
              : "nothing is captured until it is mended"),
        ];
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
  };
}

/** Changes whenever the file does; one `stat` a call. */
function stampOf(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? "none" : `${found.mtimeMs}:${found.size}:${found.ino}`;
  } catch {
    return "none"; // Under a home that is no folder, or not ours: whoever opens that says so.
  }
}

/** Text of a file; null when there is none. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
