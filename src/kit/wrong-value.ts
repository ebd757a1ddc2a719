/** What is wrong with a value from outside, in words that do not depend on the library that found it. */

/** An issue as zod raises it; only what is read of it here. */
export interface Issue {
  readonly code?: string | undefined;
  readonly expected?: unknown;
  readonly input?: unknown;
  readonly origin?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly values?: unknown;
  readonly keys?: unknown;
}

/** One short clause: `is missing`, `must be a number`, `must be one of: a, b`. */
export function wrongValue(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is missing" : `must be ${nameOf(issue.expected)}`;
    case "invalid_value":
      return `must be one of: ${listed(issue.values)}`;
    case "too_small":
      return isMissingText(issue)
        ? "must not be empty"
        : `must be at least ${String(issue.minimum)}${unitOf(issue.origin)}`;
    case "too_big":
      return `must be at most ${String(issue.maximum)}${unitOf(issue.origin)}`;
    case "unrecognized_keys":
      return `unknown field: ${listed(issue.keys)}`;
    case undefined:
    default:
      return "is not valid";
  }
}

const isMissingText = ({ origin, minimum }: Issue): boolean =>
  minimum === 1 && (origin === "string" || origin === "array");

const listed = (values: unknown): string =>
  Array.isArray(values) ? values.map(String).join(", ") : String(values);

const names: Readonly<Record<string, string>> = {
  int: "a whole number",
  number: "a number",
  string: "text",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

const nameOf = (expected: unknown): string => names[String(expected)] ?? `a ${String(expected)}`;

const unitOf = (origin: unknown): string =>
  origin === "string" ? " characters" : origin === "array" ? " entries" : "";
