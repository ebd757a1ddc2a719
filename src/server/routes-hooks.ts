/**
 * The hook route: our own hook process sends an envelope, the client's `http` hooks send their payload as it is.
 * Must not know what an event means; it hands over and answers.
 */
import { Hono } from "hono";
import type { HookEnvelope, HookReply } from "#domain";
import { hookNameByClientEvent } from "#domain";
import type { LogDep } from "#kit";
import { faultOf, HttpFailure } from "./errors.ts";
import { jsonOf, param } from "./parse.ts";
import { peerOf, type ServerEnv } from "./peer.ts";
import { eventParam, hookEnvelope } from "./schemas.ts";

type Payload = Readonly<Record<string, unknown>>;

export interface HookDep {
  /** Durably accepts an event and answers it. Resolves after the commit; rejects when it could not be kept. */
  readonly accept: (
    envelope: HookEnvelope,
    via: "socket" | "http",
  ) => HookReply | Promise<HookReply>;
  /** The same for several events that belong together: one commit. */
  readonly acceptAll: (
    envelopes: readonly HookEnvelope[],
    via: "socket" | "http",
  ) => Promise<readonly HookReply[]>;
  /** A client's payload as envelopes (a batch event holds several); none for events that are ignored. */
  readonly toEnvelopes: (payload: Payload, event: string, atMs?: number) => readonly HookEnvelope[];
}

/** What the client reads: nothing, or context for the model. */
type HookAnswer = {
  readonly hookSpecificOutput?: {
    readonly hookEventName: string;
    readonly additionalContext: string;
  };
};

/** Only these events may carry context; on others the client rejects it or keeps the model going. */
const answeredHooks: ReadonlySet<string> = new Set(["start", "submit"]);

export const hookRoutes = (deps: HookDep & LogDep) =>
  new Hono<ServerEnv>().post("/api/hooks/:event", param(eventParam), async (c) => {
    const via = peerOf(c.env).transport === "socket" ? "socket" : "http";
    const given = jsonOf(await c.req.text());
    if (!isRecord(given)) throw new HttpFailure("request.invalid", "A hook sends a JSON object.");
    if (given["v"] === 1) return c.json(await acceptEnvelope(deps, given, via), 200);
    const answers: HookAnswer[] = [];
    for (const envelope of deps.toEnvelopes(given, c.req.valid("param").event))
      answers.push(answerOf(envelope, await accepted(deps, envelope, via)));
    const answer = answers.find(({ hookSpecificOutput: output }) => output !== undefined) ?? {};
    return c.json(answer, 200);
  });

function acceptEnvelope(
  deps: HookDep & LogDep,
  given: Payload,
  via: "socket" | "http",
): Promise<HookReply> {
  const parsed = hookEnvelope.safeParse(given);
  if (!parsed.success) throw new HttpFailure("request.invalid", "The hook envelope is malformed.");
  const { project, startedAtMs, tookMs: _, ...envelope } = parsed.data;
  // Over TCP anybody with the token may say "already gated"; only our own process's word counts.
  const gated = envelope.gated && via === "socket";
  const started = startedAtMs === undefined ? {} : { startedAtMs };
  const whose = project === undefined ? {} : { project };
  return accepted(deps, { ...envelope, ...started, ...whose, gated }, via);
}

/** As `accepted`, for several at once. */
export async function acceptedAll(
  deps: HookDep & LogDep,
  envelopes: readonly HookEnvelope[],
  via: "socket" | "http",
): Promise<readonly HookReply[]> {
  try {
    return await deps.acceptAll(envelopes, via);
  } catch (error) {
    deps.log.write("error", "turn.unavailable", faultOf(error));
    throw new HttpFailure("hook.unavailable", "The turn could not be stored now.");
  }
}

/** A refusal here makes the hook process spool the event, so nothing is lost. */
async function accepted(
  deps: HookDep & LogDep,
  envelope: HookEnvelope,
  via: "socket" | "http",
): Promise<HookReply> {
  try {
    return await deps.accept(envelope, via);
  } catch (error) {
    deps.log.write("error", "hook.unavailable", { hook: envelope.hook, ...faultOf(error) });
    throw new HttpFailure("hook.unavailable", "The event could not be stored now.");
  }
}

function answerOf(envelope: HookEnvelope, reply: HookReply): HookAnswer {
  if (reply.context === "" || !answeredHooks.has(envelope.hook)) return {};
  const hookEventName = envelope.clientEvent;
  if (hookNameByClientEvent[hookEventName] !== envelope.hook) return {};
  return { hookSpecificOutput: { hookEventName, additionalContext: reply.context } };
}

const isRecord = (value: unknown): value is Payload =>
  typeof value === "object" && value !== null && !Array.isArray(value);
