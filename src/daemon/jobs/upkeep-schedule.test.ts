import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { msPerDay, msPerHour, silentLog, stoppedClock, systemRandom } from "#kit";
import { openStore } from "#store";
import { createUpkeep, type UpkeepTask, upkeepState } from "./upkeep-schedule.ts";

const startMs = 1_772_366_400_000;

/** A schedule over a real store, and what ran in which order. */
function open(tasks: readonly (Partial<UpkeepTask> & { readonly name: string })[]) {
  const folder = mkdtempSync(join(tmpdir(), "continuity-upkeep-"));
  const clock = stoppedClock(startMs);
  const opened = openStore(join(folder, "continuity.db"), {
    mode: "readwrite",
    clock,
    random: systemRandom,
  });
  if (!opened.ok) throw new Error("test store");
  const store = opened.value;
  const ran: string[] = [];
  let due = 0;
  const make = () =>
    createUpkeep(
      { clock, log: silentLog, store, onDue: () => void (due += 1) },
      tasks.map((task) => ({
        everyMs: msPerDay,
        firstAfterMs: 0,
        *run() {
          ran.push(`${task.name} 1`);
          yield;
          ran.push(`${task.name} 2`);
          return "well";
        },
        ...task,
      })),
      () => clock.nowMs(),
    );
  const upkeep = make();
  const drain = (of = upkeep): number => {
    for (let steps = 0; steps < 100; steps += 1) {
      const ms = of.step();
      if (ms > 0) return ms;
    }
    throw new Error("it never ends");
  };
  return {
    clock,
    store,
    upkeep,
    ran,
    drain,
    make,
    due: () => due,
    [Symbol.dispose]: () => {
      store[Symbol.dispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

test("each task runs once a day, slice by slice, one after the other", () => {
  using t = open([{ name: "a" }, { name: "b" }]);
  expect(t.drain()).toBe(msPerDay);
  expect(t.ran).toEqual(["a 1", "a 2", "b 1", "b 2"]);
  t.clock.advance(msPerDay - 1);
  expect(t.drain()).toBe(1);
  expect(t.ran).toHaveLength(4);
  t.clock.advance(1);
  t.drain();
  expect(t.ran).toHaveLength(8);
  expect(upkeepState(t.store)["a"]).toEqual({
    task: "a",
    atMs: startMs + msPerDay,
    tookMs: 0,
    outcome: "done",
    note: "well",
  });
});

test("an import makes it wait for minutes after the last batch, and a hook does not shorten that", () => {
  using t = open([{ name: "a" }]);
  t.upkeep.hold();
  expect(t.upkeep.step()).toBe(5 * 60_000);
  t.clock.advance(4 * 60_000);
  t.upkeep.touch();
  expect(t.upkeep.step()).toBe(60_000);
  t.upkeep.hold();
  expect(t.upkeep.step()).toBe(5 * 60_000);
  t.clock.advance(-msPerDay);
  t.drain();
  expect(t.ran).toEqual(["a 1", "a 2"]);
});

test("a hook makes it wait between two slices, and it goes on where it was", () => {
  using t = open([{ name: "a" }]);
  t.upkeep.step();
  t.upkeep.touch();
  expect(t.upkeep.step()).toBe(3_000);
  t.clock.advance(2_000);
  expect(t.upkeep.step()).toBe(1_000);
  expect(t.ran).toEqual(["a 1"]);
  expect(t.upkeep.isBusy()).toBe(true);
  t.clock.advance(1_000);
  t.drain();
  expect(t.ran).toEqual(["a 1", "a 2"]);
  expect(t.upkeep.isBusy()).toBe(false);
});

test("what was cut short by the end of the process begins again", () => {
  using t = open([{ name: "a" }]);
  t.upkeep.step();
  t.upkeep.stop();
  expect(t.upkeep.step()).toBeGreaterThan(0);
  t.drain(t.make());
  expect(t.ran).toEqual(["a 1", "a 1", "a 2"]);
});

test("the first time can wait, and is remembered over a restart", () => {
  using t = open([{ name: "backup", firstAfterMs: 600_000 }]);
  expect(t.drain()).toBe(600_000);
  t.clock.advance(500_000);
  expect(t.drain(t.make())).toBe(100_000);
  expect(t.ran).toEqual([]);
});

test("a failure is noted and tried again after an hour", () => {
  let tries = 0;
  using t = open([
    {
      name: "a",
      // oxlint-disable-next-line require-yield
      *run() {
        tries += 1;
        throw new Error("the disk is full");
      },
    },
    { name: "b" },
  ]);
  expect(t.drain()).toBe(msPerHour);
  expect(upkeepState(t.store)["a"]).toMatchObject({ outcome: "failed", note: "the disk is full" });
  expect(t.ran).toEqual(["b 1", "b 2"]);
  t.clock.advance(msPerHour);
  t.drain();
  expect(tries).toBe(2);
});

test("work in another process keeps this one free, and the next task waits for it", async () => {
  const work = Promise.withResolvers<string>();
  using t = open([{ name: "backup", run: () => work.promise }, { name: "b" }]);
  expect(t.drain()).toBe(msPerHour);
  expect(t.upkeep.isBusy()).toBe(true);
  expect(t.ran).toEqual([]);
  work.resolve("1 MB");
  await Bun.sleep(0);
  expect(t.due()).toBe(1);
  expect(upkeepState(t.store)["backup"]).toMatchObject({ outcome: "done", note: "1 MB" });
  t.drain();
  expect(t.ran).toEqual(["b 1", "b 2"]);
});

test("what ends after the stop is not written any more", async () => {
  const work = Promise.withResolvers<string>();
  using t = open([{ name: "backup", run: () => work.promise }]);
  t.drain();
  t.upkeep.stop();
  work.reject(new Error("killed"));
  await Bun.sleep(0);
  expect(upkeepState(t.store)).toEqual({});
});

test("a clock that jumps back does not put upkeep off for ever", () => {
  using t = open([{ name: "a" }]);
  t.drain();
  t.clock.advance(-5 * msPerDay);
  t.drain();
  expect(t.ran).toEqual(["a 1", "a 2", "a 1", "a 2"]);
});

test("a task may be due before its time", () => {
  let grown = false;
  using t = open([{ name: "a", isDueEarly: () => grown }]);
  t.drain();
  grown = true;
  t.clock.advance(1_000);
  t.drain();
  expect(t.ran).toHaveLength(2); // It is not asked at every look.
  t.clock.advance(60_000);
  t.upkeep.step();
  grown = false;
  t.drain();
  expect(t.ran).toHaveLength(4);
});

test("state that cannot be read counts as never run", () => {
  using t = open([{ name: "a" }]);
  t.store.admin.setMeta("upkeep.state", "{half");
  t.drain();
  expect(t.ran).toHaveLength(2);
});
