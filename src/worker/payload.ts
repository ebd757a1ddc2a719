/** Tolerant readers for the client's JSON: a missing or mistyped field is null, never an error. */
import { msPerSecond } from "#kit";

export type Json = Readonly<Record<string, unknown>>;

export const record = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};

/** A non-empty string field, else null. */
export function textOf(payload: Json, field: string): string | null {
  const value = payload[field];
  return typeof value === "string" && value !== "" ? value : null;
}

export const booleanOf = (payload: Json, field: string): boolean => payload[field] === true;

export const arrayOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** How long ago the last answer was, ms, as a start says it; null when it does not, or says nonsense. */
export function sinceAnswerOf(payload: Json): number | null {
  const seconds = payload["seconds_since_last_response"];
  return typeof seconds === "number" && seconds >= 0 && Number.isFinite(seconds)
    ? Math.round(seconds * msPerSecond)
    : null;
}
