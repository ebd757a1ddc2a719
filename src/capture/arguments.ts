/**
 * The hook's command line: an optional event name, `--transcript PATH` and `--agent NAME`. Everything else is ignored,
 * so that an option of a later version in somebody's settings never breaks a hook.
 */
import { hookNameByClientEvent, hookNames, type HookName } from "#domain";

export interface HookArguments {
  /** The event as it was written, ours or the client's; null = read `hook_event_name`. */
  readonly event: string | null;
  readonly transcript: string | null;
  /** Whose hook this is; null = Claude Code's. */
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
 * Which event this is, from the command line and `hook_event_name`. Null for events that we accept and ignore. The
 * command line decides; a payload that names an event unknown to us is ignored all the same.
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
  const own = hookNames.find((known) => known === name.toLowerCase());
  if (own !== undefined) return { hook: own, clientEvent: usual[own] };
  // Looked up in a map: as keys of an object, names like "constructor" would be found.
  return clientEvents.get(name.toLowerCase()) ?? null;
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

const clientEvents: ReadonlyMap<string, EventName> = new Map(
  Object.entries(hookNameByClientEvent).map(([clientEvent, hook]) => [
    clientEvent.toLowerCase(),
    { hook, clientEvent },
  ]),
);
