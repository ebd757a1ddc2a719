/** Holds the building blocks of the fuzzer's targets. */
import * as fc from "fast-check";

export interface Target {
  readonly name: string;
  /** So many of a run's cases: one of a target that writes to a disk takes a thousand times as long. */
  readonly share?: number;
  readonly cases: fc.Arbitrary<unknown>;
  readonly feed: (given: never) => Promise<void> | void;
}

/** Text of any kind, and some that has done harm elsewhere. */
export const word = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom(
    "",
    "s-1",
    "\ud800",
    "\u0000",
    "__proto__",
    "../..",
    "NaN",
    "1e999",
    "{",
    "mem://",
  ),
);
/** Any value in the place of another. */
export const oddValue = fc.oneof(word, fc.jsonValue(), fc.integer(), fc.constant(null));
/** Records of known field names with any values in them. */
export const recordOf = (
  names: readonly string[],
): fc.Arbitrary<Readonly<Record<string, unknown>>> =>
  fc.dictionary(
    fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: word }),
    oddValue,
    { maxKeys: 10 },
  );

/** The values of a record, at any depth: as functions that replace them. */
function placesIn(value: unknown, found: ((by: unknown) => void)[] = []): typeof found {
  if (typeof value !== "object" || value === null) return found;
  for (const key of Object.keys(value)) {
    found.push((by) => void Object.assign(value, { [key]: by }));
    placesIn((value as Readonly<Record<string, unknown>>)[key], found);
  }
  return found;
}

/** Replaces one value of a JSON text; what is no JSON is replaced as a whole. */
export function replaced(text: string, at: number, by: unknown): string {
  try {
    const value: unknown = JSON.parse(text);
    const places = placesIn(value);
    places[at % Math.max(1, places.length)]?.(by);
    return JSON.stringify(value);
  } catch {
    return String(by);
  }
}
