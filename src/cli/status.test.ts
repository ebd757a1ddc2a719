/** What `status` always says, what it says once, and the command that it names. */
import { expect, test } from "bun:test";
import { openTestCli } from "../../test/support/cli.ts";
import { testNowMs } from "../../test/support/service.ts";
import { saveSentences } from "#domain";

test("status always says who answers, and what was asked today and in thirty days", async () => {
  using cli = openTestCli();
  const line = async () => /^model +(.*)$/m.exec((await cli.run(["status"])).out)?.[1];
  expect(await line()).toBe("none (default); today 0 calls, 0 tokens; 30 days 0 calls, 0 tokens");
  const call = (daysAgo: number) =>
    cli.server.t.store.ledger.add({
      atMs: testNowMs - daysAgo * 86_400_000,
      purpose: "session",
      provider: "ollama",
      model: "small",
      sessionId: null,
      inputTokens: 100,
      outputTokens: 20,
      isEstimate: false,
      costUsd: null,
      latencyMs: 5,
      outcome: "ok",
    });
  for (const daysAgo of [0, 0, 29, 31]) call(daysAgo);
  expect(await line()).toBe(
    "none (default); today 2 calls, 240 tokens; 30 days 3 calls, 360 tokens",
  );
});

test("status tells once that sentences moved, and revert brings them back", async () => {
  using cli = openTestCli();
  const { store } = cli.server.t;
  const cause = { atMs: testNowMs, action: "archive", by: "system", reason: "" } as const;
  const { id } = store.nodes.insert(
    {
      uri: "mem://user/entities/port",
      category: "entities",
      project: null,
      l0: "The port is 5544",
      origin: "user",
      maker: "stop",
    },
    { ...cause, action: "create" },
  );
  store.nodes.update(id, { category: "sessions", uri: `mem://sessions/sentences/${id}` }, cause);
  saveSentences(store, { upTo: id, moved: 1, captured: 1, isDone: true, isTold: false, round: 2 });
  const told =
    /1 sentence that earlier versions had taken.+`continuity revert --sentences` brings all/;
  expect((await cli.run(["status", "--json"])).out).toContain(
    '"sentences":{"moved":1,"told":false}',
  );
  const first = await cli.run(["status"]);
  expect(first.out).toMatch(told);
  expect(first.out).toMatch(/archive +0 exchanges/);
  expect((await cli.run(["status"])).out).not.toMatch(told);
  expect((await cli.run(["revert", "--sentences"])).out).toBe(
    "1 sentence came back as memories.\n",
  );
  expect(store.nodes.byId(id)?.uri).toBe("mem://user/entities/port");
  expect((await cli.run(["revert", "--sentences"])).out).toContain("No sentences");
});

test.each([{ argv: ["revert"] }, { argv: ["revert", "mem://user/entities/port", "--sentences"] }])(
  "$argv: one memory or all sentences, never neither or both",
  async ({ argv }) => {
    using cli = openTestCli();
    expect((await cli.run(argv)).status).toBe(2);
  },
);
