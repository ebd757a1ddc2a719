/**
 * Answers on their way. A hook that says so confirms its answer once the client has it; until then what the answer gave
 * counts as late, its start text comes with the next prompt, and so does its line for the user; a line about an order
 * comes with the next event whose answer the agent reads. A hook that was killed, or whose reader had gone, confirms
 * nothing.
 */
import { textField } from "#kit";
import {
  agentOf,
  type HookEnvelope,
  type HookName,
  type HookReply,
  type InjectionChannel,
  injectionChannels,
  type Store,
  type Withheld,
} from "#domain";
import { isOfOrder, toldLater } from "#memory";
import { keepDue } from "./announce.ts";
import { injectForStart, record } from "../inject/inject.ts";
import { reachAtStart } from "./moved.ts";
import type { Applied } from "./apply.ts";
import type { PreparedEvent } from "./prepare.ts";
import type { WorkerContext } from "../context.ts";

interface Awaited {
  readonly key: string;
  readonly hook?: HookName;
  readonly sessionId: string;
  readonly sinceMs: number;
  readonly withheld: Withheld;
  readonly notice: string | null;
}

/** Answers that are waited for; hooks of one machine run a few at a time. */
const awaitedMax = 64;
/** After this the hook of another session is taken for dead. */
const awaitedMs = 5_000;

const channelsOf: Readonly<Partial<Record<HookName, readonly InjectionChannel[]>>> = {
  start: ["start", "hint"],
  submit: injectionChannels.filter((one) => one !== "subagent" && one !== "tool"),
  tool: ["tool", "hint"],
  subagent: ["subagent"],
};

const awaitedIn = ({ store }: { readonly store: Store }): readonly Awaited[] =>
  JSON.parse(store.admin.getMeta("answers.awaited") ?? "[]") as readonly Awaited[];

const keep = ({ store }: { readonly store: Store }, list: readonly Awaited[]): void =>
  store.admin.setMeta(
    "answers.awaited",
    list.length === 0 ? null : JSON.stringify(list.slice(-awaitedMax)),
  );

/** Counts what an event is answered as late until its hook confirms it, where it says that it will. */
export function withhold(
  deps: WorkerContext,
  { hook, key, atMs, payload, confirms }: HookEnvelope,
  { context, message }: HookReply,
): void {
  if (confirms !== true || (context === "" && message === undefined)) return;
  const sessionId = textField(payload, "session_id") ?? "";
  const withheld = deps.store.exposure.withhold(sessionId, atMs, channelsOf[hook] ?? []);
  const source = startOf(withheld);
  if (source !== null) deps.store.admin.setMeta(nameOf({ sessionId }), source);
  keep(deps, [
    ...awaitedIn(deps),
    { key, hook, sessionId, sinceMs: deps.clock.nowMs(), withheld, notice: message ?? null },
  ]);
}

const startOf = ({ injections }: Withheld): string | null =>
  injections.find(({ channel }) => channel === "start")?.cause ?? null;

/** Notes that the client has the answers to these events. */
export const noteDelivered = (deps: WorkerContext, keys: readonly string[]): void =>
  deps.store.transaction(() => {
    for (const one of take(deps, ({ key }) => keys.includes(key))) deliver(deps, one);
  });

function deliver({ store }: WorkerContext, { sessionId, withheld }: Awaited): void {
  store.exposure.deliver(withheld);
  const source = startOf(withheld);
  const name = nameOf({ sessionId });
  if (source !== null && store.admin.getMeta(name) === source) store.admin.setMeta(name, null);
}

function take(deps: WorkerContext, isMeant: (one: Awaited) => boolean): readonly Awaited[] {
  const list = awaitedIn(deps);
  const taken = list.filter(isMeant);
  if (taken.length > 0)
    keep(
      deps,
      list.filter((one) => !isMeant(one)),
    );
  return taken;
}

/**
 * Gives up the answers to earlier hooks of this session, and to old ones of others. Hooks of tools run beside each
 * other, and behind the one of their prompt.
 */
export function giveUpAnswers(
  deps: WorkerContext,
  { sessionId, type }: { readonly sessionId: string; readonly type: PreparedEvent["type"] },
): void {
  const oldMs = deps.clock.nowMs() - awaitedMs;
  const isOver = (one: Awaited): boolean =>
    one.sessionId === sessionId && (isAlone(type) || one.hook === "submit");
  for (const one of take(deps, (each) => isOver(each) || each.sinceMs < oldMs)) giveUp(deps, one);
}

const isAlone = (type: PreparedEvent["type"]): boolean => type === "submit" || type === "start";

function giveUp(deps: WorkerContext, { sessionId, notice, withheld }: Awaited): void {
  if (notice !== null) keepDue(deps, sessionId, notice);
  const lost = withheld.injections.filter((one) => one.channel === "hint" && isOfOrder(one.cause));
  if (lost.length === 0) return;
  keepHints(deps, [...hintsDue(deps), ...lost.map(({ id, cause }) => ({ sessionId, id, cause }))]);
}

/** Drops the answers to a session's hooks that are on their way: their lines tell of a turn that leaves no record. */
export const dropAnswers = (deps: WorkerContext, sessionId: string): void =>
  void take(deps, (each) => each.sessionId === sessionId);

/** Gives up the answer to an event that its hook left in the spool, but a start text that the hook read by itself. */
export function noteLeft(deps: WorkerContext, { key, hook, payload }: HookEnvelope): void {
  const isStartTold =
    (textField(payload, "start_context") === "first-prompt") === (hook === "submit");
  for (const one of take(deps, (each) => each.key === key)) {
    giveUp(deps, one);
    if (isStartTold) deliver(deps, { ...one, withheld: ofStart(one.withheld) });
  }
}

const ofStart = ({ injections, exposures }: Withheld): Withheld => ({
  injections: injections.filter(({ channel }) => channel === "start"),
  exposures: exposures.filter(({ channel }) => channel === "start"),
});

// Lines about orders that came too late for their prompt.

interface DueHint {
  readonly sessionId: string;
  /** The injection that was late. */
  readonly id: number;
  readonly cause: string;
}

const hintsMax = 64;

const hintsDue = ({ store }: WorkerContext): readonly DueHint[] =>
  JSON.parse(store.admin.getMeta("hints.due") ?? "[]") as readonly DueHint[];

const keepHints = ({ store }: WorkerContext, list: readonly DueHint[]): void =>
  store.admin.setMeta(
    "hints.due",
    list.length === 0 ? null : JSON.stringify(list.slice(-hintsMax)),
  );

/** Notes that the hook of a prompt had left before it was answered. */
export function noteLate(deps: WorkerContext, { sessionId, atMs }: PreparedEvent): void {
  const withheld = deps.store.exposure.withhold(sessionId, atMs, ["hint"]);
  giveUp(deps, { key: "", sessionId, sinceMs: atMs, withheld, notice: null });
}

/** `lateHints` gives with an event what came too late for an earlier prompt of its session; empty nearly always. */
export function lateHints(deps: WorkerContext, event: PreparedEvent): string {
  if (!reachesAgent(event)) return "";
  const list = hintsDue(deps);
  const due = list.filter(({ sessionId }) => sessionId === event.sessionId);
  if (due.length === 0) return "";
  keepHints(
    deps,
    list.filter((one) => !due.includes(one)),
  );
  const texts = due.flatMap(({ id, cause }) => {
    const text = toldLater(deps.store.exposure.injection(id)?.text ?? "");
    if (text !== "")
      record(deps, { event, channel: "hint", cause, text, nodeIds: [], reasons: { late: id } });
    return text === "" ? [] : [text];
  });
  return texts.join("\n");
}

/** True for events whose answer the session's own agent reads; only Claude Code was seen to read a tool's. */
const reachesAgent = (event: PreparedEvent): boolean =>
  event.type === "tool"
    ? event.tool.agentId === null && agentOf(event.sessionId) === "claude"
    : event.type === "start" || event.type === "submit";

// The start context of agents whose start event cannot bring it: it waits for the session's next prompt. So it does
// after a compaction that no event ends, and on a machine whose memory was still on its way when the session started.

/** Holds the event that the next prompt of a session is to bring the start text of. */
const nameOf = ({ sessionId }: { readonly sessionId: string }) => `start.due:${sessionId}` as const;

/**
 * Notes that the next prompt is to bring it, or that it need not any more. A session that goes on has it in its
 * history.
 */
export function noteDueStart({ admin }: Store, event: PreparedEvent): void {
  if (event.type === "pre-compact") admin.setMeta(nameOf(event), "compact");
  if (event.type === "end") admin.setMeta(nameOf(event), null);
  if (event.type !== "start" || event.source === "resume") return;
  admin.setMeta(nameOf(event), event.startContext === "first-prompt" ? event.source : null);
}

/** `dueStart` gives the start text that a prompt brings with it, once; empty when nothing is due. */
export function dueStart(
  deps: WorkerContext,
  event: PreparedEvent & { type: "submit" },
  { session }: Applied,
): string {
  const { store } = deps;
  if (event.startContext === "unread") return "";
  const source =
    event.startContext === "compacted" ? "compact" : store.admin.getMeta(nameOf(event));
  if (source === null) return "";
  store.admin.setMeta(nameOf(event), null);
  if (source === "compact") store.exposure.resetSeen(event.sessionId);
  const start = { ...event, type: "start" as const, source, sinceAnswerMs: null };
  return injectForStart(deps, start, { session, reach: reachAtStart(deps, event, session) });
}
