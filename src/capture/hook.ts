/**
 * One hook, from stdin to exit. The outermost frame: whatever goes wrong inside, the user's session continues. A
 * memory lost is a nuisance, a prompt blocked is a bug report.
 *
 * Imports almost nothing, because a hook runs at every prompt and tool call; the gate, the settings and the database
 * arrive as functions that load them when the daemon is away.
 */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { parseNow, type Clock, type Log, type Random } from "#kit";
import {
  homePaths,
  homeRoot,
  type HomePaths,
  type HookEnvelope,
  type PrivacyGate,
  type Settings,
} from "#domain";
import { renderAnswer } from "./answer.ts";
import { readHookArguments, resolveEvent, type HookArguments } from "./arguments.ts";
import { startDaemon } from "./autostart.ts";
import { envelopesOf } from "./envelope.ts";
import { isPaused, isSwitchedOff } from "./guards.ts";
import { handOver, type HandOver } from "./hand-over.ts";
import { isRecord, parseJson, type Json } from "./json.ts";
import { handOverMs } from "./limits.ts";
import { spoolEvents } from "./spool-events.ts";
import { isOlderVersion } from "./version.ts";

/** The settings that matter while the daemon is away. */
export type AwaySettings = Pick<Settings, "capture" | "privacy" | "server">;

export interface HookDeps {
  /** What follows `hook` on the command line. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly random: Random;
  readonly version: string;
  /** The program and its first arguments, to start the daemon with. */
  readonly command: readonly string[];
  readonly isTerminal: () => Promise<boolean>;
  /** All of stdin; rejects when it does not end in time. */
  readonly readStdin: () => Promise<string>;
  /** Writes to stdout. */
  readonly print: (text: string) => void;
  /** Writes one line to stderr, for a person. */
  readonly complain: (line: string) => void;
  /** Opens the log of this home; called only when there is something to say. */
  readonly openLog: (paths: HomePaths) => Log;
  readonly loadGate: (settings: AwaySettings) => Promise<PrivacyGate>;
  readonly loadSettings: (paths: HomePaths) => Promise<AwaySettings>;
  /** What `start` injects while the daemon is away, read from the database directly. */
  readonly readStartContext: (paths: HomePaths, envelope: HookEnvelope) => Promise<string>;
}

/** Runs one hook. Resolves to the exit status: 0, or 1 for a person at a terminal. Never rejects. */
export async function runHook(deps: HookDeps): Promise<0 | 1> {
  if (isSwitchedOff(deps.env)) return 0;
  if (await deps.isTerminal()) {
    deps.complain(
      "continuity hook reads an event from Claude Code on stdin; it is not meant for typing.",
    );
    return 1;
  }
  const paths = homePaths(realHome(deps.env));
  try {
    await runEvent(deps, paths);
  } catch (error) {
    note(deps, paths, {
      event: "hook.failed",
      error: error instanceof Error ? error.name : "unknown",
    });
  }
  return 0;
}

/** The home without symlinks; as it is written when it does not exist yet. */
function realHome(env: HookDeps["env"]): string {
  const root = resolve(homeRoot(env));
  try {
    return realpathSync.native(root);
  } catch {
    return root;
  }
}

async function runEvent(deps: HookDeps, paths: HomePaths): Promise<void> {
  if (isPaused(paths, deps.clock.nowMs())) return;
  const startedMs = performance.now();
  const text = await deps.readStdin();
  const payload = parseJson(text);
  if (!isRecord(payload)) {
    note(deps, paths, {
      event: text.trim() === "" ? "hook.empty" : "hook.unreadable",
      bytes: text.length,
    });
    return;
  }
  const envelopes = readEnvelopes(deps, paths, payload);
  const [first] = envelopes;
  if (first === undefined) return;
  const deadlineMs = handOverMs[first.hook];
  const outcome = await handOver({ paths, envelopes, deadlineMs });
  if (outcome.type === "answered") {
    print(deps, first, outcome.replies.map((reply) => (reply.fresh ? reply.context : "")).join(""));
    if (isOlderVersion(outcome.version, deps.version)) start(deps, paths);
    return;
  }
  const leftMs = deadlineMs - (performance.now() - startedMs);
  await withoutDaemon({ deps, paths, envelopes, outcome, leftMs });
}

function readEnvelopes(deps: HookDeps, paths: HomePaths, payload: Json): readonly HookEnvelope[] {
  const args = readHookArguments(deps.argv);
  const event = resolveEvent(args.event, payload["hook_event_name"]);
  if (event === null) return [];
  const replayMs = parseNow(deps.env["CONTINUITY_NOW"]);
  const envelopes = envelopesOf(withTranscript(payload, args), {
    event,
    nowMs: replayMs ?? deps.clock.nowMs(),
    replayed: replayMs !== null,
    invocation: deps.random.hex(16),
  });
  if (envelopes.length === 0)
    note(deps, paths, { event: "hook.without-session", hook: event.hook });
  return envelopes;
}

const withTranscript = (payload: Json, { transcript }: HookArguments): Json =>
  transcript === null ? payload : { ...payload, transcript_path: transcript };

interface Away {
  readonly deps: HookDeps;
  readonly paths: HomePaths;
  readonly envelopes: readonly HookEnvelope[];
  readonly outcome: HandOver;
  /** What is left of the hook's time. */
  readonly leftMs: number;
}

/** Spool first: the event must be safe before anything else is tried. */
async function withoutDaemon({ deps, paths, envelopes, outcome, leftMs }: Away): Promise<void> {
  const settings = await deps.loadSettings(paths);
  const gate = await deps.loadGate(settings);
  const spooled = spoolEvents(
    { paths, gate, settings, env: deps.env, clock: deps.clock },
    envelopes,
  );
  const [first] = envelopes;
  if (spooled.type === "refused") {
    note(deps, paths, { event: "hook.not-spooled", why: spooled.why });
    return;
  }
  if (spooled.type === "excluded" || first === undefined) return;
  if (outcome.type === "unusable")
    note(deps, paths, { event: "hook.daemon-unusable", why: outcome.why, hook: first.hook });
  if (first.hook === "start" && spooled.type === "spooled" && leftMs > 0)
    print(deps, first, await inTime(deps.readStartContext(paths, spooled.first), leftMs));
  // After the answer: a starting daemon competes with this process for the machine.
  if (outcome.type === "away" && settings.server.autostart) start(deps, paths);
}

/** The text, or nothing when it does not come in time or cannot be had. */
const inTime = async (text: Promise<string>, ms: number): Promise<string> =>
  Promise.race([
    text.catch(() => ""),
    new Promise<string>((done) => {
      setTimeout(() => done(""), ms);
    }),
  ]);

function print(deps: HookDeps, envelope: HookEnvelope, context: string): void {
  const answer = renderAnswer(envelope.clientEvent, context);
  if (answer !== "") deps.print(answer);
}

function start(deps: HookDeps, paths: HomePaths): void {
  const { command, env, clock } = deps;
  if (startDaemon({ paths, env, command, nowMs: clock.nowMs() }) === "failed")
    note(deps, paths, { event: "hook.start-failed" });
}

type Note = { readonly event: string } & Readonly<Record<string, string | number>>;

/** One log line. A log that cannot be written is the last thing that may disturb a session. */
function note(deps: HookDeps, paths: HomePaths, { event, ...fields }: Note): void {
  try {
    deps.openLog(paths).write("warn", event, fields);
  } catch {
    // Nowhere left to say it.
  }
}
