/**
 * Notices that did not reach the user, because their event was left in the spool or its hook had left before the
 * answer: the next prompt of the same project that is answered brings them, in whatever session.
 */
import type { Store } from "#domain";

const projectOf = ({ store }: { readonly store: Store }, sessionId: string): string =>
  store.sessions.byId(sessionId)?.project ?? "";
/** Notices of a project that wait, a line each. */
const dueMeta = (project: string): string => `notice.due:${project}`;
/** Characters of what waits; what exceeds them is dropped. */
const dueCharsMax = 1_000;

/** Keeps a session's `notice` for the next prompt of its project that is answered. */
export const keepDue = (deps: { readonly store: Store }, sessionId: string, notice: string): void =>
  keepDueIn(deps, projectOf(deps, sessionId), notice);

/** Keeps a notice for the next prompt of a project that is answered. */
export function keepDueIn(
  { store }: { readonly store: Store },
  project: string,
  notice: string,
): void {
  const name = dueMeta(project);
  const all = [store.admin.getMeta(name), notice].filter((one) => one !== null).join("\n");
  if (all.length <= dueCharsMax) store.admin.setMeta(name, all);
}

/** Returns what waits, once; null when nothing does. */
export function takeDue(deps: { readonly store: Store }, sessionId: string): string | null {
  const { store } = deps;
  const name = dueMeta(projectOf(deps, sessionId));
  const due = store.admin.getMeta(name);
  if (due !== null) store.admin.setMeta(name, null);
  return due;
}
