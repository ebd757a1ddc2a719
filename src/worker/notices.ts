/**
 * Notices that did not reach the user, because their event was left in the spool or its hook had left before the
 * answer: the next prompt that is answered brings them, in whatever session.
 */
import type { StoreDep } from "#domain";

/** Notices that wait, a line each. */
const dueMeta = "notice.due";
/** Characters of what waits; what exceeds them is dropped. */
const dueCharsMax = 1_000;

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
