/** Records of our own export: written as they are where their place is free. */
import { holdsForgotten } from "#domain";
import type { Applying } from "./applying.ts";
import type { ItemOf, ItemOutcome } from "./items.ts";
import { created, reasons, refused, skipped, uncounted } from "./outcome.ts";

/** Where the texts of a record stand; what was forgotten here does not come back out of an old export. */
const textKeys = [
  "l0",
  "l1",
  "l2",
  "prompt",
  "answer",
  "firstPrompt",
  "title",
  "narrative",
  "target",
  "text",
] as const;

export function applyPortable(
  { store }: Applying,
  { record, isPlace }: ItemOf<"portable">,
): ItemOutcome {
  const texts = textKeys.map((key) => record[key]).filter((text) => typeof text === "string");
  if (holdsForgotten(store, texts)) return skipped(reasons.forgotten);
  const put = store.portable.put(ofElsewhere(record));
  if (isPlace) return uncounted;
  switch (put.outcome) {
    case "created":
      return created;
    case "there":
      return skipped(reasons.there);
    case "unknown-kind":
      return skipped("a kind that this version does not know");
    case "refused":
      return refused(put.reason.slice(0, 200));
  }
}

/**
 * The record as an import: nothing proves who said what a file calls the user's, and a guard that somebody else
 * approved asks nobody here.
 */
function ofElsewhere(record: Json): Json {
  const { kind, fields, enabled } = record;
  if (kind === "node") return withoutUser(record);
  if (kind === "revision" && isRecord(fields)) return { ...record, fields: withoutUser(fields) };
  return kind === "guard" && enabled === true ? { ...record, enabled: false } : record;
}

const withoutUser = (record: Json): Json =>
  record["origin"] === "user" ? { ...record, origin: "import" } : record;

const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

type Json = Readonly<Record<string, unknown>>;
