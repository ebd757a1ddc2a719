import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HookEnvelope, type HookReply } from "#domain";
import { systemRandom } from "#kit";
import { testContext } from "../../test/support/context.ts";
import { backupName, openStore, takeSnapshot } from "#store";
import { clearMissing, damageWarnings, openRecovered, watchDamage } from "./damage.ts";

const nowMs = 1_772_366_400_000;
const corrupt = Object.assign(new Error("database disk image is malformed"), {
  code: "SQLITE_CORRUPT",
});

function open() {
  const root = mkdtempSync(join(tmpdir(), "continuity-damage-"));
  const deps = testContext(root, nowMs);
  const { paths } = deps;
  const opened = openStore(paths.database, { ...deps, mode: "readwrite" });
  if (!opened.ok) throw new Error("test store");
  const stops: string[] = [];
  return {
    paths,
    deps,
    store: opened.value,
    stops,
    stop: (reason: string) => void stops.push(reason),
    backUp: () => {
      const taken = takeSnapshot(
        paths.database,
        join(paths.backups, backupName(nowMs)),
        systemRandom,
      );
      if (!taken.ok) throw new Error(JSON.stringify(taken));
    },
    [Symbol.dispose]: () => {
      opened.value[Symbol.dispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

const asUsual = (envelopes: readonly HookEnvelope[]): readonly HookReply[] =>
  envelopes.map(() => ({ context: "as usual", fresh: true }));

test("damage that shows while it runs makes the daemon leave for one that can mend it", async () => {
  using t = open();
  t.backUp();
  const { watched } = watchDamage(t.deps, t.store, t.stop);
  expect(watched(Promise.reject(corrupt))).rejects.toThrow("malformed");
  expect(watched(Promise.reject(corrupt))).rejects.toThrow("malformed");
  await Bun.sleep(0);
  expect(t.stops).toEqual(["the database is damaged"]);
  expect(readFileSync(join(t.paths.backups, "damage-found"), "utf8")).toContain("malformed");
});

test("without a backup it stays, and says what to do", async () => {
  using t = open();
  watchDamage(t.deps, t.store, t.stop).step.failed?.(corrupt);
  expect(t.stops).toEqual([]);
  expect(damageWarnings(t.paths, t.store, nowMs).join()).toContain("there is no valid backup");
});

test("a fault of another kind is nobody's damage", async () => {
  using t = open();
  t.backUp();
  const full = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
  watchDamage(t.deps, t.store, t.stop).step.failed?.(full);
  expect(t.stops).toEqual([]);
  expect(readdirSync(t.paths.backups)).toEqual([backupName(nowMs)]);
});

test("a mark that the file does not confirm is taken back", () => {
  using t = open();
  t.backUp();
  const mark = join(t.paths.backups, "damage-found");
  writeFileSync(mark, "a disk that was away\n");
  expect(openRecovered(t.deps, () => ({ ok: true, value: "opened" }))).toEqual({
    ok: true,
    value: "opened",
  });
  expect(existsSync(mark)).toBe(false);
  expect(readdirSync(t.paths.backups)).toEqual([backupName(nowMs)]);
});

const start = (hook: HookEnvelope["hook"]): HookEnvelope => ({
  v: 1,
  hook,
  clientEvent: "",
  key: hook,
  contentHash: "",
  anonymous: false,
  atMs: nowMs,
  replayed: false,
  gated: false,
  payload: {},
});

test("a recovery is told once, before what a session start is given, and in status for two weeks", async () => {
  using t = open();
  const { step } = watchDamage(t.deps, t.store, t.stop);
  const events = [start("stop"), start("start")];
  const contexts = (): readonly string[] | undefined =>
    step.after?.(events, asUsual(events)).map(({ context }) => context);
  expect(contexts()).toEqual(["as usual", "as usual"]);
  t.store.admin.setMeta(
    "recovery.last",
    JSON.stringify({ at: nowMs, backup: "/b/x.db", aside: "/b/damaged.db", salvaged: 3 }),
  );
  expect(contexts()).toEqual([
    "as usual",
    "Continuity (tell the user once): the database was damaged on 2026-03-01: /b/x.db was restored and 3 newer " +
      "records could be read; the damaged file is /b/damaged.db.\n\nas usual",
  ]);
  expect(contexts()).toEqual(["as usual", "as usual"]);
  expect(damageWarnings(t.paths, t.store, nowMs)).toHaveLength(1);
  expect(damageWarnings(t.paths, t.store, nowMs + 15 * 86_400_000)).toEqual([]);
});

test("a database that is gone is begun anew, and the backup of the old one is named until something is restored", () => {
  using t = open();
  t.backUp();
  const tell = (atMs: number): string => damageWarnings(t.paths, t.store, atMs).join();
  const start = (): unknown =>
    openRecovered(t.deps, () => ({ ok: false, error: { type: "store.missing", path: "" } }));
  start();
  expect(tell(nowMs)).toBe("");
  rmSync(t.paths.database);
  start();
  expect(tell(nowMs)).toContain(`restore ${join(t.paths.backups, backupName(nowMs))}`);
  expect(tell(nowMs + 15 * 86_400_000)).toBe("");
  clearMissing(t.paths);
  expect(tell(nowMs)).toBe("");
});

test("a log that lost commits is told of, and the database is opened with what it still holds", () => {
  using t = open();
  const log = `${t.paths.database}-wal`;
  const killed = ["", "-wal", "-shm"].map((end) => readFileSync(`${t.paths.database}${end}`));
  t.store[Symbol.dispose]();
  for (const [n, end] of ["", "-wal", "-shm"].entries())
    writeFileSync(`${t.paths.database}${end}`, killed[n] ?? "");
  const bytes = readFileSync(log);
  bytes.fill(0, bytes.length - 4_096);
  writeFileSync(log, bytes);
  const opened = openRecovered(t.deps, () =>
    openStore(t.paths.database, { ...t.deps, mode: "readwrite" }),
  );
  if (!opened.ok) throw new Error(opened.error.type);
  using store = opened.value;
  expect(damageWarnings(t.paths, store, nowMs)).toEqual([
    expect.stringMatching(/^the log of the database was damaged on 2026-03-01: .*may be missing/),
  ]);
  expect(damageWarnings(t.paths, store, nowMs + 15 * 86_400_000)).toEqual([]);
});
