/** The store's side of a sync, as the process that carries segments asks for it. */
import { z } from "zod";
import type { SyncEntry, SyncHead } from "#domain";
import { apply, collectStep } from "./apply.ts";
import { checkedEntry } from "./check.ts";
import { metaNames, type LogDeps } from "./deps.ts";

export interface PeerState {
  readonly device: string | null;
  readonly heads: readonly SyncHead[];
}

export interface Outgoing {
  readonly entries: readonly { readonly id: string; readonly json: string }[];
  /** Not everything that happened was looked at yet. */
  readonly more: boolean;
}

/** What can be asked. `begin`: forget what is known of others, and be this device. */
export const peerAsk = z.discriminatedUnion("ask", [
  z.object({ ask: z.literal("state") }),
  z.object({
    ask: z.literal("begin"),
    device: z.string().regex(/^[0-9a-f]{8}$/),
    salt: z.string().regex(/^[0-9a-f]{32,128}$/),
  }),
  z.object({ ask: z.literal("end") }),
  z.object({ ask: z.literal("collect"), limit: z.int().min(1).max(10_000) }),
  z.object({
    ask: z.literal("sent"),
    ids: z.array(z.string().max(64)).max(20_000),
    head: z.object({ device: z.string().max(64), seq: z.int().min(1), hash: z.string().max(64) }),
  }),
  z.object({
    ask: z.literal("apply"),
    entries: z.array(z.unknown()).max(20_000),
    head: z
      .object({ device: z.string().max(64), seq: z.int().min(1), hash: z.string().max(64) })
      .nullable(),
  }),
]);

type PeerAsk = z.infer<typeof peerAsk>;

type PeerAnswer =
  | PeerState
  | Outgoing
  /** `ok` false: an entry is not understood, and nothing was taken. */
  | { readonly ok: boolean; readonly tookMs: number };

/** Answers one question; each is one transaction, or several of some milliseconds. */
export function answerPeer(deps: LogDeps, ask: PeerAsk): PeerAnswer {
  const { sync } = deps.store;
  const startMs = performance.now();
  const done = (ok = true): PeerAnswer => ({ ok, tookMs: performance.now() - startMs });
  switch (ask.ask) {
    case "state":
      return { device: sync.device(), heads: sync.heads() };
    case "begin":
      sync.reset({ device: ask.device, salt: ask.salt });
      return done();
    case "end":
      sync.reset(null);
      purge(deps);
      return done();
    case "collect": {
      const isDone = collectStep(deps);
      if (isDone && deps.store.admin.getMeta(metaNames.purge) !== null) purge(deps);
      return { entries: isDone ? sync.unsent(ask.limit) : [], more: !isDone };
    }
    case "sent":
      deps.store.transaction(() => {
        sync.sent(ask.ids);
        sync.putHead(ask.head);
      });
      return done();
    case "apply": {
      const entries = ask.entries.map(checkedEntry);
      if (!entries.every((entry): entry is SyncEntry => entry !== null)) return done(false);
      apply(deps, entries, ask.head);
      return done();
    }
  }
}

/** Cleans the file of rows of the log that held forgotten words: forgetting cleaned it before they went. */
function purge({ store: { admin } }: LogDeps): void {
  try {
    admin.setMeta(metaNames.purge, null);
    admin.purge();
  } catch {
    // Another program reads the file. It is tried again with the next sync.
    admin.setMeta(metaNames.purge, "due");
  }
}
