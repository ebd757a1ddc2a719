/** How the product is doing: liveness, logs and the pause switch. */
import { backfillState, type LlmLedger, type SpoolSize } from "#domain";
import { dayStart, err, localDate, offsetsOf, ok, type Result } from "#kit";
import type { ServiceError } from "./errors.ts";
import type { HealthJson, LogsJson, ModelJson, PauseJson, StatusJson } from "#api";
import { countsOf } from "./stats.ts";
import type { Context } from "./context.ts";

export interface StatusApi {
  /** Liveness and version, nothing else: open without a token. */
  readonly health: () => HealthJson;
  readonly status: () => StatusJson;
  /** The last `tail` log lines. */
  readonly logs: (tail: number) => LogsJson;
  /** Stops capture and injection; `forMs` null = until resumed. */
  readonly pause: (forMs: number | null) => Result<PauseJson, ServiceError>;
  readonly resume: () => Result<PauseJson, ServiceError>;
}

export const createStatusApi = (context: Context): StatusApi => ({
  health: () => ({ ok: true, version: context.processInfo.version }),
  status: () => status(context),
  logs: (tail) => ({ lines: context.tailLog(tail) }),
  pause: (forMs) => {
    if (!context.writable) return err({ type: "service.read-only" });
    context.pause.pause(forMs === null ? null : context.clock.nowMs() + forMs);
    return ok(context.pause.state(context.clock.nowMs()));
  },
  resume: () => {
    if (!context.writable) return err({ type: "service.read-only" });
    context.pause.resume();
    return ok(context.pause.state(context.clock.nowMs()));
  },
});

function status(context: Context): StatusJson {
  const { clock, pause, processInfo, store } = context;
  const daemon = processInfo.daemon();
  context.noteLatencies();
  return {
    version: processInfo.version,
    home: processInfo.home,
    daemon:
      daemon === null
        ? null
        : {
            pid: daemon.pid,
            version: processInfo.version,
            uptime_ms: Math.max(0, clock.nowMs() - daemon.startedAtMs),
            port: daemon.port,
            peak_memory_bytes: daemon.peakMemoryBytes,
          },
    database: { bytes: store.admin.sizeBytes(), schema_version: store.admin.schemaVersion() },
    counts: countsOf(store),
    jobs: store.jobs.counts(),
    embedder: context.models.embedder,
    model: model(context),
    spool: spoolOf(context.spoolSize()),
    pause: pause.state(clock.nowMs()),
    hooks: store.events.lastByHook().map(({ hook, atMs, receivedAtMs, count }) => ({
      hook,
      at: atMs,
      received_at: receivedAtMs,
      count,
    })),
    upkeep: context.upkeep().map(({ task, atMs, tookMs, outcome, note }) => ({
      task,
      at: atMs,
      took_ms: tookMs,
      outcome,
      note,
    })),
    warnings: context.warnings(),
  };
}

const spoolOf = ({ files, bytes }: SpoolSize): StatusJson["spool"] => ({
  files,
  bytes,
});

function model({ clock, models, store }: Context): ModelJson {
  const { provider, reason, tokensPerDay } = models.language();
  const nowMs = clock.nowMs();
  const sinceMs = dayStart(nowMs, null, 1 - spentDays);
  const month = store.ledger.usage(sinceMs, offsetsOf(sinceMs, nowMs, null));
  const today = spentOf(month.filter(({ day }) => day >= localDate(nowMs)));
  return {
    provider,
    reason,
    tokens_today: today.tokens_in + today.tokens_out,
    tokens_per_day: tokensPerDay,
    today,
    last_30_days: spentOf(month),
    backfill: backfillState(store),
  };
}

const spentDays = 30;

const spentOf = (lines: ReturnType<LlmLedger["usage"]>): ModelJson["today"] => ({
  calls: lines.reduce((sum, { calls }) => sum + calls, 0),
  tokens_in: lines.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
  tokens_out: lines.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
});
