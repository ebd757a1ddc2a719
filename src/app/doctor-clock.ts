/** `doctor --fix` for records that a clock that ran ahead dated in the future. */
import { join } from "node:path";
import { holdLock } from "#daemon";
import { backupName, takeSnapshot } from "#store";
import type { AppDeps } from "./context.ts";
import { openReader } from "./daemon.ts";
import { explainOpenError } from "./errors.ts";

/** Takes a backup, then dates them earlier in the daemon's place. Told in words. */
export async function mendFutureDates(app: AppDeps): Promise<string> {
  const lock = await holdLock(app);
  if (lock === null) return "the daemon could not be stopped, so no date was changed";
  try {
    const nowMs = app.clock.nowMs();
    const backup = join(app.paths.backups, backupName(nowMs));
    const made = takeSnapshot(app.paths.database, backup, app.random);
    if (!made.ok)
      return `no date was changed, since no backup could be made: ${explainOpenError(made.error, app.paths).message}`;
    const opened = openReader(app, "readwrite");
    if (!opened.ok)
      return `no date was changed: ${explainOpenError(opened.error, app.paths).message}`;
    using store = opened.value.store;
    const records = store.admin.mendFutureDates(nowMs);
    return `dated ${records} records now that lay in the future; before that: ${backup}`;
  } finally {
    lock.release();
  }
}
