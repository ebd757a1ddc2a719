/**
 * One hook, from stdin to exit. The outermost frame: whatever goes wrong inside, the user's session continues. A
 * memory lost is a nuisance, a prompt blocked is a bug report.
 *
 * Imports almost nothing, not even node:fs, because a hook runs at every prompt and tool call. What is needed while
 * the daemon is away, and for logging, is loaded by `loadAway`. Until then neither `Buffer` nor array methods with a
 * callback are called: the runtime parses each of them at its first call, for 0.05 to 0.2 ms (docs/performance.md).
 */
import { type Clock, parseNow, isRecord, type Json, parseJson } from "#kit";
import {
  answeredEvents,
  homelessLine,
  type HomePaths,
  homePaths,
  homeRoot,
  type HookEnvelope,
  type HookReply,
  isHeadlessEnv,
} from "#domain";
import {
  type EnvelopeInput,
  envelopesOf,
  type EventName,
  hasSession,
  type HookArguments,
  readHookArguments,
  resolveEvent,
  sentHeader,
  zoneOf,
} from "./envelope.ts";
import type { AwayHook, Note } from "./away.ts";
import { findSocket, handOver, type Letter, letterOf, type SocketState } from "./socket.ts";
import { captureLimits, handOverMs } from "./limits.ts";
import type { Input } from "./stdin.ts";

/** A process that the client starts and whose stdin and stdout are the client's. */
export interface HookProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readStdin: () => Promise<Input>;
  /** Writes to stdout. False when nobody reads it any more. */
  readonly print: (text: string) => Promise<boolean>;
}

export interface HookContext extends HookProcess {
  /** The arguments behind `hook` on the command line. */
  readonly argv: readonly string[];
  readonly clock: Clock;
  /** Tells this process from every other of its machine. */
  readonly invocation: string;
  readonly version: string;
  /** The time at which this process began, by the system's clock. */
  readonly startedAtMs: number;
  /** Milliseconds since this process began. */
  readonly elapsedMs: () => number;
  /** Writes one line to stderr, for a person. */
  readonly complain: (line: string) => Promise<unknown>;
  /** Loads what only the daemon's absence, or a complaint, calls for. */
  readonly loadAway: () => Promise<AwayHook>;
  /** Loads what only a hook of another agent than Claude Code calls for; null for an agent that is not known. */
  readonly loadAgent: (name: string) => Promise<AgentAdapter | null>;
}

/** Translates a hook of another agent into one of Claude Code's. */
export interface AgentAdapter {
  /**
   * The events of a payload in Claude Code's words; none for what is not captured. `named` is the command line's word.
   */
  readonly read: (
    payload: Json,
    named: string | null,
  ) => Promise<readonly { readonly payload: Json; readonly event: EventName }[]>;
  /** The document to print, in the agent's form; empty when there is nothing to say. */
  readonly answer: (clientEvent: string, context: string, message: string) => string;
}

/** Runs one hook. Resolves to the exit status: 0, or 1 for a person at a terminal. Never rejects. */
export async function runHook(deps: HookContext): Promise<0 | 1> {
  if (isHookSwitchedOff(deps.env)) return 0;
  const root = homeRoot(deps.env);
  if (root === null) {
    // Without a home there is no log either; the client shows a hook's stderr when it is debugged.
    await deps.complain(`continuity: ${homelessLine(deps.env)}; nothing is captured`);
    return 0;
  }
  const run: Run = { ...deps, paths: homePaths(root) };
  try {
    // Both wait for the system, so they wait together; what an absent daemon calls for is loaded meanwhile.
    const socket = findSocket(run.paths);
    const [input] = await Promise.all([deps.readStdin(), preload(run, socket)]);
    if (input.type === "terminal") {
      await deps.complain(
        "continuity hook reads Claude Code's events on stdin; it is not for typing.",
      );
      return 1;
    }
    if (input.type === "endless") await note(run, { event: "hook.endless-input" });
    else await runEvent(run, input.text, await socket);
  } catch (error) {
    const name = error instanceof Error ? error.name : "unknown";
    await note(run, { event: "hook.failed", error: name });
  }
  return 0;
}

interface Run extends HookContext {
  readonly paths: HomePaths;
}

const isOn = (value: string | undefined): boolean => value === "1" || value === "true";

/** CONTINUITY_INTERNAL: our own model process. CONTINUITY_OFF: the user's wish for this shell. */
export const isHookSwitchedOff = (env: HookContext["env"]): boolean =>
  isOn(env["CONTINUITY_INTERNAL"]) || isOn(env["CONTINUITY_OFF"]);

/** Loads early what will be needed late, where no daemon is. */
async function preload(run: Run, socket: Promise<SocketState>): Promise<void> {
  if ((await socket).type !== "absent") return;
  // A caller that needs it sees the failure when it asks again.
  await run.loadAway().catch(() => undefined);
}

async function runEvent(run: Run, text: string, socket: SocketState): Promise<void> {
  const payload = parseJson(text);
  if (!isRecord(payload)) {
    const event = text.trim() === "" ? "hook.empty" : "hook.unreadable";
    return note(run, { event, chars: text.length });
  }
  const args = readHookArguments(run.argv);
  const agent = args.agent ?? callerOf(payload, run.env);
  const adapter = agent === null ? null : await run.loadAgent(agent);
  if (agent !== null && adapter === null)
    return note(run, { event: "hook.unknown-agent", agent: agent.slice(0, 40) });
  const told =
    adapter === null ? ownEvents(run, payload, args) : await adapter.read(payload, args.event);
  const [one] = told;
  if (one === undefined) return;
  const isRaw = adapter === null && isSentRaw(one.payload, text, socket);
  const mail = mailOf(told, inputOf(run), isRaw);
  if (mail === null) return note(run, { event: "hook.without-session", hook: one.event.hook });
  const render = adapter === null ? renderAnswer : adapter.answer;
  await deliver(run, { ...one.event, ...mail, socket, render });
}

type Told = Awaited<ReturnType<AgentAdapter["read"]>>;

interface Mail {
  readonly letter: Letter;
  /** For the spool. */
  readonly envelopes: () => readonly HookEnvelope[];
}

/** Null where no event names its session. */
function mailOf(told: Told, input: Omit<EnvelopeInput, "event">, isRaw: boolean): Mail | null {
  const makeEnvelopes = (): readonly HookEnvelope[] => {
    const envelopes: HookEnvelope[] = [];
    for (const { payload, event } of told)
      envelopes.push(...envelopesOf(payload, { ...input, event }));
    return envelopes;
  };
  const [one] = told;
  if (isRaw && one !== undefined)
    return { letter: rawLetter(one, input), envelopes: makeEnvelopes };
  const made = makeEnvelopes();
  return made.length === 0 ? null : { letter: letterOf(made), envelopes: () => made };
}

function inputOf(run: Run): Omit<EnvelopeInput, "event"> {
  const replayMs = parseNow(run.env["CONTINUITY_NOW"]);
  return {
    nowMs: replayMs ?? run.clock.nowMs(),
    replayed: replayMs !== null,
    startedAtMs: run.startedAtMs,
    invocation: run.invocation,
    ...zoneOf(run.env["TZ"]),
  };
}

const isSentRaw = (payload: Json, text: string, socket: SocketState): boolean =>
  socket.type === "ours" && text.length <= captureLimits.rawPayloadCharsMax && hasSession(payload);

/** The letter that brings the client's payload as it is. */
const rawLetter = (
  { payload, event }: Told[number],
  input: Omit<EnvelopeInput, "event">,
): Letter => ({
  hook: event.hook,
  body: JSON.stringify(payload),
  headers: { [sentHeader]: JSON.stringify({ ...input, ...event }) },
  keys: null,
});

/**
 * Others run the hooks of Claude Code's settings too. Copilot CLI (a project's) stamps its payloads, which Claude
 * Code does not; Cursor names its version in them. What a shell inherited of their environment does not count: Claude
 * Code may run in it.
 */
export const callerOf = (payload: Json, env: HookContext["env"]): string | null => {
  if (env["COPILOT_CLI"] === "1" && payload["timestamp"] !== undefined) return "copilot";
  return typeof payload["cursor_version"] === "string" ? "cursor" : null;
};

function ownEvents({ env }: Run, payload: Json, args: HookArguments): Told {
  const event = resolveEvent(args.event, payload["hook_event_name"]);
  const said = isHeadlessEnv(env) ? { ...payload, headless: true } : payload;
  return event === null ? [] : [{ event, payload: withTranscript(said, args) }];
}

const withTranscript = (payload: Json, { transcript }: HookArguments): Json =>
  transcript === null ? payload : { ...payload, transcript_path: transcript };

/** To the daemon; without it, to the spool. */
async function deliver(
  run: Run,
  event: EventName &
    Mail & {
      readonly socket: SocketState;
      readonly render: AgentAdapter["answer"];
    },
): Promise<void> {
  const { clientEvent, letter, socket, render } = event;
  // The client waits for the whole process; a busy machine's daemon still gets half of the time.
  const wholeMs = handOverMs[event.hook];
  const deadlineMs = Math.ceil(Math.max(wholeMs - run.elapsedMs(), wholeMs / 2));
  const endMs = performance.now() + deadlineMs;
  const outcome = await handOver({ paths: run.paths, letter, deadlineMs, socket });
  // True when there was something to say, and somebody who read it.
  const answer = async (context: string, message?: string): Promise<boolean> => {
    const text = render(clientEvent, context, message ?? "");
    return text !== "" && run.print(text);
  };
  if (outcome.type !== "answered") {
    const away = await run.loadAway();
    const leftMs = (): number => endMs - performance.now();
    return away.deliver({ ...run, envelopes: event.envelopes(), outcome, leftMs, answer });
  }
  const fresh: HookReply[] = [];
  let context = "";
  for (const reply of outcome.replies) {
    if (!reply.fresh) continue;
    fresh.push(reply);
    context += reply.context;
  }
  if (await answer(context, fresh[0]?.message)) await outcome.confirm();
  if (isOlderVersion(outcome.version, run.version)) await (await run.loadAway()).replaceDaemon(run);
}

/** One log line. A log that cannot be written is the last thing that may disturb a session. */
async function note(run: Run, line: Note): Promise<void> {
  try {
    await (await run.loadAway()).note(run.paths, line);
  } catch {
    // Nowhere left to say it.
  }
}

// Comparing versions of this program. Pure.

/** True when `theirs` is a release older than `ours`. Unreadable versions are never older. */
export function isOlderVersion(theirs: string, ours: string): boolean {
  if (theirs === ours) return false;
  const a = numbers(theirs);
  const b = numbers(ours);
  if (a === null || b === null) return false;
  for (let at = 0; at < 3; at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** `1.2.3-beta` counts as 1.2.3: a daemon does not restart for a suffix. */
const numbers = (version: string): readonly number[] | null =>
  /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1, 4).map(Number) ?? null;

// The one document a hook may print. Pure.

/** The events whose message a person can read. */
const shownTo: ReadonlySet<string> = new Set(["SessionStart", "UserPromptSubmit"]);

/** The JSON that injects `context` and shows `message` to the user, or an empty string when there is nothing to say. */
export function renderAnswer(clientEvent: string, context: string, message = ""): string {
  if (!answeredEvents.includes(clientEvent)) return "";
  const isShown = message !== "" && shownTo.has(clientEvent);
  const shown = isShown ? { systemMessage: message } : {};
  const document = fitted(
    context,
    (additionalContext) =>
      JSON.stringify({
        ...shown,
        hookSpecificOutput: { hookEventName: clientEvent, additionalContext },
      }),
    ({ length }) => length - captureLimits.outputCharsMax,
  );
  return document !== "" || !isShown ? document : JSON.stringify(shown);
}

/**
 * `fitted` shortens a context until `render` keeps the document within its limit; empty when
 * nothing fits.
 */
export function fitted(
  context: string,
  render: (context: string) => string,
  over: (document: string) => number,
): string {
  let kept = context;
  while (kept.trim() !== "") {
    const document = render(kept);
    const excess = over(document);
    if (excess < 0) return document;
    kept = shorter(kept, excess);
  }
  return "";
}

/** Leaves out lines before the last one, which closes the block; a single endless line is dropped. */
function shorter(text: string, excessChars: number): string {
  const lines = text.trimEnd().split("\n");
  const last = lines.pop() ?? "";
  let dropped = 0;
  while (lines.length > 0 && dropped <= excessChars) dropped += (lines.pop() ?? "").length + 1;
  return lines.length === 0 ? "" : [...lines, last].join("\n");
}
