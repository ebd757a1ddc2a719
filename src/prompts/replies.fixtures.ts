/** Replies as a diligent model writes them: as long as the templates ask for, no longer. */
import type { RelationalStatement } from "./profile.ts";

const summaries: readonly string[] = [
  "depot importer dropped rows because an empty weight became NaN; weight is nullable now and dropped rows are " +
    "reported.",
  "Retry limit of the supplier client set to 4 because the gateway bans an address after 5 failures in a minute.",
  "Nightly full import dropped in favour of change feeds since the supplier's full file is often half a day late.",
  "Weight parser was right; the header row was shifted by one column in the supplier's new export.",
  "Weights are in grams, not kilograms, in all supplier files.",
  "Fixtures go next to their test instead of a shared folder.",
];

/** Six turns of ten are worth a line. */
export const evaluations = (ns: readonly number[]): unknown => ({
  turns: ns.slice(0, 6).map((n, at) => ({
    n,
    significance: 0.75,
    type: "decision",
    tags: ["import", "weight"],
    summary: summaries[at],
  })),
  routine: ns.slice(6),
});

/** Three things were finished in ten turns. */
export const observations = (ns: readonly number[]): unknown => ({
  observations: ns.slice(0, 3).map((turn) => ({
    turn,
    type: "bugfix",
    title: "Rows with an empty weight are kept by the importer",
    subtitle: "weight made nullable, validator reports what it drops",
    narrative:
      "An empty weight became NaN in parseRow and the validator filtered the row silently; a test with an empty " +
      "column came first.",
    facts: ["parseRow in src/import/parse-row.ts", "212 tests pass"],
    concepts: ["validation", "csv"],
  })),
});

const memory = {
  kind: "fact",
  subject: "supplier client",
  attribute: "retry limit",
  value: "4",
  line: "depot: the retry limit of the supplier client is 4, because the gateway bans us after 5 failures in a minute.",
  aliases: ["backoff", "gateway ban", "attempts", "rate limit", "supplier client"],
  scope: "project",
  valid: "durable",
  turn: 4,
  quote: "the retry limit for the supplier client should be 4",
  replaces: 0,
};

/** Three memories of a session and its digest. */
export const session = {
  title: "depot importer: rows without weight, retry limit",
  outcome: "Rows without weight are kept and dropped rows reported; the retry limit is 4.",
  open: ["shipping/quote.ts without a weight", "pull request with three bullets"],
  branch: "main",
  memories: ["retry limit", "ban window", "back-off"].map((attribute, at) =>
    Object.assign({}, memory, {
      attribute,
      line: `${memory.line.slice(0, -1)}${" again".repeat(at)}.`,
    }),
  ),
  wrong: [2],
};

export const checkpoint = {
  title: "depot importer: rows without weight, retry limit, change feeds",
  request: "Find out why the importer drops rows with an empty weight column, and test it first.",
  investigated: "parseRow, the validator, and the header handling of the supplier's new export.",
  learned:
    "An empty weight became NaN and was filtered silently; the new export has no locale in its file name and a " +
    "shifted header row.",
  completed:
    "Weight is nullable, dropped rows are reported, retry limit is 4 and shared between workers, fixtures moved.",
  next_steps:
    "Decide what shipping/quote.ts and labels/print.ts do without a weight; open the pull request with three bullets.",
  notes: "The old full import stays behind the flag until March.",
  current_task: "Running the whole suite before the pull request.",
};

export const previousCheckpoint = {
  request: checkpoint.request,
  investigated: checkpoint.investigated,
  learned: checkpoint.learned,
  completed: checkpoint.completed,
  nextSteps: checkpoint.next_steps,
  notes: checkpoint.notes,
  currentTask: checkpoint.current_task,
};

/** Twenty neighbours, as many as are shown. */
export const known = Array.from({ length: 20 }, (_, at) => ({
  number: at + 1,
  id: at + 100,
  slot: `supplier gateway ${at + 1} · port`,
  l0: "depot: the supplier's gateway listens on port 8443 and needs a client certificate from the operations team.",
  project: "depot",
  date: "2026-02-01",
}));

export const profile: readonly RelationalStatement[] = Array.from({ length: 12 }, (_, at) => ({
  id: `s0000${at.toString(16)}`,
  section: "feedback",
  text: "Wants at most three bullets in descriptions and an explanation of the reason behind each change.",
  date: "2026-02-01",
  confirmed: "2026-02-20",
  sessionId: "s-0",
  quote: "three bullets at most",
  fixed: at === 0,
  before: [],
}));

export const relational: unknown = {
  keeps: ["s00001", "s00002"],
  changed: [],
  added: [
    {
      section: "corrections",
      text: "Corrects units at once and in few words.",
      quote: "no, grams not kilograms",
    },
    {
      section: "signals",
      text: "Says plainly when an explanation has helped.",
      quote: "great, it clicked now",
    },
  ],
};

/** Twelve episodes of fifty turns. */
export const episodes: unknown = {
  episodes: Array.from({ length: 12 }, (_, at) => ({
    from: at * 4 + 1,
    to: at * 4 + 4,
    title: "depot importer: rows with an empty weight are kept, after a failing test",
    tried: ["Reading the importer and writing a failing test first"],
    failed: ["Second run still had 11 rows of 12"],
    held: ["Weight nullable, dropped rows reported"],
    open: at % 3 === 0 ? ["Callers that assume a number"] : [],
  })),
};
