/**
 * Backups and what they are for, with the built program: restored by hand or by the daemon itself, over a damaged home,
 * with what waited in the spool, and without what was forgotten since.
 */
import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contextOf, eventually, openProgram, type Program } from "../support/program.ts";

const pageBytes = 4_096;

const session = (program: Program, id: string) => ({
  session_id: id,
  transcript_path: join(program.folder, `${id}.jsonl`),
  cwd: program.folder,
});

const submit = (program: Program, prompt: string, id: string, env: Record<string, string> = {}) =>
  program.hook(
    "submit",
    { ...session(program, "s-1"), hook_event_name: "UserPromptSubmit", prompt, prompt_id: id },
    { env },
  );

const start = async (program: Program, id: string): Promise<string> =>
  contextOf(
    await program.hook("start", {
      ...session(program, id),
      hook_event_name: "SessionStart",
      source: "startup",
    }),
  );

const found = async (program: Program, words: string): Promise<string> =>
  (await program.run(["find", "--all-projects", words])).out;

/** Overwrites the root page of a table, as a bad disk would. */
function damage(program: Program, table: string): void {
  const path = program.paths.database;
  let page = 0;
  {
    using db = new Database(path);
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
    page = Number(
      db.query("SELECT rootpage FROM sqlite_schema WHERE name = ?").values(table)[0]?.[0],
    );
  }
  const bytes = readFileSync(path);
  bytes.fill(0xa5, (page - 1) * pageBytes, page * pageBytes);
  writeFileSync(path, bytes);
}

/** A home with a memory in its backup, one since, and one that waits in the spool; then the table is damaged. */
async function damagedHome(program: Program, table: string): Promise<void> {
  await submit(program, "remember that the plotter listens on port 9107", "p-1");
  await program.flush();
  expect(await program.run(["backup"])).toMatchObject({ status: 0 });
  await submit(program, "remember that the kiln burns at 900 degrees", "p-2");
  await program.flush();
  await program.stopDaemon();
  await submit(program, "remember that the quay crane lifts 40 tons", "p-3", {
    CONTINUITY_AUTOSTART: "false",
  });
  damage(program, table);
}

test("a restore over a damaged home brings back everything acknowledged, the spool included", async () => {
  await using program = openProgram();
  await damagedHome(program, "tool_uses");
  const restored = await program.run(["restore", "--yes", "--json"]);
  expect({ status: restored.status, err: restored.err }).toEqual({ status: 0, err: "" });
  const report = JSON.parse(restored.out) as { replaced: string; salvaged: number };
  expect(report.salvaged).toBeGreaterThan(0);
  expect(statSync(report.replaced).mode & 0o777).toBe(0o600);
  await program.flush();
  expect(await found(program, "plotter")).toContain("9107");
  expect(await found(program, "kiln")).toContain("900");
  expect(await found(program, "quay crane")).toContain("40 tons");
  expect(readdirSync(program.paths.spool).filter((name) => name.endsWith(".json"))).toEqual([]);
  using db = program.database();
  expect(db.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
}, 60_000);

test("the daemon itself restores the newest sound backup over a damaged file, and tells of it once", async () => {
  await using program = openProgram();
  await damagedHome(program, "mem_nodes");
  const later =
    readdirSync(program.paths.backups)[0]?.replace("continuity-2", "continuity-3") ?? "";
  writeFileSync(join(program.paths.backups, later), "a backup that went bad");
  const named = await program.run(["list"]);
  expect(named).toMatchObject({ status: 1, out: "" });
  expect(named.err).toMatch(
    /^error: .* is corrupt .* and was not modified; .*`continuity restore`/,
  );
  await program.flush();
  expect(await found(program, "plotter")).toContain("9107");
  expect(await found(program, "quay crane")).toContain("40 tons");
  expect(program.log()).toContain("warn database.recovered");
  expect((await program.run(["status"])).out).toMatch(
    /warning the database was damaged on .* was restored/,
  );
  expect(await start(program, "s-2")).toMatch(
    /^Continuity \(tell the user once\): the database was damaged on/,
  );
  expect(await start(program, "s-3")).not.toContain("was damaged");
  const aside = readdirSync(program.paths.backups).filter((name) => /^damaged-\w+\.db$/.test(name));
  expect(aside).toHaveLength(1);
}, 60_000);

test("damage that is found while the daemon runs is mended by the next one", async () => {
  await using program = openProgram();
  await submit(program, "remember that the plotter listens on port 9107", "p-1");
  await program.flush();
  await program.run(["backup"]);
  await program.stopDaemon();
  damage(program, "archive_fts_data");
  await program.flush();
  await submit(program, "remember that the kiln burns at 900 degrees", "p-2");
  // Stands for the integrity check in the background; here the mark is left at once.
  writeFileSync(join(program.paths.backups, "damage-found"), "found\n");
  await program.stopDaemon();
  await program.flush();
  expect(existsSync(join(program.paths.backups, "damage-found"))).toBe(false);
  expect(await found(program, "plotter")).toContain("9107");
  expect(await found(program, "kiln")).toContain("900");
  using db = program.database();
  expect(db.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
}, 60_000);

test("what was forgotten after the backup stays forgotten, in the database and in every index", async () => {
  await using program = openProgram();
  await submit(program, "remember that the plotter listens on port 9107", "p-1");
  await submit(program, "remember that the kiln burns at 900 degrees", "p-2");
  await program.flush();
  await program.run(["backup"]);
  const uri = /#\w+/.exec(await found(program, "plotter"))?.[0] ?? "";
  expect(await program.run(["forget", uri, "--yes"])).toMatchObject({ status: 0 });
  await program.stopDaemon();
  rmSync(program.paths.database);
  const restored = await program.run(["restore", "latest", "--yes"]);
  expect(restored.out).toContain("forgotten since the backup deleted again");
  expect(await found(program, "plotter listens")).not.toContain("9107");
  expect(await found(program, "kiln")).toContain("900");
  expect(readFileSync(program.paths.database).includes("plotter listens")).toBe(false);
}, 60_000);

test("a restore asks first, and refuses what is no backup; nothing is changed", async () => {
  await using program = openProgram();
  await submit(program, "remember that the plotter listens on port 9107", "p-1");
  await program.flush();
  const unasked = await program.run(["restore"]);
  expect(unasked).toMatchObject({ status: 1, out: "" });
  expect(unasked.err).toMatch(
    /^error: there is no valid backup in .*; pass the path of a backup\n$/,
  );
  const made = await program.run(["backup", "--json"]);
  const { path } = JSON.parse(made.out) as { path: string };
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await program.run(["backup", path])).toMatchObject({ status: 1, out: "" });
  const unconfirmed = await program.run(["restore"]);
  expect(unconfirmed).toMatchObject({ status: 2, out: "" });
  expect(unconfirmed.err).toContain("--yes");
  const wrong = join(program.folder, "notes.txt");
  writeFileSync(wrong, "hello");
  const refused = await program.run(["restore", wrong, "--yes"]);
  expect(refused.err).toMatch(/^error: cannot restore .*notes.txt: not a SQLite database; /);
  expect((await program.run(["backup", "--list"])).out).toContain(path);
  expect(await found(program, "plotter")).toContain("9107");
}, 60_000);

test("the daemon backs up and checks by itself, in a process of its own, while hooks are served", async () => {
  await using program = openProgram();
  await submit(program, "remember that the plotter listens on port 9107", "p-1");
  await program.flush();
  await program.stopDaemon();
  {
    // As if this home had been looked after for an hour.
    using db = new Database(program.paths.database);
    db.run("INSERT OR REPLACE INTO meta (name, value) VALUES ('upkeep.first', ?)", [
      `${Date.now() - 3_600_000}`,
    ]);
  }
  await program.up();
  await eventually(
    "a backup",
    () =>
      existsSync(program.paths.backups) &&
      readdirSync(program.paths.backups).some((name) => /^continuity-\w+\.db$/.test(name)),
    30_000,
  );
  const runs = async () =>
    (
      JSON.parse((await program.run(["status", "--json"])).out) as {
        upkeep: readonly { task: string; outcome: string; note: string }[];
      }
    ).upkeep;
  await eventually(
    "the archive's turn",
    async () => (await runs()).some(({ task }) => task === "archive"),
    30_000,
  );
  const done = Object.fromEntries(
    (await runs()).map(({ task, outcome, note }) => [task, `${outcome} ${note}`]),
  );
  expect(done).toMatchObject({
    check: "done sound",
    backup: expect.stringMatching(/^done \d+ bytes, 0 older ones deleted$/),
    archive: "done 0 archived, 0 deleted for room",
    decay: expect.stringMatching(/^done /),
  });
  expect(await submit(program, "hello", "p-2")).toBeDefined();
}, 90_000);

/** A file system of one megabyte; null where this process may not mount one. */
function mountSmall(): string | null {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return null;
  const folder = mkdtempSync(join(tmpdir(), "continuity-small-"));
  const { exitCode } = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", folder]);
  return exitCode === 0 ? folder : null;
}
const small = mountSmall();
afterAll(() => {
  if (small === null) return;
  Bun.spawnSync(["umount", small]);
  rmSync(small, { recursive: true, force: true });
});

test.skipIf(small === null)(
  "a backup or an export that finds no room says so, and leaves nothing",
  async () => {
    const folder = small ?? "";
    await using program = openProgram();
    await submit(program, "remember that the plotter listens on port 9107", "p-1");
    await program.flush();
    const backup = await program.run(["backup", folder]);
    expect(backup).toMatchObject({ status: 1, out: "" });
    expect(backup.err).toMatch(/^error: .*(?:full|no space).*free disk space/i);
    expect(readdirSync(folder)).toEqual([]);
    for (let n = 0; n < 4; n += 1)
      await submit(program, `a long story ${"of kilns and cranes ".repeat(4_000)} ${n}`, `q-${n}`);
    await program.flush();
    const exported = await program.run(["export", join(folder, "all")]);
    expect(exported).toMatchObject({ status: 1, out: "" });
    expect(exported.err).toMatch(/^error: .* cannot be written: ENOSPC.*free disk space/);
    expect(readdirSync(folder)).toEqual([]);
    expect(await found(program, "plotter")).toContain("9107");
  },
  40_000,
);

test("an emptied database file is no fresh start while there is a backup", async () => {
  await using program = openProgram();
  await submit(program, "remember that the plotter listens on port 9107", "p-1");
  await program.flush();
  await program.run(["backup"]);
  await program.stopDaemon();
  for (const part of ["-wal", "-shm"]) rmSync(`${program.paths.database}${part}`, { force: true });
  writeFileSync(program.paths.database, "");
  await program.flush();
  expect(await found(program, "plotter")).toContain("9107");
}, 60_000);
