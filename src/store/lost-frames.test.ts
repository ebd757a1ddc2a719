/** A log that lost commits is told from one that did not. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { lossMark, lossOf } from "./lost-frames.ts";
import { openOk, tempFolder } from "../../test/support/store.ts";

/** A copy of the files of a database while its writer is at work, as a kill leaves them. */
function killed(folder: string, work: (db: Database) => void = () => undefined): string {
  const at = join(folder, "live.db");
  const copy = join(folder, "continuity.db");
  using db = new Database(at, { create: true });
  db.run("PRAGMA journal_mode = WAL");
  db.run("PRAGMA wal_autocheckpoint = 0");
  db.run("CREATE TABLE t (word TEXT)");
  for (let n = 0; n < 5; n += 1) db.run("INSERT INTO t VALUES (?)", [`word ${n}`]);
  work(db);
  for (const end of ["", "-wal", "-shm"]) copyFileSync(`${at}${end}`, `${copy}${end}`);
  return copy;
}

const wordsIn = (path: string): number => {
  using db = new Database(path, { readonly: true });
  return db.query("SELECT * FROM t").all().length;
};

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 4;
  writeFileSync(path, bytes);
}

test("a log as a kill leaves it lost nothing, also with a torn end that was never committed", () => {
  using folder = tempFolder();
  const path = killed(folder.path);
  expect(lossOf(path).frames).toBe(0);
  const torn = Buffer.concat([readFileSync(`${path}-wal`), Buffer.alloc(2_000, 7)]);
  writeFileSync(`${path}-wal`, torn);
  expect(lossOf(path).frames).toBe(0);
  expect(wordsIn(path)).toBe(5);
});

test("a flipped bit anywhere in the log, or a byte that is cut off, is told with what is lost", () => {
  using folder = tempFolder();
  const path = killed(folder.path);
  const log = `${path}-wal`;
  const { length } = readFileSync(log);
  for (const at of [1, 9, 17, 25, 33, 45, 60, 5_000, length - 1]) {
    flip(log, at);
    expect(lossOf(path).frames, `byte ${at}`).toBeGreaterThan(0);
    flip(log, at);
  }
  truncateSync(log, length - 1);
  expect(lossOf(path).frames).toBe(1);
  truncateSync(log, 0);
  expect(lossOf(path).frames).toBeGreaterThan(4);
});

test("what the database has already is not lost, though a damaged log is behind it", () => {
  using folder = tempFolder();
  const path = killed(folder.path, (db) => {
    db.run("PRAGMA wal_checkpoint(PASSIVE)");
  });
  expect(lossOf(path).frames).toBe(0);
  truncateSync(`${path}-wal`, 32 + 2 * (24 + 4_096));
  expect(lossOf(path)).toEqual({ frames: 0, isBehind: true });
});

test("without a log, with an empty one, or with an index of another age, nothing is said", () => {
  using folder = tempFolder();
  const path = killed(folder.path, (db) => db.run("PRAGMA wal_checkpoint(TRUNCATE)"));
  expect(lossOf(path).frames).toBe(0);
  using later = tempFolder();
  const other = killed(later.path);
  flip(`${other}-shm`, 33);
  flip(`${other}-shm`, 81);
  expect(lossOf(other).frames).toBe(0);
  expect(lossOf(join(folder.path, "none.db")).frames).toBe(0);
});

test("a command that reads before the daemon leaves a note, since it takes away what tells it", () => {
  using folder = tempFolder();
  openOk(folder.database)[Symbol.dispose]();
  using db = new Database(folder.database);
  db.run("INSERT INTO meta (name, value) VALUES ('a', 'b')");
  const other = join(folder.path, "other", "continuity.db");
  mkdirSync(dirname(other));
  for (const end of ["", "-wal", "-shm"])
    copyFileSync(`${folder.database}${end}`, `${other}${end}`);
  truncateSync(`${other}-wal`, 100);
  openOk(other, { mode: "readonly" })[Symbol.dispose]();
  expect(existsSync(lossMark(other))).toBe(true);
});
