/** `POST /api/hooks/:event`: a hook process sends envelopes, other callers the client's own payload. Pure. */
import type { HookEnvelope } from "#domain";
import { resolveEvent } from "./arguments.ts";
import { envelopesOf, parseEnvelope } from "./envelope.ts";
import { isRecord } from "./json.ts";

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
  const envelopes = envelopesOf(body, {
    event,
    nowMs,
    replayed: false,
    startedAtMs: null,
    invocation: () => invocation,
  });
  return envelopes.length === 0 ? null : envelopes;
}
