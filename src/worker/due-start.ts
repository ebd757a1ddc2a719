/**
 * The start context of agents whose start event cannot bring it: it waits for the session's next prompt. So it does
 * after a compaction that no event ends, and on a machine whose memory was still on its way when the session started.
 */
import {
  injectionChannels,
  type HookEnvelope,
  type HookName,
  type InjectionChannel,
  type Store,
} from "#domain";
import type { AcceptDeps } from "./deps.ts";
import { injectForStart } from "./inject.ts";
import { reachAtStart } from "./places.ts";
import type { Applied } from "./apply.ts";
import { textOf } from "./payload.ts";
import type { PreparedEvent } from "./prepare.ts";

/** As the hook says it of a prompt that it left in the spool without the start text. */
const unread = "unread";

/** As the hook says it of a start, whose text the next prompt is to bring. */
const firstPrompt = "first-prompt";

/** As the hook says it of a prompt before which a compaction took the start text away. */
const compacted = "compacted";

const nameOf = ({ sessionId }: { readonly sessionId: string }): string => `start.due:${sessionId}`;

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

const channelsOf: Readonly<Partial<Record<HookName, readonly InjectionChannel[]>>> = {
  start: ["start"],
  submit: injectionChannels.filter((one) => one !== "subagent" && one !== "tool"),
  tool: ["tool", "hint"],
  subagent: ["subagent"],
};

/**
 * An event from the spool that the daemon had already answered: its hook gave up waiting, and printed nothing. What it
 * was given counts as late, and its start text comes with the next prompt.
 */
export function noteLate({ admin, events, exposure }: Store, envelope: HookEnvelope): void {
  const { hook, key, atMs, payload } = envelope;
  const sessionId = textOf(payload, "session_id");
  if (sessionId === null || events.acceptedVia(key) !== "socket") return;
  const isStartTold = (textOf(payload, "start_context") === firstPrompt) === (hook === "submit");
  const channels = (channelsOf[hook] ?? []).filter((one) => one !== "start" || !isStartTold);
  const late = exposure.undeliver({ sessionId, atMs }, channels);
  const start = late.find(({ channel }) => channel === "start");
  if (start !== undefined) admin.setMeta(nameOf({ sessionId }), start.cause);
}
