/** Consolidation by hand: what would be made one, or is. A slice at a time; the caller comes back for the next. */
import type { ConsolidationJson } from "#api";
import { err, ok, type Result } from "#kit";
import type { WorkDep } from "./deps.ts";
import type { ServiceError } from "./errors.ts";

export interface ConsolidateAsk {
  readonly apply: boolean;
  /** `next` of the answer before; 0 = from the beginning. */
  readonly after: number;
}

export interface ConsolidateApi {
  /** Looks at memories for about 50 ms. With `apply`, each change is a revision that can be taken back. */
  readonly consolidate: (ask: ConsolidateAsk) => Result<ConsolidationJson, ServiceError>;
}

/** Short, because hooks wait meanwhile. */
const sliceMs = 50;

export const createConsolidateApi = (
  deps: WorkDep & { readonly writable: boolean },
): ConsolidateApi => ({
  consolidate: ({ apply, after }) => {
    if (!deps.writable) return err({ type: "service.read-only" });
    const slice = deps.work.consolidate({ apply, afterId: after, sliceMs });
    if (slice === null) return err({ type: "service.read-only" });
    return ok({
      items: slice.changes.map((change) => ({
        type: change.type,
        uri: change.keep.uri,
        l0: change.keep.l0,
        parts: change.parts.map(({ uri, l0 }) => ({ uri, l0 })),
      })),
      looked: slice.looked,
      next: slice.nextId,
    });
  },
});
