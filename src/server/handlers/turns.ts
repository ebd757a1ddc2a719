/**
 * A turn of any other agent, fed by hand or by a bridge. It becomes the events that a client would have sent, so that
 * the same gate and the same pipeline see it; the same turn counts once.
 */
import type { Asked } from "#api";
import type { HookEnvelope, HookReply } from "#domain";
import { parseNow, sha256, type LogDep } from "#kit";
import { faultOf, HttpFailure } from "../errors.ts";
import type { Handlers, ServiceDep } from "../handler.ts";
import { peerOf } from "../peer.ts";
import type { HookDep } from "./hooks.ts";

type FedTurn = Asked<"POST /api/turns">["body"];

interface ClientEvent {
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export const turnHandlers = (deps: HookDep & LogDep & ServiceDep) =>
  ({
    "POST /api/turns": async ({ body: turn, nowMs }, c) => {
      const atMs = timeOf(turn) ?? nowMs;
      const promptId = idOf(turn);
      const envelopes = eventsOf(turn, promptId).flatMap(
        // In the order in which they happened, also where times are compared.
        ({ event, payload }, at) => deps.eventsIn(payload, event, atMs + at) ?? [],
      );
      const via = peerOf(c.env).transport === "socket" ? "socket" : "http";
      const replies = await accepted(deps, envelopes, via);
      return {
        session_id: turn.session,
        turn: deps.service.turnOfPrompt(turn.session, promptId),
        fresh: replies.some(({ fresh }) => fresh),
      };
    },
  }) satisfies Partial<Handlers>;

async function accepted(
  deps: HookDep & LogDep,
  envelopes: readonly HookEnvelope[],
  via: "socket" | "http",
): Promise<readonly HookReply[]> {
  try {
    return await deps.accept(envelopes, via);
  } catch (error) {
    deps.log.write("error", "turn.unavailable", faultOf(error));
    throw new HttpFailure("hook.unavailable", "The turn could not be stored now.");
  }
}

function timeOf({ at }: FedTurn): number | null {
  if (at === undefined) return null;
  const ms = parseNow(`${at}`);
  if (ms === null)
    throw new HttpFailure("request.invalid", "at: expected epoch milliseconds or ISO 8601");
  return ms;
}

/** What makes it the same turn: its own id, else all that it says. */
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
