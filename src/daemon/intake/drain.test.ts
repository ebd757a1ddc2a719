import { expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { silentLog, stoppedClock } from "#kit";
import type { HookEnvelope, HookReply } from "#domain";
import { createDrainer, drainLimits } from "./drain.ts";
import { testEnvelope, testHome, type TestHome } from "../../../test/support/daemon.ts";

const spool = (home: TestHome, numbers: readonly number[]): void => {
  for (const n of numbers)
    writeFileSync(
      `${home.paths.spool}/${String(n).padStart(15, "0")}-000-x.json`,
      JSON.stringify(testEnvelope(n)),
    );
};

/** Refuses the events whose number is in `bad`, and everything while `broken`. */
const setUp = (home: TestHome) => {
  const clock = stoppedClock(1_700_000_000_000);
  const state = { bad: new Set<number>(), broken: false, accepted: [] as number[], calls: 0 };
  const accept = async (envelopes: readonly HookEnvelope[]): Promise<readonly HookReply[]> => {
    state.calls += 1;
    if (state.broken || envelopes.some(({ atMs }) => state.bad.has(atMs))) throw new Error("no");
    state.accepted.push(...envelopes.map(({ atMs }) => atMs));
    return envelopes.map(() => ({ context: "", fresh: true }));
  };
  const drainer = createDrainer({ paths: home.paths, clock, log: silentLog }, accept);
  return { clock, state, drainer };
};

const setAside = (home: TestHome): number =>
  existsSync(`${home.paths.spool}/bad`) ? readdirSync(`${home.paths.spool}/bad`).length : 0;

test("many events go in few commits, in order", async () => {
  using home = testHome();
  const { state, drainer } = setUp(home);
  const numbers = Array.from({ length: 450 }, (_, at) => at + 1);
  spool(home, numbers.toReversed());
  expect(await drainer.drain()).toBe(450);
  expect(state.accepted).toEqual(numbers);
  expect(state.calls).toBe(Math.ceil(450 / drainLimits.filesPerBatch));
  expect(drainer.waiting()).toBe(0);
});

test("while many events go in, others get their turn", async () => {
  using home = testHome();
  const { state, drainer } = setUp(home);
  spool(
    home,
    Array.from({ length: 450 }, (_, at) => at + 1),
  );
  const done = drainer.drain();
  const seen: number[] = [];
  const look = (): void => {
    seen.push(state.accepted.length);
    if (state.accepted.length < 450) setImmediate(look);
  };
  setImmediate(look);
  await done;
  expect(new Set(seen).size).toBeGreaterThan(3);
});

test("one event that is always refused is set aside after three rounds; the others go in at once", async () => {
  using home = testHome();
  const { clock, state, drainer } = setUp(home);
  state.bad.add(2);
  spool(home, [1, 2, 3]);
  await drainer.drain();
  expect(state.accepted).toEqual([1, 3]);
  for (let round = 0; round < 4; round += 1) {
    clock.advance(drainLimits.backOffMsMax);
    spool(home, [10 + round]);
    await drainer.drain();
  }
  expect(state.accepted).toEqual([1, 3, 10, 11, 12, 13]);
  expect(setAside(home)).toBe(1);
  expect(drainer.waiting()).toBe(0);
});

test("while nothing can be accepted nothing is lost or set aside, however long it takes", async () => {
  using home = testHome();
  const { clock, state, drainer } = setUp(home);
  state.broken = true;
  spool(home, [1, 2]);
  for (let round = 0; round < 10; round += 1) {
    await drainer.drain();
    clock.advance(drainLimits.backOffMsMax);
  }
  expect(setAside(home)).toBe(0);
  expect(drainer.waiting()).toBe(2);
  state.broken = false;
  await drainer.drain();
  expect(state.accepted).toEqual([1, 2]);
});

test("after a failure it waits longer and longer before it tries again", async () => {
  using home = testHome();
  const { clock, state, drainer } = setUp(home);
  state.broken = true;
  spool(home, [1]);
  const triesPerSecond: number[] = [];
  for (let second = 0; second < 8; second += 1) {
    const before = state.calls;
    for (let at = 0; at < 4; at += 1) {
      await drainer.drain();
      clock.advance(250);
    }
    triesPerSecond.push(state.calls - before);
  }
  // Each try is the batch and then the event alone: at 0, 1, 3 and 7 seconds.
  expect(triesPerSecond).toEqual([2, 2, 0, 2, 0, 0, 0, 2]);
});

test("the reserve and the note of losses are laid down at the first drain, also while events wait", async () => {
  using home = testHome();
  const { clock, state, drainer } = setUp(home);
  state.broken = true;
  spool(home, [1]);
  await drainer.drain();
  expect(statSync(`${home.paths.spool}/lost`).size).toBeGreaterThan(0);
  const reserve = `${home.paths.spool}/reserve`;
  expect(statSync(reserve).size).toBeGreaterThan(0);
  const { size } = statSync(reserve);
  // Given up, it is laid down again once there is room; a note of losses is left as it is.
  truncateSync(reserve, 1);
  appendFileSync(`${home.paths.spool}/lost`, "1 submit ENOSPC\n");
  clock.advance(drainLimits.backOffMsMax);
  await drainer.drain();
  expect(statSync(reserve).size).toBeGreaterThan(size / 2);
  expect(readFileSync(`${home.paths.spool}/lost`, "utf8")).toEndWith("1 submit ENOSPC\n");
});
