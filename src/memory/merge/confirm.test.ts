import { expect, test } from "bun:test";
import type { Candidate, MemoryNode } from "#domain";
import { candidateOf, nodeOf } from "../../../test/support/memory/candidates.ts";
import { confirmed, quoteOverlap } from "./confirm.ts";

const atMs = Date.parse("2026-03-02T09:00:00Z");

type Said = { readonly quote?: string; readonly turn?: number };

const evidenceOf = (quote: string, turn: number) => ({ sessionId: "s", turn, line: null, quote });

const candidate = ({
  quote = "bookings are kept for 30 days",
  turn = 1,
  ...over
}: Partial<Candidate> & Said): Candidate =>
  candidateOf({
    category: "entities",
    l0: "deskly keeps bookings for 30 days",
    maker: "extract",
    evidence: evidenceOf(quote, turn),
    atMs,
    ...over,
  });

const node = (
  id: number,
  {
    quote = "bookings are kept for 30 days, the rest for a year",
    turn = 1,
    ...over
  }: Partial<MemoryNode> & Said = {},
): MemoryNode =>
  nodeOf(candidate({ l0: "bookings are kept for 30 days", maker: "stop" }), id, {
    sourceSession: "s",
    evidence: [evidenceOf(quote, turn)],
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
