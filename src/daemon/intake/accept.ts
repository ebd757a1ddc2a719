/**
 * Accepts batches of hook events: gate, then one transaction for recording, applying, orders and injection.
 *
 * The caller acknowledges after this returns, so acknowledged means committed. A failure while composing an injection
 * costs the injection, never the event.
 */
import { recordOf, textField } from "#kit";
import {
  type HookEnvelope,
  type HookReply,
  type InjectionChannel,
  type Session,
  type Store,
  type Turn,
} from "#domain";
import { readOrders } from "#memory";
import { watchNotes } from "./private-texts.ts";
import {
  announcement,
  dayLine,
  faultLine,
  headlessLine,
  isToldOfOrders,
  keepDue,
  keptLine,
  lateFirstLine,
  noteHeadless,
} from "./announce.ts";
import { applyEvent, type Applied } from "./apply.ts";
import {
  dueStart,
  giveUpAnswers,
  lateHints,
  noteDueStart,
  noteLate,
  noteLeft,
  withhold,
} from "./delivery.ts";
import { noteBans } from "./guards.ts";
import { hintAtPrompt, hintAtTool } from "../inject/hints.ts";
import { injectForPrompt, injectForStart, record as keepInjection } from "../inject/inject.ts";
import { injectBeside } from "../inject/inject-beside.ts";
import { noteEvent } from "../model/plan.ts";
import { doubt, foundProject, type FoundProject, noteCommits, reachAtStart } from "./moved.ts";
import { prepareEvent, type PreparedEvent } from "./prepare.ts";
import { booleanOf } from "./payload.ts";
import { endOrdered } from "./forget-orders.ts";
import { leaveNoRecord } from "./forget-turn.ts";
import { rememberOrder, type Remembered } from "../jobs/remember.ts";
import { turnContextOf } from "../jobs/exchanges.ts";
import type { WorkerContext } from "../context.ts";
import type { Via } from "../process/app.ts";

const nothing: HookReply = { context: "", fresh: true };
const known: HookReply = { context: "", fresh: false };

export const acceptBatch = (
  deps: WorkerContext,
  envelopes: readonly HookEnvelope[],
  via: Via,
): readonly HookReply[] => {
  const replies = deps.store.transaction(() => {
    // The time of the batch before is known only now, and rides along: no commit of its own on a hook's way.
    deps.latencies.write();
    return envelopes.map((envelope) => acceptOne(deps, envelope, via));
  });
  deps.latencies.note(
    envelopes.filter((_, at) => replies[at]?.fresh === true),
    via,
  );
  return replies;
};

/**
 * Removes what there is of a turn that leaves no record: its prompt orders so, or its agent says that the user did.
 * True for such an event.
 */
function isTakenBack(deps: WorkerContext, envelope: HookEnvelope): boolean {
  const { store } = deps;
  const { atMs, payload } = envelope;
  if (!booleanOf(payload, "off_the_record")) return false;
  const sessionId = textField(payload, "session_id") ?? "";
  const n = runningTurnIn(payload);
  const sinceMs = n === null ? null : (store.sessions.turn(sessionId, n)?.startedAt ?? null);
  leaveNoRecord(deps, { sessionId, promptId: textField(payload, "prompt_id"), n, atMs });
  watchNotes(store, { ...noteEventOf(envelope, true), sinceMs });
  return true;
}

/** Number of the turn that its agent takes off the record; null = a prompt orders it. */
const runningTurnIn = ({ running_turn: n }: HookEnvelope["payload"]): number | null =>
  typeof n === "number" ? n : null;

/** Tells the user that a turn leaves no record, which a misread prompt would not wish. */
function toldOfNoRecord(deps: WorkerContext, { payload }: HookEnvelope, via: Via): HookReply {
  const sessionId = textField(payload, "session_id") ?? "";
  if (booleanOf(payload, "headless") || !isToldOfOrders(deps, sessionId)) return nothing;
  // The answer to a tool reaches the agent alone.
  if (via !== "spool" && runningTurnIn(payload) === null)
    return { ...nothing, message: "Not kept, as you asked." };
  keepDue(deps, sessionId, "A prompt before this one was not kept, as you asked.");
  return nothing;
}

function acceptOne(deps: WorkerContext, envelope: HookEnvelope, via: Via): HookReply {
  const folder = textField(envelope.payload, "cwd");
  // A hook spools nothing while capture is paused, so what waits in the spool was accepted before.
  if (via !== "spool" && deps.paused()) return nothing;
  if (isSwitchedOff(deps, envelope, folder)) return nothing;
  if (isTakenBack(deps, envelope)) return toldOfNoRecord(deps, envelope, via);
  if (!isFresh(deps, envelope, via)) {
    // Its hook was not answered in time.
    if (via === "spool") noteLeft(deps, envelope);
    return known;
  }
  const { project, line } = foundIn(deps, envelope, folder);
  const event = prepareEvent(deps, envelope, project);
  if (event === null) return nothing;
  noteHidden(deps, event);
  const applied = appliedOf(deps, event, envelope);
  noteForLater(deps, event, applied);
  const isQuiet = event.type === "submit" && event.isPrivate;
  if (event.type !== "inner") watchNotes(deps.store, noteEventOf(envelope, isQuiet));
  const reach = event.type === "start" ? reachAtStart(deps, event, applied.session) : null;
  const accepted = { event, applied, via, reach, line };
  const { context, kept } = answerFor(deps, accepted);
  const told = toldWith(deps, accepted, kept);
  return repliedWith(deps, accepted, envelope, { context, fresh: true, ...told });
}

/** Stores no words of a retraction: a full-text index keeps those of deleted rows until it is merged. */
function appliedOf(deps: WorkerContext, event: PreparedEvent, { payload }: HookEnvelope): Applied {
  if (event.type !== "submit" || !booleanOf(payload, "retracts"))
    return applyEvent(deps.store, event);
  const { session, turn } = applyEvent(deps.store, { ...event, prompt: null });
  return { session, turn: turn === null ? null : { ...turn, prompt: event.prompt } };
}

function repliedWith(
  deps: WorkerContext,
  accepted: Accepted,
  envelope: HookEnvelope,
  reply: HookReply,
): HookReply {
  if (booleanOf(envelope.payload, "retracts")) return retracted(deps, accepted, envelope, reply);
  if (accepted.via === "socket") withhold(deps, envelope, reply);
  return reply;
}

/** Removes the turn of a retraction: what it orders to forget has ended by now. */
function retracted(
  deps: WorkerContext,
  { event, applied, via }: Accepted,
  envelope: HookEnvelope,
  reply: HookReply,
): HookReply {
  leaveNoRecord(deps, { ...event, n: applied.turn?.n ?? null });
  const told = [toldOfNoRecord(deps, envelope, via), reply].flatMap(({ message }) => message ?? []);
  return told.length === 0 ? reply : { ...reply, message: told.join("\n") };
}

/** Keeps in mind what was private or a secret; a copy of another session goes on from what was private there. */
function noteHidden({ hidden, store }: WorkerContext, event: PreparedEvent): void {
  const { sessionId, atMs } = event;
  if (event.type === "submit") {
    hidden.add(sessionId, event.secrets);
    hidden.addPrivate(sessionId, event.hidden);
  }
  const goesOn = event.type === "start" && (event.source === "fork" || event.source === "resume");
  if (goesOn && store.sessions.byId(sessionId) === null) hidden.inherit(sessionId, atMs);
}

/** Notes what is due because of an event: lost answers, a model's question, commits, a word about headless runs. */
function noteForLater(deps: WorkerContext, event: PreparedEvent, { turn }: Applied): void {
  if (answeredTypes.has(event.type)) giveUpAnswers(deps, event);
  if (event.isHeadless) noteHeadless(deps.store);
  else if (turn !== null && deps.llm() !== null)
    noteEvent(deps.store, { ...event, turn: turn.n }, deps.clock.nowMs());
  noteCommits(deps, event);
}

const noteEventOf = ({ hook, atMs, payload }: HookEnvelope, isQuiet: boolean) => ({
  hook,
  atMs,
  sessionId: textField(payload, "session_id") ?? "",
  cwd: textField(payload, "cwd"),
  transcriptPath: textField(payload, "transcript_path"),
  isQuiet,
});

/** The project of the folder, or the one that a person made of it. */
function foundIn(deps: WorkerContext, envelope: HookEnvelope, folder: string | null): FoundProject {
  const said = envelope.project ?? (folder === null ? null : deps.projectOf(folder));
  return said === null
    ? { project: null, line: null }
    : foundProject(deps, said, { folder, atMs: envelope.atMs });
}

interface Accepted {
  readonly event: PreparedEvent;
  readonly applied: Applied;
  readonly via: Via;
  /** For a start: the project whose memories its session may be given. */
  readonly reach: string | null;
  /** The line for the user about a folder that is gone. */
  readonly line: string | null;
}

/**
 * Notices for the user beside a prompt or at a start. An answer to the spool would not be read: what a prompt there
 * had kept is told with the next one, and so is that memory is on.
 */
function toldWith(
  deps: WorkerContext,
  { event, applied, via, reach, line: ofFolder }: Accepted,
  kept: readonly Remembered[],
): Partial<HookReply> {
  // Nobody reads them where a program runs the client.
  if (event.isHeadless) return {};
  if (via === "spool") {
    const line = event.type === "start" ? lateFirstLine(deps, event) : keptLine(deps, kept);
    if (line !== null) keepDue(deps, event.sessionId, line);
    return {};
  }
  if (ofFolder !== null) return { message: ofFolder };
  if (event.type === "submit" && applied.turn !== null)
    return announcement(deps, applied.turn, kept);
  return event.type === "start" ? toldAtStart(deps, event, applied.session, reach) : {};
}

/** At most one line: a fault or other news before the rest. */
function toldAtStart(
  deps: WorkerContext,
  event: PreparedEvent & { type: "start" },
  session: Session,
  reach: string | null,
): Partial<HookReply> {
  const news = faultLine(deps, event);
  if (news !== null) return { message: news };
  if (session.project !== null && reach === null) return { message: doubt(session, deps.program) };
  return headlessLine(deps, event) ?? dayLine(deps, event, reach);
}

const isSwitchedOff = (
  deps: WorkerContext,
  envelope: HookEnvelope,
  folder: string | null,
): boolean =>
  (booleanOf(envelope.payload, "headless") && deps.settings().capture.headless === "off") ||
  (folder !== null && deps.isExcluded(folder, touchedPaths(envelope)));

const isFresh = (deps: WorkerContext, envelope: HookEnvelope, via: Via): boolean =>
  deps.store.events.accept({
    ...envelope,
    sessionId: textField(envelope.payload, "session_id"),
    receivedAtMs: deps.clock.nowMs(),
    via,
  }) === "fresh";

function touchedPaths(envelope: HookEnvelope): readonly string[] {
  const input = recordOf(envelope.payload["tool_input"]);
  return ["file_path", "notebook_path", "path"].flatMap((field) => textField(input, field) ?? []);
}

const answeredTypes: ReadonlySet<PreparedEvent["type"]> = new Set([
  "start",
  "submit",
  "subagent-start",
  "tool",
]);

function answerFor(
  deps: WorkerContext,
  accepted: Accepted,
): { readonly context: string; readonly kept: readonly Remembered[] } {
  const { event, applied } = accepted;
  const { type, startContext } = event;
  if (!answeredTypes.has(type) && startContext === null) return { context: "", kept: [] };
  let kept: readonly Remembered[] = [];
  try {
    // Each is all of it or nothing: what failed half way must not be committed with the event.
    if (type === "submit" && applied.turn !== null && event.prompt !== null) {
      const { turn } = applied;
      kept = deps.store.transaction(() => keepOrders(deps, event, turn));
    }
    return { context: deps.store.transaction(() => contextFor(deps, accepted, kept)), kept };
  } catch (error) {
    const reason = String(error).slice(0, 200);
    deps.log.write("error", "injection.failed", { reason });
    const channel = channelOf[type];
    if (channel !== undefined) noteUndelivered(deps, event, channel, { cause: "failed", reason });
    return { context: "", kept };
  }
}

const channelOf: Readonly<Partial<Record<PreparedEvent["type"], InjectionChannel>>> = {
  start: "start",
  submit: "prompt",
  tool: "tool",
  "subagent-start": "subagent",
};

function noteUndelivered(
  deps: WorkerContext,
  event: PreparedEvent,
  channel: InjectionChannel,
  { cause, reason }: { readonly cause: "late" | "failed"; readonly reason: string },
): void {
  keepInjection(deps, { event, channel, cause, text: "", nodeIds: [], reasons: { reason } });
}

function contextFor(deps: WorkerContext, accepted: Accepted, kept: readonly Remembered[]): string {
  const own = ownContext(deps, accepted, kept);
  return accepted.via === "spool" ? own : joined(own, lateHints(deps, accepted.event));
}

function ownContext(deps: WorkerContext, accepted: Accepted, kept: readonly Remembered[]): string {
  const { event, applied, via, reach } = accepted;
  // A start that was spooled has read the store for itself, and what it showed is noted here.
  if (event.startContext !== null) noteDueStart(deps.store, event);
  if (event.type === "start" && event.startContext !== "first-prompt")
    return injectForStart(deps, event, { ...applied, reach });
  if (event.type === "submit" && applied.turn !== null && event.prompt !== null)
    return contextForPrompt(deps, event, { ...applied, turn: applied.turn }, { via, kept });
  // An answer to the spool would not be read.
  if (via === "spool") return "";
  const beside = injectBeside(deps, event, applied);
  return event.type === "tool" ? joined(beside, hintAtTool(deps, event, applied)) : beside;
}

function contextForPrompt(
  deps: WorkerContext,
  event: PreparedEvent & { type: "submit" },
  applied: Applied & { readonly turn: Turn },
  { via, kept }: { readonly via: Via; readonly kept: readonly Remembered[] },
): string {
  // Whoever left a prompt in the spool has gone: what nobody reads must not count as shown.
  const isLeft = via === "spool" && event.startContext === null;
  const start = isLeft ? "" : dueStart(deps, event, applied);
  const made = kept.flatMap(({ node }) => node ?? []);
  const isDoubtful = kept.some(({ orders }) => orders?.isDoubtful === true);
  const hintFor = (isOnly: boolean): string =>
    hintAtPrompt(deps, event, applied, { kept: made, isDoubtful, isOnly });
  if (via === "spool") {
    noteUndelivered(deps, event, "prompt", { cause: "late", reason: "the hook had left" });
    if (hintFor(true) !== "") noteLate(deps, event);
    return "";
  }
  const said = made.map(({ id }) => id);
  const { text, isPointer } = injectForPrompt(deps, event, applied.turn, said);
  // A line that names something and one that asks to save are two errands.
  return joined(start + text, hintFor(isPointer));
}

const joined = (context: string, hint: string): string =>
  [context, hint].filter((text) => text !== "").join("\n");

/** Orders are stored first: "remember that …" is in force for the very next prompt. */
function keepOrders(
  deps: WorkerContext,
  event: PreparedEvent & { type: "submit" },
  turn: Turn,
): readonly Remembered[] {
  const context = turnContextOf(deps.store, turn);
  const made = new Map<string, number>();
  const by = `forget:${event.sessionId}:${turn.n}`;
  const ended = endOrdered(deps, context, { atMs: event.atMs, by });
  const kept: Remembered[] = [];
  const orders = readOrders(context);
  for (const candidate of orders.candidates) {
    const spoken = { ...candidate, zone: event.zone };
    const done = rememberOrder(deps, spoken, `signal:${event.sessionId}:${turn.n}`);
    const { node } = done;
    kept.push(done);
    if (node === null) continue;
    markSaid(deps.store, event, node);
    made.set(candidate.evidence.quote, node.id);
  }
  if (orders.secret !== null || orders.isCut || orders.isEmpty || orders.isDoubtful)
    kept.push({ plan: "skip", node: null, orders });
  noteBans(deps.store, context, (words) => made.get(words) ?? null);
  return [...kept, ...ended];
}

/** `markSaid` counts what a session itself just said as seen by it until compaction. */
function markSaid(
  store: Store,
  event: PreparedEvent,
  node: { readonly id: number; readonly uri: string },
): void {
  const { sessionId, atMs } = event;
  store.exposure.add([{ sessionId, nodeId: node.id, uri: node.uri, channel: "said", atMs }]);
}
