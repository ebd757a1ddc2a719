import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { lostNoteBytesMax, lostNoteHead, lostNotePath, noteLost } from "#hooks";
import { homePaths, type HookEnvelope, type HookName } from "#domain";
import { msPerDay } from "#kit";
import { clearLost, lostEvents } from "./damage.ts";

const atMs = Date.UTC(2026, 10, 22, 22, 5);
const events = (...hooks: HookName[]): HookEnvelope[] =>
  hooks.map((hook) => ({
    v: 1,
    hook,
    clientEvent: "Stop",
    key: "k",
    contentHash: "c",
    anonymous: false,
    atMs,
    replayed: false,
    gated: true,
    payload: {},
  }));

const openHome = () => {
  const root = mkdtempSync(`${tmpdir()}/continuity-lost-`);
  const paths = homePaths(root);
  mkdirSync(paths.spool, { recursive: true });
  writeFileSync(lostNotePath(paths), lostNoteHead);
  return { paths, [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
};

test("what was lost is told with its count, time and reason, for seven days or until it is cleared", () => {
  using home = openHome();
  const { paths } = home;
  expect(lostEvents(paths, atMs)).toBeNull();
  noteLost(paths, events("submit"), { atMs, why: "ENOSPC" });
  expect(lostEvents(paths, atMs)).toBe("1 prompt was lost at 2026-11-22T22:05Z: the disk was full");
  noteLost(paths, events("stop", "submit"), { atMs: atMs + 120_000, why: "EDQUOT" });
  expect(lostEvents(paths, atMs)).toBe(
    "2 prompts and 1 other event were lost between 2026-11-22T22:05Z and 2026-11-22T22:07Z: the disk was full",
  );
  expect(lostEvents(paths, atMs + 7 * msPerDay + 60_000)).toStartWith("1 prompt and 1 other event");
  expect(lostEvents(paths, atMs + 8 * msPerDay)).toBeNull();
  clearLost(paths);
  expect(lostEvents(paths, atMs)).toBeNull();
  noteLost(paths, events("stop"), { atMs, why: "full" });
  expect(lostEvents(paths, atMs)).toBe("1 event was lost at 2026-11-22T22:05Z: the spool was full");
});

test("the note never outgrows its block, and then says that there was more; without a note nothing is made", () => {
  using home = openHome();
  const { paths } = home;
  for (let n = 0; n < 300; n += 1) noteLost(paths, events("submit"), { atMs, why: "ENOSPC" });
  const { length } = readFileSync(lostNotePath(paths));
  expect(length).toBeLessThanOrEqual(lostNoteBytesMax);
  expect(lostEvents(paths, atMs)).toMatch(/^at least 1\d\d prompts were lost at /);
  rmSync(lostNotePath(paths));
  noteLost(paths, events("submit"), { atMs, why: "ENOSPC" });
  expect(lostEvents(paths, atMs)).toBeNull();
  clearLost(paths);
});
