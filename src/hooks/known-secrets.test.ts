import { expect, test } from "bun:test";
import { appendFileSync, closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { msPerDay } from "#kit";
import { testHome } from "../../test/support/hooks.ts";
import { addKnownSecrets, inheritKnownSecrets, knownSecretsOf } from "./known-secrets.ts";
import { sweepPrivateMarks } from "./private-turn.ts";

const nowMs = Date.parse("2026-09-15T10:00:00Z");
const inDays = (session: string, days: number) => ({ session, nowMs: nowMs + days * msPerDay });

const filesOf = (folder: string): readonly string[] =>
  readdirSync(`${folder}/private`).filter((name) => name !== "salt");

test("a session that goes on keeps its own secrets, however many others had", () => {
  using home = testHome();
  const { paths } = home;
  addKnownSecrets(paths, inDays("own", 0), ["Plum.Harbor.7"]);
  const many = Array.from({ length: 500 }, (_, n) => `Other.Quay.${n + 1_000}`);
  addKnownSecrets(paths, inDays("other", 0), many);
  inheritKnownSecrets(paths, inDays("own", 0));
  const known = knownSecretsOf(paths, "own");
  expect(known?.has("plum.harbor.7")).toBe(true);
  expect(known?.has("other.quay.1499")).toBe(true);
});

test("a secret lapses 90 days after it was said, however often its session goes on", () => {
  using home = testHome();
  const { paths } = home;
  addKnownSecrets(paths, inDays("first", 0), ["Plum.Harbor.7"]);
  inheritKnownSecrets(paths, inDays("second", 29));
  inheritKnownSecrets(paths, inDays("third", 58));
  expect(knownSecretsOf(paths, "second")?.has("plum.harbor.7")).toBe(true);
  expect(knownSecretsOf(paths, "third")).toBeNull();
  sweepPrivateMarks(paths, inDays("", 90).nowMs);
  expect(knownSecretsOf(paths, "second")?.has("plum.harbor.7")).toBe(true);
  sweepPrivateMarks(paths, inDays("", 91).nowMs);
  expect(filesOf(paths.spool)).toEqual([]);
});

test("a secret that is said again lapses 90 days later; others of its session go before", () => {
  using home = testHome();
  const { paths } = home;
  addKnownSecrets(paths, inDays("own", 0), ["Plum.Harbor.7", "Other.Quay.8"]);
  addKnownSecrets(paths, inDays("own", 50), ["Plum.Harbor.7"]);
  sweepPrivateMarks(paths, inDays("", 100).nowMs);
  const known = knownSecretsOf(paths, "own");
  expect(known?.has("plum.harbor.7")).toBe(true);
  expect(known?.has("other.quay.8")).toBe(false);
});

test("of two processes that add at once neither loses its secrets", () => {
  using home = testHome();
  const { paths } = home;
  addKnownSecrets(paths, inDays("theirs", 0), ["Other.Quay.8"]);
  const [theirs = ""] = filesOf(paths.spool);
  const line = readFileSync(`${paths.spool}/private/${theirs}`, "utf8");
  addKnownSecrets(paths, inDays("own", 0), ["Plum.Harbor.7"]);
  const own = filesOf(paths.spool).find((name) => name !== theirs) ?? "";
  const other = openSync(`${paths.spool}/private/${own}`, "a");
  addKnownSecrets(paths, inDays("own", 0), ["Kite.Blue.9"]);
  appendFileSync(other, line);
  closeSync(other);
  const known = knownSecretsOf(paths, "own");
  for (const value of ["plum.harbor.7", "kite.blue.9", "other.quay.8"])
    expect(known?.has(value)).toBe(true);
});

test("a file of secrets leaves nothing beside it when the daemon makes it smaller", () => {
  using home = testHome();
  const { paths } = home;
  for (const days of [0, 80]) addKnownSecrets(paths, inDays("own", days), [`Plum.Harbor.${days}`]);
  sweepPrivateMarks(paths, inDays("", 100).nowMs);
  expect(filesOf(paths.spool)).toHaveLength(1);
  expect(knownSecretsOf(paths, "own")?.has("plum.harbor.80")).toBe(true);
});
