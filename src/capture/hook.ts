/**
 * One hook, from stdin to exit. The outermost frame: whatever goes wrong inside, the user's session continues. A
 * memory lost is a nuisance, a prompt blocked is a bug report.
 *
 * Imports almost nothing, not even node:fs, because a hook runs at every prompt and tool call. What is needed while
 * the daemon is away lies behind one dynamic import (away.ts).
 */
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
import { envelopesOf } from "./envelope.ts";
import { handOver, type HandOver } from "./hand-over.ts";
import { isRecord, parseJson, type Json } from "./json.ts";
import { handOverMs } from "./limits.ts";
import { note } from "./note.ts";
import type { Input } from "./stdin.ts";
import { isOlderVersion } from "./version.ts";

/** The settings that matter while the daemon is away. */
export type AwaySettings = Pick<Settings, "capture" | "inject" | "privacy" | "server">;

/** What the spool needs of the privacy gate. */
export type SpoolGate = Pick<PrivacyGate, "clean" | "isSecretPath">;

export interface HookDeps {
  /** What follows `hook` on the command line. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly random: Random;
  readonly version: string;
  /** The program and its first arguments, to start the daemon with. */
  readonly command: readonly string[];
  readonly readStdin: () => Promise<Input>;
  /** Writes to stdout. */
  readonly print: (text: string) => Promise<void>;
  /** Writes one line to stderr, for a person. */
  readonly complain: (line: string) => Promise<void>;
  /** Opens the log of this home; called only when there is something to say. */
  readonly openLog: (paths: HomePaths) => Promise<Log>;
  /** A gate that is right for these texts; its rules are worth their load only where a text calls for them. */
  readonly loadGate: (settings: AwaySettings, texts: readonly string[]) => Promise<SpoolGate>;
  readonly loadSettings: (paths: HomePaths) => Promise<AwaySettings>;
  /** What `start` injects while the daemon is away, read from the database directly. */
  readonly readStartContext: (
    paths: HomePaths,
    envelope: HookEnvelope,
    settings: AwaySettings,
  ) => Promise<string>;
}

/** Runs one hook. Resolves to the exit status: 0, or 1 for a person at a terminal. Never rejects. */
export async function runHook(deps: HookDeps): Promise<0 | 1> {
  if (isSwitchedOff(deps.env)) return 0;
  const paths = homePaths(homeRoot(deps.env));
  try {
    const input = await deps.readStdin();
    if (input.type === "terminal") {
      await deps.complain(
        "continuity hook reads Claude Code's events on stdin; it is not for typing.",
      );
      return 1;
    }
    if (input.type === "endless") await note(deps, paths, { event: "hook.endless-input" });
    else await runEvent(deps, paths, input.text);
  } catch (error) {
    const name = error instanceof Error ? error.name : "unknown";
    await note(deps, paths, { event: "hook.failed", error: name });
  }
  return 0;
}

const isOn = (value: string | undefined): boolean => value === "1" || value === "true";

/** CONTINUITY_INTERNAL: our own model process. CONTINUITY_OFF: the user's wish for this shell. */
const isSwitchedOff = (env: HookDeps["env"]): boolean =>
  isOn(env["CONTINUITY_INTERNAL"]) || isOn(env["CONTINUITY_OFF"]);

async function runEvent(deps: HookDeps, paths: HomePaths, text: string): Promise<void> {
  const payload = parseJson(text);
  if (!isRecord(payload)) {
    const event = text.trim() === "" ? "hook.empty" : "hook.unreadable";
    await note(deps, paths, { event, chars: text.length });
    return;
  }
  const args = readHookArguments(deps.argv);
  const event = resolveEvent(args.event, payload["hook_event_name"]);
  if (event === null) return;
  const replayMs = parseNow(deps.env["CONTINUITY_NOW"]);
  const envelopes = envelopesOf(withTranscript(payload, args), {
    event,
    nowMs: replayMs ?? deps.clock.nowMs(),
    replayed: replayMs !== null,
    invocation: () => deps.random.hex(16),
  });
  if (envelopes.length > 0) await deliver(deps, paths, envelopes);
  else await note(deps, paths, { event: "hook.without-session", hook: event.hook });
}

const withTranscript = (payload: Json, { transcript }: HookArguments): Json =>
  transcript === null ? payload : { ...payload, transcript_path: transcript };

/** To the daemon; without it, to the spool. */
async function deliver(
  deps: HookDeps,
  paths: HomePaths,
  envelopes: readonly HookEnvelope[],
): Promise<void> {
  const [first] = envelopes;
  if (first === undefined) return;
  const deadlineMs = handOverMs[first.hook];
  const endMs = performance.now() + deadlineMs;
  const outcome = await handOver({ paths, envelopes, deadlineMs });
  if (outcome.type === "answered") return answered(deps, { paths, first, outcome });
  const { withoutDaemon } = await import("./away.ts");
  await withoutDaemon({
    deps,
    paths,
    envelopes,
    outcome,
    leftMs: () => endMs - performance.now(),
    print: async (context) => print(deps, first, context),
  });
}

async function answered(
  deps: HookDeps,
  given: {
    readonly paths: HomePaths;
    readonly first: HookEnvelope;
    readonly outcome: Extract<HandOver, { readonly type: "answered" }>;
  },
): Promise<void> {
  const { replies, version } = given.outcome;
  await print(
    deps,
    given.first,
    replies.map(({ context, fresh }) => (fresh ? context : "")).join(""),
  );
  if (!isOlderVersion(version, deps.version)) return;
  const { replaceDaemon } = await import("./away.ts");
  await replaceDaemon(deps, given.paths);
}

async function print(deps: HookDeps, envelope: HookEnvelope, context: string): Promise<void> {
  const answer = renderAnswer(envelope.clientEvent, context);
  if (answer !== "") await deps.print(answer);
}
