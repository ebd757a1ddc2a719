/** What the process that carries segments asks of the store. Must not know what an entry says. */
import { HttpFailure } from "../errors.ts";
import type { Handlers } from "../handler.ts";
import { peerOf } from "../peer.ts";

export interface SyncDep {
  /** Null for a question that makes no sense. Absent in a process that does not write. */
  readonly sync?: (ask: unknown) => Promise<object | null>;
}

export const syncHandlers = ({ sync }: SyncDep) =>
  ({
    "POST /api/sync": async ({ body }, c) => {
      // Entries come from our own process, which has checked who signed them. Windows has no other way.
      if (peerOf(c.env).transport !== "socket" && process.platform !== "win32")
        throw new HttpFailure("auth.socket-only", "Sync is served over the daemon's socket only.");
      if (sync === undefined)
        throw new HttpFailure("service.read-only", "This process only reads.");
      const answer = await sync(body);
      if (answer === null) throw new HttpFailure("request.invalid", "The question is malformed.");
      return answer as Readonly<Record<string, unknown>>;
    },
  }) satisfies Partial<Handlers>;
