/** Imported sessions that a model was asked to read, and those that still wait: told by `status`. */
import type { JobQueue, StoreAdmin } from "./store.ts";

export interface BackfillState {
  readonly total: number;
  readonly left: number;
}

interface Kept {
  readonly admin: Pick<StoreAdmin, "getMeta" | "setMeta">;
  readonly jobs: Pick<JobQueue, "backfillLeft">;
}

const meta = "model.backfill";

/** Null when none waits. */
export function backfillState({ admin, jobs }: Kept): BackfillState | null {
  const left = jobs.backfillLeft();
  return left === 0 ? null : { total: Math.max(left, Number(admin.getMeta(meta) ?? 0)), left };
}

export const saveBackfillTotal = ({ admin }: Kept, total: number): void =>
  admin.setMeta(meta, `${total}`);
