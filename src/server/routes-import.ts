/** Routes of an import under way: what is known already, and batches to be taken. Must not know what is in an item. */
import { Hono } from "hono";
import type { ImportSource } from "#domain";
import { HttpFailure } from "./errors.ts";
import { body } from "./parse.ts";
import { peerOf, type Peer, type ServerEnv } from "./peer.ts";
import { importBody, importKnownBody } from "./schemas.ts";

/** What became of one record; `memories`: of the sentences in it. */
interface ImportOutcome {
  readonly outcome: "created" | "merged" | "skipped" | "refused";
  readonly reason: string;
  readonly counted: boolean;
  readonly memories: {
    readonly created: number;
    readonly merged: number;
    readonly skipped: number;
  };
}

interface KnownSession {
  readonly state: "new" | "imported" | "captured";
  readonly turns: number;
  readonly extent: number;
}

export interface ImportDep {
  /** Null in a process that does not write. */
  readonly importer?: {
    readonly apply: (
      source: ImportSource,
      items: readonly unknown[],
    ) => { readonly outcomes: readonly ImportOutcome[]; readonly tookMs: number };
    readonly known: (
      source: ImportSource,
      sessionIds: readonly string[],
    ) => readonly KnownSession[];
  };
}

export const importRoutes = ({ importer }: ImportDep) =>
  new Hono<ServerEnv>()
    .post("/api/import", body(importBody), (c) => {
      checkProcess(peerOf(c.env));
      const { source, items } = c.req.valid("json");
      return c.json(writing(importer).apply(source, items), 200);
    })
    .post("/api/import/known", body(importKnownBody), (c) => {
      checkProcess(peerOf(c.env));
      const { source, sessions } = c.req.valid("json");
      return c.json({ sessions: writing(importer).known(source, sessions) }, 200);
    });

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
