import { expect, test } from "bun:test";
import type { HookEnvelope } from "#domain";
import { stoppedClock } from "#kit";
import { createLatencyBook } from "./latencies.ts";

const nowMs = 1_800_000_000_000;

const envelope = (over: Partial<HookEnvelope>): HookEnvelope => ({
  v: 1,
  hook: "stop",
  clientEvent: "Stop",
  key: "k".repeat(32),
  contentHash: "h",
  anonymous: false,
  atMs: 0,
  replayed: true,
  gated: false,
  payload: {},
  ...over,
});

type Noted = readonly { readonly key: string; readonly ms: number }[];

function openBook() {
  const written: Noted[] = [];
  const clock = stoppedClock(nowMs);
  const store = { events: { noteLatencies: (some: Noted) => void written.push(some) } };
  // Only what the book uses of a store.
  const book = createLatencyBook(clock, store as never);
  return { book, written };
}

test.each([
  {
    name: "from the start of the process to the commit",
    over: { startedAtMs: nowMs - 7.26 },
    via: "socket",
    ms: 7.3,
  },
  {
    name: "of a spooled event what the hook says",
    over: { startedAtMs: nowMs - 90_000, tookMs: 8 },
    via: "spool",
    ms: 8,
  },
  {
    name: "nothing of a spooled event that does not say",
    over: { startedAtMs: nowMs - 5 },
    via: "spool",
    ms: null,
  },
  { name: "nothing of a sender that is no hook", over: {}, via: "http", ms: null },
  {
    name: "nothing when the clock was set back",
    over: { startedAtMs: nowMs + 5 },
    via: "socket",
    ms: null,
  },
  {
    name: "nothing when it was set forward",
    over: { startedAtMs: nowMs - 3_600_000 },
    via: "socket",
    ms: null,
  },
] as const)("a latency is $name", ({ over, via, ms }) => {
  const { book, written } = openBook();
  book.note([envelope(over)], via);
  book.write();
  expect(written).toEqual(ms === null ? [] : [[{ key: "k".repeat(32), ms }]]);
});

test("each figure is written once", () => {
  const { book, written } = openBook();
  book.note([envelope({ startedAtMs: nowMs - 5 })], "socket");
  book.write();
  book.write();
  expect(written).toHaveLength(1);
});
