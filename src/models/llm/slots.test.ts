import { expect, test } from "bun:test";
import { createSlots } from "./breaker.ts";

/** Work that ends when it is told to. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: resolve };
}

/** Lets everything that can go on go on. */
const settle = async (): Promise<void> => {
  for (let n = 0; n < 20; n += 1) await Promise.resolve();
};

test("never more at a time than the limit, in the order of arrival", async () => {
  const slots = createSlots(2);
  const started: number[] = [];
  const gates = Array.from({ length: 5 }, gate);
  const all = gates.map(async ({ promise }, n) =>
    slots.run(async () => {
      started.push(n);
      await promise;
    }),
  );
  await settle();
  expect(started).toEqual([0, 1]);
  gates[1]?.open();
  await settle();
  expect(started).toEqual([0, 1, 2]);
  gates.forEach(({ open }) => open());
  await Promise.all(all);
  expect(started).toEqual([0, 1, 2, 3, 4]);
});

test("work that throws gives its slot back", async () => {
  const slots = createSlots(1);
  const failed = slots.run(async () => Promise.reject(new Error("no")));
  const next = slots.run(async () => "next");
  expect(failed).rejects.toThrow("no");
  expect(await next).toBe("next");
});

test("idle waits for running and queued callers, and returns at once without any", async () => {
  const slots = createSlots(1);
  await slots.idle();
  const [first, second] = [gate(), gate()];
  const all = [slots.run(async () => first.promise), slots.run(async () => second.promise)];
  let isIdle = false;
  const idle = slots.idle().then(() => (isIdle = true));
  first.open();
  await settle();
  expect(isIdle).toBe(false);
  second.open();
  await Promise.all([...all, idle]);
  expect(isIdle).toBe(true);
});
