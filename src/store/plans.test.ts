/**
 * Tests that frequent questions are read from indexes: no statement behind it walks a table from
 * end to end. Looked up in SQLite's own plans, so that it needs no hundred thousand rows.
 */
import { expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { momentKinds, type Store } from "#domain";
import { stoppedClock, systemRandom } from "#kit";
import { createStore } from "./open.ts";
import { createSql, type Sql } from "./sql.ts";
import { noonMs, tempStore } from "../../test/support/store.ts";

/** Plans of every statement that `work` runs. */
function plansOf(work: (store: Store) => unknown): readonly string[] {
  using temporary = tempStore();
  const db = new Database(temporary.folder.database);
  const sql = createSql(db, "readonly");
  const seen: { readonly text: string; readonly params: readonly unknown[] }[] = [];
  const recording: Sql = {
    ...sql,
    all: (text, ...params) => (seen.push({ text, params }), sql.all(text, ...params)),
    get: (text, ...params) => (seen.push({ text, params }), sql.get(text, ...params)),
    value: (text, ...params) => (seen.push({ text, params }), sql.value(text, ...params)),
    count: (text, ...params) => (seen.push({ text, params }), sql.count(text, ...params)),
    column: (text, ...params) => (seen.push({ text, params }), sql.column(text, ...params)),
  };
  work(createStore(recording, { clock: stoppedClock(noonMs), random: systemRandom }));
  const plans = seen.flatMap(({ text, params }) =>
    sql
      .all<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${text}`, ...(params as never[]))
      .map(({ detail }) => detail),
  );
  sql.close();
  expect(plans.length).toBeGreaterThan(0);
  return plans;
}

/** A walk through a table itself, and not through an index that holds all that is asked for. */
const walks = (plans: readonly string[]): readonly string[] =>
  plans.filter(
    (detail) =>
      /^SCAN (?!json_each|hit|\(|CONSTANT|d\b|dirs|j\b|pragma|p\b)/.test(detail) &&
      !/USING (?:COVERING )?INDEX/.test(detail),
  );

const page = { limit: 50 };

test.each(["recent", "used", "most-used", "importance", "uri"] as const)(
  "a list sorted by %s, near its end as near its beginning",
  (sort) => {
    for (const projects of [null, ["github.com/acme/api"]])
      for (const offset of [0, 6_000])
        expect(
          walks(
            plansOf((store) => {
              store.nodes.list({ projects, nowMs: noonMs }, sort, { limit: 50, offset });
              store.nodes.count({ projects, nowMs: noonMs });
            }),
          ),
        ).toEqual([]);
  },
);

test.each([
  ["latest memories", {}],
  ["latest memories that hold", { statuses: ["active"] as const }],
])("the %s are found without sorting all of them", (_, filter) => {
  const plans = plansOf((store) => {
    store.nodes.list({ projects: null, nowMs: noonMs, ...filter }, "recent", page);
  });
  expect(plans.some((detail) => detail.includes("idx_nodes_recent"))).toBe(true);
});

const reads: readonly (readonly [name: string, read: (store: Store) => unknown])[] = [
  ["directories", (store) => store.nodes.children("mem://user/entities", page)],
  ["what is in a directory", (store) => store.nodes.countChildren("mem://user")],
  ["what is below one", (store) => store.nodes.countBelow("mem://user")],
  ["counts of everything", (store) => store.figures.breakdown()],
  ["how much was shown", (store) => store.figures.shown(noonMs)],
  ["sessions", (store) => store.sessions.list({ projects: null }, page)],
  ["what is new", (store) => store.activity.marks()],
  ["the last event of each hook", (store) => store.events.lastByHook()],
];

test.each(reads)("%s", (_, read) => {
  expect(walks(plansOf(read))).toEqual([]);
});

test.each(momentKinds)("the %ss around a moment", (kind) => {
  for (const side of ["earlier", "later"] as const) {
    const place = { atMs: noonMs, kind: "prompt", id: -1 } as const;
    const filter = { projects: null, sessionId: null, kinds: [kind] };
    const plans = plansOf((store) => store.timeline.beside(place, side, filter, 50));
    expect(walks(plans)).toEqual([]);
    expect(plans.some((detail) => detail.includes("TEMP B-TREE FOR ORDER BY"))).toBe(false);
  }
});
