/** Tests the import of claude-mem's records, in four of its eras; and that its file stays as it is. */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  buildClaudeMem,
  claudeMemSessions,
  closeClaudeMem,
  type ClaudeMemVersion,
} from "../../test/support/import/claude-mem.ts";
import { Killed, openTestImport, type TestImport } from "../../test/support/import/open.ts";
import { homeDigest } from "../../test/support/import/digest.ts";

// Real stores on a disk that may be busy.
setDefaultTimeout(20_000);

afterAll(closeClaudeMem);

const versions: readonly ClaudeMemVersion[] = [3, 5, 9, 13];
const all = { limit: 200 };
const memoriesOf = (t: TestImport) => t.store.nodes.list({ projects: null }, "uri", all);
const archiveOf = (t: TestImport) =>
  t.store.nodes.list({ projects: null, archive: true }, "uri", all);
const bytesOf = (path: string): string =>
  createHash("sha256").update(readFileSync(path)).digest("hex");

const sum = (report: {
  created: number;
  merged: number;
  skipped: number;
  refused: number;
}): number => report.created + report.merged + report.skipped + report.refused;

describe.each(versions)("a database of version %i", (version) => {
  test("is counted to the last record, each with what became of it", async () => {
    using t = openTestImport();
    const built = buildClaudeMem(join(t.folder, "claude-mem.db"), version);
    const report = await t.run("claude-mem", built.path);
    expect(report.read).toBe(built.records);
    expect(sum(report)).toBe(report.read);
    expect(report.refused).toBe(0);
    expect(Object.values(report.reasons).reduce((a, b) => a + b, 0)).toBe(
      report.read - report.created,
    );
    if (built.raw > 0) {
      const { reasons } = report;
      expect(
        (reasons["raw tool records are not kept"] ?? 0) +
          (reasons["a message of claude-mem about itself"] ?? 0),
      ).toBe(built.raw);
    }
    expect(report.reasons["routine"]).toBe(1);
  });

  test("creates nothing the second time", async () => {
    using t = openTestImport();
    const { path } = buildClaudeMem(join(t.folder, "claude-mem.db"), version);
    await t.run("claude-mem", path);
    const before = homeDigest(new Database(join(t.folder, "continuity.db"), { readonly: true }));
    const second = await t.run("claude-mem", path);
    expect(second).toMatchObject({ created: 0, merged: 0 });
    expect(sum(second)).toBe(second.read);
    expect(homeDigest(new Database(join(t.folder, "continuity.db"), { readonly: true }))).toBe(
      before,
    );
  });

  test("is not changed, and no file is left beside it", async () => {
    using t = openTestImport();
    const folder = join(t.folder, "theirs");
    mkdirSync(folder);
    const { path } = buildClaudeMem(join(folder, "claude-mem.db"), version);
    const before = bytesOf(path);
    await t.run("claude-mem", path);
    expect(bytesOf(path)).toBe(before);
    expect(readdirSync(folder)).toEqual(["claude-mem.db"]);
  });

  test("broken off after any batch and run again leaves what one run leaves", async () => {
    const digests: string[] = [];
    for (const batches of [Infinity, 0, 1, 2]) {
      using t = openTestImport();
      const { path } = buildClaudeMem(join(t.folder, "claude-mem.db"), version);
      if (batches !== Infinity)
        await t.run("claude-mem", path, { batches }).catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
        });
      await t.run("claude-mem", path);
      digests.push(homeDigest(new Database(join(t.folder, "continuity.db"), { readonly: true })));
    }
    expect(new Set(digests).size).toBe(1);
  });

  test("is found again by other words", async () => {
    using t = openTestImport();
    const { path } = buildClaudeMem(join(t.folder, "claude-mem.db"), version);
    await t.run("claude-mem", path);
    const found = t.finder.find({
      text: "why was the final boat of the evening missing from the schedule",
      projects: null,
      homeProject: null,
      kinds: ["memory", "moment"],
      sort: "relevance",
      limit: 3,
      nowMs: t.reader.nowMs,
    });
    expect(found.map(({ l0 }) => l0).join("\n")).toContain("last sailing");
  });

  test("keeps no private part of a prompt", async () => {
    using t = openTestImport();
    const { path } = buildClaudeMem(join(t.folder, "claude-mem.db"), version);
    await t.run("claude-mem", path);
    expect(readFileSync(join(t.folder, "continuity.db"), "latin1")).not.toContain("9911");
    expect(readFileSync(join(t.folder, "continuity.db-wal"), "latin1")).not.toContain("9911");
  });
});

describe("mapping", () => {
  const imported = async () => {
    const t = openTestImport();
    const { path } = buildClaudeMem(join(t.folder, "claude-mem.db"), 9);
    await t.run("claude-mem", path);
    return t;
  };

  test.each([
    ["last sailing", "cases"],
    ["Seat reservations", "events"],
  ])("%s is one of the %s", async (words, category) => {
    using t = await imported();
    const nodes = t.store.nodes.list({ projects: null }, "uri", all);
    const node = nodes.find(({ l0 }) => l0.includes(words));
    expect(node).toMatchObject({ category, origin: "import", maker: "import", status: "active" });
    expect(node?.createdAt).toBeLessThan(t.reader.nowMs - 86_400_000);
  });

  test.each(["Gangway sensors", "Deck plan export"])(
    "%s, seen on the way, goes to the archive with its session, and can be brought back",
    async (words) => {
      using t = await imported();
      expect(memoriesOf(t).filter(({ l0 }) => l0.includes(words))).toEqual([]);
      const node = archiveOf(t).find(({ l0 }) => l0.includes(words));
      expect(node?.uri).toMatch(/^mem:\/\/sessions\/[\w-]+\/sentences\/\d+$/);
      expect(node).toMatchObject({ origin: "import", maker: "import", status: "active" });
      const [made, archived] = t.store.nodes.revisions(node?.id ?? 0);
      expect(made?.fields.uri).toMatch(/^mem:\/\/(?:user|agent)\//);
      expect(archived).toMatchObject({
        action: "archive",
        by: expect.stringMatching(/^import:claude-mem:2\d{3}-/),
      });
    },
  );

  test("sessions keep their client's ids, prompts, times, summaries and how they ended", async () => {
    using t = await imported();
    const [first, second] = claudeMemSessions;
    expect(t.store.sessions.byId(first)).toMatchObject({
      status: "completed",
      projectName: "harbour",
    });
    expect(t.store.sessions.byId(second)).toMatchObject({
      status: "interrupted",
      projectName: "harbour",
    });
    expect(t.store.sessions.turns(first).map(({ prompt }) => prompt?.slice(0, 13))).toEqual([
      "The timetable",
      "How long shou",
    ]);
    expect(t.store.sessions.currentCheckpoint(first)).toMatchObject({
      completed: "The last sailing is shown again",
      nextSteps: "Check summer time",
    });
    expect(
      t.store.nodes
        .list({ projects: null, archive: true, session: first }, "recent", {
          limit: 9,
        })
        .flatMap(({ tags }) => tags[0] ?? []),
    ).toEqual(["discovery"]);
  });

  test("a project is the one that is known by its folder's name", async () => {
    using t = openTestImport({
      projectNamed: (name) => (name === "harbour" ? "example.com/team/harbour" : null),
    });
    const { path } = buildClaudeMem(join(t.folder, "claude-mem.db"), 5);
    await t.run("claude-mem", path);
    expect(t.store.sessions.byId(claudeMemSessions[0])?.project).toBe("example.com/team/harbour");
  });

  test("a project is the one of the folder that a record names, worktrees included", async () => {
    using t = openTestImport();
    const { path } = buildClaudeMem(join(t.folder, "claude-mem.db"), 13);
    await t.run("claude-mem", path);
    const nodes = t.store.nodes.list({ projects: null }, "uri", all);
    expect(new Set(nodes.map(({ project }) => project))).toEqual(
      new Set(["example.com/team/harbour"]),
    );
    expect(t.store.admin.projects()).toMatchObject([{ name: "harbour", sessions: 2 }]);
  });

  test("a session that hooks captured keeps its own turns, and its notes are news all the same", async () => {
    using t = openTestImport();
    const [first] = claudeMemSessions;
    t.store.sessions.upsert({ sessionId: first, atMs: 1, status: "active" });
    const { path } = buildClaudeMem(join(t.folder, "claude-mem.db"), 9);
    const report = await t.run("claude-mem", path);
    expect(report.reasons["the session is there already"]).toBe(4);
    expect(t.store.sessions.turns(first)).toEqual([]);
    expect([memoriesOf(t).length, archiveOf(t).length]).toEqual([2, 2]);
  });
});

describe("what is here already", () => {
  test("stays forgotten when it was forgotten", async () => {
    using t = openTestImport();
    const { path } = buildClaudeMem(join(t.folder, "claude-mem.db"), 9);
    t.store.nodes.forget([], ["Seat reservations expire after twelve minutes"], 1);
    const report = await t.run("claude-mem", path);
    expect(report.reasons["was forgotten"]).toBe(1);
    const nodes = t.store.nodes.list({ projects: null }, "uri", all);
    expect(nodes.filter(({ l0 }) => l0.includes("reservations"))).toEqual([]);
  });

  test("is not overwritten where somebody edited it", async () => {
    using t = openTestImport();
    const { path } = buildClaudeMem(join(t.folder, "claude-mem.db"), 9);
    await t.run("claude-mem", path);
    const [node] = t.store.nodes.list({ projects: null, categories: ["cases"] }, "uri", all);
    t.store.nodes.update(
      node?.id ?? 0,
      { l0: "Sensors speak UTC since May" },
      { atMs: 5, action: "edit", by: "user", reason: "" },
    );
    await t.run("claude-mem", path);
    expect(t.store.nodes.byId(node?.id ?? 0)?.l0).toBe("Sensors speak UTC since May");
    expect(t.store.nodes.list({ projects: null, categories: ["cases"] }, "uri", all)).toHaveLength(
      1,
    );
  });

  test("is said by the second import of the same notes under another path: nothing doubles", async () => {
    using t = openTestImport();
    await t.run("claude-mem", buildClaudeMem(join(t.folder, "one.db"), 9).path);
    const second = await t.run("claude-mem", buildClaudeMem(join(t.folder, "two.db"), 9).path);
    expect(second.created).toBe(0);
  });
});

describe("where its program has it open", () => {
  test("rows that are in the log only are read, and the log stays as it is", async () => {
    using t = openTestImport();
    const folder = join(t.folder, "theirs");
    mkdirSync(folder);
    const { path, records } = buildClaudeMem(join(folder, "claude-mem.db"), 9, true);
    const files = readdirSync(folder).toSorted();
    const before = files.map((name) => bytesOf(join(folder, name)));
    const report = await t.run("claude-mem", path);
    expect(report.read).toBe(records);
    expect(readdirSync(folder).toSorted()).toEqual(files);
    expect(files.map((name) => bytesOf(join(folder, name)))).toEqual(before);
  });

  test("a folder that may not be written is read, whatever the journal mode", async () => {
    using t = openTestImport();
    const folder = join(t.folder, "theirs");
    mkdirSync(folder);
    const { path, records } = buildClaudeMem(join(folder, "claude-mem.db"), 5);
    const db = new Database(path);
    db.run("PRAGMA journal_mode = WAL");
    db.close();
    chmodSync(folder, 0o500);
    const report = await t.run("claude-mem", path);
    chmodSync(folder, 0o700);
    expect(report.read).toBe(records);
    expect(readdirSync(folder)).toEqual(["claude-mem.db"]);
  });
});

test("rows without a session or a time are refused by name, the others are taken", async () => {
  using t = openTestImport();
  const { path } = buildClaudeMem(join(t.folder, "claude-mem.db"), 9);
  const db = new Database(path);
  db.run(
    "INSERT INTO observations (memory_session_id, project, type, title, created_at, created_at_epoch) VALUES ('', " +
      "'harbour', 'x', 'no session', '', 0)",
  );
  db.run(
    "INSERT INTO observations (memory_session_id, project, type, title, created_at, created_at_epoch) VALUES " +
      "('observer-9', 'harbour', 'weird', 'An orphan note about the quay wall', '2026-01-02T03:04:05Z', 'soon')",
  );
  db.run(
    "INSERT INTO user_prompts (content_session_id, prompt_number, prompt_text, created_at, created_at_epoch) " +
      "VALUES ('nobody', 1, 'hello', '', 5)",
  );
  db.close();
  const report = await t.run("claude-mem", path);
  expect(report.refused).toBe(2);
  expect(sum(report)).toBe(report.read);
  const orphan = archiveOf(t).find(
    ({ l0 }) => l0 === "harbour: An orphan note about the quay wall",
  );
  expect(orphan?.uri).toBe(`mem://sessions/sentences/${orphan?.id}`);
});

test("a JSON file of settings is no database", async () => {
  using t = openTestImport();
  const path = join(t.folder, "settings");
  writeFileSync(path, "{}");
  expect(await t.failure("claude-mem", path)).toContain("is not a SQLite database");
});
