/** Reports how the product is doing: liveness, logs and the pause switch. */
import { backfillState, type LlmLedger } from "#domain";
import {
  dayStart,
  err,
  localDate,
  msPerMinute,
  msPerSecond,
  offsetsOf,
  ok,
  type Result,
} from "#kit";
import type {
  ConfigItemJson,
  ConfigJson,
  HealthJson,
  LogsJson,
  ModelJson,
  PauseJson,
  StatusJson,
  StatusLineJson,
} from "../forms-reports.ts";
import type { ServiceError } from "./errors.ts";
import { countsOf } from "./worth.ts";
import type { Context, Query } from "./context.ts";

/** Liveness and version, nothing else: open without a token. */
export const health = ({ processInfo: { version } }: Context): HealthJson => ({
  ok: true,
  version,
});

export const logs = ({ tailLog }: Context, tail = 100): LogsJson => ({ lines: tailLog(tail) });

/** Stops capture and injection; `forMs` null = until resumed. */
export function pause(
  { clock, pause: port }: Context,
  forMs: number | null,
): Result<PauseJson, ServiceError> {
  const nowMs = clock.nowMs();
  port.pause(forMs === null ? null : nowMs + forMs, nowMs);
  return ok(port.state(nowMs));
}

export function resume({ clock, pause: port }: Context): Result<PauseJson, ServiceError> {
  port.resume(clock.nowMs());
  return ok(port.state(clock.nowMs()));
}

export function status(context: Context): StatusJson {
  const { clock, processInfo, store } = context;
  const daemon = processInfo.daemon();
  const { files, bytes } = context.spoolSize();
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
    spool: { files, bytes },
    pause: context.pause.state(clock.nowMs()),
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

function model({ clock, models, store }: Context): ModelJson {
  const { provider, reason, tokensPerDay } = models.language();
  const nowMs = clock.nowMs();
  const sinceMs = dayStart(nowMs, null, 1 - spentDays);
  const month = store.ledger.usage(sinceMs, offsetsOf(sinceMs, nowMs, null));
  const backfill = backfillState(store);
  const today = spentOf(month.filter(({ day }) => day >= localDate(nowMs)));
  return {
    provider,
    reason,
    tokens_today: today.tokens_in + today.tokens_out,
    tokens_per_day: tokensPerDay,
    today,
    last_30_days: spentOf(month),
    backfill: backfill === null ? null : { total: backfill.total, left: backfill.left },
  };
}

const spentDays = 30;

const spentOf = (lines: ReturnType<LlmLedger["usage"]>): ModelJson["today"] => ({
  calls: lines.reduce((sum, { calls }) => sum + calls, 0),
  tokens_in: lines.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
  tokens_out: lines.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
});

// Answers the client's status line. Asked several times a second while the agent works, so it is
// cheap.

/** Jobs that have waited longer than this do not wait for a quiet moment. */
const spoolMsMax = msPerMinute;
/** A session that has run for this long has had its start and, in use, a prompt. */
const unseenMs = 30 * msPerSecond;

export const statusLine = (
  context: Context,
  ask: Query<"GET /api/statusline">,
): StatusLineJson => ({
  surfaced: context.store.exposure.shownCount(ask.session),
  tokens: tokens(context),
  trouble: trouble(context, ask),
});

function tokens({ clock, models, store }: Context): StatusLineJson["tokens"] {
  const { provider, tokensPerDay } = models.language();
  if (provider === "none") return null;
  const today = store.ledger.tokensSince(dayStart(clock.nowMs()), null);
  return { today, per_day: tokensPerDay };
}

function trouble(context: Context, ask: Query<"GET /api/statusline">): string | null {
  const { clock, store } = context;
  const nowMs = clock.nowMs();
  if (context.pause.state(nowMs).paused) return "paused";
  if (ask.cwd !== undefined && !context.isCaptured(ask.cwd)) return "switched off here";
  const { files, oldestMs } = context.spoolSize();
  if (oldestMs !== null && nowMs - oldestMs > spoolMsMax)
    return `${files} ${files === 1 ? "event waits" : "events wait"}`;
  const isLong = ask.age_ms !== undefined && ask.age_ms > unseenMs;
  return isLong && store.sessions.byId(ask.session) === null
    ? "no hook seen in this session"
    : null;
}

// Settings as a page shows them, and changing one. The file's form and its rules are behind the port.

export function settings({ config }: Context): Result<ConfigJson, ServiceError> {
  const items = config.read();
  if (!items.ok) return items;
  return ok({ path: config.path, items: items.value, warnings: config.warnings() });
}

/** `value` as one types it: `off`, `30m`, `a, b`. */
export function setSetting(
  { config }: Context,
  key: string,
  value: string,
): Result<ConfigItemJson, ServiceError> {
  const items = config.read();
  if (!items.ok) return items;
  // Left to the file alone: the program that runs and where a key is sent. A token must not become a shell.
  if (items.value.find((item) => item.key === key)?.editable === false)
    return err({ type: "config.locked", key });
  return config.set(key, value);
}
