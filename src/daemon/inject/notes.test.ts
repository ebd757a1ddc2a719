/** Memories beside real instruction files: what the client loads is not given again, and nothing else is lost. */
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openTestWorker, testProject, type TestWorker } from "../../../test/support/worker.ts";
import { createNotesPort } from "../jobs/note-files.ts";

const rule = "Use pnpm, never npm";
const old = new Date("2020-01-01T00:00:00Z");

const folders: string[] = [];
let home = "";
let repo = "";

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "continuity-notes-")));
  folders.push(home);
  repo = join(home, "work", "deskly");
  mkdirSync(repo, { recursive: true });
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const write = (path: string, text: string | Uint8Array, at: Date = old): string => {
  const full = join(home, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  utimesSync(full, at, at);
  return full;
};

const open = (): TestWorker =>
  openTestWorker({
    projectOf: (cwd) => ({ ...testProject, root: cwd }),
    notes: createNotesPort(),
  });

const transcriptOf = (cwd: string): string =>
  join(home, ".claude", "projects", cwd.replaceAll(/[^A-Za-z0-9]/gu, "-"), "s.jsonl");

let sessions = 0;
const startIn = (app: TestWorker, cwd = repo, over: Readonly<Record<string, unknown>> = {}) => {
  sessions += 1;
  return app.send("start", "SessionStart", {
    session_id: `s-${sessions}`,
    cwd,
    transcript_path: transcriptOf(cwd),
    source: "startup",
    ...over,
  });
};
const remember = (app: TestWorker, text = rule, over = {}) =>
  app.remember(text, { category: "preferences", uriHint: `rule-${text.length}`, ...over });

describe("what an instruction file says is not given again", () => {
  test.each([
    ["work/deskly/CLAUDE.md", "# Deskly\n\n- Use `pnpm`, never npm.\n"],
    ["work/deskly/CLAUDE.local.md", "Use pnpm, never npm\r\n"],
    ["work/deskly/.claude/CLAUDE.md", "\ufeffUse pnpm, never npm"],
    ["work/CLAUDE.md", "* Always use pnpm, never npm"],
    [".claude/CLAUDE.md", "1. Use pnpm, never npm."],
  ])("%s", (path, text) => {
    using app = open();
    remember(app);
    expect(startIn(app)).toContain(rule);
    write(path, text);
    expect(startIn(app)).not.toContain(rule);
  });

  test("nor at a prompt, where it counts as given", () => {
    using app = open();
    remember(app, "Releases are tagged on Thursdays by Marta");
    const ask = (id: string): string =>
      app.send("submit", "UserPromptSubmit", {
        session_id: id,
        cwd: repo,
        transcript_path: transcriptOf(repo),
        prompt_id: id,
        prompt: "who tags the releases on thursdays?",
      });
    expect(ask("q-1")).toContain("Marta");
    write("work/deskly/CLAUDE.md", "- Releases are tagged on Thursdays by Marta.\n");
    expect(ask("q-2")).toBe("");
  });

  test("what it imports counts, unless it lies outside or in code", () => {
    using app = open();
    remember(app);
    write("outside.md", rule);
    write("work/deskly/CLAUDE.md", "See @../../outside.md and `@docs/rules.md`.\n");
    write("work/deskly/docs/rules.md", `- ${rule}\n`);
    expect(startIn(app)).toContain(rule);
    write("work/deskly/CLAUDE.md", "See @docs/rules.md.\n@CLAUDE.md");
    expect(startIn(app)).not.toContain(rule);
  });

  test("the client's own index counts as far as it is loaded, and while it is on", () => {
    using app = open();
    remember(app);
    const index = join(dirname(transcriptOf(repo)).slice(home.length + 1), "memory", "MEMORY.md");
    write(index, `# Memory\n- [Packages](packages.md) — ${rule}\n`);
    expect(startIn(app)).not.toContain(rule);
    write(".claude/settings.json", '{ "autoMemoryEnabled": false }');
    expect(startIn(app)).toContain(rule);
    write(".claude/settings.json", "{}");
    write(index, `${"\n".repeat(200)}- ${rule}\n`);
    expect(startIn(app)).toContain(rule);
  });
});

describe("what must not happen", () => {
  test("the file of another folder silences nothing here, and none of another agent", () => {
    using app = open();
    remember(app);
    write("work/other/CLAUDE.md", `- ${rule}\n`);
    write("work/deskly/web/CLAUDE.md", `- ${rule}\n`);
    expect(startIn(app)).toContain(rule);
    write("work/deskly/CLAUDE.md", `- ${rule}\n`);
    const transcript = join(home, ".codex", "sessions", "2026", "s.jsonl");
    expect(startIn(app, repo, { transcript_path: transcript })).toContain(rule);
  });

  test("what is empty, huge, binary, no file, or leads out, says nothing", () => {
    using app = open();
    remember(app);
    const path = "work/deskly/CLAUDE.md";
    for (const text of ["", `${rule}\n${" \n".repeat(200_000)}`, `${rule}\n\0`]) {
      write(path, text);
      expect(startIn(app)).toContain(rule);
    }
    write(path, Uint8Array.of(0xff, 0xfe, 0x41));
    expect(startIn(app)).toContain(rule);
    rmSync(join(home, path));
    write("elsewhere.md", rule);
    symlinkSync(join(home, "elsewhere.md"), join(home, path));
    expect(startIn(app)).toContain(rule);
    rmSync(join(home, path));
    Bun.spawnSync(["mkfifo", join(home, path)]);
    expect(startIn(app)).toContain(rule);
    rmSync(join(home, path));
    mkdirSync(join(home, path));
    expect(startIn(app)).toContain(rule);
  });

  test("code, quotations, comments and lists of what not to do say nothing", () => {
    using app = open();
    remember(app);
    for (const text of [
      `\`\`\`\n${rule}\n\`\`\``,
      `~~~sh\n\n- ${rule}\n`,
      `> ${rule}`,
      `<!-- ${rule} -->`,
      `<!--\n- ${rule}\n-->`,
      `## Do not do this\n- ${rule}`,
      `Never tell people:\n- ${rule}`,
      `## Examples\n\n- ${rule}\n`,
    ]) {
      write("work/deskly/CLAUDE.md", text);
      expect([text, startIn(app).includes(rule)]).toEqual([text, true]);
    }
  });

  test("a memory that shares words and says more is given", () => {
    using app = open();
    remember(app, "Use pnpm, never npm, and commit the lock file");
    remember(app, "Use tabs in Makefiles");
    write("work/deskly/CLAUDE.md", `- ${rule}\n- Use tabs\n`);
    const text = startIn(app);
    expect(text).toContain("commit the lock file");
    expect(text).toContain("Use tabs in Makefiles");
  });
});
