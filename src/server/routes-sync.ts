/** What the process that carries segments asks of the store. Must not know what an entry says. */
import { Hono } from "hono";
import { HttpFailure } from "./errors.ts";
import { body } from "./parse.ts";
import { peerOf, type ServerEnv } from "./peer.ts";
import { syncBody } from "./schemas.ts";

export interface SyncDep {
  /** Null for a question that makes no sense. Absent in a process that does not write. */
  readonly sync?: (ask: unknown) => Promise<object | null>;
}

export const syncRoutes = ({ sync }: SyncDep) =>
  new Hono<ServerEnv>().post("/api/sync", body(syncBody), async (c) => {
    // Entries come from our own process, which has checked who signed them. Windows has no other way.
    if (peerOf(c.env).transport !== "socket" && process.platform !== "win32")
      throw new HttpFailure("auth.socket-only", "Sync is served over the daemon's socket only.");
    if (sync === undefined) throw new HttpFailure("service.read-only", "This process only reads.");
    const answer = await sync(c.req.valid("json"));
    if (answer === null) throw new HttpFailure("request.invalid", "The question is malformed.");
    return c.json(answer as Readonly<Record<string, unknown>>, 200);
  });
