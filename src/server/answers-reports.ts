/** What the routes over sessions, figures and the daemon itself answer (see answers.ts). */
import { z } from "zod";
import { agentNames } from "#domain";
import type * as Service from "#service";

const text = z.string();
const number = z.number();
const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.nullable();
const list = <Schema extends z.ZodType>(schema: Schema) => z.array(schema);
const counts = z.record(text, number);

const budget = z.strictObject({
  tokens_today: number,
  tokens_per_day: number,
  tokens_per_session: number,
});

const countsOfAll = z.strictObject({
  memories: number,
  moments: number,
  narratives: number,
  observations: number,
  checkpoints: number,
  sessions: number,
  turns: number,
  events: number,
});

const spent = {
  calls: number,
  failed: number,
  estimated: number,
  tokens_in: number,
  tokens_out: number,
  cost_usd: maybe(number),
};

const pause = z.strictObject({ paused: z.boolean(), until: maybe(number) });

/** `memory`: the form of a memory in a list. */
export const reportAnswers = <Memory extends z.ZodType>({
  memory,
}: {
  readonly memory: Memory;
}) => ({
  ...figureAnswers(),
  ...sessionAnswers({ memory }),
  ...workAnswers(),
  HealthJson: z.strictObject({
    ok: z.literal(true),
    version: text,
  }) satisfies z.ZodType<Service.HealthJson>,
  LogsJson: z.strictObject({ lines: list(text) }) satisfies z.ZodType<Service.LogsJson>,
  PauseJson: pause satisfies z.ZodType<Service.PauseJson>,
});

const figureAnswers = () => ({
  StatsJson: z.strictObject({
    counts: countsOfAll,
    by_category: counts,
    by_status: counts,
    by_origin: counts,
    by_maker: counts,
    pinned: number,
    projects: list(z.strictObject({ key: text, name: text, sessions: number })),
    days: list(
      z.strictObject({
        day: text,
        created: counts,
        surfaced: z.strictObject({ start: number, prompt: number, search: number }),
        used: number,
        injections: number,
        tokens_injected: number,
        tokens_in: number,
        tokens_out: number,
      }),
    ),
    surfaced: z.strictObject({ memories: number, shown: number }),
    used: z.strictObject({ memories: number, uses: number, never: number }),
    tokens: budget,
    hooks: list(
      z.strictObject({
        hook: text,
        count: number,
        p50_ms: number,
        p95_ms: number,
        p99_ms: number,
        max_ms: number,
        buckets: list(z.strictObject({ up_to_ms: number, count: number })),
      }),
    ),
  }) satisfies z.ZodType<Service.StatsJson>,
  UsageJson: z.strictObject({
    since: number,
    items: list(z.strictObject({ day: text, purpose: text, model: text, ...spent })),
    total: z.strictObject(spent),
    budget,
    days: list(z.strictObject({ day: text, ...spent })),
  }) satisfies z.ZodType<Service.UsageJson>,
});

const sessionStatus = z.enum(["active", "completed", "interrupted", "failed"]);

const session = z.strictObject({
  session_id: text,
  agent: z.enum(agentNames),
  project: maybe(text),
  project_name: maybe(text),
  branch: maybe(text),
  title: maybe(text),
  status: sessionStatus,
  started_at: number,
  ended_at: maybe(number),
  last_event_at: number,
  parent_session: maybe(text),
});

const files = { files_read: list(text), files_edited: list(text) };

const turn = z.strictObject({
  n: number,
  status: z.enum(["open", "closed", "interrupted"]),
  started_at: number,
  ended_at: maybe(number),
  prompt: maybe(text),
  prompt_by: z.enum(["user", "agent"]),
  tool_count: number,
  ...files,
});

const checkpoint = z.strictObject({
  n: number,
  at: number,
  trigger: text,
  current: z.boolean(),
  l0: text,
  request: text,
  investigated: text,
  learned: text,
  completed: text,
  next_steps: text,
  ...files,
  notes: text,
});

const observation = z.strictObject({
  id: number,
  turn: number,
  at: number,
  type: text,
  title: text,
  subtitle: text,
  narrative: text,
  facts: list(text),
  concepts: list(text),
  files_read: list(text),
  files_modified: list(text),
});

function sessionAnswers<Memory extends z.ZodType>({ memory }: { readonly memory: Memory }) {
  const injection = { at: number, cause: text, tokens: number, text, reasons: z.json() };
  return {
    SessionPageJson: z.strictObject({
      items: list(session.extend({ turns: number })),
      total: number,
      next_cursor: maybe(text),
    }) satisfies z.ZodType<Service.SessionPageJson>,
    SessionDetailJson: session.extend({
      turns: list(turn),
      checkpoints: list(checkpoint),
      observations: list(observation),
      moments: list(memory),
    }),
    ContextJson: z.strictObject({
      session_id: text,
      state: z.enum(["injected", "preview"]),
      tokens: number,
      text,
      reasons: z.json(),
    }),
    WhyJson: z.strictObject({
      session_id: maybe(text),
      injections: list(z.strictObject({ ...injection, channel: z.enum(["start", "prompt"]) })),
    }),
    ProfileJson: z.strictObject({
      communication: maybe(memory),
      profile: list(memory),
      preferences: list(memory),
    }),
  };
}

function workAnswers() {
  const job = z.strictObject({
    id: number,
    key: text,
    kind: text,
    session_id: maybe(text),
    state: z.enum(["queued", "leased", "done", "skipped"]),
    attempt: number,
    run_after: number,
    created_at: number,
    reason: maybe(text),
  });
  return {
    JobsJson: z.strictObject({ counts, parked: list(job), open: list(job) }),
    JobsChangedJson: z.strictObject({ changed: number }),
    TrialJson: z.strictObject({
      purpose: text,
      error: maybe(text),
      provider: text,
      model: maybe(text),
      latency_ms: maybe(number),
      tokens_in: number,
      tokens_out: number,
      estimated: z.boolean(),
      cost_usd: maybe(number),
    }),
    StatusJson: z.looseObject({
      version: text,
      home: text,
      daemon: maybe(z.looseObject({ pid: number, version: text, port: maybe(number) })),
      counts: countsOfAll,
      jobs: counts,
      pause,
      hooks: list(z.looseObject({ hook: text, at: number, count: number })),
      warnings: list(text),
    }),
    StatusLineJson: z.looseObject({ surfaced: number, trouble: maybe(text) }),
    SentencesRestoredJson: z.strictObject({ restored: number, next: maybe(number) }),
    SentencesToldJson: z.strictObject({ told: z.literal(true) }),
    PlaceJson: z.looseObject({ project: text, root: text, trusted: z.boolean() }),
    ConsolidationJson: z.looseObject({ looked: number, next: maybe(number) }),
  };
}
