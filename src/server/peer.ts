/** Who is on the other end of a request, as the transport knows it (never as the request claims). */
import type { Context } from "hono";
import { agentHeader } from "#domain";
import type { Clock } from "#kit";
import { parseNow } from "#kit";
import { HttpFailure } from "./errors.ts";

/** `socket`: our own folder's Unix socket (0700) or this very process; `tcp`: anybody on this machine. */
export type Peer =
  | { readonly transport: "socket" }
  | { readonly transport: "tcp"; readonly port: number };

/** Hono environment: the peer arrives as the second argument of `app.fetch`. */
export interface ServerEnv {
  Bindings: Partial<Peer>;
  /** `revision`: of the node that is answered, which its entity tag begins with. */
  Variables: { revision?: number };
}

/** What a request without a peer counts as: the least trusted one, with no port that a Host header could match. */
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
