/**
 * The start context of agents whose start event cannot bring it: it waits for the session's next prompt. So it does
 * after a compaction that no event ends, and on a machine whose memory was still on its way when the session started.
 */
import type { Store } from "#domain";
import type { AcceptDeps } from "./deps.ts";
import { injectForStart } from "./inject.ts";
import { reachAtStart } from "./places.ts";
import type { Applied } from "./apply.ts";
import type { PreparedEvent } from "./prepare.ts";

/** As the hook says it of a prompt that it left in the spool without the start text. */
const unread = "unread";

/** As the hook says it of a start, whose text the next prompt is to bring. */
const firstPrompt = "first-prompt";

/** As the hook says it of a prompt before which a compaction took the start text away. */
const compacted = "compacted";

const nameOf = ({ sessionId }: { readonly sessionId: string }): string => `start.due:${sessionId}`;

/** Event that the next prompt of a session is to bring the start text of; null when none is. */
export const dueStartOf = ({ admin }: Pick<Store, "admin">, sessionId: string): string | null =>
  admin.getMeta(nameOf({ sessionId }));

/** Sets what `dueStartOf` returns. */
export const setDueStart = (
  { admin }: Pick<Store, "admin">,
  sessionId: string,
  source: string | null,
): void => admin.setMeta(nameOf({ sessionId }), source);

/**
 * Notes that the next prompt is to bring it, or that it need not any more. A session that goes on has it in its
 * history.
 */
export function noteDueStart({ admin }: Pick<Store, "admin">, event: PreparedEvent): void {
  if (event.type === "pre-compact") admin.setMeta(nameOf(event), "compact");
  if (event.type === "end") admin.setMeta(nameOf(event), null);
  if (event.type !== "start" || event.source === "resume") return;
  admin.setMeta(nameOf(event), event.startContext === firstPrompt ? event.source : null);
}

/** What a prompt brings beside its own, once; empty when nothing is due. */
export function dueStart(
  deps: AcceptDeps,
  event: PreparedEvent & { type: "submit" },
  { session }: Applied,
): string {
  const { store } = deps;
  if (event.startContext === unread) return "";
  const source = event.startContext === compacted ? "compact" : store.admin.getMeta(nameOf(event));
  if (source === null) return "";
  store.admin.setMeta(nameOf(event), null);
  if (source === "compact") store.exposure.resetSeen(event.sessionId);
  const start = { ...event, type: "start" as const, source, sinceAnswerMs: null };
  return injectForStart(deps, start, { session, reach: reachAtStart(deps, event, session) });
}
