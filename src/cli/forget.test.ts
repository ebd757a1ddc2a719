import { expect, test } from "bun:test";
import type { Local } from "./local.ts";
import { shortIdOf } from "#domain";
import { openTestCli, type TestCli } from "../../test/support/cli.ts";
import { testNowMs } from "../../test/support/service.ts";

const uri = "mem://user/entities/db";

const open = (): TestCli => {
  const cli = openTestCli();
  cli.server.t.add({ uri, l0: "The staging database listens on port 5433" });
  cli.server.t.add({ uri: "mem://user/entities/mail", l0: "The mail server runs on port 2525" });
  return cli;
};

const left = (cli: TestCli): number => cli.server.t.store.nodes.count({});

test("without a terminal forgetting needs --yes", async () => {
  using cli = open();
  const refused = await cli.run(["forget", uri]);
  expect([refused.status, left(cli)]).toEqual([2, 2]);
  expect(refused.err).toContain("add --yes");
  const forgotten = await cli.run(["forget", "--yes", uri]);
  expect([forgotten.status, forgotten.out, left(cli)]).toEqual([0, `Forgotten: ${uri}\n`, 1]);
});

test.each([
  { answer: "y", status: 0, remaining: 1 },
  { answer: "YES", status: 0, remaining: 1 },
  { answer: "", status: 1, remaining: 2 },
  { answer: "n", status: 1, remaining: 2 },
  { answer: "maybe yes", status: 1, remaining: 2 },
])("on a terminal $answer leaves $remaining", async ({ answer, status, remaining }) => {
  using cli = open();
  const ran = await cli.run(["forget", uri], { answers: [answer] });
  expect(ran.asked).toEqual(["Delete it permanently? [y/N] "]);
  expect(ran.err).toContain(`The staging database listens on port 5433\n   ${uri}`);
  expect([ran.status, left(cli)]).toEqual([status, remaining]);
});

test("words list what matches, and the person chooses", async () => {
  using cli = open();
  const none = await cli.run(["forget", "staging", "database"], { answers: [""] });
  expect([none.status, left(cli)]).toEqual([1, 2]);
  expect(none.err).toContain(`1. The staging database listens on port 5433\n   ${uri}`);
  const chosen = await cli.run(["forget", "staging", "database"], { answers: ["1"] });
  expect([chosen.status, chosen.out, left(cli)]).toEqual([0, `Forgotten: ${uri}\n`, 1]);
});

test("words offer what holds one of them, not what is only near in meaning", async () => {
  using cli = open();
  cli.server.t.add({ uri: "mem://user/preferences/pm", l0: "I prefer pnpm to npm" });
  const ran = await cli.run(["forget", "port"]);
  expect(ran.err).toContain("listens on port 5433");
  expect(ran.err).not.toContain("pnpm");
  const none = await cli.run(["forget", "zeppelin"]);
  expect(none).toMatchObject({ status: 1, err: 'error: nothing matches "zeppelin"\n' });
});

test("a directory whose only memory was forgotten is none of the tree", async () => {
  using cli = open();
  cli.server.t.add({ uri: "mem://user/preferences/pm", l0: "I prefer pnpm to npm" });
  await cli.run(["forget", "--yes", "mem://user/preferences/pm"]);
  const { out } = await cli.run(["list", "--tree"]);
  expect(out).toContain("entities/ (2)");
  expect(out).not.toContain("preferences/");
});

test("words alone never destroy anything, not even with --yes", async () => {
  using cli = open();
  const ran = await cli.run(["forget", "--yes", "staging"]);
  expect([ran.status, left(cli)]).toEqual([2, 2]);
  expect(ran.err).toContain("name the URIs");
});

const idOf = (cli: TestCli, at = uri): string =>
  shortIdOf(cli.server.t.store.nodes.byUri(at)?.id ?? 0);

test("a short id names what it names in a list, and is never taken as words", async () => {
  using cli = open();
  const forgotten = await cli.run(["forget", "--yes", idOf(cli)]);
  expect(forgotten).toMatchObject({ status: 0, out: `Forgotten: ${uri}\n` });
  const digits = idOf(cli, "mem://user/entities/mail").slice(1);
  expect(digits).toMatch(/^\d+$/);
  expect(await cli.run(["forget", "--yes", digits])).toMatchObject({ status: 0 });
  expect(left(cli)).toBe(0);
});

test("an id without a memory, or a mere beginning of a URI, forgets nothing", async () => {
  using cli = open();
  for (const what of ["#zzz", "4711", "mem://user/entities/d"]) {
    const ran = await cli.run(["forget", "--yes", what]);
    expect(ran).toMatchObject({ status: 1, out: "" });
    expect(ran.err).toContain("No memory at");
  }
  expect(left(cli)).toBe(2);
});

test("--last is the memory that was made last, and it is shown before it goes", async () => {
  using cli = open();
  const { t } = cli.server;
  const cause = { atMs: testNowMs + 9, action: "edit", by: "user", reason: "test" } as const;
  t.store.nodes.update(t.store.nodes.byUri(uri)?.id ?? 0, { importance: 5 }, cause);
  const kept = await cli.run(["forget", "--last"], { answers: ["n"] });
  expect(kept.err).toContain("The mail server runs on port 2525");
  expect(left(cli)).toBe(2);
  const gone = await cli.run(["forget", "--last", "--yes"]);
  expect(gone.out).toContain("Forgotten: mem://user/entities/mail");
  expect((await cli.run(["forget", "--last", "words"])).status).toBe(2);
  expect((await cli.run(["forget"])).status).toBe(2);
});

/** A prompt in other words, which repeats no sentence of the memory. */
const withRepeat = (cli: TestCli): void => {
  const { t } = cli.server;
  t.add({ uri: "mem://user/entities/safe", l0: "The orchid safe opens with quuxflamingo" });
  for (const [n, prompt] of [
    "where is the orchid safe, does it open with quuxflamingo?",
    "where is the red door?",
    "the orchid house needs water",
    "what opens the garage?",
    "run the tests of the mail server",
  ].entries()) {
    t.store.sessions.upsert({ sessionId: `s${n}`, project: "p", atMs: testNowMs });
    t.store.sessions.openTurn({ sessionId: `s${n}`, promptId: null, prompt, atMs: testNowMs });
  }
};
const safe = "mem://user/entities/safe";
const prompts = (cli: TestCli): readonly (string | null | undefined)[] =>
  [0, 1, 2, 3, 4].map((n) => cli.server.t.store.sessions.turn(`s${n}`, 1)?.prompt);

test("what says nearly the same is named, and goes only when the person wants it", async () => {
  using cli = open();
  withRepeat(cli);
  const ran = await cli.run(["forget", "--yes", safe]);
  expect(ran.status).toBe(0);
  expect(ran.err).toContain("does it open with quuxflamingo?\n   mem://sessions/s0/turns/1");
  for (const other of ["garage", "red door", "needs water"]) expect(ran.err).not.toContain(other);
  expect(prompts(cli)[0]).toContain("quuxflamingo");
  const also = await cli.run(["forget", "--yes", "mem://sessions/s0/turns/1"]);
  expect(also.out).toBe("Forgotten: mem://sessions/s0/turns/1\n");
  expect(prompts(cli)).toEqual([
    null,
    "where is the red door?",
    "the orchid house needs water",
    "what opens the garage?",
    "run the tests of the mail server",
  ]);
});

test("on a terminal it asks about each, and --similar takes them without asking", async () => {
  using cli = open();
  withRepeat(cli);
  const ran = await cli.run(["forget", safe], { answers: ["y", "1"] });
  expect(ran.asked[1]).toBe("Delete which of them as well? (numbers, all, or nothing) ");
  expect(prompts(cli)[0]).toBeNull();
  using again = open();
  withRepeat(again);
  const flagged = await again.run(["forget", "--yes", "--similar", "--json", safe]);
  expect(JSON.parse(flagged.out)).toMatchObject({
    forgotten: [safe, "mem://sessions/s0/turns/1", "mem://words/quuxflamingo"],
    similar: [],
    notes: [],
    backups: [],
    cleaned: [],
  });
  expect(prompts(again)[0]).toBeNull();
});

/** Two backups hold it until they are cleaned. */
const keeping = (): { readonly keep: Local["keep"]; readonly asked: unknown[] } => {
  let isClean = false;
  const asked: unknown[] = [];
  const keep: Partial<Local["keep"]> = {
    backupsHolding: (texts) => {
      asked.push(texts);
      return isClean ? [] : [{ path: "/b/one.db", state: "holds" }];
    },
    cleanBackups: (paths) => {
      isClean = true;
      return { cleaned: paths ?? ["/b/one.db"], failed: [] };
    },
  };
  return { keep: keep as Local["keep"], asked };
};

test("backups that hold it are named, and cleaned in the same command", async () => {
  using cli = open();
  const { keep, asked } = keeping();
  const named = await cli.run(["forget", "--yes", uri], { deps: { keep } });
  expect(named.err).toContain("These backups still hold it");
  expect(named.err).toContain("/b/one.db");
  expect(asked[0]).toEqual(["The staging database listens on port 5433"]);
  const alone = await cli.run(["forget", "--backups"], { deps: { keep } });
  expect(alone).toMatchObject({ status: 0, out: "Cleaned 1 backup.\n" });
});

test.each([
  { argv: ["--yes", "--backups"], answers: [], asks: false },
  { argv: [], answers: ["y", "y"], asks: true },
])("with $argv a backup is cleaned", async ({ argv, answers, asks }) => {
  using cli = open();
  const { keep } = keeping();
  const ran = await cli.run(["forget", ...argv, uri], { deps: { keep }, answers });
  expect(ran.out).toContain("Cleaned: 1 backup.");
  expect(ran.asked.some((question) => question.includes("1 backup"))).toBe(asks);
  expect(ran.err).not.toContain("still hold");
});

test("URIs and words are not mixed", async () => {
  using cli = open();
  expect((await cli.run(["forget", "--yes", uri, "mail"])).status).toBe(2);
  expect(left(cli)).toBe(2);
});

test("a wrong URI among them forgets nothing", async () => {
  using cli = open();
  const ran = await cli.run(["forget", "--yes", "--json", uri, "mem://user/entities/none"]);
  expect([ran.status, ran.out, left(cli)]).toEqual([1, "", 2]);
});
