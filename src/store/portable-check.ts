/** Is a record what its kind says it is? Pure: knows types, not what is stored. */
import type { PortableColumn, PortableKind } from "./portable-kinds.ts";

/** Longer texts are no memory of ours: the longest of a record is a full content of 40,000 characters. */
const textCharsMax = 1_000_000;

/** What is wrong with a record, in words; null when nothing is. Keys that are not known are left out, not refused. */
export function mistakeIn(
  { columns }: PortableKind,
  record: Readonly<Record<string, unknown>>,
): string | null {
  for (const column of columns) {
    const value = record[column.name];
    if (value === undefined && column.isLate) continue;
    if (value === undefined) return `${column.name} is missing`;
    if (!isOfType(column, value)) return `${column.name} is not ${expected(column)}`;
  }
  return null;
}

function isOfType({ name, type, isNullable }: PortableColumn, value: unknown): boolean {
  if (value === null) return isNullable;
  switch (type) {
    case "text":
      return typeof value === "string" && value.length <= textCharsMax;
    case "int":
      return Number.isSafeInteger(value);
    case "real":
      return typeof value === "number" && Number.isFinite(value);
    case "bool":
      return typeof value === "boolean";
    case "json":
      return name === "fields" ? isObject(value) : isList(name, value);
  }
}

const isObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Lists hold texts; evidence holds pointers. */
const isList = (name: string, value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((entry) => (name === "evidence" ? isObject(entry) : typeof entry === "string"));

const expected = ({ name, type }: PortableColumn): string =>
  ({
    text: "a text",
    int: "a whole number",
    real: "a number",
    bool: "true or false",
    json: name === "fields" ? "an object" : "a list",
  })[type];
