/** Is an entry what its kind says it is? Entries come from other devices, and perhaps from a later version. */
import { z } from "zod";
import {
  categories,
  makers,
  nodeStatuses,
  origins,
  relations,
  revisionActions,
  type SyncEntry,
} from "#domain";
import { isStamp } from "./stamp.ts";

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

const base = { v: z.literal(1), t: stamp };

const entry = z.discriminatedUnion("k", [
  z.object({
    ...base,
    k: z.literal("memory"),
    s: subject,
    o: z.union([z.literal(""), stamp]),
    set: statement,
    w: z.array(short).max(100).optional(),
    r: stamp.optional(),
    pin: z.int().min(0).optional(),
    x: z.literal(true).optional(),
    a: z.object({ action: z.enum(revisionActions), by: short, reason: short, atMs: time }),
  }),
  z.object({
    ...base,
    k: z.literal("use"),
    s: subject,
    d: z.string().regex(/^[0-9a-f]{8}$/),
    n: z.int().min(0),
    at: time,
  }),
  z.object({
    ...base,
    k: z.literal("link"),
    s: subject,
    to: subject,
    relation: z.enum(relations),
    weight: z.number().min(0).max(1),
    at: time,
  }),
  z.object({
    ...base,
    k: z.literal("forget"),
    gone: z.array(subject).max(10_000),
    marks: z.array(short).max(10_000),
    refused: z.array(short).max(10_000),
    salts: z.array(z.string().regex(/^[0-9a-f]{1,128}$/)).max(64),
  }),
  z.object({
    ...base,
    k: z.literal("digest"),
    session: z.object({
      id: short,
      project: short.nullable(),
      projectName: short.nullable(),
      branch: short.nullable(),
      startedAt: time,
      lastEventAt: time,
    }),
    at: time,
    l0: text,
    fields: z.record(z.string(), z.unknown()),
  }),
]);

/** Null for what this version does not understand. */
export function checkedEntry(value: unknown): SyncEntry | null {
  const parsed = entry.safeParse(value);
  return parsed.success ? (parsed.data as SyncEntry) : null;
}
