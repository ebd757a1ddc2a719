import { expect, test } from "bun:test";
import { openTestService, testNowMs } from "../../test/support/service.ts";
import { layoutOf, type Spot } from "./map-layout.ts";

/** Runs a layout to its end; also how many steps it took. */
function laidOut(vectors: readonly Float32Array[]): {
  readonly spots: readonly Spot[];
  readonly steps: number;
} {
  const steps = layoutOf(vectors);
  for (let n = 0; ; n += 1) {
    const step = steps.next();
    if (step.done === true) return { spots: step.value, steps: n };
  }
}

/** Vectors around two places of a space of eight dimensions. */
const twoHeaps = Array.from({ length: 40 }, (_, n) =>
  Float32Array.from({ length: 8 }, (__, at) => (at === n % 2 ? 1 : 0) + Math.sin(n * 8 + at) / 20),
);

test("what means the same stands together, and nothing covers anything", () => {
  const { spots, steps } = laidOut(twoHeaps);
  const middle = (half: number): number =>
    spots.filter((_, at) => at % 2 === half).reduce((sum, { x }) => sum + x, 0) / 20;
  expect(Math.abs(middle(0) - middle(1))).toBeGreaterThan(0.4);
  expect(spots.every(({ x, y }) => x >= 0 && x <= 1 && y >= 0 && y <= 1)).toBe(true);
  const nearest = spots.flatMap((a, at) =>
    spots.slice(at + 1).map((b) => Math.hypot(a.x - b.x, a.y - b.y)),
  );
  expect(Math.min(...nearest)).toBeGreaterThan(0.02);
  expect(steps).toBeGreaterThan(50);
});

test("the same vectors are the same picture, and none or one is one as well", () => {
  expect(laidOut(twoHeaps).spots).toEqual(laidOut(twoHeaps).spots);
  expect(laidOut([]).spots).toEqual([]);
  expect(laidOut([Float32Array.of(1, 0)]).spots.length).toBe(1);
  const same = laidOut([Float32Array.of(1, 0), Float32Array.of(1, 0)]).spots;
  expect(same[0]).not.toEqual(same[1]);
});

test("a project's map holds its own memories, and a trail from what was replaced", async () => {
  using t = openTestService();
  const add = (n: number, l0: string, project: string | null) =>
    t.add({ uri: `mem://user/entities/m${n}`, l0, project });
  add(1, "The staging database listens on port 5432", "git/shop");
  add(2, "The staging database listens on port 5433", "git/shop");
  add(3, "Holds everywhere", null);
  add(4, "Of another one", "git/ledger");
  const [old, now] = [1, 2].map((n) => t.store.nodes.byUri(`mem://user/entities/m${n}`));
  if (old == null || now == null) throw new Error("not there");
  for (const node of [old, now]) t.deps.memoryWriter.index(node);
  const cause = { atMs: testNowMs, action: "supersede", by: "test", reason: "" } as const;
  t.store.nodes.update(old.id, { status: "superseded" }, cause);
  t.store.nodes.relate(now.id, old.id, "supersedes", testNowMs);
  const map = await t.service.map("shop-unknown");
  expect(map.ok).toBe(false);
  const shop = await t.service.map("git/shop");
  expect(shop.ok && shop.value.items.map(({ uri }) => uri).toSorted()).toEqual([old.uri, now.uri]);
  expect(shop.ok && shop.value.trails).toEqual([{ from: old.uri, to: now.uri }]);
});
