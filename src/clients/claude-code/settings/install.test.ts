import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stoppedClock } from "#kit";
import { lineDiff, setupFiles } from "./files.ts";
import { install, uninstall } from "./change.ts";
import { settingsPathFor, stepsOf } from "./survey.ts";

const binary = "/opt/continuity";
const original = '{\n    "model": "opus",\n\t"env": {"TOKEN": "é"}\n}';

let root = "";
let settingsPath = "";
let backups = "";
const clock = stoppedClock(Date.parse("2026-09-01T09:12:03.044Z"));
const options = () => ({ settingsPath, backups, binary, dryRun: false });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "continuity-setup-"));
  settingsPath = join(root, "claude", "settings.json");
  backups = join(root, "home", "backups");
  mkdirSync(join(root, "claude"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (text: string | Uint8Array): void => writeFileSync(settingsPath, text);
const read = (): string => readFileSync(settingsPath, "utf8");
const backupNames = (): readonly string[] =>
  existsSync(backups)
    ? readdirSync(backups).filter((name) => name.startsWith("settings.json"))
    : [];

describe("install", () => {
  test("writes the hooks, keeps the mode and leaves a private copy of what was there", () => {
    write(original);
    chmodSync(settingsPath, 0o640);
    const report = install(clock, options());
    if (!report.ok) throw new Error(report.error.type);
    expect(report.value).toMatchObject({ outcome: "changed", warnings: [], diff: "" });
    expect(report.value.changes).toHaveLength(11);
    expect(read()).toContain('"args"');
    expect(statSync(settingsPath).mode & 0o777).toBe(0o640);
    const backup = report.value.backup ?? "";
    expect(backup).toContain("/settings.json.continuity-backup-2026-09-01T09-12-03-044Z-");
    expect(readFileSync(backup, "utf8")).toBe(original);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(root, "claude"))).toEqual(["settings.json"]);
  });

  test("a second time changes nothing and makes no second backup", () => {
    write(original);
    install(clock, options());
    const once = read();
    const again = install(clock, options());
    expect(again).toMatchObject({ ok: true, value: { outcome: "unchanged", backup: null } });
    expect(read()).toBe(once);
    expect(backupNames()).toHaveLength(1);
  });

  test("a dry run shows the difference and writes nothing", () => {
    write(original);
    const report = install(clock, { ...options(), dryRun: true });
    expect(report).toMatchObject({ ok: true, value: { outcome: "would-change", backup: null } });
    expect(report.ok && report.value.diff).toContain('+\t"hooks": {');
    expect(read()).toBe(original);
    expect(existsSync(backups)).toBe(false);
  });

  test("a symlinked settings file stays a link; its target is written", () => {
    const target = join(root, "dotfiles.json");
    writeFileSync(target, original);
    symlinkSync(target, settingsPath);
    install(clock, options());
    expect(lstatSync(settingsPath).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, "utf8")).toContain('"hooks"');
    uninstall(clock, options());
    expect(readFileSync(target, "utf8")).toBe(original);
  });

  test.each([
    { name: "the file", link: ["settings.json"], to: ["outside", "settings.json"] },
    { name: "a file that is not there yet", link: ["settings.json"], to: ["outside", "new.json"] },
    { name: "its folder", link: [], to: ["outside"] },
    { name: "its folder, in which there is no file yet", link: [], to: ["empty"] },
    { name: "a folder beside the project with the same beginning", link: [], to: ["claude-other"] },
  ])(
    "in a project, a link of $name that leads out of it is refused and nothing is written",
    (one) => {
      const project = join(root, "claude");
      for (const folder of ["outside", "empty", "claude-other"]) mkdirSync(join(root, folder));
      writeFileSync(join(root, "outside", "settings.json"), original);
      const folder = join(project, ".claude");
      if (one.link.length > 0) mkdirSync(folder);
      const target = join(root, ...one.to);
      symlinkSync(target, join(folder, ...one.link));
      const inProject = {
        ...options(),
        settingsPath: join(folder, "settings.json"),
        within: project,
      };
      for (const dryRun of [true, false]) {
        const refused = install(clock, { ...inProject, dryRun });
        expect(refused).toMatchObject({ ok: false, error: { type: "setup.outside" } });
        expect(stepsOf(refused).steps[0]?.text).toContain("leads out of the project to");
        expect(uninstall(clock, { ...inProject, dryRun }).ok).toBe(false);
      }
      expect(readFileSync(join(root, "outside", "settings.json"), "utf8")).toBe(original);
      expect(readdirSync(join(root, "outside"))).toEqual(["settings.json"]);
      expect(readdirSync(join(root, "empty"))).toEqual([]);
      expect(readdirSync(join(root, "claude-other"))).toEqual([]);
      expect(existsSync(backups)).toBe(false);
    },
  );

  test("in a project, a link that stays inside it is followed, also when the project is reached by one", () => {
    const project = join(root, "claude");
    mkdirSync(join(project, "shared"));
    symlinkSync("shared", join(project, ".claude"));
    symlinkSync(project, join(root, "by-link"));
    const within = join(root, "by-link");
    const done = install(clock, {
      ...options(),
      settingsPath: join(within, ".claude", "settings.json"),
      within,
    });
    expect(done.ok).toBe(true);
    expect(readFileSync(join(project, "shared", "settings.json"), "utf8")).toContain('"hooks"');
  });

  test("a link to a file that is not there yet makes that file", () => {
    const target = join(root, "later.json");
    symlinkSync(target, settingsPath);
    install(clock, options());
    expect(lstatSync(settingsPath).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, "utf8")).toContain('"hooks"');
  });

  test.each([
    { name: "broken JSON", bytes: '{"a": 1,}', type: "setup.broken-json" },
    { name: "what is not UTF-8", bytes: new Uint8Array([123, 255, 125]), type: "setup.not-utf8" },
  ])("refuses $name and touches nothing", ({ bytes, type }) => {
    write(bytes);
    const refused = install(clock, options());
    expect(refused).toMatchObject({ ok: false, error: { type } });
    expect(stepsOf(refused)).toMatchObject({ failed: true, steps: [{ state: "failed" }] });
    expect(stepsOf(refused).steps[0]?.text).toContain("Nothing was changed");
    expect(new Uint8Array(readFileSync(settingsPath))).toEqual(
      typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes,
    );
    expect(existsSync(backups)).toBe(false);
  });

  test("refuses a relative binary: hooks run in other folders", () => {
    expect(install(clock, { ...options(), binary: "dist/continuity" })).toMatchObject({
      ok: false,
      error: { type: "setup.binary-not-absolute" },
    });
    expect(existsSync(settingsPath)).toBe(false);
  });

  test("does not overwrite what somebody else wrote in the meantime", () => {
    write(original);
    let reads = 0;
    const { read: readTruly } = setupFiles;
    using _meddled = spyOn(setupFiles, "read").mockImplementation((path) => {
      if (path === settingsPath && (reads += 1) === 2) write('{"theirs": 1}');
      return readTruly(path);
    });
    expect(install(clock, options())).toMatchObject({
      ok: false,
      error: { type: "setup.changed-meanwhile" },
    });
    expect(read()).toBe('{"theirs": 1}');
  });

  test("a folder in the file's place is an error that names it, not an exception", () => {
    mkdirSync(settingsPath);
    const failed = install(clock, options());
    expect(failed).toMatchObject({ ok: false, error: { type: "setup.not-written" } });
    expect(stepsOf(failed).steps[0]?.text).toContain(settingsPath);
  });

  test("says so when the settings keep hooks from running", () => {
    write('{"disableAllHooks": true}');
    const report = install(clock, options());
    expect(report.ok && report.value.warnings).toHaveLength(1);
  });
});

describe("uninstall", () => {
  test.each([original, "{}", "", "\ufeff{\r\n}\r\n"])("restores %j byte for byte", (text) => {
    write(text);
    install(clock, options());
    expect(read()).not.toBe(text);
    expect(uninstall(clock, options())).toMatchObject({ ok: true, value: { outcome: "changed" } });
    expect(read()).toBe(text);
    expect(readdirSync(backups).filter((name) => name.startsWith("install-"))).toEqual([]);
  });

  test("removes a file that we made", () => {
    install(clock, options());
    expect(existsSync(settingsPath)).toBe(true);
    uninstall(clock, options());
    expect(existsSync(settingsPath)).toBe(false);
  });

  test("removes the folders that install made, and none that was there or holds something", () => {
    const file = join(root, "claude", "a", "b", "settings.json");
    const at = { ...options(), settingsPath: file };
    install(clock, at);
    install(clock, { ...at, binary: "/new/continuity" });
    uninstall(clock, at);
    expect(readdirSync(join(root, "claude"))).toEqual([]);
    install(clock, at);
    writeFileSync(join(root, "claude", "a", "mine"), "");
    uninstall(clock, at);
    expect(readdirSync(join(root, "claude", "a"))).toEqual(["mine"]);
  });

  test("restores byte for byte after a reinstall with another binary", () => {
    write(original);
    install(clock, { ...options(), binary: "/old/continuity" });
    install(clock, options());
    uninstall(clock, options());
    expect(read()).toBe(original);
  });

  test("keeps what the user changed since, also over a reinstall", () => {
    write(original);
    install(clock, { ...options(), binary: "/old/continuity" });
    write(read().replace('"opus"', '"haiku"'));
    install(clock, options());
    uninstall(clock, options());
    expect(read()).toBe(original.replace('"opus"', '"haiku"'));
  });

  test("backs up a changed file before it takes our entries out", () => {
    write(original);
    install(clock, options());
    const edited = read().replace('"opus"', '"haiku"');
    write(edited);
    const report = uninstall(clock, options());
    expect(report.ok && readFileSync(report.value.backup ?? "", "utf8")).toBe(edited);
    expect(read()).toBe(original.replace('"opus"', '"haiku"'));
  });

  test("manages without its notes", () => {
    write(original);
    install(clock, options());
    rmSync(backups, { recursive: true });
    uninstall(clock, options());
    expect(read()).toBe(original);
  });

  test("a dry run shows the difference and removes nothing", () => {
    write(original);
    install(clock, options());
    const before = read();
    const report = uninstall(clock, { ...options(), dryRun: true });
    expect(report.ok && report.value.diff).toContain('-\t"hooks": {');
    expect(read()).toBe(before);
  });

  test("without settings, or without our hooks, there is nothing to do", () => {
    expect(uninstall(clock, options())).toMatchObject({ value: { outcome: "unchanged" } });
    expect(existsSync(settingsPath)).toBe(false);
    write(original);
    expect(uninstall(clock, options())).toMatchObject({ value: { outcome: "unchanged" } });
    expect(read()).toBe(original);
  });

  test("two settings files are undone each by its own notes", () => {
    const project = {
      ...options(),
      settingsPath: join(root, "project", ".claude", "settings.json"),
    };
    write(original);
    install(clock, options());
    install(clock, project);
    uninstall(clock, project);
    expect(existsSync(project.settingsPath)).toBe(false);
    uninstall(clock, options());
    expect(read()).toBe(original);
  });
});

test.each([
  { env: { HOME: "/home/nadia" }, project: null, path: "/home/nadia/.claude/settings.json" },
  { env: { HOME: "/h", CLAUDE_CONFIG_DIR: "/c" }, project: null, path: "/c/settings.json" },
  { env: { HOME: "/h", CLAUDE_CONFIG_DIR: " " }, project: null, path: "/h/.claude/settings.json" },
  {
    env: { CLAUDE_CONFIG_DIR: "/c" },
    project: "/home/dev",
    path: "/home/dev/.claude/settings.json",
  },
])("settings lie at $path", ({ env, project, path }) => {
  expect(settingsPathFor(env, project)).toBe(path);
});

test.each([
  { name: "equal texts", before: "a\n", after: "a\n", diff: "" },
  { name: "an added line", before: "a\nb\n", after: "a\nx\nb\n", diff: "@@ line 1 @@\n a\n+x\n b" },
  {
    name: "far changes in two hunks",
    before: "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
    after: "2\n3\n4\n5\n6\n7\n8\nnine\n",
    diff: "@@ line 1 @@\n-1\n 2\n 3\n 4\n@@ line 6 @@\n 6\n 7\n 8\n-9\n+nine",
  },
  { name: "a new file", before: "", after: "a\n", diff: "@@ line 1 @@\n+a" },
])("the diff of $name", ({ before, after, diff }) => {
  expect(lineDiff(before, after)).toBe(diff);
});

test("the steps name each change and what stands in the way", () => {
  write('{"disableAllHooks": true}');
  const steps = stepsOf(install(clock, options()));
  expect(steps.failed).toBe(false);
  expect(steps.steps.filter(({ state }) => state === "done")).toEqual([
    { state: "done", text: expect.stringMatching(/: add 11 hooks$/) },
  ]);
  const notes = steps.steps.filter(({ state }) => state === "note").map(({ text }) => text);
  expect(notes).toEqual([expect.stringContaining("disableAllHooks")]);
  expect(stepsOf(install(clock, options())).steps[0]?.state).toBe("unchanged");
  const dry = stepsOf(uninstall(clock, { ...options(), dryRun: true }));
  expect(dry.steps.map(({ state }) => state)).toEqual(["would", "note"]);
});
