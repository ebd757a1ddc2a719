import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultSettings, type Job, type LastCall, type LlmSettings, type Store } from "#domain";
import { faultOf } from "./fault.ts";
import { testContext } from "../../test/support/context.ts";

const folders: string[] = [];
afterEach(() => {
  for (const path of folders.splice(0)) rmSync(path, { recursive: true });
});

const nowMs = Date.parse("2026-03-02T09:00:00Z");

interface Case {
  readonly provider?: LlmSettings["provider"];
  readonly outcome?: string;
  readonly agoMs?: number;
  readonly isUsable?: boolean;
  readonly parked?: readonly Partial<Job>[];
  readonly isKnown?: boolean;
}

function lineIn(given: Case): string | null {
  const { provider = "claude-cli", outcome = "ok", agoMs = 1_000, isUsable = true } = given;
  const root = mkdtempSync(join(tmpdir(), "continuity-fault-"));
  folders.push(root);
  const settings = { ...defaultSettings, llm: { ...defaultSettings.llm, provider } };
  const last: LastCall = {
    atMs: nowMs - agoMs,
    model: "m",
    outcome,
    provider: provider === "auto" ? "ollama" : provider,
    purpose: "session",
  };
  const fault = faultOf(
    {
      ...testContext(root, nowMs),
      settings: {
        current: () => settings,
        isKnown: () => given.isKnown ?? true,
        warnings: () => [],
      },
    },
    {
      ledger: { last: () => last },
      jobs: { parked: () => given.parked ?? [] },
    } as unknown as Store,
    isUsable,
  );
  return fault?.line ?? null;
}

test("a model that fails is told in one line with the next step", () => {
  expect(lineIn({ outcome: "llm.unauthorised" })).toBe(
    "claude-cli is not logged in; run `claude auth login`",
  );
  expect(lineIn({ provider: "anthropic", outcome: "llm.unauthorised" })).toMatch(
    /^anthropic refuses the key; check the key in .*\/keys\/anthropic$/,
  );
  expect(lineIn({ outcome: "llm.rate-limited" })).toBe(
    "claude-cli has reached its rate limit; what waits is asked later, see `continuity status --jobs`",
  );
  expect(lineIn({ outcome: "llm.timeout", isUsable: false })).toBe(
    "claude-cli fails; run `continuity status --test-model`",
  );
  expect(lineIn({ provider: "auto", isUsable: false })).toBe(
    "no model can be had; run `continuity doctor`",
  );
});

test("sessions whose questions were given up are counted, each once", () => {
  const parked = [
    { kind: "session" as const, sessionId: "a", id: 1 },
    { kind: "session" as const, sessionId: "a", id: 2 },
    { kind: "session" as const, sessionId: "b", id: 3 },
    { kind: "transcript" as const, sessionId: "c", id: 4 },
  ];
  expect(lineIn({ parked })).toBe(
    "2 sessions have no answer of the model after three tries; run `continuity status --jobs retry`",
  );
});

test("what may be over, or concerns nobody, is no fault", () => {
  expect(lineIn({})).toBeNull();
  expect(lineIn({ outcome: "llm.timeout" })).toBeNull();
  expect(lineIn({ outcome: "llm.unauthorised", agoMs: 86_400_001 })).toBeNull();
  expect(lineIn({ provider: "none", outcome: "llm.unauthorised" })).toBeNull();
});

test("capture comes before the model", () => {
  expect(lineIn({ isKnown: false, outcome: "llm.unauthorised" })).toStartWith("config.toml");
});
