/** Memories of a real repository: what is told of them after renames, edits, deletions, merges and lost branches. */
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { projectOf } from "#hooks";
import { anchorsIn, type Anchor } from "#domain";
import { openTestWorker, type TestWorker } from "../../../test/support/worker.ts";
import { createCodePort } from "./code.ts";

const rows = `export function parseRow(line: string): string[] {
  return line.split(",").filter((cell) => cell !== "");
}

export const widthOf = (line: string): number => parseRow(line).length;
`;
const changedRows = rows.replace('(",")', '(";")');
const fact = "remember that parseRow in src/rows.ts skips empty cells";
const question = "what does parseRow in src/rows.ts do with empty cells?";

const folders: string[] = [];
let repo = "";

const git = (...words: readonly string[]): string => {
  const made = Bun.spawnSync(["git", "-c", "user.name=Ada", "-c", "user.email=a@b.c", ...words], {
    cwd: repo,
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
  });
  if (made.exitCode !== 0) throw new Error(`git ${words.join(" ")}: ${made.stderr.toString()}`);
  return made.stdout.toString().trim();
};
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(repo, path)), { recursive: true });
  writeFileSync(join(repo, path), text);
};
const commit = (message: string): void => {
  git("add", "-A");
  git("commit", "-qm", message);
};

beforeEach(() => {
  repo = realpathSync(mkdtempSync(join(tmpdir(), "continuity-code-")));
  folders.push(repo);
  git("init", "-q", "-b", "main");
  write("src/rows.ts", rows);
  write("docs/notes.md", "# Notes\n");
  commit("First");
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const open = (): TestWorker => openTestWorker({ projectOf, code: createCodePort() });

let turns = 0;
/** A turn of a session of its own in a working tree; resolves to what its prompt was given. */
async function turn(app: TestWorker, prompt: string, cwd = repo): Promise<string> {
  turns += 1;
  const at = { session_id: `s-${turns}`, cwd, prompt_id: `p-${turns}` };
  app.clock.advance(10_000);
  const given = app.send("submit", "UserPromptSubmit", { ...at, prompt });
  app.send("stop", "Stop", { ...at, last_assistant_message: "Done.", stop_hook_active: false });
  await app.settle();
  return given;
}
/** The text that a new session is given which asks for it. */
const toldIn = (app: TestWorker, prompt = question, cwd = repo): string => {
  turns += 1;
  const at = { session_id: `s-${turns}`, cwd, prompt_id: `p-${turns}` };
  return app.send("submit", "UserPromptSubmit", { ...at, prompt });
};
const memoryOf = (app: TestWorker) =>
  app.memories().find(({ category }) => category !== "sessions");
const anchorsOf = (app: TestWorker): readonly Anchor[] => anchorsIn(memoryOf(app)?.anchors ?? []);

describe("a memory that names code", () => {
  test("keeps file, symbol, content and commit, and is told as it is while that stands", async () => {
    using app = open();
    await turn(app, fact);
    expect(anchorsOf(app)).toEqual([
      {
        path: "src/rows.ts",
        symbol: "parseRow",
        hash: expect.stringMatching(/^[0-9a-f]{16}$/u),
        commit: git("rev-parse", "HEAD"),
        movedTo: null,
        state: "fresh",
        branch: null,
      },
    ]);
    const before = toldIn(app);
    expect(before).toContain("skips empty cells (");
    expect(before).not.toContain("was so");
    // Another place of the same file is none of its business, nor are blanks.
    write("src/rows.ts", `// Rows.\n${rows.replace("widthOf", "columnsOf")}\n`);
    expect(toldIn(app)).not.toContain("was so");
  });

  test("is told as it was when the symbol changed, at once and uncommitted", async () => {
    using app = open();
    await turn(app, fact);
    const at = git("rev-parse", "--short=7", "HEAD");
    write("src/rows.ts", changedRows);
    expect(toldIn(app)).toContain(`, was so at ${at}, #`);
    expect(await turn(app, question)).toContain(`, was so at ${at}, #`);
    expect(anchorsOf(app)[0]?.state).toBe("changed");
    write("src/rows.ts", rows);
    expect(toldIn(app)).not.toContain("was so");
  });

  test("follows a rename, committed or staged", async () => {
    using app = open();
    await turn(app, fact);
    git("mv", "src/rows.ts", "src/table.ts");
    await turn(app, "please go on");
    expect(toldIn(app)).toContain(", src/rows.ts is now src/table.ts, #");
    git("commit", "-qm", "Rename");
    git("mv", "src/table.ts", "src/grid.ts");
    git("commit", "-qm", "Rename again");
    await turn(app, "please go on");
    expect(toldIn(app)).toContain(", src/rows.ts is now src/grid.ts, #");
    write("src/grid.ts", changedRows);
    expect(toldIn(app)).toContain(", was so at ");
  });

  test("says that its file or its symbol is gone", async () => {
    using app = open();
    await turn(app, fact);
    write("src/rows.ts", "export {};\n");
    expect(toldIn(app)).toContain(", parseRow is gone, #");
    rmSync(join(repo, "src/rows.ts"));
    expect(toldIn(app)).toContain(", parseRow is gone, #");
  });

  test("a file that no symbol is named of counts as a whole, but a rule about it holds", async () => {
    using app = open();
    await turn(app, "remember that docs/notes.md lists the release steps");
    await turn(app, "always keep docs/notes.md short");
    write("docs/notes.md", "# Other notes\n");
    const told = toldIn(app, "what does docs/notes.md list?");
    expect(told).toMatch(/release steps \([^)]*was so at/u);
    const at = { session_id: "s-new", cwd: repo, source: "startup" };
    expect(app.send("start", "SessionStart", at)).toMatch(
      /keep docs\/notes.md short \((?![^)]*was so)/u,
    );
  });

  test("is verified: looked at anew, or confirmed for the code as it is now", async () => {
    using app = open();
    await turn(app, fact);
    write("src/rows.ts", changedRows);
    const look = async (holds: boolean): Promise<readonly Anchor[] | null> => {
      const node = memoryOf(app);
      return node === undefined ? null : app.worker.anchorsNow(node, { folder: repo, holds });
    };
    expect((await look(false))?.[0]).toMatchObject({
      state: "changed",
      hash: anchorsOf(app)[0]?.hash,
    });
    expect((await look(true))?.[0]).toMatchObject({ state: "fresh", symbol: "parseRow" });
    expect((await look(true))?.[0]?.hash).not.toBe(anchorsOf(app)[0]?.hash);
  });

  test("what names no code, or code that is not here, has no anchors and is told as ever", async () => {
    using app = open();
    await turn(app, "remember that the staging database listens on port 6432");
    await turn(app, "remember that lost.ts and doNothing() belong to the old program");
    expect(app.memories().every(({ anchors }) => anchors.length === 0)).toBe(true);
  });

  test("a file that may hold secrets is not read, nor one outside the working tree", () => {
    write(".env", "TOKEN=abc\n");
    const code = createCodePort();
    expect([
      code.read(repo, ".env"),
      code.read(repo, "../x"),
      code.read(repo, "/etc/passwd"),
    ]).toEqual([null, null, null]);
  });

  test("twenty anchors are checked in two milliseconds", async () => {
    for (let n = 0; n < 20; n += 1) write(`src/part${n}.ts`, rows.replace("parseRow", `part${n}`));
    const code = createCodePort();
    const seen = { commit: null, movedTo: null, state: "fresh", branch: null } as const;
    const anchors = Array.from({ length: 20 }, (_, n): Anchor => {
      const symbol = `part${n}`;
      return { path: `src/${symbol}.ts`, symbol, hash: "0", ...seen };
    });
    code.check(repo, anchors);
    const times = Array.from({ length: 9 }, () => {
      const began = process.cpuUsage();
      code.check(repo, anchors);
      const { user, system } = process.cpuUsage(began);
      return user + system;
    });
    expect(Math.min(...times)).toBeLessThan(2_000);
  });
});

describe("what only a branch has", () => {
  const onFeature = async (app: TestWorker): Promise<void> => {
    git("switch", "-qc", "feature");
    write("src/totals.ts", "export function sumOf(cells: number[]): number {\n  return 0;\n}\n");
    await turn(app, "remember that sumOf in src/totals.ts ignores negative cells");
    commit("Totals");
  };
  const onSums = "what does sumOf in src/totals.ts do with negative cells?";
  const isTold = (app: TestWorker, cwd = repo): boolean =>
    // The memory, not what was said then.
    /^- sumOf .*ignores negative cells \(/mu.test(toldIn(app, onSums, cwd));

  test("is told there and in its worktrees, and nowhere else", async () => {
    using app = open();
    await onFeature(app);
    expect(anchorsOf(app)[0]?.branch).toBe("feature");
    expect(isTold(app)).toBe(true);
    git("switch", "-q", "main");
    expect(isTold(app)).toBe(false);
    const tree = `${repo}-tree`;
    folders.push(tree);
    git("worktree", "add", "-q", tree, "feature");
    expect(isTold(app, tree)).toBe(true);
    // A branch from it has what it has.
    git("switch", "-qc", "stacked", "feature");
    expect(isTold(app)).toBe(true);
  });

  test("facts about the world outside the code, and about code that all have, hold on every branch", async () => {
    using app = open();
    git("switch", "-qc", "feature");
    await turn(app, fact);
    await turn(app, "remember that the staging database listens on port 6432");
    git("switch", "-q", "main");
    expect(toldIn(app)).toContain("skips empty cells");
    expect(toldIn(app, "which port does the staging database listen on?")).toContain("6432");
  });

  test.each([
    ["merge", () => git("merge", "-q", "--no-ff", "-m", "Merge", "feature")],
    ["fast-forward", () => git("merge", "-q", "--ff-only", "feature")],
    ["squash", () => (git("merge", "-q", "--squash", "feature"), git("commit", "-qm", "Totals"))],
    ["cherry-pick", () => git("cherry-pick", "feature")],
  ])(
    "is told everywhere after a %s, also when it changed since and the branch is gone",
    async (_, merge) => {
      using app = open();
      await onFeature(app);
      git("switch", "-q", "main");
      write("README.md", "x\n");
      if (_ !== "fast-forward") commit("Main goes on");
      merge();
      git("branch", "-qD", "feature");
      // Before anything looked at the merge.
      expect(isTold(app)).toBe(true);
      write("src/totals.ts", "export function sumOf(): number {\n  return 1;\n}\n");
      commit("Change it");
      await turn(app, "please go on");
      expect(anchorsOf(app)[0]?.branch).toBeNull();
      expect(toldIn(app, onSums)).toMatch(/negative cells \([^)]*was so at/u);
    },
  );

  test("is put away when its branch is deleted unmerged, once: what is brought back by hand stays", async () => {
    using app = open();
    await onFeature(app);
    const uri = memoryOf(app)?.uri ?? "";
    git("switch", "-q", "main");
    await turn(app, "please go on");
    expect(memoryOf(app)?.status).toBe("active");
    git("branch", "-qD", "feature");
    await turn(app, "please go on");
    const node = app.store.nodes.byUri(uri);
    expect(node?.status).toBe("retracted");
    const [last] = app.store.nodes.revisions(node?.id ?? 0).toReversed();
    expect(last).toMatchObject({
      action: "retract",
      reason: "branch feature was deleted without being merged",
    });
    const cause = { atMs: 0, action: "revert", by: "user", reason: "undone" } as const;
    app.store.nodes.update(node?.id ?? 0, { status: "active" }, cause);
    await turn(app, "please go on");
    expect(app.store.nodes.byUri(uri)?.status).toBe("active");
  });

  test("what holds until its branch is merged does not run out by time, and ends with the branch", async () => {
    using app = open();
    git("switch", "-qc", "feature");
    await turn(app, "please go on");
    const sessionId = `s-${turns}`;
    const node = app.remember("exports are off until feature is merged", {
      tags: ["fact", "until-merged"],
      branch: "feature",
      maker: "extract",
      project: app.store.sessions.byId(sessionId)?.project ?? null,
      evidence: { sessionId, turn: 1, line: null, quote: "exports are off" },
    });
    const stands = () => app.store.nodes.byId(node?.id ?? 0);
    git("switch", "-q", "main");
    await turn(app, "please go on");
    expect(stands()).toMatchObject({ status: "active", expiresAt: null });
    git("merge", "-q", "--no-ff", "-m", "Merge", "feature");
    git("branch", "-qD", "feature");
    await turn(app, "please go on");
    expect(stands()?.status).toBe("retracted");
    const [last] = app.store.nodes.revisions(node?.id ?? 0).toReversed();
    expect(last?.reason).toBe("branch feature was merged or is gone");
  });

  test("a branch that lives at a remote, or a file that never was in git, ends nothing", async () => {
    using app = open();
    await onFeature(app);
    const hash = git("rev-parse", "feature");
    git("switch", "-q", "main");
    git("update-ref", "refs/remotes/origin/feature", hash);
    git("branch", "-qD", "feature");
    await turn(app, "please go on");
    expect(memoryOf(app)?.status).toBe("active");
  });
});
