/**
 * A home of build d9689840 is brought to the schema of today, whole, and the same when the process dies at any
 * statement on the way and another begins again.
 */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { shortIdOf } from "#domain";
import { migrate, migrations } from "./preflight.ts";
import { openStore } from "./open.ts";
import { createSql, schemaVersion, type Sql } from "./sql.ts";
import { checkBackup } from "./snapshot.ts";
import {
  cause,
  draft,
  openOk,
  optionsFor,
  tempFolder,
  type TempFolder,
} from "../../test/support/store.ts";

/** A home that build d9689840 wrote: `remember`, `pin`, `edit`, `forget`, and a session of two turns by its hooks. */
const oldHome = Bun.gunzipSync(readFileSync(join(import.meta.dir, "home-d9689840.db.gz")));

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

test("a home of build d9689840 is brought to today's schema, and keeps what it held", () => {
  using folder = tempFolder();
  using fresh = tempFolder();
  writeFileSync(folder.database, oldHome);
  expect(checkBackup(folder.database)).toEqual({ ok: true, value: { version: 11 } });
  openOk(fresh.database)[Symbol.dispose]();
  {
    using store = openOk(folder.database);
    const rules = store.nodes.byUri("mem://user/preferences/prefer-pnpm-npm");
    expect(rules).toMatchObject({ l0: "I prefer pnpm to npm and yarn", origin: "user" });
    const port = store.nodes.byUri("mem://user/entities/staging-database-listens-port-6432");
    expect(port).toMatchObject({
      pinned: true,
      tags: ["port"],
      project: "github.com/deskly/deskly",
    });
    expect(store.nodes.revisions(port?.id ?? 0).map(({ action }) => action)).toContain("create");
    expect(store.nodes.byUri("mem://user/entities/invoices-rounded-per-line")?.maker).toBe(
      "signal",
    );
    expect(store.nodes.byUri("mem://sessions/s-old/exchanges/2")).not.toBeNull();
    expect(store.nodes.byUri("mem://user/entities/frau-weber-owns-lathe-ledger")).toBeNull();
    expect(store.sessions.byId("s-old")?.status).toBe("completed");
    expect(store.guards.list().map(({ words }) => words)).toEqual([
      "we never push to main, use a branch",
    ]);
    store.nodes.insert(draft(), cause());
  }
  expect(readdirSync(join(folder.path, "backups"))).toHaveLength(1);
  using upgraded = new Database(folder.database, { readonly: true });
  using made = new Database(fresh.database, { readonly: true });
  const columns = `SELECT t.name AS place, c.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c
    WHERE t.type = 'table' AND t.name NOT GLOB '*_fts_*' AND t.name NOT GLOB 'sqlite_*' ORDER BY 1, 2`;
  expect(upgraded.query(columns).all()).toEqual(made.query(columns).all());
  expect(checkBackup(folder.database)).toEqual({ ok: true, value: { version: schemaVersion } });
});

test("what other memories a change was about is read out of the reasons of an older home", () => {
  using folder = tempFolder();
  writeFileSync(folder.database, oldHome);
  const uri = "mem://user/entities/staging-database-listens-port-6432";
  const reasons = [
    ["create", "agent", `refused: twice; would replace ${uri} mem://user/entities/gone`],
    ["create", "agent", `the words do not show it; would end ${uri}`],
    ["reject", "user", ""],
    ["supersede", "user", "replaced by what was accepted"],
  ] as const;
  let id = 0;
  {
    using db = new Database(folder.database);
    const row = db.query<{ id: number }, [string]>("SELECT id FROM mem_nodes WHERE uri = ?");
    id = row.get(uri)?.id ?? 0;
    for (const [action, by, reason] of reasons)
      db.run(
        `INSERT INTO mem_revisions (node_id, at_ms, action, made_by, reason, status, l0_abstract, fields)
         VALUES (?, 1, ?, ?, ?, 'pending', 'x', '{"category":"entities"}')`,
        [id, action, by, reason === "" ? `holds beside ${shortIdOf(id)}` : reason],
      );
  }
  using store = openOk(folder.database);
  const about = store.nodes
    .revisions(id)
    .slice(-4)
    .map((one) => one.about);
  expect(about).toEqual([
    { what: "replaces", uris: [uri, "mem://user/entities/gone"] },
    { what: "ends", uris: [uri] },
    { what: "settles", uris: [uri] },
    undefined,
  ]);
});

test("its upgrade, interrupted at any statement and begun again, becomes the same", () => {
  using place = memoryFolder();
  const started = (path: string): string => {
    mkdirSync(dirname(path));
    writeFileSync(path, oldHome);
    return path;
  };
  const whole = started(join(place.path, "whole", "continuity.db"));
  openOk(whole)[Symbol.dispose]();
  const expected = contentOf(whole);
  let n = 1;
  for (; ; n += 1) {
    const left = join(place.path, `left-${n}`, "continuity.db");
    if (!isInterrupted(n, started(join(place.path, `${n}`, "continuity.db")), left)) break;
    openOk(left)[Symbol.dispose]();
    expect(contentOf(left), `statement ${n}`).toBe(expected);
  }
  // Seven statements, and two versions.
  expect(n).toBe(10);
});

test.each([1, 10, 12, 14])(
  "a database of schema %d, which nobody was given, is refused and left as it was",
  (version) => {
    using folder = tempFolder();
    writeFileSync(folder.database, oldHome);
    {
      using db = new Database(folder.database);
      db.run(`PRAGMA user_version = ${version}`);
    }
    const before = readFileSync(folder.database);
    for (const mode of ["readwrite", "readonly"] as const)
      expect(openStore(folder.database, optionsFor({ mode }))).toEqual({
        ok: false,
        error: {
          type: "store.unavailable",
          path: folder.database,
          detail: `its schema ${version} is of a build that was never given out`,
        },
      });
    expect(readFileSync(folder.database)).toEqual(before);
  },
);

/** In memory where the system has room for files there: several upgrades wait for no disk. */
function memoryFolder(): TempFolder {
  const root = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
  const path = mkdtempSync(join(root, "continuity-upgrade-"));
  const remove = (): void => rmSync(path, { recursive: true, force: true });
  return { path, database: join(path, "continuity.db"), [Symbol.dispose]: remove };
}

test("a program of the version before is refused once the newer one was here, and what it still writes is kept", () => {
  using folder = tempFolder();
  const after = [
    ...migrations,
    { version: schemaVersion + 1, sql: "CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT;" },
  ];
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
