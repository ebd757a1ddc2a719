/** Reads the settings of claude-mem that have a counterpart here. Keys, addresses and models are never read. */
import { readFileSync, statSync } from "node:fs";
import type { Result } from "#kit";
import { isJson, SourceFailure, type ReadPlan } from "../source.ts";

/** The settings of this program, as `config get` and `config set` see them. */
export interface SettingsPort {
  readonly get: (
    key: string,
  ) => Result<readonly { readonly value: string; readonly source: string }[], unknown>;
  readonly set: (key: string, value: string) => Result<unknown, { readonly message: string }>;
}

const settingsBytesMax = 1_048_576;
const entriesMax = 200;

/** Projects it never looked at and tools it left out: both lists only ever make this program keep less. */
const counterparts = [
  { theirs: "CLAUDE_MEM_EXCLUDED_PROJECTS", ours: "privacy.exclude" },
  { theirs: "CLAUDE_MEM_SKIP_TOOLS", ours: "capture.boring" },
];

/** A plan without records: only settings. Throws `SourceFailure` when the file itself was asked for and holds none. */
export function planSettings(
  config: SettingsPort,
  path: string,
  isAsked: boolean,
): ReadPlan & { readonly settings: (dryRun: boolean) => readonly string[] } {
  if (isAsked && Object.keys(readSettings(path)).length === 0)
    throw new SourceFailure(`${path} holds no settings of claude-mem`);
  return {
    total: 0,
    unit: "records",
    steps: [],
    close: () => undefined,
    settings: (dryRun) => takeOver(config, path, dryRun),
  };
}

function takeOver(config: SettingsPort, path: string, dryRun: boolean): readonly string[] {
  const settings = readSettings(path);
  return counterparts.flatMap(({ theirs, ours }) => {
    const wanted = (settings[theirs] ?? "").split(",").map((entry) => entry.trim());
    const known = listAt(config, ours);
    const added = wanted
      .slice(0, entriesMax)
      .filter((entry) => entry !== "" && known?.includes(entry) === false);
    if (known === null || added.length === 0) return [];
    if (!dryRun) {
      const set = config.set(ours, JSON.stringify([...known, ...added]));
      if (!set.ok) throw new SourceFailure(`${ours} could not be set: ${set.error.message}`);
    }
    return [`${ours} + ${added.join(", ")}`];
  });
}

/** The list that is set now; null when the environment has set it, or it is no list. */
function listAt(config: SettingsPort, key: string): readonly string[] | null {
  const entries = config.get(key);
  const [entry] = entries.ok ? entries.value : [];
  if (entry === undefined || !["default", "file"].includes(entry.source)) return null;
  try {
    const value: unknown = JSON.parse(entry.value);
    return Array.isArray(value) ? value.filter((one) => typeof one === "string") : null;
  } catch {
    return null; // Not a list that we could add to.
  }
}

/** Flat, or under `env` as older versions wrote it. No file: no settings. */
function readSettings(path: string): Readonly<Record<string, string>> {
  try {
    const facts = statSync(path);
    if (!facts.isFile() || facts.size > settingsBytesMax) return {};
    const flat: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (!isJson(flat)) return {};
    const all = Object.entries({ ...flat, ...(isJson(flat["env"]) ? flat["env"] : {}) });
    return Object.fromEntries(
      all.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    );
  } catch {
    return {}; // No file, no permission, or no JSON: there is nothing to take over.
  }
}
