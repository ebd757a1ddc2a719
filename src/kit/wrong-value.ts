/** Words for a wrong value or name from outside, which do not depend on the library that found it. */

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

// The known name nearest to one that is not known. Pure.

/** A third of the letters may be wrong, at most four: beyond that it is another word. */
const distanceMax = (name: string): number => Math.min(4, Math.max(1, Math.floor(name.length / 3)));

/** Null when none is near. */
export function nearestOf(name: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let bestDistance = distanceMax(name) + 1;
  for (const candidate of known) {
    const distance = distanceOf(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Levenshtein's distance, where two letters changed round count once. */
function distanceOf(one: string, two: string): number {
  const rows: number[][] = [Array.from({ length: two.length + 1 }, (_, index) => index)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row];
    rows.push(line);
    for (let column = 1; column <= two.length; column += 1) {
      const cost = one[row - 1] === two[column - 1] ? 0 : 1;
      const swapped = one[row - 1] === two[column - 2] && one[row - 2] === two[column - 1];
      line.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + cost,
          swapped ? at(row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(one.length, two.length);
}
