/**
 * What the processes that carry segments, and what a team gives, ask of the store. Must not know what an entry says.
 */
import type { Context } from "hono";
import { HttpFailure } from "../errors.ts";
import type { Handlers } from "../handler.ts";
import { demandPerson, peerOf, type ServerEnv } from "../peer.ts";

/** Null for a question that makes no sense. */
type Answering = (ask: unknown) => Promise<object | null>;

export interface SyncDep {
  /** Absent in a process that does not write. */
  readonly sync?: Answering;
  readonly team?: Answering;
}

async function answered(
  c: Context<ServerEnv>,
  what: "Sync" | "The team",
  { answer, body }: { readonly answer: Answering | undefined; readonly body: unknown },
): Promise<Readonly<Record<string, unknown>>> {
  // Entries come from our own process, which has checked who signed them. Windows has no other way.
  if (peerOf(c.env).transport !== "socket" && process.platform !== "win32")
    throw new HttpFailure("auth.socket-only", `${what} is served over the daemon's socket only.`);
  if (answer === undefined) throw new HttpFailure("service.read-only", "This process only reads.");
  const given = await answer(body);
  if (given === null) throw new HttpFailure("request.invalid", "The question is malformed.");
  return given as Readonly<Record<string, unknown>>;
}

/** Questions of the command line by which texts of others come into force. */
const decisions: ReadonlySet<string> = new Set(["trust", "arrive", "adopt"]);

export const syncHandlers = ({ sync, team }: SyncDep) =>
  ({
    "POST /api/sync": async ({ body }, c) => answered(c, "Sync", { answer: sync, body }),
    "POST /api/team": async ({ body }, c) => {
      if (decisions.has(body.ask)) demandPerson(c);
      return answered(c, "The team", { answer: team, body });
    },
  }) satisfies Partial<Handlers>;
