/**
 * Notices that did not reach the user, because their event was left in the spool or its hook had left before the
 * answer: the next prompt that is answered brings them, in whatever session.
 */
import type { StoreDep } from "#domain";

/** Notices that wait, a line each. */
const dueMeta = "notice.due";
/** Characters of what waits; what exceeds them is dropped. */
const dueCharsMax = 1_000;

/** The newest event that was answered with a notice: its key, a line end, the notice. */
const givenMeta = "notice.given";

/** Keeps `notice` for the next prompt that is answered. */
export function keepDue({ store: { admin } }: StoreDep, notice: string): void {
  const all = [admin.getMeta(dueMeta), notice].filter((one) => one !== null).join("\n");
  if (all.length <= dueCharsMax) admin.setMeta(dueMeta, all);
}

/** Returns what waits, once; null when nothing does. */
export function takeDue({ store: { admin } }: StoreDep): string | null {
  const due = admin.getMeta(dueMeta);
  if (due !== null) admin.setMeta(dueMeta, null);
  return due;
}

/** Remembers what the event of `key` is answered, in case its hook has left. */
export function noteGiven({ store: { admin } }: StoreDep, key: string, notice: string): void {
  admin.setMeta(givenMeta, `${key}\n${notice}`);
}

/** Keeps for the next prompt what the event of `key` was answered: its hook had left. */
export function noteUnread({ store }: StoreDep, key: string): void {
  const given = store.admin.getMeta(givenMeta);
  if (given?.startsWith(`${key}\n`) !== true) return;
  store.admin.setMeta(givenMeta, null);
  keepDue({ store }, given.slice(key.length + 1));
}
