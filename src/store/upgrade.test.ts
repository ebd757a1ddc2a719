/**
 * Every schema that was ever committed is brought to that of today, whole, and the same when the process dies at any
 * statement on the way and another begins again.
 */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buildOldDatabase } from "../../test/support/old-database.ts";
import { migrate, migrations } from "./migrate.ts";
import { openStore } from "./open.ts";
import { createSql, type Sql } from "./sql.ts";
import { cause, draft, openOk, optionsFor, tempFolder, type TempFolder } from "./test-support.ts";

/** What the schema still lacked under number 1, the newest first: each list is on top of those before it. */
const beforeRelease = [
  { commit: "800b8e0", without: "DROP INDEX idx_nodes_recent" },
  {
    commit: "8d3845b",
    without: `DROP INDEX idx_nodes_created; DROP INDEX idx_turns_started; DROP INDEX idx_turns_ended;
      DROP INDEX idx_observations_at; DROP INDEX idx_checkpoints_at; DROP INDEX idx_nodes_category;
      CREATE INDEX idx_nodes_category ON mem_nodes (category, updated_at, importance)`,
  },
  {
    commit: "9352643",
    without: `DROP INDEX idx_exposures_session;
      CREATE INDEX idx_exposures_seen ON exposures (session_id, node_id)`,
  },
  {
    commit: "604898a",
    without: `DROP INDEX idx_events_hook; ALTER TABLE events DROP COLUMN latency_ms;
      CREATE INDEX idx_events_hook ON events (hook)`,
  },
  { commit: "d3fd225", without: "DROP TABLE imports" },
  { commit: "f8e2c53", without: "DROP INDEX idx_llm_calls_session" },
  { commit: "c96954e", without: "ALTER TABLE turns DROP COLUMN line" },
  {
    commit: "840a3dd",
    without: `DROP TABLE prompt_fts; CREATE VIRTUAL TABLE prompt_fts USING fts5 (prompt, idents,
      content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2')`,
  },
] as const;

const memories = [
  { l0: "The staging database listens on port 6432", tags: ["port"], by: ["turn:s-old:0", "user"] },
  { l0: "Invoices are rounded per line", tags: [], pinned: true },
];

const schemas = [
  ...beforeRelease.map(({ commit }, n) => ({
    name: `version 1 as of ${commit}`,
    version: 1,
    scripts: beforeRelease.slice(0, n + 1).map(({ without }) => without as string),
  })),
  ...migrations.slice(0, -1).map((_, n) => ({
    name: `version ${n + 1}`,
    version: n + 1,
    scripts: migrations.slice(1, n + 1),
  })),
];
type Schema = (typeof schemas)[number];

function build(path: string, { version, scripts }: Schema): void {
  buildOldDatabase(path, memories);
  using db = new Database(path);
  for (const script of scripts) db.run(script);
  db.run(`PRAGMA user_version = ${version}`);
}

/** Every row of every table, and what tables and indexes there are. */
function contentOf(path: string): string {
  using db = new Database(path, { readonly: true });
  const names = db
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB '*_fts_*' ORDER BY name",
    )
    .all();
  const rows = names.map(({ name }) => [name, db.query(`SELECT * FROM "${name}"`).all()]);
  const indexes = db
    .query("SELECT name, sql FROM sqlite_schema WHERE type = 'index' ORDER BY name")
    .all();
  return JSON.stringify([rows, indexes, db.query("PRAGMA integrity_check").all()]);
}

/** The connection of a process that dies before its n-th statement of an upgrade, with what the disk holds then. */
function dyingAt(n: number, sql: Sql, die: () => void): Sql {
  let left = n;
  return {
    ...sql,
    script: (text) => {
      for (const statement of text.split(/;[ \t]*(?:\n|$)/)) {
        if (statement.replaceAll(/--.*$/gm, "").trim() === "") continue;
        left -= 1;
        if (left === 0) {
          die();
          throw new Error("dead");
        }
        sql.script(statement);
      }
    },
  };
}

/** False when the upgrade ended before its n-th statement. */
function isInterrupted(n: number, from: string, to: string): boolean {
  mkdirSync(dirname(to));
  using db = new Database(from);
  db.run("PRAGMA journal_mode = WAL");
  const copy = (): void => {
    for (const end of ["", "-wal"])
      if (existsSync(`${from}${end}`)) copyFileSync(`${from}${end}`, `${to}${end}`);
  };
  try {
    migrate(dyingAt(n, createSql(db, "readwrite"), copy), migrations);
    return false;
  } catch (error) {
    if (!/^dead$/.test((error as Error).message)) throw error;
    return true;
  }
}

test.each(schemas)("$name is brought to today's, and keeps what it held", (schema) => {
  using folder = tempFolder();
  using fresh = tempFolder();
  build(folder.database, schema);
  openOk(fresh.database)[Symbol.dispose]();
  {
    using store = openOk(folder.database);
    expect(store.nodes.list({ projects: null }, "uri", { limit: 9, offset: 0 })).toHaveLength(2);
    store.nodes.insert(draft(), cause());
    expect(store.nodes.count({})).toBe(3);
  }
  expect(readdirSync(join(folder.path, "backups"))).toHaveLength(1);
  using upgraded = new Database(folder.database, { readonly: true });
  using made = new Database(fresh.database, { readonly: true });
  const columns = `SELECT t.name AS place, c.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c
    WHERE t.type = 'table' AND t.name NOT GLOB '*_fts_*' ORDER BY 1, 2`;
  expect(upgraded.query(columns).all()).toEqual(made.query(columns).all());
});

test("the oldest schema, interrupted at any statement and begun again, becomes the same", () => {
  // It passes through all that the others do.
  using oldest = memoryFolder();
  build(
    oldest.database,
    schemas.findLast(({ name }) => name.includes("as of"))!,
  );
  const started = (path: string): string => {
    mkdirSync(dirname(path));
    copyFileSync(oldest.database, path);
    return path;
  };
  const whole = started(join(oldest.path, "whole", "continuity.db"));
  openOk(whole)[Symbol.dispose]();
  const expected = contentOf(whole);
  let n = 1;
  for (; ; n += 1) {
    const left = join(oldest.path, `left-${n}`, "continuity.db");
    if (!isInterrupted(n, started(join(oldest.path, `${n}`, "continuity.db")), left)) break;
    openOk(left)[Symbol.dispose]();
    expect(contentOf(left), `statement ${n}`).toBe(expected);
  }
  expect(n).toBeGreaterThan(30);
}, 60_000);

/** In memory where the system has room for files there: fifty upgrades wait for no disk. */
function memoryFolder(): TempFolder {
  const root = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
  const path = mkdtempSync(join(root, "continuity-upgrade-"));
  const remove = (): void => rmSync(path, { recursive: true, force: true });
  return { path, database: join(path, "continuity.db"), [Symbol.dispose]: remove };
}

test("a program of the version before is refused once the newer one was here, and what it still writes is kept", () => {
  using folder = tempFolder();
  const after = [...migrations, "CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT;"];
  const before = migrations;
  using old = openOk(folder.database, { migrations: before });
  old.nodes.insert(draft(), cause());
  {
    using newer = openOk(folder.database, { migrations: after });
    expect(newer.nodes.count({})).toBe(1);
  }
  old.nodes.insert(draft({ uri: "mem://user/entities/late" }), cause());
  const refused = openStore(folder.database, optionsFor({ migrations: before }));
  expect(refused.ok ? "opened" : refused.error.type).toBe("store.newer");
  using newer = openOk(folder.database, { migrations: after });
  expect(newer.nodes.count({})).toBe(2);
});
