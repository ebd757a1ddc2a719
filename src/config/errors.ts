/** What can be wrong with a configuration, and how that is said to people. */

export type ConfigError =
  /** Not TOML at all. `line` and `column` from 1. */
  | {
      readonly type: "config.syntax";
      readonly path: string;
      readonly line: number;
      readonly column: number;
      readonly detail: string;
    }
  /**
   * A value of the wrong kind. `source` is the file or the variable; `line` null for variables and the command line.
   */
  | {
      readonly type: "config.value";
      readonly source: string;
      readonly line: number | null;
      readonly key: string;
      readonly expected: string;
      readonly found: string;
    }
  | {
      readonly type: "config.unknown-key";
      readonly key: string;
      readonly nearest: string | null;
    };

export interface ConfigWarning {
  readonly source: string;
  readonly line: number | null;
  readonly key: string;
  readonly nearest: string | null;
}

/** The user who typed the value need not be told where it is. */
function place(source: string, line: number | null): string {
  if (source === commandLine) return "";
  return line === null ? `${source}: ` : `${source}:${line}: `;
}

const hint = (nearest: string | null): string =>
  nearest === null ? "" : `; did you mean ${nearest}?`;

/** The source of a value that was typed as an argument. */
export const commandLine = "command line";

/** One line for people. */
export function describeConfigError(error: ConfigError): string {
  switch (error.type) {
    case "config.syntax":
      return `${error.path}:${error.line}:${error.column}: ${error.detail}`;
    case "config.value":
      return `${place(error.source, error.line)}${error.key} must be ${error.expected}, not ${error.found}`;
    case "config.unknown-key":
      return `unknown key ${error.key}${hint(error.nearest)}`;
    default:
      return error satisfies never;
  }
}

/** One line for people. */
export const describeConfigWarning = (warning: ConfigWarning): string =>
  `${place(warning.source, warning.line)}unknown key ${warning.key} is ignored${hint(warning.nearest)}`;
