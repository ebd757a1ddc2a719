/** The relational profile: grows over sessions, each statement dated, and what its user corrected stays. */
import { expect, test } from "bun:test";
import { defaultSettings } from "#domain";
import { answering } from "../../../test/support/extracted.ts";
import type { AskedQuestion } from "../../../test/support/scripted-llm.ts";
import { openTestWorker } from "../../../test/support/worker.ts";

const settings = { ...defaultSettings, llm: { ...defaultSettings.llm, extras: true } };

type App = ReturnType<typeof openTestWorker>;

const uri = "mem://user/profile/communication";
const nothing = { keeps: [], changed: [], added: [] };

/** Answers with one statement for each sentence that a session has and that a statement is known for. */
const listener = () =>
  answering({
    relational: ({ prompt }: AskedQuestion) => ({
      ...nothing,
      added: statements
        .filter(({ quote }) => prompt.includes(quote))
        .map(({ section, text, quote }) => ({ section, text, quote })),
    }),
  });

const statements = [
  { section: "feedback", text: "Wants shorter answers", quote: "shorter answers please" },
  { section: "dynamic", text: "Wants to be asked before a push", quote: "ask me before you push" },
];

async function session(app: App, id: string, prompt: string, atMs: number): Promise<void> {
  const common = { session_id: id, prompt_id: `${id}-1` };
  app.send("submit", "UserPromptSubmit", { ...common, prompt }, { atMs });
  app.send(
    "stop",
    "Stop",
    { ...common, last_assistant_message: "Understood.", stop_hook_active: false },
    { atMs: atMs + 1_000 },
  );
  await app.settle();
  app.worker.runDueNow();
  await app.settle();
}

const day = 86_400_000;

test("a session without a word about working together is not asked about", async () => {
  const llm = listener();
  using app = openTestWorker({ llm, settings });
  await session(app, "s-1", "look at the importer", app.startMs);
  expect(llm.asked.map(({ purpose }) => purpose)).not.toContain("relational");
  expect(app.store.nodes.byUri(uri)).toBeNull();
});

test("statements of several sessions come together, dated, each with the words it stands on", async () => {
  using app = openTestWorker({ llm: listener(), settings });
  await session(app, "s-1", "wrong again. shorter answers please", app.startMs);
  await session(app, "s-2", "no, ask me before you push", app.startMs + day);
  const profile = app.store.nodes.byUri(uri);
  expect(profile).toMatchObject({ category: "profile", project: null, origin: "agent" });
  expect(profile?.l0).toContain("Wants shorter answers; Wants to be asked before a push");
  expect(profile?.l1).toContain("- Wants shorter answers (since 2026-03-02)");
  expect(profile?.l1).toContain("- Wants to be asked before a push (since 2026-03-03)");
  expect(profile?.evidence.map(({ sessionId, quote }) => ({ sessionId, quote }))).toEqual([
    { sessionId: "s-1", quote: "shorter answers please" },
    { sessionId: "s-2", quote: "ask me before you push" },
  ]);
});

const edit = (app: App, change: (l1: string) => string): void => {
  const node = app.store.nodes.byUri(uri);
  app.store.nodes.update(
    node?.id ?? 0,
    { l1: change(node?.l1 ?? "") },
    { atMs: app.startMs, action: "edit", by: "user", reason: "as it should be" },
  );
};

test("what the user takes out does not come back, what they change or add stays as they put it", async () => {
  using app = openTestWorker({ llm: listener(), settings });
  await session(app, "s-1", "wrong again. shorter answers please", app.startMs);
  edit(app, () => "Feedback calibration:\n- Prefers to see the diff first\n");
  await session(
    app,
    "s-2",
    "no. shorter answers please, and ask me before you push",
    app.startMs + day,
  );
  const l1 = app.store.nodes.byUri(uri)?.l1 ?? "";
  expect(l1).not.toContain("shorter answers");
  expect(l1).toContain("Prefers to see the diff first (since 2026-03-03; set by the user)");
  expect(l1).toContain("Wants to be asked before a push");
});

test("a statement that the user reworded keeps their words, with what it said before", async () => {
  using app = openTestWorker({ llm: listener(), settings });
  await session(app, "s-1", "wrong again. shorter answers please", app.startMs);
  edit(app, (l1) =>
    l1.replace(/- Wants shorter answers.*/, "- Wants shorter answers, but with the reason"),
  );
  await session(app, "s-2", "no. shorter answers please", app.startMs + day);
  const l1 = app.store.nodes.byUri(uri)?.l1 ?? "";
  expect(l1).toContain(
    "- Wants shorter answers, but with the reason (since 2026-03-03; set by the user",
  );
  expect(l1.match(/shorter answers/g)?.length).toBe(2);
});

test("a profile that was taken away does not come back", async () => {
  using app = openTestWorker({ llm: listener(), settings });
  await session(app, "s-1", "wrong again. shorter answers please", app.startMs);
  const id = app.store.nodes.byUri(uri)?.id ?? 0;
  app.store.nodes.retract(id, { atMs: app.startMs, action: "retract", by: "user", reason: "no" });
  await session(app, "s-2", "no, ask me before you push", app.startMs + day);
  expect(app.store.nodes.byUri(uri)?.status).toBe("retracted");
});

test("no memory becomes part of the profile, however near it is", async () => {
  using app = openTestWorker({ llm: listener(), settings });
  await session(app, "s-1", "wrong again. shorter answers please", app.startMs);
  const before = app.store.nodes.byUri(uri)?.l2;
  app.remember("Wants shorter answers", { category: "profile", project: null });
  expect(app.store.nodes.byUri(uri)?.l2).toBe(before ?? "");
});
