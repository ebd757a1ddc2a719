/**
 * Backfill from recorded sessions of other agents: words, tools and outcomes come over, once; what was injected does
 * not.
 */
import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTestImport, type TestImport } from "../../test/support/import/open.ts";
import { agentOf } from "#domain";

// Real stores on a disk that may be busy.
setDefaultTimeout(20_000);

const recorded = "test/support/agents/sessions";
/** Before the time of the import. */
const earlier = (text: string): string => text.replaceAll("2026-11-22", "2026-02-20");

function copied(t: TestImport, agent: "codex" | "gemini" | "copilot"): string {
  const to = join(t.folder, agent);
  cpSync(join(recorded, agent), to, { recursive: true });
  for (const name of readdirSync(to, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".jsonl")) continue;
    const text = earlier(readFileSync(join(to, name), "utf8"));
    const names = { codex: `rollout-${name}`, gemini: name, copilot: `${name}.d/events.jsonl` };
    mkdirSync(join(to, agent === "copilot" ? `${name}.d` : "."), { recursive: true });
    writeFileSync(join(to, names[agent]), text);
  }
  return to;
}

/** Every file of a source with its bytes. */
const contents = (path: string): readonly (readonly [string, string])[] =>
  statSync(path).isFile()
    ? [[path, Bun.hash(readFileSync(path)).toString()]]
    : readdirSync(path, { recursive: true, encoding: "utf8" })
        .toSorted()
        .map((name) => join(path, name))
        .filter((file) => statSync(file).isFile())
        .map((file) => [file, Bun.hash(readFileSync(file)).toString()]);

const sessions = (t: TestImport) => t.store.sessions.list({ projects: null }, { limit: 100 });

const said = (t: TestImport) =>
  sessions(t).flatMap(({ sessionId }) => t.store.sessions.turns(sessionId));

test("Codex CLI: turns with their answers; a subagent's session is none", async () => {
  using t = openTestImport();
  const path = copied(t, "codex");
  const report = await t.run("codex", path);
  expect(report.reasons).toMatchObject({ "a subagent's session": 1 });
  const id = "codex-01a2014e-a529-7623-bfcd-613438684032";
  expect(t.store.sessions.byId(id)).toMatchObject({
    projectName: "acme-api",
    branch: "master",
    firstPrompt: "List the src folder",
  });
  const [turn] = t.store.sessions.turns(id);
  expect(turn).toMatchObject({
    prompt: "List the src folder",
    answer: "The port is 3000.",
    promptId: "01a2014e-a54a-71b0-838c-3e7db9a12922",
    status: "closed",
  });
  const edited = said(t).flatMap(({ filesEdited }) => filesEdited);
  expect(edited).toContain("/home/dev/acme-api/src/index.ts");
  expect(said(t).some(({ status }) => status === "interrupted")).toBe(true);
});

test("Gemini CLI: what hooks and the client put into a message is left out", async () => {
  using t = openTestImport();
  const path = copied(t, "gemini");
  mkdirSync(join(path, "chats"));
  const name = "session-2026-11-22T03-51-3df8931e.jsonl";
  writeFileSync(join(path, ".project_root"), "/home/dev/acme-api");
  writeFileSync(join(path, "chats", name), readFileSync(join(path, name)));
  await t.run("gemini", join(path, "chats"));
  const id = "gemini-3df8931e-e605-4664-a0ef-e9d1a7e18af3";
  expect(t.store.sessions.byId(id)).toMatchObject({ projectName: "acme-api" });
  expect(t.store.sessions.turns(id).map(({ prompt, status }) => [prompt, status])).toEqual([
    ["Hello tui", "closed"],
    ["Now sleep", "interrupted"],
    ["third", "closed"],
    ["post compress", "closed"],
  ]);
});

test("Copilot CLI: the main agent's words, none of the subagent's", async () => {
  using t = openTestImport();
  await t.run("copilot", copied(t, "copilot"));
  const id = "copilot-515e86d8-ae19-4ee1-8c71-315c38c05466";
  const [turn] = t.store.sessions.turns(id);
  expect(turn).toMatchObject({ prompt: "Tour", answer: "All done." });
  expect(t.store.sessions.turns(id)).toHaveLength(1);
});

function openCodeDatabase(t: TestImport): string {
  const path = join(t.folder, "opencode.db");
  const rows = JSON.parse(readFileSync(join(recorded, "opencode", "rows.json"), "utf8")) as Record<
    string,
    readonly Record<string, string | number | null>[]
  >;
  using db = new Database(path);
  db.run("CREATE TABLE session (id TEXT, parent_id TEXT, directory TEXT, time_created INTEGER)");
  for (const table of ["message", "part"])
    db.run(
      `CREATE TABLE ${table} (id TEXT, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT)`,
    );
  for (const row of rows["session"] ?? [])
    db.run("INSERT INTO session VALUES (?, ?, ?, ?)", [
      row["id"] ?? null,
      row["parent_id"] ?? null,
      row["directory"] ?? null,
      1_771_578_000_000,
    ]);
  for (const table of ["message", "part"])
    for (const row of rows[table] ?? [])
      db.run(`INSERT INTO ${table} VALUES (?, ?, ?, ?, ?)`, [
        row["id"] ?? null,
        row["message_id"] ?? null,
        row["session_id"] ?? null,
        Number(row["time_created"]) - 275 * 86_400_000,
        row["data"] ?? null,
      ]);
  return path;
}

test("OpenCode: prompts without the marks of its command line and without synthetic parts", async () => {
  using t = openTestImport();
  await t.run("opencode", openCodeDatabase(t));
  const [session] = sessions(t);
  expect(session).toMatchObject({
    sessionId: "opencode-ses_dfe9b2557ffePVrk1S0moaWCzg",
    projectName: "acme-api",
  });
  expect(t.store.sessions.turns(session?.sessionId ?? "")[0]).toMatchObject({
    prompt: "List the src folder",
    answer: "The port is 3000.",
  });
});

test.each(["codex", "gemini", "copilot", "opencode"] as const)(
  "%s: a second run takes nothing, the source is untouched, and no injected text is kept",
  async (agent) => {
    using t = openTestImport();
    const path = agent === "opencode" ? openCodeDatabase(t) : copied(t, agent);
    const before = contents(path);
    const first = await t.run(agent, path);
    expect(first.created).toBeGreaterThan(0);
    expect(contents(path)).toEqual(before);
    const turns = said(t);
    expect(JSON.stringify(turns)).not.toMatch(/CTX-|hook_context|environment_context|SUBTASK/);
    expect(new Set(sessions(t).map(({ sessionId }) => agentOf(sessionId)))).toEqual(
      new Set([agent]),
    );
    const second = await t.run(agent, path);
    expect(second.created).toBe(0);
    expect(said(t)).toEqual(turns);
  },
);
