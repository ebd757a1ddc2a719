/** Forms of the daemon itself: state, figures, settings, the way into the viewer. */
import { z } from "zod";
import { counts, each, type Form, is, list, maybe, number, promising, text } from "./form.ts";
import { budgetForm } from "./forms-work.ts";

export const healthForm = z.strictObject({ ok: z.literal(true), version: text });
export type HealthJson = Form<typeof healthForm>;

/** Oldest first, one JSON document a line. */
export const logsForm = z.strictObject({ lines: list(text) });
export type LogsJson = Form<typeof logsForm>;

/** The findings of `continuity doctor`, without its self-test. */
export const doctorForm = z.object({
  ok: z.boolean(),
  checks: list(
    z.object({
      id: text,
      state: z.enum(["ok", "warning", "failed", "skipped"]),
      detail: text,
      fix: maybe(text),
    }),
  ),
});
export type DoctorJson = Form<typeof doctorForm>;

/** An import that the viewer started. */
export const importStateForm = z.strictObject({
  state: z.enum(["none", "running", "done", "failed"]),
  from: maybe(text),
  /** Known when it is done. */
  read: number,
  created: number,
  /** The complaint. */
  message: text,
});
export type ImportStateJson = Form<typeof importStateForm>;

export const pauseForm = z.strictObject({
  paused: z.boolean(),
  /** Null = until `pause --off` (or not paused). */
  until: maybe(number),
});
export type PauseJson = Form<typeof pauseForm>;

const countsForm = z.strictObject({
  memories: is(number, "memories"),
  exchanges: is(number, "turns of which the words and the work are kept"),
  checkpoints: is(number, "session summaries"),
  sessions: is(number, "sessions"),
  turns: is(number, "turns: a prompt and all that answered it"),
  events: is(number, "hook events accepted"),
});
export type CountsJson = Form<typeof countsForm>;

export const statsForm = z.strictObject({
  counts: countsForm,
  by_category: is(counts, "memories by category"),
  by_status: is(counts, "memories by state"),
  by_origin: is(counts, "memories by who said them"),
  by_maker: is(counts, "memories by what made them"),
  pinned: is(number, "pinned memories"),
  projects: each(
    z.strictObject({ key: text, name: text, sessions: number }),
    "key, name and sessions",
  ),
  surfaced: is(
    z.strictObject({ memories: number, shown: number, hints: number }),
    "in the days that are asked for: memories shown, how often, and reminders to save",
  ),
  used: is(
    z.strictObject({ memories: number, uses: number, never: number }),
    "memories ever used, uses, and memories never used",
  ),
  tokens: is(budgetForm, "tokens_today and tokens_per_day"),
});
export type StatsJson = Form<typeof statsForm>;

const daemonForm = promising(["pid", "version", "port"], {
  pid: number,
  version: text,
  uptime_ms: number,
  /** TCP port for people; null when none was free. */
  port: maybe(number),
  peak_memory_bytes: number,
});

const callsForm = z.strictObject({ calls: number, tokens_in: number, tokens_out: number });

const modelForm = z.strictObject({
  /** The provider that answers; `none` = no provider is asked. */
  provider: text,
  reason: text,
  /** Tokens in and out of this day, and how many there may be. */
  tokens_today: number,
  tokens_per_day: number,
  today: callsForm,
  /** Today and the 29 days before. */
  last_30_days: callsForm,
  /** Imported sessions that the model was asked to read, and how many still wait; null when none does. */
  backfill: maybe(z.strictObject({ total: number, left: number })),
});
export type ModelJson = Form<typeof modelForm>;

export const statusForm = promising(
  ["version", "home", "daemon", "counts", "jobs", "pause", "hooks", "warnings"],
  {
    version: is(text, "version of the program that answered"),
    home: is(text, "folder that holds everything"),
    daemon: is(
      maybe(daemonForm),
      "pid, version, uptime_ms, port, peak_memory_bytes; null = no daemon runs",
    ),
    database: z.strictObject({
      bytes: is(number, "size on disk"),
      schema_version: is(number, "number of the last migration"),
    }),
    counts: countsForm,
    jobs: is(counts, "queued, leased, done, skipped"),
    embedder: is(z.strictObject({ id: text, dimension: number }), "id and dimension"),
    model: is(
      modelForm,
      "provider, reason, tokens_today, tokens_per_day; today and last_30_days with calls, tokens_in, tokens_out; " +
        "backfill: total and left of the imported sessions that it reads, or null",
    ),
    spool: is(
      z.strictObject({ files: number, bytes: number }),
      "files and bytes that wait for the daemon",
    ),
    pause: is(pauseForm, "paused and until"),
    /** The last event of each hook. */
    hooks: each(
      promising(["hook", "at", "count"], {
        hook: text,
        at: number,
        received_at: number,
        count: number,
      }),
      "hook, at (event time), received_at and count",
    ),
    upkeep: each(
      z.strictObject({
        task: text,
        at: number,
        took_ms: number,
        outcome: z.enum(["done", "failed"]),
        note: text,
      }),
      "task, at, took_ms, outcome and note of the last run of each kind of upkeep",
    ),
    warnings: each(text, "what is wrong and what to do"),
  },
);
export type StatusJson = Form<typeof statusForm>;

/** The figures that the client's status line shows of a session. */
export const statusLineForm = promising(["surfaced", "trouble"], {
  /** Different memories that were shown to this session. */
  surfaced: number,
  /** Tokens of this day against the budget; null while no model is on. */
  tokens: maybe(z.strictObject({ today: number, per_day: number })),
  /** The reason why nothing is captured, in a few words; null when all is well. */
  trouble: maybe(text),
});
export type StatusLineJson = Form<typeof statusLineForm>;

export const configItemForm = z.strictObject({
  /** `inject.prompt`. */
  key: text,
  section: text,
  /** As TOML writes it, like `default`. */
  value: text,
  default: text,
  /** `default`, `file` or the name of the environment variable. */
  source: text,
  /** The allowed values, in words. */
  expected: text,
  /** Every value there is, where they can be listed. */
  choices: maybe(list(text)),
  effect: text,
  /** Environment variable that wins over the file; null = none. */
  variable: maybe(text),
  /** False: only the file itself and the command line may change it. */
  editable: z.boolean(),
});
export type ConfigItemJson = Form<typeof configItemForm>;

export const configForm = z.strictObject({
  path: text,
  items: list(configItemForm),
  warnings: list(text),
});
export type ConfigJson = Form<typeof configForm>;

export const linkCodeForm = z.strictObject({
  code: text,
  /** Address for a browser, with the code behind `#`. */
  url: text,
  expires_at: number,
});
export type LinkCodeJson = Form<typeof linkCodeForm>;

export const tokenForm = z.strictObject({ token: text });
export type TokenJson = Form<typeof tokenForm>;

/** HMAC-SHA256 in hex. */
export const proofForm = z.strictObject({ proof: text });
export type ProofJson = Form<typeof proofForm>;

export const rotatedForm = z.strictObject({ rotated: z.literal(true) });
export type RotatedJson = Form<typeof rotatedForm>;
