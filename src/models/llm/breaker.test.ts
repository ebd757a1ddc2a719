import { expect, test } from "bun:test";
import type { LlmError } from "#domain";
import { msPerDay, msPerMinute, msPerSecond, stoppedClock } from "#kit";
import { createBreaker, type Ending } from "./breaker.ts";
import { noonMs } from "../../../test/support/models/llm.ts";

const down: LlmError = { type: "llm.unavailable", detail: "500" };

function open() {
  const clock = stoppedClock(noonMs);
  const breaker = createBreaker(clock);
  const enter = () => {
    const entered = breaker.enter();
    return entered.ok ? entered.value.leave : entered.error;
  };
  /** One request from its beginning to its end; false when it is not let in. */
  const request = (ending: Ending): boolean => {
    const leave = enter();
    if (typeof leave === "function") leave(ending);
    return typeof leave === "function";
  };
  return { clock, breaker, enter, request };
}

const openUntil = (ms: number) => ({ type: "llm.breaker-open" as const, untilMs: noonMs + ms });

test("opens after the third failure in a row, not before, and says until when", () => {
  const { breaker, enter, request } = open();
  expect([request(down), request(down)]).toEqual([true, true]);
  expect(breaker.state()).toEqual({ type: "closed" });
  expect(request(down)).toBe(true);
  expect(enter()).toEqual(openUntil(30 * msPerSecond));
  expect(breaker.state()).toMatchObject({ type: "open", because: "llm.unavailable" });
});

test("a request by hand is let in while the breaker is open, and its answer closes it", () => {
  const { breaker, enter, request } = open();
  for (const _ of [1, 2, 3]) request(down);
  for (const ending of [down, "answered"] as const) {
    expect(enter()).toMatchObject({ type: "llm.breaker-open" });
    const entered = breaker.enter(true);
    if (entered.ok) entered.value.leave(ending);
  }
  expect(breaker.state()).toEqual({ type: "closed" });
});

test("an answer in between starts the count again", () => {
  const { request } = open();
  for (let round = 0; round < 5; round += 1)
    expect([request(down), request(down), request("answered")]).toEqual([true, true, true]);
});

test("a request that was not sent is neither failure nor answer", () => {
  const { request, enter } = open();
  expect([request(down), request(down), request("nothing"), request(down)]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(enter()).toEqual(openUntil(30 * msPerSecond));
});

test("when the time is over one may try, the others wait for its end", () => {
  const { clock, breaker, enter, request } = open();
  for (let n = 0; n < 3; n += 1) request(down);
  clock.advance(30 * msPerSecond - 1);
  expect(enter()).toEqual(openUntil(30 * msPerSecond));
  clock.advance(1);
  const leave = enter();
  expect(breaker.state()).toMatchObject({ type: "half-open" });
  expect(enter()).toEqual(openUntil(60 * msPerSecond));
  if (typeof leave !== "function") throw new Error("one may try");
  leave("answered");
  expect(breaker.state()).toEqual({ type: "closed" });
  expect([request(down), request(down), request("answered")]).toEqual([true, true, true]);
});

test("each failed try doubles the wait, up to half an hour", () => {
  const { clock, request, enter } = open();
  for (let n = 0; n < 3; n += 1) request(down);
  const waits: number[] = [];
  for (let n = 0; n < 9; n += 1) {
    const refused = enter();
    if (typeof refused === "function" || refused.type !== "llm.breaker-open")
      throw new Error("it is open");
    waits.push((refused.untilMs - clock.nowMs()) / msPerSecond);
    clock.advance(refused.untilMs - clock.nowMs());
    request(down);
  }
  expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1_800, 1_800, 1_800]);
});

test("a try that was not sent leaves the way free for the next", () => {
  const { clock, breaker, request } = open();
  for (let n = 0; n < 3; n += 1) request(down);
  clock.advance(30 * msPerSecond);
  expect(request("nothing")).toBe(true);
  expect(breaker.state()).toMatchObject({ type: "open" });
  expect(request("answered")).toBe(true);
  expect(breaker.state()).toEqual({ type: "closed" });
});

test("a provider that says when to come back is not asked before, from the first time on", () => {
  const { clock, enter, request } = open();
  request({ type: "llm.rate-limited", retryAfterMs: 7 * msPerMinute });
  expect(enter()).toEqual(openUntil(7 * msPerMinute));
  clock.advance(7 * msPerMinute);
  expect(request("answered")).toBe(true);
});

test("a limit without a time counts like any failure", () => {
  const { enter, request } = open();
  const limited: LlmError = { type: "llm.rate-limited", retryAfterMs: null };
  expect([request(limited), request(limited), request(limited)]).toEqual([true, true, true]);
  expect(enter()).toEqual(openUntil(30 * msPerSecond));
});

test("late ends of requests from before do not close what has opened", () => {
  const { clock, breaker, enter, request } = open();
  const late = enter();
  const lateFailure = enter();
  if (typeof late !== "function" || typeof lateFailure !== "function")
    throw new Error("both are in");
  request({ type: "llm.rate-limited", retryAfterMs: msPerDay });
  late("answered");
  expect(breaker.openUntilMs()).toBe(noonMs + msPerDay);
  late(down); // Leaving twice counts once.
  lateFailure(down);
  expect(breaker.openUntilMs()).toBe(noonMs + msPerDay);
  clock.advance(msPerDay);
  expect(request("answered")).toBe(true);
});
