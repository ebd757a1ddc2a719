/** Narrowing of unknown JSON, for the parser of this room. A wrong shape reads as absent; nothing throws. */

export type JsonRecord = Readonly<Record<string, unknown>>;

export const asRecord = (value: unknown): JsonRecord | null =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonRecord)
    : null;

export const asText = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : null;

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Parses one JSON object; null when it is anything else or no JSON at all. */
export function parseRecord(text: string): JsonRecord | null {
  try {
    return asRecord(JSON.parse(text));
  } catch {
    return null; // JSON.parse is the only thing here that throws.
  }
}
