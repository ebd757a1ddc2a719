/**
 * The contract of a route's handler, and helpers that handlers share. A route of the table without
 * a handler does not compile.
 */
import type { Context } from "hono";
import type { Answer, Asked, RouteName } from "../routes.ts";
import { agentHeader } from "#domain";
import { type Clock, parseNow } from "#kit";
import { HttpFailure } from "./errors.ts";

type Handler<Name extends RouteName> = (
  asked: Asked<Name>,
  c: Context<ServerEnv>,
) => Answer<Name> | Promise<Answer<Name>>;

export type Handlers = { readonly [Name in RouteName]: Handler<Name> };

// The other end of a request, as the transport knows it (never as the request claims).

/** `socket`: our own folder's Unix socket (0700) or this very process; `tcp`: anybody on this machine. */
export type Peer =
  | { readonly transport: "socket" }
  | { readonly transport: "tcp"; readonly port: number };

/** Hono environment: the peer arrives as the second argument of `app.fetch`. */
export interface ServerEnv {
  Bindings: Partial<Peer>;
}

/** `peerOf` treats a request without a peer as the least trusted one, with no port that a Host header could match. */
export const peerOf = (bindings: Partial<Peer> | undefined): Peer => {
  if (bindings?.transport === "socket") return { transport: "socket" };
  const port = bindings !== undefined && "port" in bindings ? bindings.port : undefined;
  return { transport: "tcp", port: port ?? -1 };
};

/** Refuses what only a person may decide where a command that an agent runs asks for it. */
export function demandPerson(c: Context<ServerEnv>): void {
  if (isAgent(c))
    throw new HttpFailure("auth.person", "Only a person may decide this: run it in a terminal.");
}

/** True when the request comes from a command that an agent runs. */
export const isAgent = (c: Context<ServerEnv>): boolean => c.req.header(agentHeader) !== undefined;

/** Time of a request: what it says, else the daemon's clock. */
export const nowOf = (header: string | undefined, clock: Clock): number =>
  parseNow(header) ?? clock.nowMs();

// The tag of a node is its revision, so that it can be sent back as a condition of a change (`If-Match`).

export function revisionIn(header: string): number | null {
  const digits = /^(?:W\/)?"?r(\d{1,15})"?$/.exec(header.trim())?.[1];
  return digits === undefined ? null : Number(digits);
}
