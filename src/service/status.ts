/** How the product is doing: liveness, logs and the pause switch. */
import type { StoreDep } from "#domain";
import { err, msPerDay, ok, type ClockDep, type Result } from "#kit";
import type { HostDep, PauseDep } from "./deps.ts";
import type { ServiceError } from "./errors.ts";
import type { HealthJson, LogsJson, ModelJson, PauseJson, StatusJson } from "./json-reports.ts";
import { countsOf } from "./stats.ts";

export interface StatusApi {
  /** Liveness and version, nothing else: anybody may ask. */
  readonly health: () => HealthJson;
  readonly status: () => StatusJson;
  /** The last `tail` log lines. */
  readonly logs: (tail: number) => LogsJson;
  /** Stops capture and injection; `forMs` null = until resumed. */
  readonly pause: (forMs: number | null) => Result<PauseJson, ServiceError>;
  readonly resume: () => Result<PauseJson, ServiceError>;
}

type Deps = ClockDep & HostDep & PauseDep & StoreDep & { readonly writable: boolean };

export const createStatusApi = (deps: Deps): StatusApi => ({
  health: () => ({ ok: true, version: deps.host.version }),
  status: () => status(deps),
  logs: (tail) => ({ lines: deps.host.tailLog(tail) }),
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

function status({ clock, host, pause, store }: Deps): StatusJson {
  const daemon = host.daemon();
  host.noteLatencies();
  return {
    version: host.version,
    home: host.home,
    daemon:
      daemon === null
        ? null
        : {
            pid: daemon.pid,
            version: host.version,
            uptime_ms: Math.max(0, clock.nowMs() - daemon.startedAtMs),
            port: daemon.port,
            peak_memory_bytes: daemon.peakMemoryBytes,
          },
    database: { bytes: store.admin.sizeBytes(), schema_version: store.admin.schemaVersion() },
    counts: countsOf(store),
    jobs: store.jobs.counts(),
    embedder: host.embedder,
    model: model({ clock, host, store }),
    spool: spoolOf(host.spool()),
    pause: pause.state(clock.nowMs()),
    hooks: store.events.lastByHook().map(({ hook, atMs, receivedAtMs, count }) => ({
      hook,
      at: atMs,
      received_at: receivedAtMs,
      count,
    })),
    upkeep: host.upkeep().map(({ task, atMs, tookMs, outcome, note }) => ({
      task,
      at: atMs,
      took_ms: tookMs,
      outcome,
      note,
    })),
    warnings: host.warnings(),
  };
}

const spoolOf = ({ files, bytes }: ReturnType<Deps["host"]["spool"]>): StatusJson["spool"] => ({
  files,
  bytes,
});

function model({ clock, host, store }: Pick<Deps, "clock" | "host" | "store">): ModelJson {
  const { provider, reason, tokensPerDay } = host.model();
  const dayStartMs = Math.floor(clock.nowMs() / msPerDay) * msPerDay;
  return {
    provider,
    reason,
    tokens_today: store.ledger.tokensSince(dayStartMs, null),
    tokens_per_day: tokensPerDay,
  };
}
