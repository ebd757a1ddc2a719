/**
 * From a client payload to envelopes, and back from JSON to an envelope.
 *
 * Pure. The key decides what "the same event" means (docs/design/capture.md, "One event counts once"); it survives a
 * plugin and the settings both installed, a daemon that committed but answered too late, and a spool drained twice.
 */
import {
  isTime,
  sha256,
  canonicalJson,
  isRecord,
  type Json,
  parseJson,
  recordOf,
  textField,
} from "#kit";
import {
  type HookEnvelope,
  type HookName,
  hookNameByClientEvent,
  hookNames,
  type ProjectIdentity,
} from "#domain";
import { captureLimits } from "./limits.ts";
import { slimPayload } from "./slim.ts";

export interface EnvelopeInput {
  readonly event: EventName;
  /** Event time, epoch ms. */
  readonly nowMs: number;
  /** True when CONTINUITY_NOW set it. */
  readonly replayed: boolean;
  /** The time at which this process began, by the system's clock; null = this is no hook process. */
  readonly startedAtMs: number | null;
  /** Zone that the hook's environment names. */
  readonly zone?: string | undefined;
  /** Names the process or request; makes the key of an event without an id unique. */
  readonly invocation: string;
}

/** The envelopes of a payload: one, or one per call of a PostToolBatch. Empty when it names no session. */
export function envelopesOf(payload: Json, input: EnvelopeInput): readonly HookEnvelope[] {
  if (!hasSession(payload)) return [];
  if (input.event.clientEvent !== "PostToolBatch") return [envelopeOf(payload, input, 0)];
  const { tool_calls: calls, ...common } = payload;
  if (!Array.isArray(calls)) return [];
  return calls
    .slice(0, captureLimits.listMax)
    .filter(isRecord)
    .map((call, at) => envelopeOf({ ...common, ...call }, input, at));
}

/** True for a payload that names its session. */
export function hasSession(payload: Json): boolean {
  const session = textField(payload, "session_id");
  return session !== null && session.length <= captureLimits.idCharsMax;
}

function envelopeOf(payload: Json, input: EnvelopeInput, at: number): HookEnvelope {
  const { hook, clientEvent } = input.event;
  const session = textField(payload, "session_id") ?? "";
  const id = idOf(payload, input.event);
  const contentHash = sha256(
    canonicalJson([session, ...contentOf(payload, { ...input.event, identified: id !== null })]),
  );
  // The three tool events tell of the same call, so they share one name: a batch repeats what came one by one.
  const eventName = hook === "tool" ? "tool" : clientEvent;
  const unique = id ?? `invocation:${input.invocation}:${at}`;
  return {
    v: 1,
    hook,
    clientEvent,
    key: sha256([session, eventName, unique, contentHash].join("\n")),
    contentHash,
    anonymous: id === null,
    atMs: input.nowMs,
    replayed: input.replayed,
    gated: false,
    payload: slimPayload(payload),
    ...(input.startedAtMs === null ? {} : { startedAtMs: input.startedAtMs, confirms: true }),
    ...zoneOf(input.zone),
  };
}

/**
 * The client's id for this event. SessionStart, PreCompact and SessionEnd may carry the `prompt_id` of the prompt
 * before them, which is not an id of theirs: a second compaction after one prompt is a second event.
 */
function idOf(payload: Json, { hook, clientEvent }: EventName): string | null {
  // Another agent's: see src/clients/agents/hook.ts. Only a name of the event; a turn is never looked up by it.
  const stamped = textField(payload, "event_id");
  if (hook === "tool") return textField(payload, "tool_use_id");
  const hasOwnId =
    hook === "submit" || hook === "stop" || hook === "subagent" || clientEvent === "PostCompact";
  return (hasOwnId ? textField(payload, "prompt_id") : null) ?? stamped;
}

const contentFields: Readonly<Record<Exclude<HookName, "tool">, readonly string[]>> = {
  start: ["source"],
  submit: ["prompt"],
  stop: ["last_assistant_message", "stop_hook_active", "agent_id"],
  subagent: ["last_assistant_message", "agent_id", "agent_type"],
  compact: ["trigger", "custom_instructions", "compact_summary"],
  end: ["reason"],
};

/**
 * `contentOf` gives an event's content, without ids and circumstances. A tool call with an id is
 * known by its name and input, because a batch shows its answer in another form; without an id the
 * answer is all that tells two runs of a command apart.
 */
function contentOf(
  payload: Json,
  event: EventName & { readonly identified: boolean },
): readonly unknown[] {
  if (event.hook !== "tool")
    return [event.clientEvent, ...valuesOf(payload, contentFields[event.hook])];
  const call = ["tool", payload["tool_name"] ?? null, payload["tool_input"] ?? null];
  return event.identified
    ? call
    : [...call, payload["tool_response"] ?? null, payload["error"] ?? null];
}

function valuesOf(payload: Json, fields: readonly string[]): readonly unknown[] {
  const values: unknown[] = [];
  for (const field of fields) values.push(payload[field] ?? null);
  return values;
}

/** Reads an envelope that another process wrote; null when it is none. */
export function parseEnvelope(value: unknown): HookEnvelope | null {
  if (!isRecord(value) || value["v"] !== 1) return null;
  const hook = hookNames.find((name) => name === value["hook"]);
  const key = textField(value, "key");
  const contentHash = textField(value, "contentHash");
  const clientEvent = textField(value, "clientEvent");
  const atMs = value["atMs"];
  const payload = value["payload"];
  if (hook === undefined || key === null || contentHash === null || clientEvent === null)
    return null;
  if (
    !/^[\w-]{8,128}$/.test(key) ||
    typeof atMs !== "number" ||
    !isTime(atMs) ||
    !isRecord(payload)
  )
    return null;
  return {
    v: 1,
    hook,
    clientEvent,
    key,
    contentHash,
    anonymous: value["anonymous"] === true,
    atMs,
    replayed: value["replayed"] === true,
    gated: value["gated"] === true,
    payload,
    ...timeIn(value, "startedAtMs"),
    ...timeIn(value, "tookMs"),
    ...zoneOf(value["zone"]),
    ...confirmsIn(value),
    ...("project" in value ? { project: parseProject(value["project"]) } : {}),
  };
}

/** The name of a zone; whether there is such a one is seen where it is used. */
export const zoneOf = (zone: unknown): { readonly zone?: string } => {
  const name = typeof zone === "string" ? /^:?([\w+/-]{1,60})$/.exec(zone)?.[1] : undefined;
  return name === undefined ? {} : { zone: name };
};

const confirmsIn = (value: Json): Partial<HookEnvelope> =>
  value["confirms"] === true ? { confirms: true } : {};

/** A measured time, when there is a sane one. */
const timeIn = (value: Json, field: "startedAtMs" | "tookMs"): Partial<HookEnvelope> => {
  const ms = value[field];
  return typeof ms === "number" && Number.isFinite(ms) && ms >= 0 ? { [field]: ms } : {};
};

function parseProject(value: unknown): ProjectIdentity | null {
  const fields = recordOf(value);
  const key = textField(fields, "key");
  const name = textField(fields, "name");
  const root = textField(fields, "root");
  if (key === null || name === null || root === null) return null;
  return { key, name, root, branch: textField(fields, "branch") };
}

// The hook's command line: an optional event name, `--transcript PATH` and `--agent NAME`. Everything else is
// ignored, so that an option of a later version in somebody's settings never breaks a hook.

export interface HookArguments {
  /** The event as it was written, ours or the client's; null = read `hook_event_name`. */
  readonly event: string | null;
  readonly transcript: string | null;
  /** The agent of this hook; null = Claude Code's. */
  readonly agent: string | null;
}

/** Reads what follows `hook` on the command line. Never fails. */
export function readHookArguments(argv: readonly string[]): HookArguments {
  let event: string | null = null;
  let transcript: string | null = null;
  let agent: string | null = null;
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? "";
    if (word === "--transcript") {
      transcript = argv[at + 1] ?? transcript;
      at += 1;
    } else if (word === "--agent") {
      agent = argv[at + 1] ?? agent;
      at += 1;
    } else if (word.startsWith("--transcript=")) transcript = word.slice("--transcript=".length);
    else if (!word.startsWith("-")) event ??= word;
  }
  return { event, transcript: transcript === "" ? null : transcript, agent };
}

export interface EventName {
  readonly hook: HookName;
  readonly clientEvent: string;
}

/**
 * `resolveEvent` names the event, from the command line and `hook_event_name`. Null for events that
 * we accept and ignore. The command line decides; a payload that names an event unknown to us is
 * ignored all the same.
 */
export function resolveEvent(named: string | null, fromPayload: unknown): EventName | null {
  const client = typeof fromPayload === "string" && fromPayload !== "" ? fromPayload : null;
  const told = client === null ? null : eventNamed(client);
  if (client !== null && told === null) return null;
  const asked = named === null ? told : eventNamed(named);
  // The payload tells PreCompact from PostCompact where the command line says `compact`.
  return asked !== null && told?.hook === asked.hook ? told : asked;
}

/** Our own name first: "stop" is both ours and, but for its case, the client's. */
function eventNamed(name: string): EventName | null {
  const wanted = name.toLowerCase();
  for (const hook of hookNames) if (hook === wanted) return { hook, clientEvent: usual[hook] };
  for (const [clientEvent, hook] of Object.entries(hookNameByClientEvent))
    if (clientEvent.toLowerCase() === wanted) return { hook, clientEvent };
  return null;
}

/** The client event a hook name stands for when the payload does not say. */
const usual: Readonly<Record<HookName, string>> = {
  start: "SessionStart",
  submit: "UserPromptSubmit",
  tool: "PostToolUse",
  stop: "Stop",
  subagent: "SubagentStop",
  compact: "PreCompact",
  end: "SessionEnd",
};

// `POST /api/hooks/:event`: a hook process sends envelopes, other callers the client's own payload. Pure.

export interface HookRequest {
  /** The body as parsed JSON. */
  readonly body: unknown;
  /** The last part of the path. */
  readonly event: string;
  readonly nowMs: number;
  /** Random, for payloads without an id. */
  readonly invocation: string;
}

/** The envelopes of a request; null when the body is neither. Empty when the event is one that we ignore. */
export function envelopesOfRequest(request: HookRequest): readonly HookEnvelope[] | null {
  const { body } = request;
  const list: readonly unknown[] = Array.isArray(body) ? body : [body];
  if (list.some((item) => isRecord(item) && item["v"] === 1)) {
    const envelopes = list.map(parseEnvelope).filter((envelope) => envelope !== null);
    return envelopes.length === list.length ? envelopes : null;
  }
  if (!isRecord(body)) return null;
  const event = resolveEvent(request.event, body["hook_event_name"]);
  if (event === null) return [];
  const { nowMs, invocation } = request;
  const input = { event, nowMs, replayed: false, startedAtMs: null, invocation };
  const envelopes = envelopesOf(body, input);
  return envelopes.length === 0 ? null : envelopes;
}

/**
 * Header in which a hook process says what it knows of the payload that it sends as it is. The daemon makes the
 * envelope: in a process that has just begun that takes half a millisecond.
 */
export const sentHeader = "x-continuity-event";

/** Reads the header; null when it is missing or damaged. */
export function readSent(header: string | null): EnvelopeInput | null {
  const fields = header === null ? null : parseJson(header);
  if (!isRecord(fields)) return null;
  const event = resolveEvent(textField(fields, "hook"), fields["clientEvent"]);
  const { nowMs, startedAtMs, replayed, zone } = fields;
  const invocation = textField(fields, "invocation");
  if (event === null || invocation === null || typeof nowMs !== "number" || !isTime(nowMs))
    return null;
  return {
    event,
    nowMs,
    replayed: replayed === true,
    startedAtMs: typeof startedAtMs === "number" && startedAtMs >= 0 ? startedAtMs : null,
    zone: typeof zone === "string" ? zone : undefined,
    invocation,
  };
}
