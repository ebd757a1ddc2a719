import { expect, test } from "bun:test";
import { defaultSettings } from "#domain";
import { err, ok } from "#kit";
import { llmPlaceOf } from "#api/server";
import { openTestCli, type TestCli } from "../../test/support/cli.ts";
import type { Local } from "./local.ts";
import { testNowMs } from "../../test/support/service.ts";

const park = ({ server }: TestCli): number => {
  const { jobs } = server.t.store;
  jobs.enqueue({ key: "k", kind: "session", sessionId: "s-9", payload: {}, runAfterMs: 0 });
  let id = 0;
  for (let failures = 0; failures < 3; failures += 1) {
    id = jobs.lease(testNowMs + failures * 60_000, 1, "model")?.id ?? 0;
    jobs.fail(id, "llm.refused: no such model", testNowMs + failures * 60_000);
  }
  return id;
};

test("jobs lists what failed with its reason, retries it and gives it up", async () => {
  using cli = openTestCli();
  expect((await cli.run(["jobs"])).out).toBe("No pending or failed jobs.\n");
  const id = park(cli);
  const listed = await cli.run(["jobs", "list"]);
  for (const part of [`${id}`, "ask the model", "failed", "s-9", "no such model"])
    expect(listed.out).toContain(part);
  expect(await cli.run(["jobs", "retry", `${id}`])).toMatchObject({
    status: 0,
    out: "Queued again: 1 job.\n",
    needs: ["write"],
  });
  expect((await cli.run(["jobs", "drop", `${id}`])).status).toBe(1);
  expect((await cli.run(["jobs", "--json"])).out).toContain('"state":"queued"');
});

test.each([[["jobs", "retry", "99"]], [["jobs", "drop", "99"]]])(
  "%p: no such job fails",
  async (args) => {
    using cli = openTestCli();
    const ran = await cli.run(args);
    expect(ran).toMatchObject({ status: 1, out: "" });
    expect(ran.err).toMatch(/^.*no .*failed job has the number 99.*\n(next: .*\n)?$/);
  },
);

test.each(["drop all", "retry -1", "list x y", "burn"])(
  "jobs %s: what makes no sense is misuse or ignored, never a fault",
  async (line) => {
    using cli = openTestCli();
    const ran = await cli.run(["jobs", ...line.split(" ")]);
    expect([0, 2]).toContain(ran.status);
  },
);

test("usage shows a line for each day, purpose and model, and the sum", async () => {
  using cli = openTestCli();
  expect((await cli.run(["usage"])).out).toBe("No model calls.\n");
  cli.server.t.store.ledger.add({
    atMs: testNowMs,
    purpose: "session",
    provider: "gemini",
    model: "small-2",
    sessionId: "s",
    inputTokens: 4_200,
    outputTokens: 310,
    isEstimate: false,
    costUsd: 0.0123,
    latencyMs: 900,
    outcome: "ok",
  });
  const ran = await cli.run(["usage", "--since", "7d"]);
  for (const part of ["2026-09-15", "session", "small-2", "4200", "310", "$0.0123", "total"])
    expect(ran.out).toContain(part);
  expect((await cli.run(["usage", "--since", "yesterdayish"])).status).toBe(2);
});

test("llm test asks one question and says why there is no answer; without a model it says what to do", async () => {
  using cli = openTestCli();
  expect(await cli.run(["llm", "test"])).toMatchObject({ status: 1, out: "" });
  let asked = 0;
  const place = llmPlaceOf("ollama", defaultSettings.llm, "/home/nadia/.continuity");
  const { deps } = cli.server.t;
  Object.assign(deps.models, {
    language: () => ({ provider: "ollama", reason: "as asked", tokensPerDay: 1, place }),
  });
  const usage = {
    provider: "ollama",
    model: "m",
    inputTokens: 5,
    outputTokens: 2,
    isEstimate: false,
    costUsd: null,
    latencyMs: 3,
  };
  Object.assign(deps.work, {
    tryModel: async () => {
      asked += 1;
      return asked > 1 ? err({ type: "llm.timeout", afterMs: 60_000 }) : ok(usage);
    },
  });
  expect((await cli.run(["llm", "test"])).out).toBe(
    "ok     session     3 ms, 5 in, 2 out, -, ollama m\n",
  );
  const ran = await cli.run(["llm", "test"]);
  expect(asked).toBe(2);
  expect(ran.status).toBe(1);
  expect(ran.out).toContain("failed session     no answer from http://localhost:11434 within 60 s");
});

test.each([
  ["anthropic", "anthropic is configured, but no key: put it into /h/keys/anthropic, mode 0600"],
  ["gemini", "gemini is configured, but no key: put it into /h/keys/gemini, mode 0600"],
  ["openrouter", "openrouter is configured, but no key: put it into /h/keys/openrouter, mode 0600"],
  [
    "ollama",
    "ollama is configured, but llm.ollama.endpoint: localhost:// is no address of a model",
  ],
  ["auto", "auto found none that works (ollama: no Ollama answers): set up one of them"],
])("llm test with %s that cannot be had names one next step", async (provider, reason) => {
  using cli = openTestCli();
  const { deps } = cli.server.t;
  const language = { ...deps.models.language(), provider: "none", reason };
  Object.assign(deps.models, { language: () => language });
  const config: Local["config"] = {
    path: () => "config.toml",
    get: (key) => [{ key: key ?? "", value: JSON.stringify(provider), source: "file" }],
    set: (key, value) => ({ key, value, source: "file" }),
    edit: async () => undefined,
  };
  const ran = await cli.run(["llm", "test"], { deps: { config } });
  expect(ran).toMatchObject({ status: 1, out: "", err: `error: no language model: ${reason}\n` });
});
