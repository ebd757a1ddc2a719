/**
 * The privacy gate over a whole envelope, for what a hook writes to the spool itself.
 *
 * A long event is gated by a courier, a process of its own. Order for every text: private blocks out, secrets out,
 * then trim (docs/design/capture.md, "What is kept").
 */
import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { HomePaths, HookEnvelope, SpoolGate } from "#domain";
import { bothEnds, sha256, isRecord, type Json, parseJson, recordOf, textField } from "#kit";
import { captureLimits } from "./limits.ts";
import { pathsOf } from "./slim.ts";
import { parseEnvelope } from "./envelope.ts";

export interface GatedEnvelope {
  readonly envelope: HookEnvelope;
  /**
   * The private part of a prompt, never written; null when it had none. With one, the rest of its
   * turn needs care (see private-turn.ts).
   */
  readonly hidden: readonly string[] | null;
}

/** Identifiers and paths of the client's own making: a rule for random-looking texts must not eat them. */
const structural: ReadonlySet<string> = new Set([
  "session_id",
  "transcript_path",
  "agent_transcript_path",
  "cwd",
  "hook_event_name",
  "prompt_id",
  "tool_use_id",
  "tool_name",
  "agent_id",
  "agent_type",
  "permission_mode",
  "source",
  "start_context",
  "model",
  "trigger",
  "reason",
]);

/** The form that the gate gives to a prompt that is private as a whole: a gate downstream recognises it as such. */
const wholePrivateMark = "<private></private>";

/** The same envelope, fit for disk. `boring` are tools whose text is not kept. */
export function gateEnvelope(
  deps: { readonly gate: SpoolGate; readonly boring: readonly string[] },
  envelope: HookEnvelope,
): GatedEnvelope {
  if (envelope.gated) return { envelope, hidden: null };
  const { payload } = envelope;
  const prompt = envelope.hook === "submit" ? textField(payload, "prompt") : null;
  const gatedPrompt = prompt === null ? null : deps.gate.clean(prompt);
  const gated: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(withoutToolText(deps, payload)))
    if (field !== "prompt" || gatedPrompt === null)
      gated[field] = structural.has(field) ? value : gateValue(deps.gate, field, value);
  const hidden = gatedPrompt === null ? null : privatePartOf(gatedPrompt);
  if (hidden !== null) gated["had_private"] = true;
  if (gatedPrompt !== null)
    gated["prompt"] = gatedPrompt.whollyPrivate ? wholePrivateMark : trimText(gatedPrompt.text);
  return {
    envelope: { ...envelope, gated: true, payload: gated },
    hidden,
  };
}

const privatePartOf = ({
  whollyPrivate,
  hidden,
}: ReturnType<SpoolGate["clean"]>): readonly string[] | null =>
  whollyPrivate || hidden.length > 0 ? hidden : null;

/**
 * The names of key files have one of these in them; asking the gate about each word of a command
 * costs a hook 0.3 ms.
 */
const mayNameSecret = /\.|id_|credentials|kubeconfig/i;

/** Boring tools, tools that touched a key file and commands that print secrets keep their paths only. */
function withoutToolText(
  { gate, boring }: { readonly gate: SpoolGate; readonly boring: readonly string[] },
  payload: Json,
): Json {
  const tool = textField(payload, "tool_name");
  if (tool === null) return payload;
  const command = textField(recordOf(payload["tool_input"]), "command") ?? "";
  const words = command.split(/[\s'"=<>;|&()]+/).filter((word) => mayNameSecret.test(word));
  const touchesSecrets =
    [...pathsOf(payload), ...words].some((path) => gate.isSecretPath(path)) ||
    gate.readsSecrets(command);
  if (!touchesSecrets && !boring.includes(tool)) return payload;
  const { tool_response: _response, ...rest } = payload;
  const input = recordOf(payload["tool_input"]);
  const shortInput = Object.fromEntries(
    Object.entries(input).filter(([field]) => /path$|^command$|^pattern$|^query$/.test(field)),
  );
  return { ...rest, tool_input: shortInput, ...(touchesSecrets ? { error: undefined } : {}) };
}

function gateValue(gate: SpoolGate, field: string, value: unknown): unknown {
  const isTool = field === "tool_input" || field === "tool_response" || field === "error";
  const trim = isTool ? trimToolText : trimText;
  const walk = (part: unknown, depth: number): unknown => {
    if (typeof part === "string") return trim(gate.clean(part).text);
    if (depth > captureLimits.depthMax) return null;
    if (Array.isArray(part))
      return part.slice(0, captureLimits.listMax).map((item) => walk(item, depth + 1));
    if (!isRecord(part)) return part;
    return Object.fromEntries(
      Object.entries(part).map(([key, inner]) => [key, walk(inner, depth + 1)]),
    );
  };
  return walk(value, 0);
}

const trimText = (text: string): string => bothEnds(text, captureLimits.spooledTextCharsMax);
const trimToolText = (text: string): string => bothEnds(text, captureLimits.spooledToolCharsMax);

/** Every text of a payload that the gate will be asked about. */
export function textsOf(value: unknown, depth = 0): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth > captureLimits.depthMax) return [];
  return Object.values(value).flatMap((inner) => textsOf(inner, depth + 1));
}

// A long event that no daemon took in time goes to a process of its own, which gates and spools it while the client
// goes on: reading a pasted megabyte for secrets takes longer than a prompt may wait. The text goes through a pipe
// and never through a file: it has not passed the gate yet.

/** Events on their way to a courier. */
export interface Carried {
  readonly envelopes: readonly HookEnvelope[];
  /** The time of their arrival, by the system's clock: the order in the spool. */
  readonly arrivalMs: number;
  /** A daemon is there and may still commit them: it is asked once more before they are spooled. */
  readonly isSlow: boolean;
}

/** Arguments of a courier's command line. */
const courierWords: readonly string[] = ["hook", "courier"];

/** True when gating these events would keep the client waiting. */
export function isLong(envelopes: readonly HookEnvelope[]): boolean {
  const chars = envelopes
    .flatMap(({ payload }) => textsOf(payload))
    .reduce((sum, text) => sum + text.length, 0);
  return chars > captureLimits.gatedInHookCharsMax;
}

/** Hands events to a detached process. False when none could be started: the caller has them still. */
export async function sendCourier(
  command: readonly string[],
  {
    env,
    root,
  }: { readonly env: Readonly<Record<string, string | undefined>>; readonly root: string },
  carried: Carried,
): Promise<boolean> {
  try {
    const child = Bun.spawn([...command, ...courierWords], {
      env: { ...env, CONTINUITY_HOME: root },
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    child.unref();
    await child.stdin.write(JSON.stringify(carried));
    await child.stdin.end();
    return true;
  } catch {
    return false;
  }
}

/** Parses a courier's input; null when no hook wrote it. */
export function parseCarried(text: string): Carried | null {
  const value = parseJson(text);
  if (!isRecord(value) || !Array.isArray(value["envelopes"])) return null;
  const list: readonly unknown[] = value["envelopes"];
  const envelopes = list.map(parseEnvelope).filter((envelope) => envelope !== null);
  const { arrivalMs } = value;
  if (typeof arrivalMs !== "number" || envelopes.length !== list.length) return null;
  return { envelopes, arrivalMs, isSlow: value["isSlow"] === true };
}

// A Stop that a courier carries may land behind the next prompt of its session. A file tells the daemon that it is on
// its way, so that the prompt does not take the turn before it for interrupted.

/** Files older than this are of couriers that died. */
const carriedMsMax = 2 * captureLimits.courierMs;

const carriedFile = (paths: HomePaths, session: string): string =>
  `${paths.spool}/carried/${sha256(session)}`;

const stoppedSessions = (envelopes: readonly HookEnvelope[]): readonly string[] =>
  envelopes.flatMap(({ hook, payload }) =>
    hook === "stop" ? (textField(payload, "session_id") ?? []) : [],
  );

/** Notes that the Stops among these events go to a courier. Never throws. */
export function noteCarried(paths: HomePaths, { envelopes, arrivalMs }: Carried): void {
  try {
    for (const session of stoppedSessions(envelopes)) {
      const file = carriedFile(paths, session);
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, "", { mode: 0o600 });
      utimesSync(file, arrivalMs / 1_000, arrivalMs / 1_000);
    }
  } catch {
    // The event matters, and goes its way without the note.
  }
}

/** Takes the note back: the courier has delivered or spooled them. Never throws. */
export function dropCarried(paths: HomePaths, { envelopes }: Carried): void {
  try {
    for (const session of stoppedSessions(envelopes))
      rmSync(carriedFile(paths, session), { force: true });
  } catch {
    // An old note ends by itself.
  }
}

/** True while a courier is on its way with a Stop of the session. */
export function isStopCarried(paths: HomePaths, session: string, nowMs: number): boolean {
  try {
    const noted = statSync(carriedFile(paths, session), { throwIfNoEntry: false });
    return noted !== undefined && nowMs - noted.mtimeMs < carriedMsMax;
  } catch {
    return false; // No folder of this user's.
  }
}
