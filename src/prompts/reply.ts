/**
 * Reading a model's reply: JSON of any shape. Every reader takes `unknown`, looks at own properties only, and gives a
 * bounded value or a default; none throws. Pure.
 */
import { cleanLine } from "./clean.ts";
import { promptLimits } from "./limits.ts";

export type ReplyRecord = Readonly<Record<string, unknown>>;

/** An object that is no list; null for anything else. */
export const recordOf = (value: unknown): ReplyRecord | null =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as ReplyRecord)
    : null;

/** An own property; what stands on the prototype is not part of a reply. */
export const fieldOf = (record: ReplyRecord, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** One clean line, cut at a word; empty when the field is no text. */
export function lineOf(record: ReplyRecord, name: string, charsMax: number): string {
  const value = fieldOf(record, name);
  return typeof value === "string" ? cleanLine(value, charsMax) : "";
}

/** A finite number between `min` and `max` (clamped), or null. Numbers written as text count. */
export function numberOf(
  record: ReplyRecord,
  name: string,
  bounds: { readonly min: number; readonly max: number },
): number | null {
  const value = fieldOf(record, name);
  const number =
    typeof value === "string" && value.length <= 20 && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) return null;
  return Math.min(bounds.max, Math.max(bounds.min, number));
}

/** Distinct non-empty lines of a list field. */
export function linesOf(
  record: ReplyRecord,
  name: string,
  bounds: { readonly itemsMax: number; readonly charsMax: number },
): readonly string[] {
  const lines = listOf(record, name).flatMap((item) =>
    typeof item === "string" ? cleanLine(item, bounds.charsMax) : [],
  );
  return [...new Set(lines.filter((line) => line !== ""))].slice(0, bounds.itemsMax);
}

/** The first items of a list field; empty when it is no list. */
export function listOf(record: ReplyRecord, name: string): readonly unknown[] {
  const value = fieldOf(record, name);
  return Array.isArray(value) ? value.slice(0, promptLimits.replyItemsMax) : [];
}

/** The value when it is one of those allowed. */
export const oneOf = <Value extends string>(
  value: unknown,
  allowed: readonly Value[],
): Value | null => allowed.find((each) => each === value) ?? null;
