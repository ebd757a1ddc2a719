/**
 * A turn of any other agent, fed by hand or by a bridge. It becomes the events that a client would have sent, so that the
 * same gate and the same pipeline see it; the same turn counts once.
 */
import { Hono } from "hono";
import type { z } from "zod";
import { nowHeader } from "#domain";
import { parseNow, sha256, type ClockDep } from "#kit";
import type { FedTurnJson } from "#api";
import { HttpFailure } from "./errors.ts";
import { body } from "./parse.ts";
import { nowOf, peerOf, type ServerEnv } from "./peer.ts";
import { acceptedAll, type HookDep } from "./routes-hooks.ts";
import type { ServiceDep } from "./routes-memories.ts";
import { turnBody } from "./schemas-pages.ts";
import type { LogDep } from "#kit";

type FedTurn = z.output<typeof turnBody>;

interface ClientEvent {
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export const turnRoutes = (deps: ClockDep & HookDep & LogDep & ServiceDep) =>
  new Hono<ServerEnv>().post("/api/turns", body(turnBody), async (c) => {
    const turn = c.req.valid("json");
    const atMs = timeOf(turn) ?? nowOf(c.req.header(nowHeader), deps.clock);
    const promptId = idOf(turn);
    const envelopes = eventsOf(turn, promptId).flatMap(({ event, payload }, at) =>
      // In the order in which they happened, also where times are compared.
      deps.toEnvelopes(payload, event, atMs + at),
    );
    const via = peerOf(c.env).transport === "socket" ? "socket" : "http";
    const replies = await acceptedAll(deps, envelopes, via);
    const answer: FedTurnJson = {
      session_id: turn.session,
      turn: deps.service.turnOfPrompt(turn.session, promptId),
      fresh: replies.some(({ fresh }) => fresh),
    };
    return c.json(answer, 200);
  });

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
