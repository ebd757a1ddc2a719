/** The record of a turn answers for the observations, moments and narratives of earlier versions. */
import { expect, test } from "bun:test";
import { openTestService, testNowMs, type TestService } from "../../../test/support/service.ts";

const session = "s-1";

function withTurn(t: TestService): void {
  t.store.sessions.upsert({ sessionId: session, atMs: testNowMs });
  t.store.sessions.addTurn({
    sessionId: session,
    n: 1,
    promptId: null,
    line: null,
    status: "closed",
    startedAt: testNowMs,
    endedAt: testNowMs,
    prompt: "round the tax half-even",
    answer: "Done.",
    toolCount: 2,
    filesRead: ["src/cart.ts"],
    filesEdited: ["src/tax.ts"],
  });
  t.add({
    uri: `mem://sessions/${session}/exchanges/1`,
    l0: "round the tax half-even → Done.",
    l2: "Committed: fix(tax): round half-even",
    category: "sessions",
    maker: "stop",
    sourceSession: session,
    tags: ["iteration", "bugfix", "half-even"],
  });
}

test("a session tells what the tools of each turn brought about", () => {
  using t = openTestService();
  withTurn(t);
  t.add({
    uri: `mem://sessions/${session}/exchanges/2`,
    l0: "what is a tide? → The rise of the sea.",
    category: "sessions",
    maker: "stop",
    sourceSession: session,
    tags: ["routine"],
  });
  const found = t.service.session(session);
  expect(found).toMatchObject({ ok: true });
  expect(found.ok && found.value.observations).toMatchObject([
    {
      id: 1,
      turn: 1,
      type: "bugfix",
      title: "round the tax half-even → Done.",
      facts: ["Committed: fix(tax): round half-even"],
      concepts: ["half-even"],
      files_read: ["src/cart.ts"],
      files_modified: ["src/tax.ts"],
    },
  ]);
});

test.each(["moments", "narrative", "observations"])(
  "an address among the former %s leads to what is kept of that turn",
  (part) => {
    using t = openTestService();
    withTurn(t);
    const uri = `mem://sessions/${session}/${part}/1`;
    const read = t.service.read(uri, { use: false, nowMs: testNowMs });
    expect(read).toMatchObject({
      ok: true,
      value: { uri: `mem://sessions/${session}/exchanges/1` },
    });
    // A step that cannot be undone goes by the very address.
    expect(t.service.forget([uri], testNowMs)).toMatchObject({ ok: false });
    expect(t.service.read(uri.replace("/1", "/9"), { use: false, nowMs: testNowMs }).ok).toBe(
      false,
    );
  },
);

test("an exchange says when it stops being given", () => {
  using t = openTestService();
  withTurn(t);
  const read = t.service.read(`mem://sessions/${session}/exchanges/1`, {
    use: false,
    nowMs: testNowMs,
  });
  expect(read.ok && read.value.expires_at).toBe(testNowMs + 30 * 86_400_000);
});
