/**
 * The hook route: our own hook process sends an envelope, the client's `http` hooks send their payload as it is.
 * Must not know what an event means; it hands over and answers.
 */
import type { Asked } from "../../routes.ts";
import type { HookAnswer } from "../../route.ts";
import { confirmPath, type HookEnvelope, hookNameByClientEvent, type HookReply } from "#domain";
import { envelopesOfRequest, renderAnswer } from "#hooks";
import { parseNow, sha256, isRecord } from "#kit";
import { faultOf, HttpFailure } from "../errors.ts";
import { type Handlers, peerOf } from "../handler.ts";
import type { ServerContext } from "../context.ts";

export const hookHandlers = (context: ServerContext) =>
  ({
    "POST /api/turns": async ({ body: turn, nowMs }, c) => {
      const atMs = timeOf(turn) ?? nowMs;
      const promptId = idOf(turn);
      const envelopes = eventsOf(turn, promptId).flatMap(
        // In the order in which they happened, also where times are compared.
        ({ event, payload }, at) => eventsIn(context, payload, event, atMs + at) ?? [],
      );
      const via = peerOf(c.env).transport === "socket" ? "socket" : "http";
      const replies = await accepted(context, envelopes, { via, what: "turn" });
      return {
        session_id: turn.session,
        turn: context.service.turnOfPrompt(turn.session, promptId),
        fresh: replies.some(({ fresh }) => fresh),
      };
    },
    "POST /api/hooks/:event": async ({ param, body }, c) => {
      if (param.event === confirmPath) return confirmed(context, body);
      const via = peerOf(c.env).transport === "socket" ? "socket" : "http";
      const events = eventsIn(context, body, param.event);
      // Several envelopes: a batch of tool calls, from a hook that has no socket.
      if (Array.isArray(body)) return repliesTo(context, events, via);
      if (!isRecord(body)) throw new HttpFailure("request.invalid", "A hook sends a JSON object.");
      if (body["v"] === 1) {
        const [reply] = await repliesTo(context, events, via);
        return reply ?? { context: "", fresh: false };
      }
      const envelopes = events ?? [];
      const replies = await accepted(context, envelopes, { via });
      const answers = envelopes.map((envelope, at) => answerOf(envelope, replies[at]));
      return answers.find((answer) => Object.keys(answer).length > 0) ?? {};
    },
  }) satisfies Partial<Handlers>;

/** The events in a body, an envelope or a client's payload: null = it is neither; none = events that are ignored. */
export const eventsIn = (
  { clock, random }: ServerContext,
  body: unknown,
  event: string,
  nowMs = clock.nowMs(),
): readonly HookEnvelope[] | null =>
  envelopesOfRequest({ body, event, nowMs, invocation: random.hex(16) });

/** Over TCP anybody with the token may say "already gated"; only our own process's word counts. */
async function repliesTo(
  context: ServerContext,
  envelopes: readonly HookEnvelope[] | null,
  via: "socket" | "http",
): Promise<readonly HookReply[]> {
  if (envelopes === null || envelopes.length === 0)
    throw new HttpFailure("request.invalid", "The hook envelope is malformed.");
  const own = (envelope: HookEnvelope): HookEnvelope =>
    via === "socket" ? envelope : { ...envelope, gated: false };
  return accepted(context, envelopes.map(own), { via });
}

function confirmed(context: ServerContext, body: unknown): Readonly<Record<string, never>> {
  const list: readonly unknown[] = Array.isArray(body) ? body : [];
  context.delivered(list.filter((key) => typeof key === "string"));
  return {};
}

/** A refusal here makes the hook process spool the event, so nothing is lost. */
async function accepted(
  context: ServerContext,
  envelopes: readonly HookEnvelope[],
  { via, what = "event" }: { readonly via: "socket" | "http"; readonly what?: "event" | "turn" },
): Promise<readonly HookReply[]> {
  const [first] = envelopes;
  if (first === undefined) return [];
  try {
    return await context.accept(envelopes, via);
  } catch (error) {
    const kind = what === "event" ? "hook.unavailable" : "turn.unavailable";
    context.log.write("error", kind, { hook: first.hook, ...faultOf(error) });
    throw new HttpFailure("hook.unavailable", `The ${what} could not be stored now.`);
  }
}

function answerOf(envelope: HookEnvelope, reply: HookReply | undefined): HookAnswer {
  const { clientEvent, hook } = envelope;
  if (reply === undefined || hookNameByClientEvent[clientEvent] !== hook) return {};
  // The same document as a hook process prints.
  const document = renderAnswer(clientEvent, reply.context, reply.message);
  return document === "" ? {} : (JSON.parse(document) as HookAnswer);
}

// A turn of any other agent, fed by hand or by a bridge. It becomes the events that a client would have sent, so that
// the same gate and the same pipeline see it; the same turn counts once.

type FedTurn = Asked<"POST /api/turns">["body"];

interface ClientEvent {
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

function timeOf({ at }: FedTurn): number | null {
  if (at === undefined) return null;
  const ms = parseNow(`${at}`);
  if (ms === null)
    throw new HttpFailure("request.invalid", "at: expected epoch milliseconds or ISO 8601");
  return ms;
}

/** `idOf` gives a turn's identity: its own id, else all that it says. */
const idOf = (turn: FedTurn): string => {
  const { id, user, assistant, tools, at } = turn;
  const said = id === undefined ? [user, assistant, tools, at ?? null] : [id];
  return `turn-${sha256(JSON.stringify([turn.session, ...said]), 32)}`;
};

function eventsOf(turn: FedTurn, promptId: string): readonly ClientEvent[] {
  const common = { session_id: turn.session, cwd: turn.cwd, prompt_id: promptId };
  return [
    { event: "UserPromptSubmit", payload: { ...common, prompt: turn.user } },
    ...turn.tools.map((tool, at): ClientEvent => {
      const use = {
        ...common,
        tool_name: tool.name,
        tool_input: tool.input ?? {},
        tool_use_id: tool.id ?? `${promptId}-${at}`,
      };
      return tool.error === undefined
        ? { event: "PostToolUse", payload: { ...use, tool_response: tool.output ?? "" } }
        : { event: "PostToolUseFailure", payload: { ...use, error: tool.error } };
    }),
    {
      event: "Stop",
      payload: { ...common, last_assistant_message: turn.assistant, stop_hook_active: false },
    },
  ];
}
