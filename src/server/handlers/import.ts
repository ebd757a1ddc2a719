/** An import under way: what is known already, and batches to be taken. Must not know what is in an item. */
import type { Answer, KnownSession } from "#api";
import type { ImportSource } from "#domain";
import { HttpFailure } from "../errors.ts";
import type { Handlers } from "../handler.ts";
import { peerOf, type Peer } from "../peer.ts";

export interface ImportDep {
  /** Null in a process that does not write. */
  readonly importer?: {
    readonly apply: (source: ImportSource, items: readonly unknown[]) => Answer<"POST /api/import">;
    readonly known: (
      source: ImportSource,
      sessionIds: readonly string[],
    ) => readonly KnownSession[];
  };
}

export const importHandlers = ({ importer }: ImportDep) =>
  ({
    "POST /api/import": ({ body: { source, items } }, c) => {
      checkProcess(peerOf(c.env));
      return writing(importer).apply(source, items);
    },
    "POST /api/import/known": ({ body: { source, sessions } }, c) => {
      checkProcess(peerOf(c.env));
      return { sessions: writing(importer).known(source, sessions) };
    },
  }) satisfies Partial<Handlers>;

/** Items come gated by our own reader; over TCP anybody with the token could say so. Windows has no other way. */
function checkProcess({ transport }: Peer): void {
  if (transport !== "socket" && process.platform !== "win32")
    throw new HttpFailure("auth.socket-only", "Imports are taken over the daemon's socket only.");
}

function writing(importer: ImportDep["importer"]): NonNullable<ImportDep["importer"]> {
  if (importer === undefined)
    throw new HttpFailure("service.read-only", "This process only reads.");
  return importer;
}
