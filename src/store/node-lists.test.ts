import { expect, test } from "bun:test";
import * as fc from "fast-check";
import type { Category } from "#domain";
import { cause, draft, tempStore } from "../../test/support/store.ts";

const categories = ["entities", "events", "cases"] as const satisfies readonly Category[];

test("an outline holds what a line says of a memory, and no long text", () => {
  using store = tempStore();
  store.nodes.insert(
    draft({
      uri: "mem://user/entities/db",
      l0: "The ledger",
      l1: "Höhe",
      l2: "x".repeat(900),
      tags: ["decision"],
      pinned: true,
    }),
    cause(),
  );
  const [outline] = store.nodes.outlines({ projects: null }, "recent", { limit: 5 });
  expect(outline).toMatchObject({
    l0: "The ledger",
    category: "entities",
    tags: ["decision"],
    pinned: true,
  });
  expect(Object.keys(outline ?? {})).not.toContain("l2");
});

test("the newest are the same whether each stretch of the index is sought or everything is sorted", () => {
  const memory = fc.record({
    category: fc.constantFrom(...categories),
    project: fc.constantFrom(null, "home", "away"),
    atMs: fc.integer({ min: 1, max: 5 }),
  });
  fc.assert(
    fc.property(
      fc.array(memory, { maxLength: 30 }),
      fc.nat({ max: 12 }),
      fc.nat({ max: 5 }),
      (memories, limit, offset) => {
        using store = tempStore();
        memories.forEach(({ atMs, ...given }, i) => {
          const root =
            given.category === "cases" ? "mem://agent/cases" : `mem://user/${given.category}`;
          store.nodes.insert(draft({ ...given, uri: `${root}/m${i}`, l0: `memory ${i}` }), {
            ...cause(),
            atMs,
          });
        });
        const page = { limit, offset };
        const statuses = ["active"] as const;
        for (const filter of [
          { categories, projects: ["home"], statuses },
          { projects: null, statuses },
        ]) {
          const sought = store.nodes.outlines(filter, "recent", page);
          // Asking for a time as well takes the general way.
          const sorted = store.nodes.list({ ...filter, sinceMs: 0 }, "recent", page);
          expect(sought.map(({ uri }) => uri)).toEqual(sorted.map(({ uri }) => uri));
        }
      },
    ),
    { numRuns: 8 },
  );
});
