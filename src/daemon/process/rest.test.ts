import { expect, test } from "bun:test";
import { stoppedClock } from "#kit";
import { createRestWatch, restLimits, type Rest } from "./app.ts";

function resting() {
  let nowMs = 1_000_000;
  const rests: Rest[] = [];
  const clock = { ...stoppedClock(nowMs), nowMs: () => nowMs };
  const watch = createRestWatch(clock, (how) => void rests.push(how));
  const after = (ms: number): readonly Rest[] => {
    nowMs += ms;
    watch.look();
    return rests.splice(0);
  };
  return { watch, after };
}

test("rests a little after some seconds and wholly after ten minutes, each once", () => {
  const { after } = resting();
  expect(after(restLimits.quietMs - 1)).toEqual([]);
  expect(after(1)).toEqual(["quiet"]);
  expect(after(restLimits.quietMs)).toEqual([]);
  expect(after(restLimits.asleepMs)).toEqual(["asleep"]);
  expect(after(restLimits.asleepMs)).toEqual([]);
});

test("what comes in between begins the wait anew", () => {
  const { watch, after } = resting();
  expect(after(restLimits.asleepMs)).toEqual(["asleep"]);
  watch.touch();
  expect(after(restLimits.quietMs - 1)).toEqual([]);
  watch.touch();
  expect(after(restLimits.quietMs - 1)).toEqual([]);
  expect(after(1)).toEqual(["quiet"]);
});
