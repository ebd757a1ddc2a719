/** `stats --memory`, from the person's side. */
import { expect, test } from "bun:test";
import { openTestCli, type TestCli } from "../../test/support/cli.ts";
import { testNowMs } from "../../test/support/service.ts";
import { msPerDay } from "#kit";

const uri = "mem://user/entities/port";

/** Three sessions that were given the same memory; `used` of them went by it. */
function given({ server: { t } }: TestCli, used: number): void {
  t.clock.advance(-10 * msPerDay);
  t.add({ uri, l0: "The api listens on port 7001" });
  t.clock.advance(10 * msPerDay);
  const nodeId = t.store.nodes.byUri(uri)?.id ?? 0;
  for (const n of [0, 1, 2]) {
    const sessionId = `s${n}`;
    t.store.sessions.upsert({ sessionId, project: null, atMs: testNowMs });
    const { id } = t.store.sessions.openTurn({
      sessionId,
      promptId: sessionId,
      prompt: "call it",
      atMs: testNowMs,
    });
    t.store.sessions.updateTurn(id, { answer: n < used ? "Port 7001 answers." : "Done." });
    t.store.exposure.add([{ sessionId, nodeId, uri, channel: "prompt", atMs: testNowMs }]);
  }
}

test("stats --memory says what was sent and what was used of it", async () => {
  using cli = openTestCli();
  given(cli, 1);
  const ran = await cli.run(["stats", "--memory"]);
  expect(ran.out).toContain("3 sessions");
  expect(ran.out).toMatch(/At a prompt\n {2}sent +3\n {2}used +1 \(33 %\)\n {2}contradicted +0\n/);
  const json = JSON.parse((await cli.run(["stats", "--memory", "--json"])).out) as object;
  expect(json).toMatchObject({ prompt: { given: 3, used: 1 }, missed: 0 });
  expect((await cli.run(["stats", "--memory", "--days", "91"])).status).toBe(2);
});

test("a list of one memory's prompts tells the same use", () => {
  using cli = openTestCli();
  given(cli, 1);
  const { service, store } = cli.server.t;
  for (const n of [0, 1, 2])
    store.exposure.addInjection({
      sessionId: `s${n}`,
      atMs: testNowMs,
      channel: "prompt",
      cause: "wanted",
      text: "x",
      tokens: 3,
      reasons: "{}",
    });
  const listed = service.injections({ uri, limit: 10 });
  const uses = listed.ok ? listed.value.items.map(({ session_id: id, used }) => [id, used]) : [];
  expect(Object.fromEntries(uses)).toEqual({ s0: true, s1: false, s2: false });
});

test("it names what cost and never helped with the next step", async () => {
  using cli = openTestCli();
  expect((await cli.run(["stats", "--memory"])).out).not.toContain("never helped");
  given(cli, 0);
  const { out } = await cli.run(["stats", "--memory"]);
  expect(out).toContain("Cost tokens and never helped  continuity forget URI\n");
  expect(out).toContain(`  The api listens on port 7001\n    ${uri}  sent 3, used 0, `);
});
