import { expect, test } from "bun:test";
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { assert, msPerDay, stoppedClock } from "#kit";
import { backupName, backupsHolding, cleanBackup } from "./backups.ts";
import { checkBackup, takeSnapshot } from "./snapshot.ts";
import { cause, draft, noonMs, openOk, optionsFor, tempFolder } from "../../test/support/store.ts";

const secret = "The orchid safe opens with quuxflamingo";
const { random } = optionsFor();
const deps = { clock: stoppedClock(noonMs), random };

/**
 * A folder of backups: one from before the secret, two with it, and a damaged file. The live database has forgotten
 * it.
 */
function home(folder: ReturnType<typeof tempFolder>) {
  const backups = join(folder.path, "backups");
  mkdirSync(backups);
  const at = (day: number): string => join(backups, backupName(noonMs + day * msPerDay));
  using store = openOk(folder.database);
  store.nodes.insert(draft({ uri: "mem://user/entities/kiln", l0: "The kiln is hot" }), cause());
  const take = (day: number): void =>
    assert(takeSnapshot(folder.database, at(day), random).ok, "a backup is taken");
  take(0);
  const uri = "mem://user/entities/orchid-safe";
  const { id } = store.nodes.insert(draft({ uri, l0: secret }), cause());
  take(1);
  store.sessions.upsert({ sessionId: "s", project: null, atMs: noonMs });
  store.sessions.openTurn({
    sessionId: "s",
    promptId: null,
    prompt: `Is it so that ${secret.toLowerCase()}?`,
    atMs: noonMs,
  });
  store.nodes.update(id, { l0: "The orchid safe was sold" }, cause({ action: "edit" }));
  take(2);
  const damaged = join(backups, "damaged-20260301T120000000Z.db");
  writeFileSync(damaged, "no database at all");
  store.nodes.forget([id], [secret, "The orchid safe was sold"], noonMs);
  return { backups, at, damaged, marks: store.portable.fingerprints() };
}

test("the backups that hold a text are found, and cleaned without a trace", () => {
  using folder = tempFolder();
  const { backups, at, damaged, marks } = home(folder);
  const held = backupsHolding(backups, [secret]);
  expect(held).toEqual([
    { path: at(2), state: "holds" },
    { path: at(1), state: "holds" },
    { path: damaged, state: "unreadable" },
  ]);
  const before = statSync(at(1)).mtimeMs;
  for (const path of [at(1), at(2)]) {
    expect(cleanBackup(deps, path, { marks, texts: [secret] })).toEqual({
      ok: true,
      value: { changed: true },
    });
    expect(readFileSync(path).toString("latin1").toLowerCase()).not.toContain("quuxflamingo");
    expect(checkBackup(path)).toMatchObject({ ok: true });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    using store = openOk(path, { mode: "readonly" });
    expect(store.nodes.list({}, "uri", { limit: 9 }).map(({ l0 }) => l0)).toEqual([
      "The kiln is hot",
    ]);
  }
  expect(statSync(at(1)).mtimeMs).toBeCloseTo(before, -1);
  expect(backupsHolding(backups, [secret])).toEqual([{ path: damaged, state: "unreadable" }]);
  expect(readdirSync(backups).filter((name) => name.startsWith("."))).toEqual([]);
});

test("fingerprints alone are enough for what repeats it as a whole; a backup without it stays as it is", () => {
  using folder = tempFolder();
  const { at, damaged, marks } = home(folder);
  const bytes = readFileSync(at(0));
  const ask = { marks, texts: [] };
  expect(cleanBackup(deps, at(0), ask)).toEqual({ ok: true, value: { changed: false } });
  expect(readFileSync(at(0))).toEqual(bytes);
  expect(cleanBackup(deps, at(1), ask)).toEqual({ ok: true, value: { changed: true } });
  expect(readFileSync(at(1)).includes("quuxflamingo")).toBe(false);
  expect(cleanBackup(deps, damaged, ask)).toMatchObject({ ok: false });
  expect(readFileSync(damaged, "utf8")).toBe("no database at all");
});

test("a backup under a name of the user's own, in whatever folder below, is found and cleaned too", () => {
  using folder = tempFolder();
  const { backups, at, marks } = home(folder);
  mkdirSync(join(backups, "by hand"));
  const own = [join(backups, "by hand", "before the trip"), join(backups, "mine.db")];
  for (const path of own) copyFileSync(at(1), path);
  writeFileSync(join(backups, "notes.txt"), secret);
  const holding = (): readonly string[] =>
    backupsHolding(backups, [secret]).flatMap(({ path, state }) =>
      state === "holds" && own.includes(path) ? [path] : [],
    );
  expect(holding()).toEqual(own);
  for (const path of own)
    expect(cleanBackup(deps, path, { marks, texts: [secret] })).toMatchObject({ ok: true });
  expect(holding()).toEqual([]);
  for (const path of own) expect(readFileSync(path).includes("quuxflamingo")).toBe(false);
});
