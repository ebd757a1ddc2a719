/** The store's side of a sync, as the process that carries segments asks for it. */
import { z } from "zod";
import {
  type SyncEntry,
  type SyncHead,
  categories,
  fieldsOfWire,
  makers,
  nodeStatuses,
  origins,
  relations,
  revisionActions,
} from "#domain";
import { isRecord } from "#kit";
import { apply, collectStep } from "./apply.ts";
import { isStamp, type SyncContext } from "./claim.ts";

export interface PeerState {
  readonly device: string | null;
  readonly heads: readonly SyncHead[];
}

export interface Outgoing {
  readonly entries: readonly { readonly id: string; readonly json: string }[];
  /** Not everything that happened was looked at yet. */
  readonly more: boolean;
}

const head = z.object({
  device: z.string().max(64),
  seq: z.int().min(1),
  hash: z.string().max(64),
});

/** The requests of a peer. `begin`: forget what is known of others, and be this device. */
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
    head,
  }),
  z.object({
    ask: z.literal("apply"),
    entries: z.array(z.unknown()).max(20_000),
    head: head.nullable(),
  }),
]);

type PeerAsk = z.infer<typeof peerAsk>;

type PeerAnswer =
  | PeerState
  | Outgoing
  /** `ok` false: an entry is not understood, and nothing was taken. */
  | { readonly ok: boolean; readonly tookMs: number };

/** Answers one question; each is one transaction, or several of some milliseconds. */
export function answerPeer(deps: SyncContext, ask: PeerAsk): PeerAnswer {
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
      if (isDone && deps.store.admin.getMeta("sync.purge") !== null) purge(deps);
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
function purge({ store: { admin } }: SyncContext): void {
  try {
    admin.setMeta("sync.purge", null);
    admin.purge();
  } catch {
    // Another program reads the file. It is tried again with the next sync.
    admin.setMeta("sync.purge", "due");
  }
}

// Checks that an entry is what its kind says. Entries come from other devices, and perhaps from a later version.

const longest = 100_000;
const text = z.string().max(longest);
const short = z.string().max(1_000);
const texts = z.array(short).max(1_000);
const time = z.int();
const stamp = z.string().refine(isStamp);
const subject = z.string().regex(/^[0-9a-f]{32}$/);
const memoryCategories = categories.filter((category) => category !== "sessions");
const uri = z
  .string()
  .regex(/^mem:\/\/(?:[a-z0-9._-]+\/){1,7}[a-z0-9._-]+$/)
  .max(200);

const evidence = z.object({
  sessionId: short,
  turn: z.int().nullable(),
  line: z.int().nullable(),
  quote: short,
});

const statement = z
  .object({
    made: z.object({
      branch: short.nullable(),
      maker: z.enum(makers),
      sourceSession: short.nullable(),
      createdAt: time,
    }),
    project: z.object({ key: short, name: short }).nullable(),
    place: z.object({ category: z.enum(memoryCategories), uri }),
    standing: z.object({
      status: z.enum(nodeStatuses),
      validTo: time.nullable(),
      into: subject.optional(),
      line: short.optional(),
    }),
    l0: text.min(1),
    l1: text.nullable(),
    l2: text.nullable(),
    aliases: texts,
    importance: z.int().min(1).max(5),
    evidenceCount: z.int().min(0),
    tags: texts,
    files: texts,
    anchors: texts,
    origin: z.enum(origins),
    validFrom: time.nullable(),
    expiresAt: time.nullable(),
    evidence: z.array(evidence).max(100),
    slot: short.nullable(),
  })
  .partial();

const base = { v: z.literal(1), stamp };

const entry = z.discriminatedUnion("kind", [
  z.object({
    ...base,
    kind: z.literal("memory"),
    subject,
    token: z.union([z.literal(""), stamp]),
    set: statement,
    lineMarks: z.array(short).max(100).optional(),
    licence: stamp.optional(),
    pin: z.int().min(0).optional(),
    isByName: z.literal(true).optional(),
    cause: z.object({
      action: z.enum(revisionActions),
      by: short,
      reason: short,
      atMs: time,
      about: z
        .object({ what: z.enum(["replaces", "ends", "settles"]), uris: z.array(uri).max(100) })
        .exactOptional(),
    }),
  }),
  z.object({
    ...base,
    kind: z.literal("use"),
    subject,
    device: z.string().regex(/^[0-9a-f]{8}$/),
    count: z.int().min(0),
    atMs: time,
  }),
  z.object({
    ...base,
    kind: z.literal("link"),
    subject,
    to: subject,
    relation: z.enum(relations),
    weight: z.number().min(0).max(1),
    atMs: time,
  }),
  z.object({
    ...base,
    kind: z.literal("forget"),
    withdrawn: z.literal(true).optional(),
    gone: z.array(subject).max(10_000),
    marks: z.array(short).max(10_000),
    refused: z.array(short).max(10_000),
    salts: z.array(z.string().regex(/^[0-9a-f]{1,128}$/)).max(64),
  }),
  z.object({
    ...base,
    kind: z.literal("digest"),
    session: z.object({
      id: short,
      project: short.nullable(),
      projectName: short.nullable(),
      branch: short.nullable(),
      startedAt: time,
      lastEventAt: time,
    }),
    atMs: time,
    l0: text,
    fields: z.record(z.string(), z.unknown()),
  }),
]);

/** Null for what this version does not understand. */
function checkedEntry(value: unknown): SyncEntry | null {
  const parsed = entry.safeParse(isRecord(value) ? fieldsOfWire(value) : value);
  return parsed.success ? (parsed.data as SyncEntry) : null;
}
