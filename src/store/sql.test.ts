import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { createSql, type Sql } from "./sql.ts";

function memory(): Sql {
  const sql = createSql(new Database(":memory:"), "readwrite");
  sql.script("CREATE TABLE t (x INTEGER)");
  return sql;
}

const put = (sql: Sql, x: number): void => void sql.run("INSERT INTO t (x) VALUES (?)", x);
const values = (sql: Sql): readonly number[] =>
  sql.all<{ x: number }>("SELECT x FROM t ORDER BY x").map(({ x }) => x);
const failing = (): never => {
  throw new Error("stop");
};

test("a failing transaction leaves nothing", () => {
  const sql = memory();
  expect(() =>
    sql.transaction(() => {
      put(sql, 1);
      failing();
    }),
  ).toThrow("stop");
  expect(values(sql)).toEqual([]);
  expect(sql.isInTransaction()).toBe(false);
});

test("a failure caught inside undoes only the inner part", () => {
  const sql = memory();
  sql.transaction(() => {
    put(sql, 1);
    try {
      sql.transaction(() => {
        put(sql, 2);
        sql.transaction(() => put(sql, 3));
        failing();
      });
    } catch {
      put(sql, 4);
    }
  });
  expect(values(sql)).toEqual([1, 4]);
});

test("a failure outside undoes what inner transactions kept", () => {
  const sql = memory();
  expect(() =>
    sql.transaction(() => {
      sql.transaction(() => put(sql, 1));
      sql.atomically(() => put(sql, 2));
      failing();
    }),
  ).toThrow();
  expect(values(sql)).toEqual([]);
});

test("a transaction undone by SQLite itself does not go on statement by statement", () => {
  const sql = memory();
  expect(() =>
    sql.transaction(() => {
      put(sql, 1);
      try {
        // As SQLite does where the disk is full.
        sql.transaction(() => {
          sql.script("ROLLBACK");
          throw new Error("database or disk is full");
        });
      } catch {
        put(sql, 2);
      }
    }),
  ).toThrow("undone by SQLite");
  expect(values(sql)).toEqual([]);
  put(sql, 3);
  expect(values(sql)).toEqual([3]);
});

test("a transaction that would have to wait is a bug and leaves nothing", () => {
  const sql = memory();
  expect(() => sql.transaction(async () => put(sql, 1))).toThrow("waits for nothing");
  expect(values(sql)).toEqual([]);
});

test("more statements than are kept still all work", () => {
  const sql = memory();
  put(sql, 7);
  for (let i = 0; i < 700; i += 1)
    expect(sql.get<{ x: number }>(`SELECT x + ${i} AS x FROM t`)?.x).toBe(7 + i);
});

describe("work that would be done again", () => {
  test("is all or nothing like any other, and the next transaction waits for the disk again", () => {
    const sql = memory();
    sql.repeatable(() => put(sql, 1));
    expect(() =>
      sql.repeatable(() => {
        put(sql, 2);
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(values(sql)).toEqual([1]);
    expect(sql.get<{ readonly synchronous: number }>("PRAGMA synchronous")?.synchronous).toBe(2);
  });

  test("inside a transaction it is part of it", () => {
    const sql = memory();
    expect(() =>
      sql.transaction(() => {
        sql.repeatable(() => put(sql, 1));
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(values(sql)).toEqual([]);
  });
});

test("a limit that is a parameter bounds the rows, and is hidden from SQLite's planner", () => {
  using db = new Database(":memory:");
  const texts: string[] = [];
  const prepare = db.prepare.bind(db);
  db.prepare = (text: string, ...more: []) => (texts.push(text), prepare(text, ...more));
  const sql = createSql(db, "readwrite");
  const text = "SELECT value FROM json_each('[1,2,3,4]') ORDER BY value LIMIT ? OFFSET ?2";
  expect(sql.column<number>(text, 2, 1)).toEqual([2, 3]);
  expect(texts[0]).toEndWith("LIMIT +? OFFSET +?2");
});
