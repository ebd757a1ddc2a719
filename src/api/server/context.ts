/** The record that the server answers with; src/app builds it, tests in test/support/server.ts. */
import type { Answer } from "../routes.ts";
import type { ImportStateJson } from "../forms-reports.ts";
import type { HookEnvelope, HookReply, ImportSource, KnownSession } from "#domain";
import type { Clock, Log, Random } from "#kit";
import type { Service } from "../service/service.ts";
import type { StorageFault } from "./errors.ts";
import type { Live } from "./live.ts";

export interface Errands {
  /** The report that `doctor --json` prints; null when it printed none. */
  readonly doctor: () => Promise<unknown>;
  /** Starts one, unless one is under way. */
  readonly startImport: (from: string) => ImportStateJson;
  readonly importState: () => ImportStateJson;
}

/** Null for a question that makes no sense. */
export type Answering = (ask: unknown) => Promise<object | null>;

interface ViewerAsset {
  readonly type: string;
  readonly brotli: Uint8Array;
}

export interface ViewerFiles {
  /** The page, with this nonce on its scripts and styles. */
  readonly page: (nonce: string) => string;
  /** A file by its name (the last part of its path); null when there is none of that name. */
  readonly asset: (name: string) => ViewerAsset | null;
}

export interface ServerContext {
  readonly clock: Clock;
  readonly log: Log;
  /** Null in a process that does not write. */
  readonly importer?: {
    readonly apply: (source: ImportSource, items: readonly unknown[]) => Answer<"POST /api/import">;
    readonly known: (
      source: ImportSource,
      sessionIds: readonly string[],
    ) => readonly KnownSession[];
  };
  /** Absent in a process that does not write. */
  readonly sync?: Answering;
  readonly team?: Answering;
  /** Absent in a process that cannot start the program. */
  readonly errands?: Errands | undefined;
  /** Null in a program that was built without the viewer. */
  readonly viewer: ViewerFiles | null;
  readonly random: Random;
  /** TCP port of this daemon; null when it has none. */
  readonly port: () => number | null;
  /** A link was used: what held it can go. */
  readonly onRedeemed?: () => void;
  readonly live: Live;
  /** Durably accepts events that belong together. Resolves after the commit; rejects when they could not be kept. */
  readonly accept: (
    envelopes: readonly HookEnvelope[],
    via: "socket" | "http",
  ) => Promise<readonly HookReply[]>;
  /** Notes that the client has the answers to these events. */
  readonly delivered: (keys: readonly string[]) => void;
  /** The bearer token of the home folder; null = none yet, so nobody gets in over TCP. */
  readonly token: () => string | null;
  /** Puts another token in its place, from now on; false when it cannot be written. */
  readonly rotateToken: () => boolean;
  readonly service: Service;
  /** Null for a fault that is not the file's or the disk's. Without it, none is told from another. */
  readonly explain?: (error: unknown) => StorageFault | null;
}
