/**
 * The durable queue. Knows when a job may run, never what it does.
 *
 * Per session and lane, due jobs run in order of creation and one at a time; a job that failed holds the later ones of
 * its session back until it succeeds or is parked. A job that is merely set for later (work after ten quiet minutes)
 * holds nothing back, and what asks a model holds nothing local.
 */
import { modelJobKind, type Job, type JobDraft, type JobQueue } from "#domain";
import type { Sql } from "./sql.ts";
import { tableOf } from "./tables.ts";
import type { Clock } from "#kit";

/** After so many failures a job is parked (docs/design/extraction.md, "Jobs"). */
const failuresMax = 3;
/** Pause before the second and the third attempt. */
const backoffMs = [1_000, 10_000] as const;
/** A failed job that runs again within this time is waited for; one put off for longer holds nothing up. */
const backoffMsMax = Math.max(...backoffMs);
/**
 * A process that dies is not the job's failure: a crash must lose no memory. But a job that was leased this often
 * without an end is what kills the process.
 */
const leasesMax = 20;
/** Reasons are one line for people, not logs. */
const reasonCharsMax = 500;

/** As it is kept: its attempts are told by failures and leases. */
interface StoredJob extends Omit<Job, "attempt"> {
  readonly failures: number;
  readonly leases: number;
}

const stored = tableOf<StoredJob>()(
  "jobs j",
  `id key kind sessionId state failures leases runAfterMs createdAt reason payload:record reply`,
);

/**
 * Runnable, and nothing of the same session and lane runs or comes first. Questions about whole sessions run one at a
 * time, of those that are due the oldest session first: each builds on what the one before it left. Imported ones come
 * last, the newest of them first. ?1 = now, ?2 = 1 for the model's lane.
 */
const nextJobBy = (order: string): string => `
   WHERE j.state IN ('queued', 'leased') AND (j.kind = '${modelJobKind}') = ?2
     AND ((j.state = 'queued' AND j.run_after_ms <= ?1) OR (j.state = 'leased' AND j.lease_ends_at_ms <= ?1))
     AND NOT EXISTS (
       SELECT 1 FROM jobs o
        WHERE o.session_id = j.session_id AND o.id <> j.id AND o.state IN ('queued', 'leased')
          AND (o.kind = '${modelJobKind}') = ?2
          AND ((o.state = 'leased' AND o.lease_ends_at_ms > ?1)
               OR (o.id < j.id AND (o.state = 'leased' OR o.run_after_ms <= ?1
                                    OR (o.failures > 0 AND o.run_after_ms <= ?1 + ${backoffMsMax})))))
     AND (j.kind <> 'session' OR NOT EXISTS (
       SELECT 1 FROM jobs o WHERE o.kind = 'session' AND o.id <> j.id AND o.state = 'leased'
          AND o.lease_ends_at_ms > ?1))
   ORDER BY ${order} LIMIT 1`;

const isBackfill = "coalesce(json_extract(j.payload, '$.backfill'), 0)";

/** In order of the index of open jobs: the first that may run ends the search, however many wait behind it. */
const nextLocalJob = nextJobBy("j.id");
const nextModelJob = nextJobBy(
  `${isBackfill}, (SELECT s.started_at FROM sessions s WHERE s.session_id = j.session_id)
     * (1 - 2 * ${isBackfill}), j.id`,
);

/** The JobQueue port. The clock only dates rows; what is due is decided by the caller's `nowMs`. */
export const createJobs = (sql: Sql, deps: { readonly clock: Clock }): JobQueue => ({
  ...createQueue(sql, deps),
  ...createDesk(sql),
});

/** `createDesk` shows jobs to people, and lets them act. */
const createDesk = (sql: Sql) =>
  ({
    counts: () => {
      const counts = { queued: 0, leased: 0, done: 0, skipped: 0 };
      for (const { state, n } of sql.all<{ readonly state: Job["state"]; readonly n: number }>(
        "SELECT state, count(*) AS n FROM jobs GROUP BY state",
      ))
        counts[state] = n;
      return counts;
    },
    parked: (limit) =>
      stored
        .all(sql, "WHERE j.state = 'skipped' ORDER BY j.finished_at DESC, j.id DESC LIMIT ?", limit)
        .map(jobOf),
    open: (limit) =>
      stored
        .all(sql, "WHERE j.state IN ('queued', 'leased') ORDER BY j.id LIMIT ?", limit)
        .map(jobOf),
    backfillLeft: () =>
      sql.count(
        `SELECT count(*) FROM jobs j
        WHERE j.state IN ('queued', 'leased') AND j.kind = 'session' AND ${isBackfill} = 1`,
      ),
    dropBackfill: () =>
      sql.atomically(() => {
        const dropped = sql.column<string>(
          `DELETE FROM jobs AS j
            WHERE j.state = 'queued' AND j.kind = 'session' AND ${isBackfill} = 1
              AND NOT EXISTS (SELECT 1 FROM jobs o WHERE o.session_id = j.session_id
                                AND o.kind = 'session' AND o.state <> 'queued')
            RETURNING session_id`,
        );
        for (const id of dropped)
          sql.run("DELETE FROM meta WHERE name = 'model.progress:' || ?", id);
        return dropped.length;
      }),
    retry: (id, nowMs) =>
      sql.run(
        // One that was put off, or waits for its next attempt, has a reason; it is tried at once.
        `UPDATE jobs SET state = 'queued', failures = 0, leases = 0, run_after_ms = ?1, finished_at = NULL
        WHERE id = ?2 AND (state = 'skipped' OR (state = 'queued' AND reason IS NOT NULL AND run_after_ms > ?1))`,
        nowMs,
        id,
      ).changes === 1,
    drop: (id) =>
      sql.run("UPDATE jobs SET state = 'done' WHERE id = ? AND state = 'skipped'", id).changes ===
      1,
  }) satisfies Partial<JobQueue>;

const createQueue = (sql: Sql, { clock }: { readonly clock: Clock }) =>
  ({
    enqueue: (draft) => sql.atomically(() => enqueue(sql, draft, clock.nowMs())),
    lease: (nowMs, leaseMs, lane = "local") =>
      sql.atomically(() => lease(sql, { nowMs, leaseMs, isModel: lane === "model" ? 1 : 0 })),
    renew: (id, leaseEndsAtMs) =>
      void sql.run(
        "UPDATE jobs SET lease_ends_at_ms = ? WHERE id = ? AND state = 'leased'",
        leaseEndsAtMs,
        id,
      ),
    saveReply: (id, reply) =>
      void sql.run("UPDATE jobs SET reply = ?, failures = 0 WHERE id = ?", reply, id),
    complete: (id) =>
      void sql.run(
        `UPDATE jobs SET state = 'done', lease_ends_at_ms = NULL, reason = NULL, finished_at = ?
        WHERE id = ? AND state IN ('queued', 'leased')`,
        clock.nowMs(),
        id,
      ),
    fail: (id, reason, nowMs) => sql.atomically(() => fail(sql, { id, reason, nowMs })),
    postpone: (id, reason, runAfterMs) =>
      void sql.run(
        `UPDATE jobs SET state = 'queued', leases = leases - 1, lease_ends_at_ms = NULL, reason = ?, run_after_ms = ?
        WHERE id = ? AND state = 'leased'`,
        reason.slice(0, reasonCharsMax),
        runAfterMs,
        id,
      ),
    expedite: (kind, nowMs) =>
      sql.run(
        `UPDATE jobs SET run_after_ms = ?1
        WHERE kind = ?2 AND state = 'queued' AND failures = 0 AND run_after_ms > ?1`,
        nowMs,
        kind,
      ).changes,
    pending: (nowMs) =>
      sql.count(
        // A job waiting for its next attempt was due already: a flush waits for it.
        `SELECT count(*) FROM jobs
        WHERE state IN ('queued', 'leased')
          AND (state = 'leased' OR run_after_ms <= ?1 OR (failures > 0 AND run_after_ms <= ?1 + ${backoffMsMax}))`,
        nowMs,
      ),
    releaseAll: () =>
      sql.run("UPDATE jobs SET state = 'queued', lease_ends_at_ms = NULL WHERE state = 'leased'")
        .changes,
    nextDueMs: (nowMs) =>
      sql.value<number>(
        `SELECT min(CASE state WHEN 'leased' THEN lease_ends_at_ms ELSE run_after_ms END) FROM jobs
        WHERE state IN ('queued', 'leased')
          AND CASE state WHEN 'leased' THEN lease_ends_at_ms ELSE run_after_ms END > ?`,
        nowMs,
      ),
  }) satisfies Partial<JobQueue>;

/**
 * Adds a job once. The same event can arrive twice, and two daemons may drain one spool: so the key decides what is the
 * same job. One still queued is put off to the later time (a session that goes on is not quiet).
 */
function enqueue(sql: Sql, draft: JobDraft, nowMs: number): "added" | "already-there" {
  const record = { ...draft, state: "queued", createdAt: nowMs } as const;
  const { changes } = stored.insert(sql, record, "ON CONFLICT (key) DO NOTHING");
  if (changes === 1) return "added";
  sql.run(
    "UPDATE jobs SET run_after_ms = max(run_after_ms, ?) WHERE key = ? AND state = 'queued'",
    draft.runAfterMs,
    draft.key,
  );
  return "already-there";
}

function lease(
  sql: Sql,
  asked: { readonly nowMs: number; readonly leaseMs: number; readonly isModel: 0 | 1 },
): Job | null {
  const { nowMs, leaseMs, isModel } = asked;
  for (;;) {
    const row = stored.get(sql, isModel === 1 ? nextModelJob : nextLocalJob, nowMs, isModel);
    if (row === null) return null;
    if (row.leases >= leasesMax) {
      park(sql, row.id, `began ${row.leases} times and never ended`, nowMs);
      continue;
    }
    sql.run(
      "UPDATE jobs SET state = 'leased', leases = leases + 1, lease_ends_at_ms = ? WHERE id = ?",
      nowMs + leaseMs,
      row.id,
    );
    return jobOf({ ...row, state: "leased" });
  }
}

function fail(
  sql: Sql,
  failure: { readonly id: number; readonly reason: string; readonly nowMs: number },
): void {
  const { id, nowMs } = failure;
  const reason = failure.reason.slice(0, reasonCharsMax);
  const before = sql.value<number>(
    "SELECT failures FROM jobs WHERE id = ? AND state IN ('queued', 'leased')",
    id,
  );
  if (before === null) return;
  const failures = before + 1;
  sql.run(
    `UPDATE jobs SET state = 'queued', failures = ?, reason = ?, lease_ends_at_ms = NULL, run_after_ms = ?
      WHERE id = ?`,
    failures,
    reason,
    nowMs + (backoffMs[failures - 1] ?? 0),
    id,
  );
  if (failures >= failuresMax) park(sql, id, reason, nowMs);
}

/** Kept with its reason, visible and out of the way. */
const park = (sql: Sql, id: number, reason: string, nowMs: number): void =>
  void sql.run(
    "UPDATE jobs SET state = 'skipped', reason = ?, lease_ends_at_ms = NULL, finished_at = ? WHERE id = ?",
    reason,
    nowMs,
    id,
  );

/** `attempt` is the one that is running, or the last one that ran. */
const jobOf = ({ failures, leases: _leases, ...job }: StoredJob): Job => ({
  ...job,
  attempt: failures + (job.state === "leased" ? 1 : 0),
});
