import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import * as fc from "fast-check";
import type { Store } from "#domain";
import { matchAny } from "./counts.ts";
import { isStemmable, stemOf } from "./porter.ts";
import { cause, draft, openOk, tempStore } from "./test-support.ts";

const weights = "2.0, 1.0, 0.5, 1.5, 1.2, 1.0, 0.3";

/** What FTS5 itself says, over a connection of its own. */
function asFts5(path: string, terms: readonly string[]): readonly unknown[] {
  using db = new Database(path, { readonly: true });
  return db
    .query(
      `SELECT rowid AS id, -bm25(mem_fts, ${weights}) AS score FROM mem_fts WHERE mem_fts MATCH ?
        ORDER BY score DESC, rowid LIMIT 500`,
    )
    .all(matchAny(terms) ?? "");
}

const some = [
  "walking retries daemons port_7070 café",
  "walks — the retry of a daemon",
  "daemon daemons daemon; aying eing ai e",
  "größe und naïve Werte, retried",
  "日本語の文章と port",
  "ports, porting, ported: src/store/ports.ts",
  "x".repeat(5_000),
];
const asked = ["walk", "retry", "daemon", "port", "ai", "e", "größe", "日本語", "port_7070", "ſs"];

const word = fc.constantFrom(...some);
const change = fc.record({
  kind: fc.constantFrom("insert", "update", "retract", "undone", "elsewhere", "ask"),
  at: fc.nat(200),
  l0: word,
  l1: word,
});

/** More documents than the few for which each term is asked alone. */
function fill(store: Store): number[] {
  return Array.from({ length: 80 }, (_, n) => {
    const l0 = `${some[n % 6] ?? ""} ${n % 7 === 0 ? "walker" : "other"} ${n}`;
    return store.nodes.insert(draft({ uri: `mem://user/entities/n${n}`, l0 }), cause()).id;
  });
}

test("scores are those of FTS5 to the bit, whatever was written in between", () => {
  let made = 0;
  fc.assert(
    fc.property(fc.array(change, { minLength: 8, maxLength: 12 }), (changes) => {
      using store = tempStore();
      const { database } = store.folder;
      const ids = store.transaction(() => fill(store));
      const insert = (into: Store, l0: string, l1: string): number =>
        into.nodes.insert(draft({ uri: `mem://user/entities/m${(made += 1)}`, l0, l1 }), cause())
          .id;
      for (const { kind, at, l0, l1 } of changes) {
        const id = ids[at % ids.length] ?? 0;
        if (kind === "insert") ids.push(insert(store, l0, l1));
        if (kind === "update") store.nodes.update(id, { l0, l1 }, cause({ action: "edit" }));
        if (kind === "retract")
          store.nodes.update(id, { status: "retracted" }, cause({ action: "edit" }));
        if (kind === "elsewhere") {
          using other = openOk(database);
          ids.push(insert(other, l0, l1));
        }
        if (kind === "undone")
          expect(() =>
            store.transaction(() => {
              insert(store, l0, l1);
              store.lexical.match("memory", asked, null, 500);
              throw new Error("undone");
            }),
          ).toThrow("undone");
        for (const terms of [asked, ["daemon", "e"], [asked[at % asked.length] ?? ""]])
          expect(store.lexical.match("memory", terms, null, 500)).toEqual(
            asFts5(database, terms) as never,
          );
      }
    }),
    { numRuns: 4 },
  );
});

test("a word becomes the token that FTS5 makes of it", () => {
  using db = new Database(":memory:");
  db.run("CREATE VIRTUAL TABLE t USING fts5(w, tokenize='porter unicode61 remove_diacritics 2')");
  db.run("CREATE VIRTUAL TABLE v USING fts5vocab(t, instance)");
  const endings = `s ss es sses ies eed ed ing at bl iz y ational tional enci anci izer logi bli alli entli eli
    ousli ization ation ator alism iveness fulness ousness aliti iviti biliti icate ative alize iciti ical ful ness
    al ance ence er ic able ible ant ement ment ent sion tion ion ou ism ate iti ous ive ize e ll ell l ying`;
  const ending = fc.constantFrom(...endings.split(/\s+/));
  const start = fc.stringMatching(/^[aeiouybcdlstwxz]{0,7}$/);
  const words = fc
    .sample(fc.tuple(start, ending, fc.option(ending, { nil: "" })), { numRuns: 4_000, seed: 13 })
    .map((parts) => parts.join(""));
  const all = [...words, `${"x".repeat(63)}s`, `${"x".repeat(64)}s`, "7070", "a1ing"];
  expect(all.every(isStemmable)).toBe(true);
  db.run("INSERT INTO t (rowid, w) SELECT key + 1, value FROM json_each(?)", [JSON.stringify(all)]);
  const rows = db.query<{ doc: number; term: string }, []>("SELECT doc, term FROM v").all();
  expect(rows).toHaveLength(all.length);
  for (const { doc, term } of rows)
    expect([all[doc - 1], stemOf(all[doc - 1] ?? "")]).toEqual([all[doc - 1], term]);
});
