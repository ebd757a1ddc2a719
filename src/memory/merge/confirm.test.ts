import { expect, test } from "bun:test";
import type { Candidate, MemoryNode } from "#domain";
import { confirmed, quoteOverlap } from "./confirm.ts";

const atMs = Date.parse("2026-03-02T09:00:00Z");

const candidate = (
  over: Partial<Candidate> & { readonly quote?: string; turn?: number },
): Candidate => ({
  category: "entities",
  uriHint: "x",
  l0: "deskly keeps bookings for 30 days",
  l1: null,
  l2: null,
  importance: 3,
  tags: [],
  files: [],
  aliases: [],
  project: "p",
  origin: "user",
  maker: "extract",
  evidence: {
    sessionId: "s",
    turn: over.turn ?? 1,
    line: null,
    quote: over.quote ?? "bookings are kept for 30 days",
  },
  branch: null,
  atMs,
  ...over,
});

const node = (
  id: number,
  over: Partial<MemoryNode> & { readonly quote?: string; turn?: number } = {},
): MemoryNode => ({
  id,
  uri: `mem://user/entities/n-${id}`,
  parentUri: "mem://user/entities",
  nodeType: "leaf",
  category: "entities",
  project: "p",
  branch: null,
  scope: "user",
  l0: "bookings are kept for 30 days",
  l1: null,
  l2: null,
  aliases: [],
  mergedFrom: [],
  slot: null,
  relevance: 1,
  lastAccess: null,
  accessCount: 0,
  importance: 3,
  evidenceCount: 1,
  tags: [],
  files: [],
  anchors: [],
  pinned: false,
  origin: "user",
  maker: "stop",
  status: "active",
  validFrom: atMs,
  validTo: null,
  expiresAt: null,
  sourceSession: "s",
  evidence: [
    {
      sessionId: "s",
      turn: over.turn ?? 1,
      line: null,
      quote: over.quote ?? "bookings are kept for 30 days, the rest for a year",
    },
  ],
  createdAt: atMs,
  updatedAt: atMs,
  ...over,
});

test.each([
  { a: "bookings are kept for 30 days", b: "kept for 30 days", overlap: 1 },
  { a: "bookings are kept for 30 days", b: "invoices are numbered per tenant", overlap: 0 },
  { a: "", b: "anything", overlap: 0 },
])("the shorter quote decides: $a / $b", ({ a, b, overlap }) => {
  expect(quoteOverlap(a, b)).toBe(overlap);
  expect(quoteOverlap(b, a)).toBe(overlap);
});

test("a memory of the same turn with half of the words is confirmed; another turn or session is not", () => {
  const said = candidate({});
  expect(confirmed([said], [node(1)]).get(said)?.id).toBe(1);
  expect(confirmed([said], [node(1, { turn: 2 })]).size).toBe(0);
  const [evidence] = node(1).evidence;
  const elsewhere = [{ ...evidence!, sessionId: "t" }];
  expect(confirmed([said], [node(1, { evidence: elsewhere })]).size).toBe(0);
  expect(confirmed([said], [node(1, { quote: "invoices are numbered per tenant" })]).size).toBe(0);
});

test("each memory is confirmed once, by the candidate that says most of the same", () => {
  const quote = "we use pnpm, and the importer runs at four";
  const time = candidate({ l0: "The importer runs at four", quote });
  const tool = candidate({ l0: "deskly uses pnpm", quote });
  const local = node(1, { l0: "we use pnpm", quote });
  const pairs = confirmed([time, tool], [local]);
  expect(pairs.get(tool)?.id).toBe(1);
  expect(pairs.has(time)).toBe(false);
});
