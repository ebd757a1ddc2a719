import { expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { acquireLock, isAlive, ownIdentity, readLock, startTimeOf } from "./lock.ts";
import { testHome } from "../../../test/support/daemon.ts";

const self = ownIdentity();

test("the lock names its holder and is gone after release", () => {
  using home = testHome();
  const lock = acquireLock(home.paths, self);
  expect(readLock(home.paths)).toEqual(self);
  if (lock.ok) lock.value.release();
  expect(existsSync(home.paths.lock)).toBe(false);
});

test("a held lock is refused, also within one process", () => {
  using home = testHome();
  const lock = acquireLock(home.paths, self);
  expect(acquireLock(home.paths, self)).toEqual({
    ok: false,
    error: { type: "lock.held", by: self },
  });
  if (lock.ok) lock.value.release();
  const again = acquireLock(home.paths, self);
  expect(again.ok).toBe(true);
  if (again.ok) again.value.release();
});

test.each([
  { name: "garbage", text: "\u0000garbage" },
  { name: "an empty file", text: "" },
  { name: "JSON of another kind", text: '{"pid":"one"}' },
  { name: "a pid that is not alive", text: '{"pid":4194304,"startedAt":"x"}' },
  { name: "a recycled pid: alive, but started at another time", text: '{"pid":1,"startedAt":"x"}' },
  { name: "a negative pid", text: '{"pid":-1,"startedAt":"x"}' },
])("a stale lock is taken over: $name", ({ text }) => {
  using home = testHome();
  writeFileSync(home.paths.lock, text);
  const lock = acquireLock(home.paths, self);
  expect(lock.ok).toBe(true);
  expect(readLock(home.paths)).toEqual(self);
  if (lock.ok) lock.value.release();
});

test("a lock of a process that lives is respected, even when the mutex was deleted", () => {
  using home = testHome();
  const other = { pid: 1, startedAt: startTimeOf(1) ?? "" };
  writeFileSync(home.paths.lock, JSON.stringify(other));
  expect(acquireLock(home.paths, self)).toEqual({
    ok: false,
    error: { type: "lock.held", by: other },
  });
  expect(JSON.parse(readFileSync(home.paths.lock, "utf8"))).toEqual(other);
});

test("a mutex file full of garbage is replaced", () => {
  using home = testHome();
  writeFileSync(`${home.paths.root}/daemon.mutex`, "not a database ".repeat(200));
  const lock = acquireLock(home.paths, self);
  expect(lock.ok).toBe(true);
  if (lock.ok) lock.value.release();
});

test("a home that cannot be made is an error with a reason", () => {
  using home = testHome();
  rmSync(home.paths.root, { recursive: true });
  writeFileSync(home.paths.root, "a file");
  const lock = acquireLock(home.paths, self);
  expect(lock).toMatchObject({ ok: false, error: { type: "lock.unavailable" } });
});

test.each(["daemon.mutex", "daemon.lock"])("a folder in the place of %s is named", (name) => {
  using home = testHome();
  mkdirSync(`${home.paths.root}/${name}`);
  writeFileSync(`${home.paths.root}/${name}/file`, "");
  expect(acquireLock(home.paths, self)).toMatchObject({
    ok: false,
    error: { type: "lock.unavailable", path: `${home.paths.root}/${name}` },
  });
});

test("a home that was copied while its daemon ran has a lock of its own", () => {
  using home = testHome();
  using copy = testHome();
  const holder = { pid: process.ppid, startedAt: startTimeOf(process.ppid) ?? "" };
  const held = acquireLock(home.paths, holder);
  expect(readLock(home.paths)).toEqual(holder);
  cpSync(home.paths.lock, copy.paths.lock);
  expect(readLock(copy.paths)).toBeNull();
  const lock = acquireLock(copy.paths, self);
  expect(lock.ok).toBe(true);
  if (lock.ok) lock.value.release();
  if (held.ok) held.value.release();
});

test("a process is alive by pid and start time; a zombie is not", async () => {
  expect(isAlive(self)).toBe(true);
  expect(isAlive({ ...self, startedAt: `${self.startedAt}0` })).toBe(false);
  // A child that ended while its parent, stopped in `sleep`, has not reaped it.
  const parent = Bun.spawn(["sh", "-c", "sleep 0 & echo $!; exec sleep 5"], { stdout: "pipe" });
  const { value } = await parent.stdout.getReader().read();
  const zombie = Number(new TextDecoder().decode(value).trim());
  while (startTimeOf(zombie) !== null) await Bun.sleep(1);
  const stat = readFileSync(`/proc/${zombie}/stat`, "utf8");
  expect(stat).toContain(") Z ");
  parent.kill();
  await parent.exited;
});

test("of fifty processes that race for a stale lock one gets it, and the others learn who", async () => {
  using home = testHome();
  writeFileSync(home.paths.lock, '{"pid":1,"startedAt":"recycled"}');
  const script = `
    import { acquireLock, ownIdentity } from "${import.meta.dir}/lock.ts";
    import { homePaths } from "${import.meta.dir}/../../domain/home.ts";
    import { existsSync } from "node:fs";
    while (!existsSync("${home.paths.root}/go")) await Bun.sleep(1);
    const lock = acquireLock(homePaths("${home.paths.root}"), ownIdentity());
    console.log(lock.ok ? "held" : lock.error.type);
    await Bun.stdin.text();
  `;
  const racers = Array.from({ length: 50 }, () =>
    Bun.spawn([process.execPath, "-e", script], { stdin: "pipe", stdout: "pipe" }),
  );
  writeFileSync(`${home.paths.root}/go`, "");
  const firstLines = await Promise.all(
    racers.map(async ({ stdout }) => {
      const { value } = await stdout.getReader().read();
      return new TextDecoder().decode(value).trim();
    }),
  );
  expect(firstLines.filter((line) => line === "held")).toHaveLength(1);
  expect(firstLines.filter((line) => line === "lock.held")).toHaveLength(49);
  // kill -9 of the holder frees the lock: no file needs to be removed.
  for (const racer of racers) racer.kill(9);
  await Promise.all(racers.map(({ exited }) => exited));
  const lock = acquireLock(home.paths, self);
  expect(lock.ok).toBe(true);
  if (lock.ok) lock.value.release();
}, 60_000);
