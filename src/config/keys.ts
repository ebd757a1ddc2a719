/**
 * Every key of config.toml, once: its kind, its effect, where it goes in Settings. Reading, writing, the environment
 * and the reference are derived from this table; a new key is a new row.
 */
import { defaultSettings } from "#domain";
import type { Settings } from "#domain";
import { ok } from "#kit";
import type { Result } from "#kit";
import {
  boolean,
  choice,
  fraction,
  integer,
  minutesOrNever,
  onOff,
  patterns,
  texts,
} from "./kinds.ts";
import type { Kind } from "./kinds.ts";

/** Puts a value that was read into settings. */
export type Change = (settings: Settings) => Settings;

export interface SettingKey {
  readonly section: keyof Settings;
  readonly key: string;
  /** `section.key`. */
  readonly name: string;
  /** Its environment variable. */
  readonly variable: string;
  readonly expected: string;
  readonly effect: string;
  /** What `settings` say, as TOML writes it. */
  readonly write: (settings: Settings) => string;
  /** The change a TOML value asks for, or what was expected. */
  readonly read: (value: unknown) => Result<Change, string>;
  /** The same from an environment variable or the command line. */
  readonly readText: (text: string) => Result<Change, string>;
}

/** A variable is CONTINUITY_ + section + key, the section dropped for `[server]`. */
const variableOf = (section: string, key: string): string =>
  `CONTINUITY_${section === "server" ? "" : `${section.toUpperCase()}_`}${key.toUpperCase()}`;

interface Row<Value> {
  readonly kind: Kind<Value>;
  readonly effect: string;
  /** TOML name, where it differs from the field's. */
  readonly key?: string;
}

function define<Section extends keyof Settings, Field extends keyof Settings[Section] & string>(
  section: Section,
  field: Field,
  row: Row<Settings[Section][Field]>,
): SettingKey {
  const key = row.key ?? field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const put = (read: Result<Settings[Section][Field], string>): Result<Change, string> =>
    read.ok
      ? ok((settings) => ({
          ...settings,
          [section]: { ...settings[section], [field]: read.value },
        }))
      : read;
  return {
    section,
    key,
    name: `${section}.${key}`,
    variable: variableOf(section, key),
    expected: row.kind.expected,
    effect: row.effect,
    write: (settings) => row.kind.write(settings[section][field]),
    read: (value) => put(row.kind.read(value)),
    readText: (text) => put(row.kind.readText(text)),
  };
}

/** In the order of the reference. */
export const settingKeys: readonly SettingKey[] = [
  define("server", "port", {
    kind: integer(0, 65_535),
    effect:
      "TCP port on this machine for the viewer and for people; the next nine are tried when it is taken; 0 takes any.",
  }),
  define("server", "autostart", {
    kind: boolean,
    effect:
      "Hooks and commands start the daemon when it is away. Without it, hooks only leave their events in the spool.",
  }),
  define("server", "idleExitMinutes", {
    key: "idle_exit",
    kind: minutesOrNever,
    effect: "The daemon leaves after this long without work.",
  }),
  define("capture", "boring", {
    kind: texts,
    effect: "Tools whose text is not kept, only the file they looked at.",
  }),
  define("capture", "archive", {
    kind: boolean,
    effect: "Transcripts are archived, through the privacy gate, before the client deletes them.",
  }),
  define("privacy", "exclude", {
    kind: texts,
    effect: "Globs of paths that are never captured.",
  }),
  define("privacy", "redact", {
    kind: patterns,
    effect:
      "Regular expressions, any case, whose matches become `[redacted:custom]`, besides the built-in secret rules.",
  }),
  define("moments", "enabled", {
    kind: boolean,
    effect: "Significant turns are kept as moments.",
  }),
  define("moments", "threshold", {
    kind: fraction(0, 1),
    effect: "Significance from which a turn becomes a moment.",
  }),
  define("retrieval", "lexicalWeight", {
    kind: fraction(0, 1),
    effect: "Share of the words in a score; the rest is similarity of meaning.",
  }),
  define("retrieval", "relevanceWeight", {
    kind: fraction(0, 1),
    effect: "How much recent use nudges a score.",
  }),
  define("retrieval", "projectWeight", {
    kind: fraction(0, 1),
    effect: "How much the asking project nudges a score.",
  }),
  define("retrieval", "importanceWeight", {
    kind: fraction(0, 1),
    effect: "How much importance nudges a score.",
  }),
  define("inject", "startTokens", {
    kind: integer(0, 2_300),
    effect:
      "Most tokens given at the start of a session (the client cuts at 10,000 characters); 0 gives nothing.",
  }),
  define("inject", "promptTokens", {
    kind: integer(0, 2_300),
    effect: "Most tokens given with one prompt; 0 gives nothing.",
  }),
  define("inject", "prompt", {
    kind: onOff,
    effect: "Whether prompts are given memories at all.",
  }),
  define("inject", "eagerness", {
    kind: choice("low", "normal", "high"),
    effect: "How sure a match must be before it is given with a prompt.",
  }),
  define("decay", "halfLifeDays", {
    kind: fraction(1, 36_500),
    effect: "Days without use after which a memory weighs half.",
  }),
  define("decay", "momentHalfLifeDays", {
    kind: fraction(1, 36_500),
    effect: "The same for moments.",
  }),
  define("decay", "floor", {
    kind: fraction(0, 1),
    effect: "Weight below which no memory falls.",
  }),
  define("log", "level", {
    kind: choice("debug", "info", "warn", "error"),
    effect: "Entries below this level are not written.",
  }),
];

export const defaultOf = (key: SettingKey): string => key.write(defaultSettings);
