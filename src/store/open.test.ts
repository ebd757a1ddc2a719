import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { schemaVersion } from "./sql.ts";
import { openStore } from "./open.ts";
import { checkDatabase } from "./snapshot.ts";
import { cause, draft, openOk, optionsFor, tempFolder } from "../../test/support/store.ts";

/** A database with something in it, closed. */
function sampleDatabase(path: string): void {
  using store = openOk(path);
  for (let i = 0; i < 50; i += 1)
    store.nodes.insert(
      draft({ uri: `mem://user/entities/e${i}`, l0: `Entity ${i} ${"text ".repeat(60)}` }),
      cause(),
    );
}

const bytesOf = (path: string): string => readFileSync(path).toString("base64");

test("a fresh store is made with all tables, in WAL mode, readable by its owner only", () => {
  using folder = tempFolder();
  const path = join(folder.path, "new", "home", "continuity.db");
  using store = openOk(path);
  expect(store.admin.schemaVersion()).toBe(schemaVersion);
  expect(checkDatabase(path)).toMatchObject({ ok: true });
  for (const name of readdirSync(join(folder.path, "new", "home")))
    expect(statSync(join(folder.path, "new", "home", name)).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder.path, "new", "home")).mode & 0o777).toBe(0o700);
});

test("rights that others have to the file are taken from them", () => {
  using folder = tempFolder();
  sampleDatabase(folder.database);
  chmodSync(folder.database, 0o644);
  using _ = openOk(folder.database);
  expect(statSync(folder.database).mode & 0o777).toBe(0o600);
});

test("what was written is there after reopening", () => {
  using folder = tempFolder();
  sampleDatabase(folder.database);
  using store = openOk(folder.database);
  expect(store.nodes.byUri("mem://user/entities/e7")?.l0).toStartWith("Entity 7");
});

test("a missing file is missing to a reader, who makes nothing", () => {
  using folder = tempFolder();
  expect(openStore(folder.database, optionsFor({ mode: "readonly" }))).toEqual({
    ok: false,
    error: { type: "store.missing", path: folder.database },
  });
  expect(readdirSync(folder.path)).toEqual([]);
});

test("an empty file is missing to a reader and blank to a writer", () => {
  using folder = tempFolder();
  writeFileSync(folder.database, "");
  const read = openStore(folder.database, optionsFor({ mode: "readonly" }));
  expect(read.ok ? "" : read.error.type).toBe("store.missing");
  using store = openOk(folder.database);
  expect(store.nodes.count({})).toBe(0);
});

test("a reader sees what a writer has committed, and cannot write", () => {
  using folder = tempFolder();
  using writer = openOk(folder.database);
  writer.nodes.insert(draft(), cause());
  using reader = openOk(folder.database, { mode: "readonly" });
  expect(reader.nodes.count({})).toBe(1);
  expect(() => reader.nodes.use(reader.nodes.list({}, "uri", { limit: 1 })[0]!.id, 1)).toThrow();
});

test("a reader changes no byte of the database", () => {
  using folder = tempFolder();
  sampleDatabase(folder.database);
  const before = bytesOf(folder.database);
  {
    using reader = openOk(folder.database, { mode: "readonly" });
    reader.lexical.match("memory", ["entity"], { projects: null }, 5);
  }
  expect(bytesOf(folder.database)).toBe(before);
});

const damages: readonly { name: string; damage: (path: string) => void }[] = [
  {
    name: "text instead of a database",
    damage: (path) => writeFileSync(path, "hello ".repeat(999)),
  },
  { name: "a few bytes", damage: (path) => writeFileSync(path, "SQLite") },
  {
    name: "a file cut in the middle",
    damage: (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  },
  {
    name: "a file cut in the middle of a page",
    damage: (path) => truncateSync(path, statSync(path).size - 1_000),
  },
  {
    name: "a page of the schema overwritten",
    damage: (path) => {
      const bytes = readFileSync(path);
      bytes.fill(0x5a, 100, 4_000);
      writeFileSync(path, bytes);
    },
  },
  {
    name: "every page but the first overwritten",
    damage: (path) => {
      const bytes = readFileSync(path);
      bytes.fill(0xff, 4_096);
      writeFileSync(path, bytes);
    },
  },
  {
    name: "an impossible page size",
    damage: (path) => {
      const bytes = readFileSync(path);
      bytes.writeUInt16BE(7, 16);
      writeFileSync(path, bytes);
    },
  },
  {
    name: "another program's database",
    damage: (path) => {
      writeFileSync(path, "");
      using db = new Database(path);
      db.run("CREATE TABLE bookmarks (id INTEGER)");
    },
  },
];

for (const mode of ["readwrite", "readonly"] as const)
  test.each([...damages])(`${mode}: $name is named corrupt and left as it was`, ({ damage }) => {
    using folder = tempFolder();
    sampleDatabase(folder.database);
    damage(folder.database);
    const before = bytesOf(folder.database);
    const opened = openStore(folder.database, optionsFor({ mode }));
    expect(opened.ok ? "opened" : opened.error.type).toBe("store.corrupt");
    expect(bytesOf(folder.database)).toBe(before);
    expect(readdirSync(folder.path)).toEqual(["continuity.db"]);
  });

for (const mode of ["readwrite", "readonly"] as const)
  test(`${mode}: a database of a newer program is refused and left as it was`, () => {
    using folder = tempFolder();
    sampleDatabase(folder.database);
    {
      using db = new Database(folder.database);
      db.run("PRAGMA user_version = 99");
    }
    const before = bytesOf(folder.database);
    expect(openStore(folder.database, optionsFor({ mode }))).toEqual({
      ok: false,
      error: {
        type: "store.newer",
        path: folder.database,
        found: 99,
        known: schemaVersion,
      },
    });
    expect(bytesOf(folder.database)).toBe(before);
    expect(readdirSync(folder.path)).toEqual(["continuity.db"]);
  });

test("a newer version that only stands in the log is seen as well", () => {
  using folder = tempFolder();
  sampleDatabase(folder.database);
  const writer = new Database(folder.database);
  writer.run("PRAGMA user_version = 99");
  const opened = openStore(folder.database, optionsFor());
  expect(opened.ok ? "opened" : opened.error.type).toBe("store.newer");
  writer.close();
});

test("a folder where the file should be is unavailable, not corrupt", () => {
  using folder = tempFolder();
  mkdirSync(folder.database);
  const opened = openStore(folder.database, optionsFor());
  expect(opened.ok ? "opened" : opened.error.type).toBe("store.unavailable");
});

test("a network file system is refused with its name and a way out", () => {
  using folder = tempFolder();
  const opened = openStore(folder.database, optionsFor({ networkAt: () => "nfs" }));
  expect(opened.ok ? "" : opened.error.type).toBe("store.network-file-system");
  expect(JSON.stringify(opened)).toContain("CONTINUITY_HOME");
  expect(existsSync(folder.database)).toBe(false);
});

test("a path with characters that mean something in a URI opens", () => {
  using folder = tempFolder();
  const path = join(folder.path, "50% of #1 ? ünïcode", "continuity.db");
  sampleDatabase(path);
  using store = openOk(path);
  expect(store.nodes.count({})).toBe(50);
});

test("opening a database that is there writes nothing to it", () => {
  using folder = tempFolder();
  openOk(folder.database)[Symbol.dispose]();
  const before = readFileSync(folder.database);
  openOk(folder.database)[Symbol.dispose]();
  expect(readFileSync(folder.database)).toEqual(before);
});
