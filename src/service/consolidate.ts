/** Consolidation by hand: what would be made one, or is. A slice at a time; the caller comes back for the next. */
import { err, ok, type Result } from "#kit";
import type { WorkDep } from "./deps.ts";
import type { ServiceError } from "./errors.ts";

export interface ConsolidationJson {
  readonly items: readonly {
    /** `merge`: memories that say the same; `recurring`: moments that become a memory. */
    readonly type: "merge" | "recurring";
    /** What stays or is made; null for a memory that is not made yet. */
    readonly uri: string | null;
    readonly l0: string;
    /** What is put away (merge) or told of (recurring). */
    readonly parts: readonly { readonly uri: string; readonly l0: string }[];
  }[];
  /** Memories and moments looked at. */
  readonly looked: number;
  /** Where to go on; null = everything has been looked at. */
  readonly next: number | null;
}

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
    const slice = deps.work.consolidate({ apply, afterId: after, sliceMs, by: "user" });
    if (slice === null) return err({ type: "service.read-only" });
    return ok({
      items: slice.changes.map((change) => ({
        type: change.type,
        uri: change.type === "merge" ? change.keep.uri : (change.made?.uri ?? null),
        l0: change.type === "merge" ? change.keep.l0 : change.l0,
        parts: change.parts.map(({ uri, l0 }) => ({ uri, l0 })),
      })),
      looked: slice.looked,
      next: slice.nextId,
    });
  },
});
