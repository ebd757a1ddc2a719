/** The log port. What is logged names what happened, never what was said: no prompt text, no memory text. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** Values are short facts (ids, counts, milliseconds, error types). */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

export interface Log {
  readonly write: (level: LogLevel, event: string, fields?: LogFields) => void;
}

export interface LogDep {
  readonly log: Log;
}

export const silentLog: Log = { write: () => undefined };
