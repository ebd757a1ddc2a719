/** kill -9 between every two steps: the same memories as without, and no stored reply is asked for again. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { knownNumber, remembered, sessionReply } from "../../../test/support/extracted.ts";
import { scriptedLlm, type AskedQuestion } from "../../../test/support/scripted-llm.ts";
import { openTestWorker } from "../../../test/support/worker.ts";

type App = ReturnType<typeof openTestWorker>;

const answer = ({ prompt }: AskedQuestion): unknown =>
  sessionReply(prompt.includes("\n[5] USER") ? later(prompt) : first, {
    title: "Booking export",
    outcome: "The export writes UTC.",
  });

const first = [
  remembered({}),
  remembered({
    kind: "cause",
    subject: "booking export",
    attribute: "off by an hour",
    value: "local times",
    line: "Booking export an hour off: the exporter formatted local times",
    quote: "the exporter formatted local times",
    turn: 2,
  }),
];

const later = (prompt: string) => [
  remembered({
    kind: "place",
    subject: "migrations",
    attribute: "tool",
    value: "atlas",
    line: "Migrations of deskly run through atlas",
    quote: "Migrations run through atlas",
    turn: 5,
    replaces: knownNumber(prompt, "drizzle"),
  }),
];

/** Every kind of job and of question. What was accepted already is known by its key. */
async function play(app: App): Promise<void> {
  if (app.store.nodes.count({ projects: null }) === 0)
    app.remember("Migrations of deskly run through drizzle", {
      category: "patterns",
      origin: "agent",
    });
  app.submit("remember that the staging database listens on port 6432", "p-1");
  app.stop("Noted.", "p-1");
  app.submit("the booking export is an hour off, fix it", "p-2");
  app.send("tool", "PostToolUse", {
    tool_name: "Edit",
    tool_input: { file_path: "/home/dev/deskly/src/export.ts" },
    tool_response: "ok",
    tool_use_id: "t-1",
    prompt_id: "p-2",
  });
  app.stop("Root cause: the exporter formatted local times. It writes UTC now.", "p-2");
  app.submit("no, that is wrong in the view. shorter answers please", "p-3");
  app.stop("Fixed.", "p-3");
  app.submit("we use Redis 7.2 for the cache", "p-4");
  app.stop("I see.", "p-4");
  app.send("compact", "PreCompact", { trigger: "manual" });
  await app.settle();
  app.submit("go on", "p-5");
  app.stop("Migrations run through atlas, by the way, as in the rest of the company.", "p-5");
  await app.settle();
  app.worker.runDueNow();
  await app.settle();
}

/** All that a session leaves and the user may see. */
function remains({ store }: App): string {
  const page = { limit: 500 };
  const statuses = ["active", "pending", "superseded", "retracted"] as const;
  const nodes = [false, true].flatMap((archive) =>
    store.nodes.list({ archive, statuses, projects: null }, "uri", page),
  );
  const revisions = nodes.flatMap(({ id }) =>
    store.nodes.revisions(id).map(({ action, by, reason, l0 }) => ({ action, by, reason, l0 })),
  );
  const checkpoints = store.sessions.checkpoints("s-1");
  return JSON.stringify({ nodes, revisions, checkpoints }, withoutIds, 1);
}

/** Rows that a crash undid leave gaps in the counting of ids. */
const withoutIds = (name: string, value: unknown): unknown => (name === "id" ? undefined : value);

interface Played {
  readonly remains: string;
  readonly asked: readonly string[];
  readonly steps: readonly string[];
  /** At which step the first process died; null = it lived. */
  readonly diedAt: string | null;
}

const crashed = new Error("killed");

/** Plays in one process that dies at the nth step (null = never), and then in another that goes on. */
async function playWith(killAt: number | null): Promise<Played> {
  const folder = mkdtempSync(join(tmpdir(), "continuity-crash-"));
  const asked: string[] = [];
  const steps: string[] = [];
  const llm = scriptedLlm({
    answer: (question) => {
      asked.push(`${question.purpose} ${Bun.hash(question.prompt)}`);
      return answer(question);
    },
  });
  try {
    const diedAt = killAt === null ? null : await playAndDie({ folder, llm, killAt });
    using app = openTestWorker({
      folder,
      llm,
      onStep: (step, kind) => void steps.push(`${kind} ${step}`),
    });
    await play(app);
    expect(app.store.jobs.counts()).toMatchObject({ queued: 0, leased: 0, skipped: 0 });
    return { remains: remains(app), asked, steps, diedAt };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Nothing of the process lives on: no catch of it can write any more. */
async function playAndDie(deps: {
  readonly folder: string;
  readonly llm: ReturnType<typeof scriptedLlm>;
  readonly killAt: number;
}): Promise<string> {
  let left = deps.killAt;
  let diedAt: string | null = null;
  const app = openTestWorker({
    ...deps,
    onStep: (step, kind) => {
      if (diedAt !== null) throw crashed;
      left -= 1;
      if (left >= 0) return;
      diedAt = `${kind} ${step}`;
      app.worker.stop();
      app[Symbol.dispose]();
      throw crashed;
    },
  });
  try {
    await play(app);
  } catch (error) {
    if (diedAt === null) throw error;
  }
  if (diedAt !== null) return diedAt;
  app[Symbol.dispose]();
  throw new Error("the play was over before");
}

const reference = await playWith(null);

test("the play has every kind of job and step", () => {
  for (const step of ["leased", "answered", "stored", "applied", "committed"])
    expect(reference.steps).toContain(`session ${step}`);
  for (const kind of ["turn", "checkpoint", "quiet"])
    for (const step of ["leased", "applied", "committed"])
      expect(reference.steps).toContain(`${kind} ${step}`);
});

/** The first and the last time that each kind of job comes to each of its steps. */
const boundaries = reference.steps
  .map((step, at) => [at, step] as const)
  .filter(
    ([at, step]) =>
      at === reference.steps.indexOf(step) || at === reference.steps.lastIndexOf(step),
  );

test.each(boundaries)("killed at step %d (%s)", async (at) => {
  const { asked, diedAt, remains } = await playWith(at);
  expect(remains).toBe(reference.remains);
  // Only an answer that had come and was not stored yet may be asked for again; and what ran beside it.
  const repeated = asked.filter((line, n) => asked.indexOf(line) !== n);
  // On a busy machine what runs side by side may come in another order, so it counts where it really died.
  expect(repeated.length).toBeLessThanOrEqual(diedAt?.endsWith("answered") === true ? 1 : 0);
  expect(new Set(asked)).toEqual(new Set(reference.asked));
});
