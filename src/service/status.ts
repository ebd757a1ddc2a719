/** How the product is doing: liveness, logs and the pause switch. */
import { backfillState, type LlmLedger, type SpoolSize, type StoreDep } from "#domain";
import { dayStart, err, localDate, offsetsOf, ok, type ClockDep, type Result } from "#kit";
import type {
  HookTimesDep,
  LogTailDep,
  ModelDep,
  PauseDep,
  ProcessDep,
  SpoolDep,
  WarningsDep,
} from "./deps.ts";
import type { ServiceError } from "./errors.ts";
import type { HealthJson, LogsJson, ModelJson, PauseJson, StatusJson } from "#api";
import { countsOf } from "./stats.ts";

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

type Deps = ClockDep &
  HookTimesDep &
  LogTailDep &
  ModelDep &
  PauseDep &
  ProcessDep &
  SpoolDep &
  StoreDep &
  WarningsDep & { readonly writable: boolean };

export const createStatusApi = (deps: Deps): StatusApi => ({
  health: () => ({ ok: true, version: deps.processInfo.version }),
  status: () => status(deps),
  logs: (tail) => ({ lines: deps.tailLog(tail) }),
  pause: (forMs) => {
    if (!deps.writable) return err({ type: "service.read-only" });
    deps.pause.pause(forMs === null ? null : deps.clock.nowMs() + forMs);
    return ok(deps.pause.state(deps.clock.nowMs()));
  },
  resume: () => {
    if (!deps.writable) return err({ type: "service.read-only" });
    deps.pause.resume();
    return ok(deps.pause.state(deps.clock.nowMs()));
  },
});

function status(deps: Deps): StatusJson {
  const { clock, pause, processInfo, store } = deps;
  const daemon = processInfo.daemon();
  deps.noteLatencies();
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
    embedder: deps.models.embedder,
    model: model(deps),
    spool: spoolOf(deps.spoolSize()),
    pause: pause.state(clock.nowMs()),
    hooks: store.events.lastByHook().map(({ hook, atMs, receivedAtMs, count }) => ({
      hook,
      at: atMs,
      received_at: receivedAtMs,
      count,
    })),
    upkeep: deps.upkeep().map(({ task, atMs, tookMs, outcome, note }) => ({
      task,
      at: atMs,
      took_ms: tookMs,
      outcome,
      note,
    })),
    warnings: deps.warnings(),
  };
}

const spoolOf = ({ files, bytes }: SpoolSize): StatusJson["spool"] => ({
  files,
  bytes,
});

function model({ clock, models, store }: ClockDep & ModelDep & StoreDep): ModelJson {
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
