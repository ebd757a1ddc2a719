import { expect, test } from "bun:test";
import type { Answer } from "./failure.ts";
import { createFixed, createKept, createPaged, type Rows } from "./paged.ts";

const total = 10_000;

interface Asked {
  readonly offset: number;
  readonly answer: (fails?: boolean) => Promise<void>;
}

/** A source that answers when the test says so. */
function slowSource(): {
  readonly asked: Asked[];
  readonly rows: ReturnType<typeof createPaged<number>>;
} {
  const asked: Asked[] = [];
  const rows = createPaged<number>((offset, limit) => {
    const { promise, resolve } =
      Promise.withResolvers<Answer<{ items: number[]; total: number }>>();
    asked.push({
      offset,
      answer: async (fails = false) => {
        resolve(
          fails
            ? { ok: false, failure: { kind: "offline", type: "", message: "gone" } }
            : {
                ok: true,
                value: { items: Array.from({ length: limit }, (_, at) => offset + at), total },
              },
        );
        await Bun.sleep(0);
      },
    });
    return promise;
  }, 10);
  return { asked, rows };
}

test("nothing is asked before somebody looks, and then the first page", async () => {
  const { asked, rows } = slowSource();
  expect(asked).toEqual([]);
  rows.refresh();
  expect(asked.map(({ offset }) => offset)).toEqual([0]);
  expect(rows.total.value).toBeNull();
  await asked[0]?.answer();
  expect(rows.total.value).toBe(total);
  expect(rows.at(3)).toBe(3);
  expect(rows.at(10)).toBeUndefined();
});

test("whoever jumps to the end asks for the end, in one question, not for what lies between", async () => {
  const { asked, rows } = slowSource();
  rows.refresh();
  await asked[0]?.answer();
  rows.want(9_980, 9_999);
  await asked[1]?.answer();
  expect(asked.map(({ offset }) => offset)).toEqual([0, 9_980]);
  expect([rows.at(9_980), rows.at(9_989), rows.at(9_990), rows.at(9_999)]).toEqual([
    9_980, 9_989, 9_990, 9_999,
  ]);
});

test("a page that is there already is not asked for again with its neighbour", async () => {
  const { asked, rows } = slowSource();
  rows.refresh();
  await asked[0]?.answer();
  rows.want(5, 15);
  await asked[1]?.answer();
  rows.want(9, 35);
  expect(asked.map(({ offset }) => offset)).toEqual([0, 10, 20]);
});

test("at most two questions at a time, and pages that were scrolled past are never asked for", async () => {
  const { asked, rows } = slowSource();
  rows.refresh();
  await asked[0]?.answer();
  for (let first = 100; first < 2_000; first += 50) rows.want(first, first + 20);
  expect(asked.length).toBe(3);
  await asked[1]?.answer();
  await asked[2]?.answer();
  const offsets = asked.map(({ offset }) => offset);
  expect(offsets.slice(3).every((offset) => offset >= 1_950)).toBe(true);
});

test("pages that nobody looks at are dropped, so that the page's memory stays bounded", async () => {
  const { asked, rows } = slowSource();
  rows.refresh();
  await asked[0]?.answer();
  for (let first = 10; first < 1_000; first += 10) {
    rows.want(first, first + 5);
    await asked.at(-1)?.answer();
  }
  expect(rows.at(15)).toBeUndefined();
  expect(rows.at(995)).toBe(995);
});

test("after a failure nobody is asked again until somebody says so", async () => {
  const { asked, rows } = slowSource();
  rows.refresh();
  await asked[0]?.answer(true);
  rows.want(0, 20);
  rows.want(0, 20);
  expect(rows.failure.value?.kind).toBe("offline");
  expect(asked.length).toBe(1);
  rows.refresh();
  await asked[1]?.answer();
  expect(rows.failure.value).toBeNull();
  expect(rows.at(0)).toBe(0);
});

test("what is shown stays while it is asked for again", async () => {
  const { asked, rows } = slowSource();
  rows.refresh();
  await asked[0]?.answer();
  rows.refresh();
  expect(rows.at(0)).toBe(0);
  expect(asked.length).toBe(2);
});

test("a list that is all there needs nobody", () => {
  const rows = createFixed(["a", "b"]);
  rows.want(0, 9);
  rows.refresh();
  expect([rows.total.value, rows.at(1), rows.at(2)]).toEqual([2, "b", undefined]);
});

test("a list that was left is there again, until something changed or four others came", () => {
  let changes = 0;
  const lists = createKept<Rows<string>>(() => `${changes}`);
  const list = (key: string) => lists.of(key, () => createFixed([key]));
  const first = list("a");
  expect(list("a")).toBe(first);
  changes += 1;
  const second = list("a");
  expect(second).not.toBe(first);
  for (const key of ["b", "c", "d"]) list(key);
  expect(list("a")).toBe(second);
  for (const key of ["b", "c", "d", "e"]) list(key);
  expect(list("a")).not.toBe(second);
});
