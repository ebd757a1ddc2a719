/**
 * Reading a model's reply: JSON of any shape. Every reader takes `unknown`, looks at own properties only, and gives a
 * bounded value or a default; none throws. Pure.
 */
import { err, ok, type Result } from "#kit";
import { cleanLine, cleanText } from "./clean.ts";
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

/** Clean text with its line breaks, at most `charsMax` characters; empty when the field is no text. */
export function textOf(record: ReplyRecord, name: string, charsMax: number): string {
  const value = fieldOf(record, name);
  if (typeof value !== "string") return "";
  return cleanText(value.slice(0, charsMax * 2))
    .trim()
    .slice(0, charsMax);
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

/**
 * The records of the one list a reply consists of. A model that leaves the list bare is understood. An error when there
 * is no list, or when it has items and none is an object.
 */
export function itemsOf(reply: unknown, name: string): Result<readonly ReplyRecord[], string> {
  const record = recordOf(reply);
  const value = Array.isArray(reply) ? reply : record === null ? undefined : fieldOf(record, name);
  if (!Array.isArray(value)) return err(`the reply must be an object with a list "${name}"`);
  const looked: readonly unknown[] = value.slice(0, promptLimits.replyItemsMax);
  const items = looked.map(recordOf).filter((item) => item !== null);
  return items.length === 0 && looked.length > 0
    ? err(`"${name}" must be a list of objects`)
    : ok(items);
}

/** Readable items of a list; an error when there were items and none was readable, which one retry may mend. */
export function readItems<Value>(
  items: readonly ReplyRecord[],
  read: (item: ReplyRecord) => Value | null,
  expected: string,
): Result<readonly Value[], string> {
  const values = items.flatMap((item) => read(item) ?? []);
  return items.length > 0 && values.length === 0 ? err(expected) : ok(values);
}
