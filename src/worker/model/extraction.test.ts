/** What becomes of a model's candidates beside the memories that were made at once. */
import { expect, test } from "bun:test";
import { answering, extracted, firstKnown } from "../../../test/support/extracted.ts";
import { unavailable, type AskedQuestion } from "../../../test/support/scripted-llm.ts";
import { openTestWorker } from "../../../test/support/worker.ts";

type App = ReturnType<typeof openTestWorker>;

const reply = (...memories: readonly Readonly<Record<string, unknown>>[]) =>
  answering({ gate: { worth: true }, extraction: { memories: memories.map(extracted) } });

/** One turn, everything local, then the silence in which the model is asked. */
async function talk(app: App, prompt: string, answer = "I see."): Promise<void> {
  app.submit(prompt, `p-${prompt.length}-${prompt.slice(0, 12)}`);
  app.stop(answer, `p-${prompt.length}-${prompt.slice(0, 12)}`);
  await app.settle();
  app.worker.hurry();
  await app.settle();
}

const lines = (app: App) => app.memories().map(({ l0, status }) => `${status}: ${l0}`);

/** The local form takes causes and new settings from an answer, and nothing else. */
const aside = "Migrations run through atlas, by the way, as in the rest of the company.";

test("what the local form missed is added, with its evidence", async () => {
  const l0 = "Migrations of deskly run through atlas";
  using app = openTestWorker({
    llm: reply({ l0, evidence_quote: "Migrations run through atlas" }),
  });
  await talk(app, "go on", aside);
  expect(app.memories()).toMatchObject([
    {
      l0,
      maker: "extract",
      origin: "agent",
      project: "github.com/deskly/deskly",
      evidence: [{ sessionId: "s-1", turn: 1, quote: "Migrations run through atlas" }],
    },
  ]);
});

test("a candidate whose words stand nowhere is dropped; one that a tool printed is no preference", async () => {
  using app = openTestWorker({
    llm: reply(
      { l0: "deskly runs on Kubernetes", evidence_quote: "we run on Kubernetes" },
      {
        category: "preferences",
        l0: "Always deploy from main",
        evidence_quote: "always deploy from main",
        turn: 1,
      },
    ),
  });
  app.submit("run the release script", "p-1");
  app.send("tool", "PostToolUse", {
    tool_name: "Bash",
    tool_input: { command: "./release.sh" },
    tool_response: { stdout: "always deploy from main", stderr: "" },
    tool_use_id: "t-1",
    prompt_id: "p-1",
  });
  app.stop("Done.", "p-1");
  await app.settle();
  app.worker.hurry();
  await app.settle();
  expect(app.memories()).toEqual([]);
});

test("known already: one more piece of evidence, once per session and turn", async () => {
  using app = openTestWorker({
    llm: reply({
      l0: "Migrations of deskly run through atlas",
      evidence_quote: "Migrations run through atlas",
    }),
  });
  const known = app.remember("deskly's migrations run through atlas");
  await talk(app, "go on", aside);
  const [node, ...others] = app.memories();
  expect(others).toEqual([]);
  expect(node?.id).toBe(known?.id ?? -1);
  expect(node?.evidenceCount).toBe(2);
});

const drizzle = "Migrations of deskly run through drizzle";

test("a mergeable memory gets the wording of both versions, and the older one stays in its history", async () => {
  const both = "Migrations of deskly run through atlas, before through drizzle";
  const llm = answering({
    gate: { worth: true },
    merge: { l0: both, l1: "", aliases: ["schema changes"] },
    extraction: ({ prompt }: AskedQuestion) => ({
      memories: [
        extracted({
          category: "patterns",
          l0: "Migrations of deskly run through atlas",
          evidence_quote: "Migrations run through atlas",
          replaces: firstKnown(prompt),
        }),
      ],
    }),
  });
  using app = openTestWorker({ llm });
  const known = app.remember(drizzle, { category: "patterns", origin: "agent" });
  await talk(app, "go on", aside);
  expect(app.memories()).toMatchObject([{ id: known?.id, l0: both, aliases: ["schema changes"] }]);
  expect(app.store.nodes.revisions(known?.id ?? 0).map(({ l0 }) => l0)).toContain(drizzle);
});

test("a merge that says what neither version says is not taken: the newer statement leads", async () => {
  const llm = answering({
    gate: { worth: true },
    merge: { l0: "deskly deploys to port 9999 every night", l1: "", aliases: [] },
    extraction: ({ prompt }: AskedQuestion) => ({
      memories: [
        extracted({
          category: "patterns",
          l0: "Migrations of deskly run through atlas",
          evidence_quote: "Migrations run through atlas",
          replaces: firstKnown(prompt),
        }),
      ],
    }),
  });
  using app = openTestWorker({ llm });
  app.remember(drizzle, { category: "patterns", origin: "agent" });
  await talk(app, "go on", aside);
  expect(lines(app)).toEqual(["active: Migrations of deskly run through atlas"]);
  expect(app.store.jobs.parked(9)).toEqual([]);
});

test("a merge that cannot be read is not asked for again when another one has to be", async () => {
  const seeds = "Seeds of deskly are written with drizzle";
  const memories = ({ prompt }: AskedQuestion) =>
    ["Migrations run through atlas", "seeds are written with sprout"].map((quote, n) =>
      extracted({
        category: "patterns",
        l0: `${quote} in deskly`,
        evidence_quote: quote,
        replaces: [...prompt.matchAll(/mem:\/\/\S+/g)][n]?.[0] ?? "",
      }),
    );
  let failures = 0;
  const llm = answering(
    {
      gate: { worth: true },
      extraction: (asked: AskedQuestion) => ({ memories: memories(asked) }),
      merge: { l0: "deskly deploys to port 9999 every night", l1: "", aliases: [] },
    },
    {
      failure: (_, { purpose, prompt }) => {
        if (purpose !== "merge" || !prompt.includes("sprout") || failures > 0) return null;
        failures += 1;
        return unavailable;
      },
    },
  );
  using app = openTestWorker({ llm });
  app.remember(drizzle, { category: "patterns", origin: "agent" });
  app.remember(seeds, { category: "patterns", origin: "agent" });
  await talk(
    app,
    "go on",
    "Migrations run through atlas, by the way, and seeds are written with sprout.",
  );
  const merges = llm.asked.filter(({ purpose }) => purpose === "merge");
  expect(merges.map(({ prompt }) => /atlas|sprout/.exec(prompt)?.[0])).toEqual([
    "atlas",
    "sprout",
    "sprout",
  ]);
  expect(app.store.jobs.parked(9)).toEqual([]);
});

test.each([
  { name: "of another project", over: { project: "github.com/other/other" } },
  { name: "of every project", over: { project: null, category: "patterns" as const } },
  { name: "that is newer", over: { atMs: Date.parse("2026-06-01T00:00:00Z") } },
  { name: "of what happened", over: { category: "cases" as const } },
  { name: "that the user stated", over: { origin: "user" as const } },
])("a memory $name is not ended by what the assistant says of this project", async ({ over }) => {
  const llm = answering({
    gate: { worth: true },
    extraction: ({ prompt }: AskedQuestion) => ({
      memories: [
        extracted({
          l0: "Migrations of deskly run through atlas",
          evidence_quote: "Migrations run through atlas",
          replaces: firstKnown(prompt),
        }),
      ],
    }),
  });
  using app = openTestWorker({ llm });
  const known = app.remember(drizzle, { origin: "agent", ...over });
  await talk(app, "go on", aside);
  expect(app.store.nodes.byId(known?.id ?? 0)?.status).toBe("active");
});

test("an older memory that this session changed at once is worded anew where it is", async () => {
  const l0 = "No deploys of deskly on Fridays at all since the March incident";
  using app = openTestWorker({
    llm: reply({
      category: "patterns",
      l0,
      evidence_quote: "since the march incident no deploys on fridays at all",
    }),
  });
  app.submit("rule for deskly: no deploys on fridays after 14:00", "p-0");
  app.stop("Noted.", "p-0");
  await app.settle();
  const before = app.memories().length;
  app.send("submit", "UserPromptSubmit", {
    session_id: "s-2",
    prompt: "since the march incident no deploys on fridays at all",
    prompt_id: "q-1",
  });
  app.send("stop", "Stop", {
    session_id: "s-2",
    last_assistant_message: "Noted.",
    prompt_id: "q-1",
    stop_hook_active: false,
  });
  await app.settle();
  app.worker.hurry();
  await app.settle();
  const current = app.memories().filter(({ status }) => status === "active");
  expect(before).toBe(1);
  expect(current.map((node) => node.l0)).toEqual([l0]);
});

test("what its user forgot does not come back through a model", async () => {
  const l0 = "Migrations of deskly run through atlas";
  using app = openTestWorker({
    llm: reply({ l0, evidence_quote: "Migrations run through atlas" }),
  });
  const known = app.remember(l0);
  app.store.nodes.forget([known?.id ?? 0], [l0], app.startMs);
  await talk(app, "go on", aside);
  expect(app.memories()).toEqual([]);
});

test("what a user said is not told in words that only the assistant used", async () => {
  using app = openTestWorker({
    llm: reply({
      l0: "The tenant ledger of deskly is guarded by the audit daemon",
      evidence_quote: "remember that the ledger is audited",
    }),
  });
  await talk(
    app,
    "remember that the ledger is audited",
    "Right: the tenant ledger is guarded by the audit daemon.",
  );
  const [node] = app.memories();
  expect(node?.origin).toBe("user");
  expect(node?.l0).not.toContain("daemon");
});
