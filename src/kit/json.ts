/** Readers for JSON from elsewhere: a missing or mistyped field is null, never an error. */

export type Json = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The record itself, or an empty one. */
export const recordOf = (value: unknown): Json => (isRecord(value) ? value : {});

/** The list itself, or an empty one. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A non-empty string field, else null. */
export function textField(record: Json, field: string): string | null {
  const value = record[field];
  return typeof value === "string" && value !== "" ? value : null;
}

/** Parses JSON; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // JSON.parse is the only thing here that throws.
  }
}

/** JSON with sorted keys, so that the order in which a client writes its fields does not matter. */
export function canonicalJson(value: unknown): string {
  const parts: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) parts.push(canonicalJson(item));
    return `[${parts.join(",")}]`;
  }
  if (!isRecord(value)) return JSON.stringify(value) ?? "null";
  for (const key of Object.keys(value).toSorted())
    parts.push(`${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${parts.join(",")}}`;
}
