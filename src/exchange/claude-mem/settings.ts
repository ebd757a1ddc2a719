/** What claude-mem was set to, as far as there is the same thing here. Keys, addresses and models are never read. */
import { readFileSync, statSync } from "node:fs";
import type { Result } from "#kit";
import { SourceFailure, type ReadPlan } from "../source.ts";

/** The settings of this program, as `config get` and `config set` see them. */
export interface SettingsPort {
  readonly get: (
    key: string,
  ) => Result<readonly { readonly value: string; readonly source: string }[], unknown>;
  readonly set: (key: string, value: string) => Result<unknown, { readonly message: string }>;
}

const settingsBytesMax = 1_048_576;

interface Counterpart {
  readonly theirs: string;
  readonly ours: string;
  readonly valueOf: (text: string) => readonly string[];
}

const commaList = (text: string): readonly string[] =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .slice(0, 200);

/** Tools it left out and projects it never looked at: both lists only ever make this program keep less. */
const counterparts: readonly Counterpart[] = [
  { theirs: "CLAUDE_MEM_EXCLUDED_PROJECTS", ours: "privacy.exclude", valueOf: commaList },
  { theirs: "CLAUDE_MEM_SKIP_TOOLS", ours: "capture.boring", valueOf: commaList },
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
  const theirs = readSettings(path);
  return counterparts.flatMap(({ theirs: name, ours, valueOf }) => {
    const wanted = valueOf(theirs[name] ?? "");
    const known = listAt(config, ours);
    const added = wanted.filter((entry) => known?.includes(entry) === false);
    if (known === null || added.length === 0) return [];
    if (!dryRun) {
      const set = config.set(ours, JSON.stringify([...known, ...added]));
      if (!set.ok) throw new SourceFailure(`${ours} could not be set: ${set.error.message}`);
    }
    return [`${ours} + ${added.join(", ")}`];
  });
}

/** What is set now; null when the user or the environment has a word in it already. */
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
    const parsed: unknown = JSON.parse(readFileSync(path, "utf8"));
    const flat = recordOf(parsed);
    return { ...textsIn(flat), ...textsIn(recordOf(flat["env"])) };
  } catch {
    return {}; // No file, no permission, or no JSON: there is nothing to take over.
  }
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};

const textsIn = (record: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(record).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
