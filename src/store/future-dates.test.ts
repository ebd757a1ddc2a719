import { expect, test } from "bun:test";
import { msPerDay } from "#kit";
import { cause, draft, noonMs, tempStore } from "./test-support.ts";

test("dates in the future are found and brought back in their order; others, and what is planned, stay", () => {
  using store = tempStore();
  const put = (name: string, atMs: number, expiresAt: number | null = null): void =>
    void store.nodes.insert(
      draft({ uri: `mem://user/entities/${name}`, l0: name, expiresAt }),
      cause({ atMs }),
    );
  put("past", noonMs - msPerDay, noonMs + 9 * msPerDay);
  put("first", noonMs + 5 * msPerDay);
  put("second", noonMs + 6 * msPerDay);
  expect(store.admin.futureDates(noonMs)).toMatchObject({ latestMs: noonMs + 6 * msPerDay });
  expect(store.admin.repairFutureDates(noonMs)).toBeGreaterThanOrEqual(2);
  expect(store.admin.futureDates(noonMs)).toMatchObject({ records: 0, latestMs: null });
  const at = (name: string) => store.nodes.byUri(`mem://user/entities/${name}`);
  expect(at("second")).toMatchObject({ createdAt: noonMs, updatedAt: noonMs });
  expect(at("first")).toMatchObject({ createdAt: noonMs - msPerDay });
  expect(at("past")).toMatchObject({
    createdAt: noonMs - msPerDay,
    expiresAt: noonMs + 9 * msPerDay,
  });
  expect(store.admin.repairFutureDates(noonMs)).toBe(0);
});
