/**
 * The hook route: our own hook process sends an envelope, the client's `http` hooks send their payload as it is.
 * Must not know what an event means; it hands over and answers.
 */
import type { HookAnswer } from "#api";
import type { HookEnvelope, HookReply } from "#domain";
import { answeredEvents, confirmPath, hookNameByClientEvent } from "#domain";
import type { LogDep } from "#kit";
import { faultOf, HttpFailure } from "../errors.ts";
import type { Handlers } from "../handler.ts";
import { peerOf } from "../peer.ts";

export interface HookDep {
  /** The events in a body, an envelope or a client's payload: null = it is neither; none = events that are ignored. */
  readonly eventsIn: (
    body: unknown,
    event: string,
    atMs?: number,
  ) => readonly HookEnvelope[] | null;
  /** Durably accepts events that belong together. Resolves after the commit; rejects when they could not be kept. */
  readonly accept: (
    envelopes: readonly HookEnvelope[],
    via: "socket" | "http",
  ) => Promise<readonly HookReply[]>;
  /** Notes that the client has the answers to these events. */
  readonly delivered: (keys: readonly string[]) => void;
}

export const hookHandlers = (deps: HookDep & LogDep) =>
  ({
    "POST /api/hooks/:event": async ({ param, body }, c) => {
      if (param.event === confirmPath) return confirmed(deps, body);
      const via = peerOf(c.env).transport === "socket" ? "socket" : "http";
      const events = deps.eventsIn(body, param.event);
      // Several envelopes: a batch of tool calls, from a hook that has no socket.
      if (Array.isArray(body)) return repliesTo(deps, events, via);
      if (!isRecord(body)) throw new HttpFailure("request.invalid", "A hook sends a JSON object.");
      if (body["v"] === 1) {
        const [reply] = await repliesTo(deps, events, via);
        return reply ?? { context: "", fresh: false };
      }
      const envelopes = events ?? [];
      const replies = await accepted(deps, envelopes, via);
      const answers = envelopes.map((envelope, at) => answerOf(envelope, replies[at]));
      return answers.find(({ hookSpecificOutput: output }) => output !== undefined) ?? {};
    },
  }) satisfies Partial<Handlers>;

/** Over TCP anybody with the token may say "already gated"; only our own process's word counts. */
async function repliesTo(
  deps: HookDep & LogDep,
  envelopes: readonly HookEnvelope[] | null,
  via: "socket" | "http",
): Promise<readonly HookReply[]> {
  if (envelopes === null || envelopes.length === 0)
    throw new HttpFailure("request.invalid", "The hook envelope is malformed.");
  const own = (envelope: HookEnvelope): HookEnvelope =>
    via === "socket" ? envelope : { ...envelope, gated: false };
  return accepted(deps, envelopes.map(own), via);
}

function confirmed(deps: HookDep, body: unknown): Readonly<Record<string, never>> {
  const list: readonly unknown[] = Array.isArray(body) ? body : [];
  deps.delivered(list.filter((key) => typeof key === "string"));
  return {};
}

/** A refusal here makes the hook process spool the event, so nothing is lost. */
async function accepted(
  deps: HookDep & LogDep,
  envelopes: readonly HookEnvelope[],
  via: "socket" | "http",
): Promise<readonly HookReply[]> {
  const [first] = envelopes;
  if (first === undefined) return [];
  try {
    return await deps.accept(envelopes, via);
  } catch (error) {
    deps.log.write("error", "hook.unavailable", { hook: first.hook, ...faultOf(error) });
    throw new HttpFailure("hook.unavailable", "The event could not be stored now.");
  }
}

function answerOf(envelope: HookEnvelope, reply: HookReply | undefined): HookAnswer {
  const hookEventName = envelope.clientEvent;
  if (reply === undefined || reply.context === "" || !answeredEvents.includes(hookEventName))
    return {};
  if (hookNameByClientEvent[hookEventName] !== envelope.hook) return {};
  return { hookSpecificOutput: { hookEventName, additionalContext: reply.context } };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
