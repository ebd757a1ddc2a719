/** All links in order, and the report that is made of them. */
import type { Check } from "./check.ts";
import type { Facts } from "./facts.ts";
import { homeChecks } from "./home-checks.ts";
import { hookChecks, latencyOf } from "./hook-checks.ts";
import { installChecks } from "./install-checks.ts";
import type { SelfTest } from "./self-test.ts";
import { storeChecks } from "./store-checks.ts";

/** What one hook did, for programs. Times are epoch milliseconds, latencies milliseconds. */
export interface HookLine {
  readonly hook: string;
  readonly last_at: number;
  readonly count: number;
  readonly in_last_session: number;
  readonly last_ms: number | null;
  readonly median_ms: number | null;
  readonly p95_ms: number | null;
}

export interface Diagnosis {
  /** False when something is red. */
  readonly ok: boolean;
  readonly version: string;
  readonly checks: readonly Check[];
  readonly hooks: readonly HookLine[];
  readonly self_test: readonly {
    readonly event: string;
    readonly ms: number;
    readonly fault: string | null;
  }[];
}

/** Judges facts and the self-test together. Pure. */
export function diagnose(facts: Facts, tested: SelfTest): Diagnosis {
  const checks = [
    ...installChecks(facts),
    ...hookChecks(facts),
    ...homeChecks(facts),
    ...storeChecks(facts),
    tested.check,
  ];
  return {
    ok: checks.every(({ state }) => state !== "failed"),
    version: facts.version,
    checks,
    hooks: facts.store.hooks.map((hook) => {
      const { lastMs, medianMs, p95Ms } = latencyOf(hook);
      return {
        hook: hook.hook,
        last_at: hook.lastMs,
        count: hook.count,
        in_last_session: facts.store.lastSession?.fired.get(hook.hook) ?? 0,
        last_ms: lastMs,
        median_ms: medianMs,
        p95_ms: p95Ms,
      };
    }),
    self_test: tested.hooks,
  };
}
