/**
 * Notices that did not reach the user, because their event was left in the spool or its hook had left before the
 * answer: the next prompt of the same project that is answered brings them, in whatever session.
 */
import type { StoreDep } from "#domain";

/** Notices of a project that wait, a line each. */
const dueMeta = ({ sessions }: StoreDep["store"], sessionId: string): string =>
  `notice.due:${sessions.byId(sessionId)?.project ?? ""}`;
/** Characters of what waits; what exceeds them is dropped. */
const dueCharsMax = 1_000;

/** Keeps a session's `notice` for the next prompt of its project that is answered. */
export function keepDue({ store }: StoreDep, sessionId: string, notice: string): void {
  const name = dueMeta(store, sessionId);
  const all = [store.admin.getMeta(name), notice].filter((one) => one !== null).join("\n");
  if (all.length <= dueCharsMax) store.admin.setMeta(name, all);
}

/** Returns what waits, once; null when nothing does. */
export function takeDue({ store }: StoreDep, sessionId: string): string | null {
  const name = dueMeta(store, sessionId);
  const due = store.admin.getMeta(name);
  if (due !== null) store.admin.setMeta(name, null);
  return due;
}
