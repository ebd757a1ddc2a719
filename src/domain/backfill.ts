/** Imported sessions that a model was asked to read, and those that still wait: told by `status` and the viewer. */
import type { JobQueue, StoreAdmin } from "./store.ts";

export interface BackfillState {
  readonly total: number;
  readonly left: number;
  /** When the run began. Epoch milliseconds. */
  readonly sinceMs: number;
}

interface Kept {
  readonly admin: StoreAdmin;
  readonly jobs: JobQueue;
}

const meta = "model.backfill";

/** Null when none waits. */
export function backfillState({ admin, jobs }: Kept): BackfillState | null {
  const left = jobs.backfillLeft();
  const [total = 0, sinceMs = 0] = (admin.getMeta(meta) ?? "").split(" ").map(Number);
  return left === 0 ? null : { total: Math.max(left, total), left, sinceMs };
}

export const saveBackfill = (
  { admin }: Kept,
  { total, sinceMs }: Omit<BackfillState, "left">,
): void => admin.setMeta(meta, `${total} ${sinceMs}`);
