/** The ledger of model calls: what each was for, what it cost and how it ended. Numbers and names; never a prompt. */
import type { LlmLedger, LlmPurpose, ProviderName } from "#domain";
import { onClock, type Sql } from "./sql.ts";

/** Day, purpose and model: some hundred lines a month at most. */
const usageLinesMax = 10_000;

interface UsageRow {
  readonly day: string;
  readonly purpose: LlmPurpose;
  readonly model: string;
  readonly calls: number;
  readonly failed: number;
  readonly estimated: number;
  readonly tokens_in: number;
  readonly tokens_out: number;
  readonly cost_usd: number | null;
}

interface LastRow {
  readonly at_ms: number;
  readonly model: string;
  readonly outcome: string;
  readonly provider: ProviderName;
  readonly purpose: LlmPurpose;
}

/** The LlmLedger port. */
export const createLedger = (sql: Sql): LlmLedger => ({
  add: (call) =>
    void sql.run(
      `INSERT INTO llm_calls (at_ms, purpose, provider, model, session_id, tokens_in, tokens_out, cost_usd, latency_ms,
                              outcome, estimated)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      call.atMs,
      call.purpose,
      call.provider,
      call.model,
      call.sessionId,
      call.inputTokens,
      call.outputTokens,
      call.costUsd,
      call.latencyMs,
      call.outcome,
      call.isEstimate ? 1 : null,
    ),
  tokensSince: (sinceMs, sessionId) =>
    sql.get<{ readonly tokens: number }>(
      `SELECT coalesce(sum(tokens_in + tokens_out), 0) AS tokens FROM llm_calls
        WHERE at_ms >= ? ${sessionId === null ? "" : "AND session_id = ?"}`,
      sinceMs,
      ...(sessionId === null ? [] : [sessionId]),
    )?.tokens ?? 0,
  last: () => {
    const row = sql.get<LastRow>(
      `SELECT at_ms, model, outcome, provider, purpose FROM llm_calls ORDER BY id DESC LIMIT 1`,
    );
    if (row === undefined || row === null) return null;
    const { at_ms: atMs, ...call } = row;
    return { atMs, ...call };
  },
  usage: (sinceMs, days) =>
    sql
      .all<UsageRow>(
        // sum() of nothing but NULL is NULL: where no price is known, none is shown.
        `SELECT date(${onClock("at_ms", days)} / 1000, 'unixepoch') AS day, purpose, model, count(*) AS calls,
                count(*) FILTER (WHERE outcome <> 'ok') AS failed,
                count(*) FILTER (WHERE estimated = 1) AS estimated, sum(tokens_in) AS tokens_in,
                sum(tokens_out) AS tokens_out, sum(cost_usd) AS cost_usd
           FROM llm_calls WHERE at_ms >= ?
          GROUP BY day, purpose, model ORDER BY day DESC, purpose, model LIMIT ${usageLinesMax}`,
        sinceMs,
      )
      .map((row) => ({
        day: row.day,
        purpose: row.purpose,
        model: row.model,
        calls: row.calls,
        failed: row.failed,
        estimated: row.estimated,
        inputTokens: row.tokens_in,
        outputTokens: row.tokens_out,
        costUsd: row.cost_usd,
      })),
});
