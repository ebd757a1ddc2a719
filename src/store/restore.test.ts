import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { assert, msPerDay, stoppedClock } from "#kit";
import { backupName, expendable, listBackups, rotateBackups, type Backup } from "./backups.ts";
import { migrate, migrations } from "./preflight.ts";
import { openStore } from "./open.ts";
import { newestGoodBackup, recoverDatabase, restoreBackup, saveFingerprints } from "./restore.ts";
import { checkBackup, checkDatabase, takeSnapshot } from "./snapshot.ts";
import { createSql } from "./sql.ts";
import {
  cause,
  draft,
  noonMs,
  openOk,
  optionsFor,
  tempFolder,
  type TempFolder,
} from "../../test/support/store.ts";

const { random } = optionsFor();

const depsFor = (folder: TempFolder) => ({
  clock: stoppedClock(noonMs + msPerDay),
  random,
  paths: { database: folder.database, backups: join(folder.path, "backups") },
});

const uri = (name: string): string => `mem://user/entities/${name}`;

/** A home with one memory in its backup and one more since. */
function home(folder: TempFolder): ReturnType<typeof depsFor> & { readonly backup: string } {
  const deps = depsFor(folder);
  mkdirSync(deps.paths.backups);
  const backup = join(deps.paths.backups, backupName(noonMs));
  using store = openOk(folder.database);
  store.nodes.insert(draft({ uri: uri("billing") }), cause());
  const taken = takeSnapshot(folder.database, backup, random);
  assert(taken.ok, "the snapshot is taken");
  store.nodes.insert(draft({ uri: uri("kiln"), l0: "The kiln burns at 900 degrees" }), cause());
  return { ...deps, backup };
}

const urisIn = (path: string): readonly string[] => {
  using store = openOk(path, { mode: "readonly" });
  return store.nodes.list({}, "uri", { limit: 50 }).map((node) => node.uri);
};

test("a snapshot is whole, private, and made beside a writer", () => {
  using folder = tempFolder();
  const { backup, paths } = home(folder);
  expect(checkDatabase(backup)).toMatchObject({ ok: true });
  expect(statSync(backup).mode & 0o777).toBe(0o600);
  expect(urisIn(backup)).toEqual([uri("billing")]);
  expect(readdirSync(paths.backups)).toEqual([backupName(noonMs)]);
  expect(takeSnapshot(folder.database, backup, random)).toMatchObject({ ok: false });
});

test("a snapshot of a damaged database is refused and leaves nothing", () => {
  using folder = tempFolder();
  const { paths } = home(folder);
  writeFileSync(paths.database, "not a database at all".repeat(500));
  const target = join(paths.backups, backupName(noonMs + 1));
  expect(takeSnapshot(paths.database, target, random)).toMatchObject({
    ok: false,
    error: { type: "store.corrupt" },
  });
  expect(readdirSync(paths.backups)).toEqual([backupName(noonMs)]);
});

test("a restore brings the backup back and keeps what it replaced", () => {
  using folder = tempFolder();
  const deps = home(folder);
  const restored = restoreBackup(deps, deps.backup, "replaced");
  assert(restored.ok, JSON.stringify(restored));
  expect(urisIn(folder.database)).toEqual([uri("billing")]);
  expect(urisIn(restored.value.aside ?? "")).toEqual([uri("billing"), uri("kiln")]);
  expect(restored.value).toMatchObject({ salvaged: 0, forgotten: 0 });
  expect(readdirSync(folder.path).filter((name) => name.includes("restoring"))).toEqual([]);
});

test("what was forgotten after the backup stays forgotten, even when the database is gone", () => {
  using folder = tempFolder();
  const deps = home(folder);
  {
    using store = openOk(folder.database);
    const node = store.nodes.byUri(uri("billing"));
    assert(node !== null, "it is there");
    store.nodes.forget([node.id], [node.l0], noonMs);
    saveFingerprints(deps.paths.backups, store);
  }
  const byDatabase = restoreBackup(deps, deps.backup, "replaced");
  expect(byDatabase).toMatchObject({ ok: true, value: { forgotten: 1 } });
  expect(urisIn(folder.database)).toEqual([]);
  expect(readFileSync(folder.database).includes("billing service listens")).toBe(false);
  writeFileSync(folder.database, "gone");
  const bySideFile = restoreBackup(
    { ...deps, clock: stoppedClock(noonMs + 2 * msPerDay) },
    deps.backup,
    "damaged",
  );
  expect(bySideFile).toMatchObject({ ok: true, value: { forgotten: 1 } });
  expect(urisIn(folder.database)).toEqual([]);
});

describe("what was remembered again after it was forgotten stays", () => {
  const l0 = "The refund window is 14 days";
  const quote = `Remember: ${l0}`;
  const said = (path: string, atMs: number): void => {
    using store = openOk(path);
    const evidence = [{ sessionId: "s", turn: 1, line: null, quote }];
    store.nodes.unforget(l0);
    store.nodes.insert(draft({ uri: uri("refund"), l0, evidence }), cause({ atMs }));
  };
  const forget = (deps: ReturnType<typeof home>, atMs: number): void => {
    using store = openOk(deps.paths.database);
    store.nodes.forget([store.nodes.byUri(uri("refund"))?.id ?? 0], [l0], atMs);
    saveFingerprints(deps.paths.backups, store);
  };
  const backup = (deps: ReturnType<typeof home>, name: string): string => {
    const path = join(deps.paths.backups, name);
    assert(takeSnapshot(deps.paths.database, path, random).ok, "the snapshot is taken");
    return path;
  };
  const restored = (deps: ReturnType<typeof home>, path: string, why: "damaged" | "replaced") => {
    expect(restoreBackup(deps, path, why)).toMatchObject({ ok: true, value: { forgotten: 0 } });
    using store = openOk(deps.paths.database, { mode: "readonly" });
    expect(store.nodes.byUri(uri("refund"))?.l0).toBe(l0);
    expect(store.nodes.isForgotten(l0)).toBe(false);
  };

  test("in a backup from after that, in one from before, and when it was told of in other words too", () => {
    using folder = tempFolder();
    const deps = home(folder);
    said(folder.database, noonMs);
    const before = backup(deps, "before.db");
    forget(deps, noonMs + 1);
    said(folder.database, noonMs + 2);
    const after = backup(deps, "after.db");
    restored(deps, after, "replaced");
    restored({ ...deps, clock: stoppedClock(noonMs + 2 * msPerDay) }, before, "replaced");
  });

  test("in the backup that a recovery takes, beside what the damaged file still says", () => {
    using folder = tempFolder();
    const deps = home(folder);
    said(folder.database, noonMs);
    const before = backup(deps, "before.db");
    forget(deps, noonMs + 1);
    said(folder.database, noonMs + 2);
    restored(deps, before, "damaged");
  });

  test("unless it was forgotten once more", () => {
    using folder = tempFolder();
    const deps = home(folder);
    said(folder.database, noonMs);
    forget(deps, noonMs + 1);
    said(folder.database, noonMs + 2);
    const between = backup(deps, "between.db");
    forget(deps, noonMs + 3);
    expect(restoreBackup(deps, between, "replaced")).toMatchObject({ ok: true });
    expect(urisIn(folder.database)).toEqual([uri("billing"), uri("kiln")]);
  });
});

describe("a backup with additions that are not ours is refused, and nothing changes", () => {
  test.each([
    ["a trigger", "CREATE TRIGGER t AFTER INSERT ON turns BEGIN DELETE FROM meta; END", "trigger"],
    ["a view", "CREATE VIEW v AS SELECT * FROM turns", "view"],
    ["a table", "CREATE TABLE stash (x)", "table"],
    ["an index", "CREATE INDEX i ON turns (prompt)", "index"],
    ["a virtual table", "CREATE VIRTUAL TABLE f USING fts5 (x)", "table"],
    ["another column", "ALTER TABLE turns ADD COLUMN more TEXT", "turns"],
    ["a missing index", "DROP INDEX idx_turns_started", "idx_turns_started is missing"],
    ["a missing table", "DROP TABLE imports", "imports is missing"],
  ] as const)("%s", (_, statement, detail) => {
    using folder = tempFolder();
    const deps = home(folder);
    const before = readFileSync(folder.database);
    {
      using db = new Database(deps.backup);
      db.run(statement);
    }
    expect(checkDatabase(deps.backup)).toMatchObject({ ok: true });
    const refused = restoreBackup(deps, deps.backup, "replaced");
    expect(refused).toMatchObject({ ok: false, error: { type: "store.foreign" } });
    expect(JSON.stringify(refused)).toContain(detail);
    expect(readFileSync(folder.database)).toEqual(before);
    expect(newestGoodBackup(deps.paths.backups)).toBeNull();
  });
});

test("statistics, and what Litestream keeps in a database, are no reason to refuse a backup", () => {
  using folder = tempFolder();
  const { backup } = home(folder);
  {
    using db = new Database(backup);
    db.run("ANALYZE");
    db.run("CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)");
  }
  expect(checkBackup(backup)).toMatchObject({ ok: true });
});

test("a backup of each older schema is taken as one of ours", () => {
  using folder = tempFolder();
  for (const { version } of migrations) {
    const path = join(folder.path, `v${version}.db`);
    {
      using db = new Database(path, { create: true });
      migrate(
        createSql(db, "readwrite"),
        migrations.filter((one) => one.version <= version),
      );
    }
    expect(checkBackup(path)).toEqual({ ok: true, value: { version } });
  }
});

test.skipIf(process.platform === "win32")("a pipe or a link is refused at once", () => {
  using folder = tempFolder();
  const deps = home(folder);
  const pipe = join(folder.path, "pipe");
  Bun.spawnSync(["mkfifo", pipe]);
  const link = join(folder.path, "link");
  symlinkSync(deps.backup, link);
  for (const [path, detail] of [
    [pipe, "is no regular file"],
    [link, "is a symbolic link"],
  ] as const) {
    const refused = restoreBackup(deps, path, "replaced");
    expect(refused).toMatchObject({ ok: false, error: { type: "store.unavailable" } });
    expect(JSON.stringify(refused)).toContain(detail);
  }
  expect(urisIn(folder.database)).toEqual([uri("billing"), uri("kiln")]);
  expect(openStore(pipe, optionsFor())).toMatchObject({
    ok: false,
    error: { type: "store.unavailable" },
  });
});

describe("a backup that is none is refused, and nothing changes", () => {
  test.each([
    ["text", (path: string) => writeFileSync(path, "hello ".repeat(1_000)), "store.corrupt"],
    ["nothing", (path: string) => writeFileSync(path, ""), "store.missing"],
    [
      "another program's",
      (path: string) => new Database(path, { create: true }).run("CREATE TABLE t (x)"),
      "store.corrupt",
    ],
    [
      "a newer one",
      (path: string) => {
        using db = new Database(path, { create: true });
        db.run("CREATE TABLE t (x)");
        db.run("PRAGMA user_version = 900");
      },
      "store.newer",
    ],
  ] as const)("%s", (_, make, type) => {
    using folder = tempFolder();
    const deps = home(folder);
    const before = readFileSync(folder.database);
    const path = join(folder.path, "other.db");
    make(path);
    expect(restoreBackup(deps, path, "replaced")).toMatchObject({ ok: false, error: { type } });
    expect(readFileSync(folder.database)).toEqual(before);
    expect(readdirSync(deps.paths.backups)).toEqual([backupName(noonMs)]);
  });
});

/** Spoils one page of a table's B-tree in the middle of the file. */
function damage(path: string, table: string): void {
  let page = 0;
  {
    using db = new Database(path);
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
    page = Number(
      db.query("SELECT rootpage FROM sqlite_schema WHERE name = ?").values(table)[0]?.[0],
    );
  }
  const bytes = readFileSync(path);
  bytes.fill(0xa5, (page - 1) * 4_096, page * 4_096);
  writeFileSync(path, bytes);
}

test("a recovery takes the newest backup that is sound, and what can still be read of the damaged file", () => {
  using folder = tempFolder();
  const deps = home(folder);
  damage(folder.database, "tool_uses");
  writeFileSync(join(deps.paths.backups, backupName(noonMs + 5)), "a backup that went bad");
  const restored = recoverDatabase(deps);
  assert(restored?.ok === true, JSON.stringify(restored));
  expect(restored.value.backup).toBe(deps.backup);
  expect(urisIn(folder.database)).toEqual([uri("billing"), uri("kiln")]);
  expect(restored.value.salvaged).toBeGreaterThan(0);
  expect(existsSync(restored.value.aside ?? "")).toBe(true);
  using store = openOk(folder.database);
  expect(store.admin.getMeta("recovery.last")).toContain(deps.backup);
});

test("of a file in which nothing can be read the backup alone is left", () => {
  using folder = tempFolder();
  const deps = home(folder);
  damage(folder.database, "mem_nodes");
  expect(recoverDatabase(deps)).toMatchObject({ ok: true });
  expect(urisIn(folder.database)).toContain(uri("billing"));
});

test("without a good backup the damaged file is left as it is", () => {
  using folder = tempFolder();
  const deps = home(folder);
  writeFileSync(deps.backup, "a backup that went bad");
  writeFileSync(folder.database, "damaged");
  expect(recoverDatabase(deps)).toBeNull();
  expect(readFileSync(folder.database, "utf8")).toBe("damaged");
});

describe("rotation", () => {
  const at = (days: number, hours = 0): Backup => {
    const atMs = noonMs - days * msPerDay - hours * 3_600_000;
    return { path: `/b/${atMs}`, name: `${atMs}`, atMs, bytes: 1, cause: "backup" };
  };
  const daysAgo = (backups: readonly Backup[]): readonly number[] =>
    backups.map(({ atMs }) => Math.round((noonMs - atMs) / msPerDay));

  test("keeps seven days and four weeks before them", () => {
    const all = Array.from({ length: 60 }, (_, day) => at(day));
    const gone = new Set(expendable(all));
    const kept = daysAgo(all.filter((backup) => !gone.has(backup)));
    expect(kept.slice(0, 7)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(kept).toHaveLength(11);
    const weekly = kept.slice(7);
    expect(weekly.every((day, i) => i < 2 || day - (weekly[i - 1] ?? 0) === 7)).toBe(true);
  });

  test("keeps the last of a day", () => {
    expect(daysAgo(expendable([at(0), at(0, 1), at(0, 2)]))).toHaveLength(2);
  });

  test("backups from before a long pause stay: age alone deletes nothing", () => {
    expect(expendable([at(200), at(400)])).toEqual([]);
  });

  test("files that are none of ours stay", () => {
    using folder = tempFolder();
    for (const name of ["mine.db", "continuity-old.db", backupName(noonMs), backupName(noonMs + 1)])
      writeFileSync(join(folder.path, name), "x");
    expect(rotateBackups(folder.path)).toBe(1);
    expect(readdirSync(folder.path).toSorted()).toEqual([
      backupName(noonMs + 1),
      "continuity-old.db",
      "mine.db",
    ]);
    expect(listBackups(folder.path).map(({ atMs }) => atMs)).toEqual([noonMs + 1]);
  });
});
