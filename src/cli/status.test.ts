/** Tests what `status` always says, what it says once, and the command that it names. */
import { expect, test } from "bun:test";
import { openTestCli } from "../../test/support/cli.ts";
import { testNowMs } from "../../test/support/service.ts";

test("status says who answers, and what was asked as soon as something was", async () => {
  using cli = openTestCli();
  const line = async () => /^model +(.*)$/m.exec((await cli.run(["status"])).out)?.[1];
  expect(await line()).toBe("none: default");
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
  expect(await line()).toBe("none: default; 360 in 30 days");
});

test("status says that nothing records where no agent has the hooks, whatever came before", async () => {
  using cli = openTestCli();
  const ran = await cli.run(["status"], { deps: { isInstalled: async () => false } });
  expect(ran.out).toStartWith("recording  off, no agent has the hooks: run `continuity install`\n");
});
