/** The documented JSON forms of background work: jobs and what models cost (see json.ts for the conventions). */
import type { Job } from "#domain";
import type { BudgetJson } from "./json-reports.ts";

export interface JobJson {
  readonly id: number;
  readonly key: string;
  readonly kind: string;
  readonly session_id: string | null;
  readonly state: Job["state"];
  /** The attempt that runs, or the last one that ran. */
  readonly attempt: number;
  readonly run_after: number;
  readonly created_at: number;
  /** Why it failed or waits, or null. */
  readonly reason: string | null;
}

export interface JobsJson {
  readonly counts: Readonly<Record<string, number>>;
  /** Parked after three failures, the latest first. */
  readonly parked: readonly JobJson[];
  /** Waiting or running, the oldest first. */
  readonly open: readonly JobJson[];
}

export interface JobsChangedJson {
  /** How many were queued again, or given up. */
  readonly changed: number;
}

export interface UsageLineJson {
  /** UTC, `YYYY-MM-DD`. */
  readonly day: string;
  readonly purpose: string;
  readonly model: string;
  readonly calls: number;
  /** Calls of these that brought nothing. */
  readonly failed: number;
  /** Calls of these whose tokens are an estimate: the provider did not count them. */
  readonly estimated: number;
  readonly tokens_in: number;
  readonly tokens_out: number;
  /** US dollars; null = no price is known. */
  readonly cost_usd: number | null;
}

export interface UsageJson {
  readonly since: number;
  /** The newest day first. */
  readonly items: readonly UsageLineJson[];
  readonly total: Omit<UsageLineJson, "day" | "purpose" | "model">;
  readonly budget: BudgetJson;
  /** The same by day, oldest first, days without calls left out. */
  readonly days: readonly Omit<UsageLineJson, "purpose" | "model">[];
}

export interface TrialJson {
  readonly purpose: string;
  /** Null when it was answered as it should be. */
  readonly error: string | null;
  readonly provider: string;
  readonly model: string | null;
  readonly latency_ms: number | null;
  readonly tokens_in: number;
  readonly tokens_out: number;
  /** True when the provider did not count the tokens. */
  readonly estimated: boolean;
  readonly cost_usd: number | null;
}
