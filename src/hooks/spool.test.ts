import { expect, test } from "bun:test";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homePaths } from "#domain";
import {
  adoptLeftovers,
  readSpooled,
  removeSpooled,
  setAside,
  spooledNames,
  spoolEnvelope,
  sweepKeys,
} from "./spool.ts";
import { testEnvelope, testHome } from "../../test/support/hooks.ts";

const now = { arrivalMs: 1_700_000_000_000, position: 0 };
const key = (n: number): string => `f${String(n).padStart(31, "0")}`;

test("a spooled event is a private file that reads back as it was", () => {
  using home = testHome();
  const envelope = testEnvelope({ project: { key: "k", name: "n", root: "/r", branch: null } });
  expect(spoolEnvelope(home.paths, envelope, now)).toEqual({ type: "spooled" });
  const [name = ""] = spooledNames(home.paths);
  expect(readSpooled(home.paths, name)).toEqual(envelope);
  expect(statSync(`${home.paths.spool}/${name}`).mode & 0o777).toBe(0o600);
  expect(statSync(home.paths.spool).mode & 0o777).toBe(0o700);
  expect(readdirSync(home.paths.spool).filter((file) => file.endsWith(".tmp"))).toEqual([]);
});

test("an event that could not be given its name is taken at the next attempt", () => {
  using home = testHome();
  const envelope = testEnvelope();
  const name = `${String(now.arrivalMs).padStart(15, "0")}-000-${envelope.key}.json`;
  mkdirSync(`${home.paths.spool}/${name}`, { recursive: true });
  expect(spoolEnvelope(home.paths, envelope, now).type).toBe("unwritable");
  expect(readdirSync(`${home.paths.spool}/keys`)).toEqual([]);
  rmdirSync(`${home.paths.spool}/${name}`);
  expect(spoolEnvelope(home.paths, envelope, now).type).toBe("spooled");
});

test("an event whose removal fails half way leaves no text under its second name", () => {
  using home = testHome();
  const envelope = testEnvelope();
  spoolEnvelope(home.paths, envelope, now);
  const [name = ""] = spooledNames(home.paths);
  const path = `${home.paths.spool}/${name}`;
  rmSync(path);
  mkdirSync(path);
  expect(() => removeSpooled(home.paths, name, envelope)).toThrow();
  expect(readdirSync(`${home.paths.spool}/keys`)).toEqual([]);
});

test("a home that does not exist is made, for its owner alone", () => {
  using home = testHome();
  const paths = homePaths(`${home.paths.root}/deep/home`);
  expect(spoolEnvelope(paths, testEnvelope(), now)).toEqual({ type: "spooled" });
  expect(statSync(paths.root).mode & 0o777).toBe(0o700);
});

test("names sort in order of arrival, whatever time the events claim", () => {
  using home = testHome();
  for (const [at, atMs] of [5_000, 1, 9_000].entries())
    spoolEnvelope(home.paths, testEnvelope({ key: key(at), atMs }), {
      arrivalMs: 100 + at,
      position: 0,
    });
  const times = spooledNames(home.paths).map((name) => readSpooled(home.paths, name)?.atMs);
  expect(times).toEqual([5_000, 1, 9_000]);
});

test("of two processes with one key the second learns that it is the second", () => {
  using home = testHome();
  expect(spoolEnvelope(home.paths, testEnvelope(), now).type).toBe("spooled");
  const later = { arrivalMs: now.arrivalMs + 40, position: 0 };
  expect(spoolEnvelope(home.paths, testEnvelope(), later).type).toBe("duplicate");
  expect(spooledNames(home.paths)).toHaveLength(1);
});

test.each([
  { apartMs: 0, expected: "duplicate" },
  { apartMs: 999, expected: "duplicate" },
  { apartMs: -999, expected: "duplicate" },
  { apartMs: 1_000, expected: "spooled" },
  { apartMs: 3_600_000, expected: "spooled" },
])("equal events without an id, $apartMs ms apart: $expected", ({ apartMs, expected }) => {
  using home = testHome();
  const first = testEnvelope({ anonymous: true, key: key(1) });
  spoolEnvelope(home.paths, first, now);
  const twin = { ...first, key: key(2), atMs: first.atMs + apartMs };
  expect(spoolEnvelope(home.paths, twin, now).type).toBe(expected as "spooled");
});

test("a drained event leaves nothing behind, and its twin may come again", () => {
  using home = testHome();
  const envelope = testEnvelope();
  spoolEnvelope(home.paths, envelope, now);
  removeSpooled(home.paths, spooledNames(home.paths)[0] ?? "", envelope);
  expect(readdirSync(`${home.paths.spool}/keys`)).toEqual([]);
  expect(spooledNames(home.paths)).toEqual([]);
  expect(spoolEnvelope(home.paths, envelope, now).type).toBe("spooled");
});

test.each(["/dev/null/home", "/proc/continuity-test"])(
  "a home that cannot be made is refused without a trace: %s",
  (root) => {
    const outcome = spoolEnvelope(homePaths(root), testEnvelope(), now);
    expect(outcome.type).toBe("unwritable");
  },
);

test("a full spool refuses, and takes events again when it is drained", () => {
  using home = testHome();
  mkdirSync(home.paths.spool, { recursive: true });
  const sparse = `${home.paths.spool}/000000000000001-000-big.json`;
  writeFileSync(sparse, "");
  // 300 MB on paper, none on disk.
  Bun.spawnSync(["truncate", "-s", "300M", sparse]);
  const counting = testEnvelope({ key: `0${key(1).slice(1)}` });
  expect(spoolEnvelope(home.paths, counting, now)).toEqual({ type: "full" });
  // The others need not count: the first left a note.
  expect(spoolEnvelope(home.paths, testEnvelope({ key: key(2) }), now)).toEqual({ type: "full" });
  expect(readdirSync(home.paths.spool).some((name) => name.endsWith(".tmp"))).toBe(false);
  Bun.spawnSync(["truncate", "-s", "0", sparse]);
  expect(spoolEnvelope(home.paths, testEnvelope({ key: key(3) }), now).type).toBe("spooled");
});

test("what a killed hook left is adopted when it is whole, removed when it is not", () => {
  using home = testHome();
  mkdirSync(home.paths.spool, { recursive: true });
  const old = String(1_000).padStart(15, "0");
  writeFileSync(`${home.paths.spool}/${old}-000-a.77.tmp`, JSON.stringify(testEnvelope()));
  writeFileSync(`${home.paths.spool}/${old}-000-b.77.tmp`, '{"v":1,"hoo');
  const young = String(99_500).padStart(15, "0");
  writeFileSync(`${home.paths.spool}/${young}-000-c.77.tmp`, '{"v":1');
  adoptLeftovers(home.paths, { nowMs: 100_000, youngerThanMs: 10_000 });
  expect(spooledNames(home.paths)).toEqual([`${old}-000-a.json`]);
  expect(readdirSync(home.paths.spool).filter((name) => name.endsWith(".tmp"))).toEqual([
    `${young}-000-c.77.tmp`,
  ]);
});

test("second names whose event is gone are swept, young ones are not", () => {
  using home = testHome();
  spoolEnvelope(home.paths, testEnvelope(), now);
  const soon = { nowMs: Date.now() + 1_000, youngerThanMs: 10_000 };
  sweepKeys(home.paths, soon);
  expect(readdirSync(`${home.paths.spool}/keys`)).toHaveLength(1);
  sweepKeys(home.paths, { ...soon, nowMs: Date.now() + 20_000 });
  expect(readdirSync(`${home.paths.spool}/keys`)).toEqual([]);
});

test("files set aside are kept, but not without end", () => {
  using home = testHome();
  mkdirSync(`${home.paths.spool}/bad`, { recursive: true });
  for (let at = 0; at < 1_000; at += 1) writeFileSync(`${home.paths.spool}/bad/a${at}`, "");
  writeFileSync(`${home.paths.spool}/z.json`, "garbage");
  setAside(home.paths, "z.json");
  const kept = readdirSync(`${home.paths.spool}/bad`);
  expect(kept).toHaveLength(1_000);
  expect(readFileSync(`${home.paths.spool}/bad/z.json`, "utf8")).toBe("garbage");
});

test("the event's own time is kept on the file", () => {
  using home = testHome();
  spoolEnvelope(home.paths, testEnvelope({ anonymous: true, atMs: -5 }), now);
  const [name = ""] = readdirSync(`${home.paths.spool}/keys`);
  expect(statSync(`${home.paths.spool}/keys/${name}`).mtimeMs).toBe(0);
});
