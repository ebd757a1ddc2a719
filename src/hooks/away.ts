/**
 * Acts for a hook when no daemon answered: spool, answer a session start by itself, start a daemon.
 * Loaded on demand, since it needs the file system and the gate.
 */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { shellLine, type Clock, type Log, textField } from "#kit";
import {
  homePaths,
  type HomePaths,
  type HookEnvelope,
  type Settings,
  type SpoolGate,
} from "#domain";
import { startDaemon } from "./autostart.ts";
import {
  type Carried,
  dropCarried,
  isLong,
  noteCarried,
  parseCarried,
  sendCourier,
  textsOf,
} from "./gate-envelope.ts";
import { findSocket, fitsSocketPath, handOver, type HandOver, letterOf } from "./socket.ts";
import { captureLimits } from "./limits.ts";
import { isOfPause } from "./paused-messages.ts";
import { markPrivateTurn, mayBePrivate } from "./private-turn.ts";
import { isDiskFull } from "./spool.ts";
import { spoolEvents, type SpooledEvents } from "./spool-events.ts";

export interface AwayDeps {
  /** The program and its first arguments, to start the daemon with. */
  readonly command: readonly string[];
  /** Opens the log of this home; called only when there is something to say. */
  readonly openLog: (paths: HomePaths) => Promise<Log>;
  readonly loadSettings: (paths: HomePaths) => Promise<Settings>;
  /** A gate that is right for these texts; its rules are worth their load only where a text calls for them. */
  readonly loadGate: (settings: Settings, texts: readonly string[]) => Promise<SpoolGate>;
  /** A reader of orders not to remember that is right for these prompts; loaded where one of them may hold such. */
  readonly loadOrders: (prompts: readonly string[]) => Promise<(prompt: string) => boolean>;
  /** Reads the text that `start` injects from the database directly. */
  readonly readStartContext: (
    paths: HomePaths,
    envelope: HookEnvelope,
    settings: Settings,
  ) => Promise<string>;
}

interface Place {
  /** As the environment names it: perhaps relative, perhaps through a link. */
  readonly paths: HomePaths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

interface AwayEvent extends Place {
  readonly envelopes: readonly HookEnvelope[];
  readonly outcome: HandOver;
  /** Gives the rest of the hook's time. */
  readonly leftMs: () => number;
  /** Prints context as the hook's answer, and a message for the user. */
  readonly answer: (context: string, message?: string) => Promise<boolean>;
}

export type Note = { readonly event: string } & Readonly<Record<string, string | number>>;

export interface AwayHook {
  /** Sees to an event that no daemon took. */
  readonly deliver: (event: AwayEvent) => Promise<void>;
  /** Delivers the events that a courier was handed (gate-envelope.ts). */
  readonly carry: (place: Place, text: string) => Promise<void>;
  /** A newer program found an older daemon: the one that is started takes over. */
  readonly replaceDaemon: (place: Place) => Promise<void>;
  readonly note: (paths: HomePaths, line: Note) => Promise<void>;
}

export const createAwayHook = (deps: AwayDeps): AwayHook => ({
  deliver: async (event) => deliver(deps, event),
  carry: async (place, text) => carry(deps, place, text),
  replaceDaemon: async (place) =>
    start(deps, { ...place, paths: homePaths(realHome(place.paths.root)) }),
  note: async (paths, line) => note(deps, paths, line),
});

/** Spool first: the event must be safe before anything else is tried. */
async function deliver(deps: AwayDeps, event: AwayEvent): Promise<void> {
  const { env, clock } = event;
  const paths = homePaths(realHome(event.paths.root));
  const nowMs = clock.nowMs();
  const left = event.envelopes.filter((envelope) => isOfPause(paths, envelope, nowMs));
  if (left.length > 0) return;
  const outcome = await tryElsewhere(event, paths);
  if (outcome.type === "answered") return passOn(event, outcome);
  const arrivalMs = clock.nowMs();
  const envelopes = event.envelopes.map((envelope) =>
    withoutStart(envelope, outcome, event.leftMs() <= 0),
  );
  const carried = { envelopes, arrivalMs, isSlow: isSlow(outcome) };
  const place = { paths, env, clock };
  if (await handToCourier(deps, place, carried)) return;
  const { settings, spooled } = await spool(deps, place, carried);
  if (spooled.type === "excluded") return;
  if (spooled.type === "refused") {
    // The log lies on the same disk: the user is the only one who can still be told.
    if (isDiskFull(spooled.why))
      await event.answer(
        "",
        `Continuity could not keep this prompt: the disk of ${paths.root} is full. Free some space, ` +
          `then run \`${shellLine(deps.command)} doctor\`.`,
      );
    return note(deps, paths, { event: "hook.not-spooled", why: spooled.why });
  }
  if (outcome.type === "unusable")
    await note(deps, paths, { event: "hook.daemon-unusable", why: outcome.why });
  // Half of a memory would look like all of it.
  if (spooled.type === "spooled")
    await tellStart(deps, event, { paths, settings, envelope: spooled.first });
  // After the answer: a starting daemon competes with this process for the machine.
  if (outcome.type === "away" && settings.server.autostart) await start(deps, place);
}

async function passOn(
  { answer }: AwayEvent,
  { replies, confirm }: HandOver & { readonly type: "answered" },
): Promise<void> {
  if (await answer(replies.map(({ context, fresh }) => (fresh ? context : "")).join("")))
    await confirm();
}

const isSlow = (outcome: HandOver): boolean =>
  outcome.type === "unusable" && outcome.why === "slow";

/** Hands long events to a courier. True when one took them. */
async function handToCourier(
  { command }: AwayDeps,
  { paths, env }: Place,
  carried: Carried,
): Promise<boolean> {
  if (!isLong(carried.envelopes)) return false;
  // Now: the next event of the turn may be spooled before the courier has read the prompt.
  for (const envelope of carried.envelopes)
    if (mayBePrivate(envelope)) markPrivateTurn(paths, envelope);
  noteCarried(paths, carried);
  const isTaken = await sendCourier(command, { env, root: paths.root }, carried);
  if (!isTaken) dropCarried(paths, carried);
  return isTaken;
}

async function spool(
  deps: AwayDeps,
  { paths, env }: Place,
  { envelopes, arrivalMs }: Carried,
): Promise<{ readonly settings: Settings; readonly spooled: SpooledEvents }> {
  const settings = await deps.loadSettings(paths);
  const gate = await deps.loadGate(
    settings,
    envelopes.flatMap(({ payload }) => textsOf(payload)),
  );
  const prompts = envelopes.flatMap(({ hook, payload }) =>
    hook === "submit" ? [textField(payload, "prompt") ?? ""] : [],
  );
  const leavesNoRecord = await deps.loadOrders(prompts);
  const into = { paths, gate, settings, env, arrivalMs, leavesNoRecord };
  return { settings, spooled: spoolEvents(into, envelopes) };
}

/** A daemon that was only slow has most likely committed the events by now; else they are gated and spooled. */
async function carry(deps: AwayDeps, place: Place, text: string): Promise<void> {
  const carried = parseCarried(text);
  if (carried === null) return note(deps, place.paths, { event: "hook.unreadable" });
  try {
    await deliverCarried(deps, place, carried);
  } finally {
    dropCarried(place.paths, carried);
  }
}

async function deliverCarried(deps: AwayDeps, place: Place, carried: Carried): Promise<void> {
  if (carried.isSlow) {
    const socket = await findSocket(place.paths);
    const deadlineMs = captureLimits.courierMs;
    const letter = letterOf(carried.envelopes);
    const outcome = await handOver({ paths: place.paths, letter, deadlineMs, socket });
    if (outcome.type === "answered") return;
  }
  const { settings, spooled } = await spool(deps, place, carried);
  if (spooled.type === "refused")
    return note(deps, place.paths, { event: "hook.not-spooled", why: spooled.why });
  if (spooled.type !== "excluded" && settings.server.autostart) await start(deps, place);
}

async function tellStart(
  deps: AwayDeps,
  { answer, leftMs }: AwayEvent,
  of: {
    readonly paths: HomePaths;
    readonly settings: Settings;
    readonly envelope: HookEnvelope;
  },
): Promise<void> {
  if (!bringsStart(of.envelope) || leftMs() <= 0) return;
  await answer(await inTime(deps.readStartContext(of.paths, of.envelope, of.settings), leftMs()));
}

/** A session's start; of an agent that takes nothing there, its prompt. */
const bringsStart = ({ hook, payload }: HookEnvelope): boolean =>
  payload["start_context"] === "first-prompt" ? hook === "submit" : hook === "start";

/** A client that cannot be given the start text from here is told it later: the daemon keeps it for the next prompt. */
function withoutStart(envelope: HookEnvelope, outcome: HandOver, isLate: boolean): HookEnvelope {
  const { hook, payload } = envelope;
  if (isLate && hook === "start")
    return { ...envelope, payload: { ...payload, start_context: "first-prompt" } };
  const told = payload["start_context"];
  const isLost = told === "after-compaction" || (told === "first-prompt" && isSlow(outcome));
  return hook === "submit" && isLost
    ? { ...envelope, payload: { ...payload, start_context: "unread" } }
    : envelope;
}

/** The home without symlinks; as it is written when it does not exist yet. */
function realHome(root: string): string {
  const full = resolve(root);
  try {
    return realpathSync.native(full);
  } catch {
    return full;
  }
}

/** Behind a link, a short home may be a long one, whose socket lies where daemon.json says. */
async function tryElsewhere(event: AwayEvent, paths: HomePaths): Promise<HandOver> {
  const { outcome, envelopes, leftMs } = event;
  const isElsewhere = event.paths.root !== paths.root && !fitsSocketPath(paths.socket);
  if (outcome.type !== "away" || !isElsewhere) return outcome;
  const socket = await findSocket(paths);
  const letter = letterOf(envelopes);
  return handOver({ paths, letter, deadlineMs: Math.max(1, leftMs()), socket });
}

/** The text, or nothing when it does not come in time or cannot be had. */
const inTime = async (text: Promise<string>, ms: number): Promise<string> =>
  Promise.race([
    text.catch(() => ""),
    new Promise<string>((done) => {
      setTimeout(() => done(""), ms);
    }),
  ]);

async function start(deps: AwayDeps, { paths, env, clock }: Place): Promise<void> {
  const { command } = deps;
  if (startDaemon({ paths, env, command, nowMs: clock.nowMs() }) === "failed")
    await note(deps, paths, { event: "hook.start-failed" });
}

async function note(deps: AwayDeps, paths: HomePaths, { event, ...fields }: Note): Promise<void> {
  const log = await deps.openLog(paths);
  log.write("warn", event, fields);
}
