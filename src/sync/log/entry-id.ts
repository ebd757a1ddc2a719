/** How an entry is known again. Pure. */
import type { SyncEntry } from "#domain";
import { sha256 } from "#kit";

/** The same entry has the same id everywhere. */
export const entryId = (entry: SyncEntry): string => sha256(canonical(entry));

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
