/** The guard hook: quick to say nothing, right when it speaks, and never in the way. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ActiveGuard } from "#domain";
import { guardFileLimits, writeGuardFile } from "./file.ts";
import { runGuardHook } from "./run.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "guard-hook-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const push: ActiveGuard = {
  id: 3,
  decision: "ask",
  words: "never push yourself",
  projects: null,
  form: { type: "run", commands: [["git", "push"]], near: [] },
};

interface Ran {
  readonly out: string;
  readonly notes: readonly object[];
  readonly wasRead: boolean;
}

async function hook(payload: unknown, env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  let out = "";
  let wasRead = false;
  const notes: object[] = [];
  const status = await runGuardHook(
    {
      env: { CONTINUITY_HOME: home, ...env },
      readStdin: async () => {
        wasRead = true;
        return {
          type: "text",
          text: typeof payload === "string" ? payload : JSON.stringify(payload),
        };
      },
      print: async (text) => (out += text) !== "",
    },
    async (_, line) => void notes.push(line),
  );
  expect(status).toBe(0);
  return { out, notes, wasRead };
}

const bash = (command: string, cwd = "/home/dev/shop"): object => ({
  session_id: "s-1",
  cwd,
  permission_mode: "default",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command, description: "x" },
  tool_use_id: "toolu_1",
});

const approve = (...guards: readonly ActiveGuard[]): void =>
  writeFileSync(join(home, "guards.json"), writeGuardFile(guards));

const silent = { out: "", notes: [] };

test("without an approved guard nothing is read, printed or logged", async () => {
  expect(await hook(bash("git push"))).toEqual({ ...silent, wasRead: false });
});

test("a command that was forbidden is asked about, in the user's words", async () => {
  approve(push);
  const { out, notes } = await hook(bash("cd x && git push --force-with-lease"));
  expect(JSON.parse(out)).toEqual({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "ask",
      permissionDecisionReason: 'The user said: "never push yourself" (guard 3 of Continuity)',
    },
  });
  expect(notes).toEqual([]);
  expect(await hook(bash("git status"))).toMatchObject(silent);
});

test("a guard that refuses goes before one that asks", async () => {
  approve(push, { ...push, id: 4, decision: "deny" });
  expect((await hook(bash("git push"))).out).toContain('"deny"');
});

test("a change of a file is held against paths below the project", async () => {
  approve({ ...push, form: { type: "write", path: "migrations", deletes: false } });
  const change = (tool: string, input: object): object => ({
    ...bash(""),
    tool_name: tool,
    tool_input: input,
  });
  const project = { CLAUDE_PROJECT_DIR: "/home/dev/migrations" };
  const path = "/home/dev/migrations/db/migrations/1.sql";
  expect((await hook(change("Edit", { file_path: path }), project)).out).toContain('"ask"');
  expect((await hook(change("Write", { file_path: path }), project)).out).toContain('"ask"');
  expect((await hook(change("NotebookEdit", { notebook_path: path }))).out).toContain('"ask"');
  const beside = "/home/dev/migrations/src/app.ts";
  expect(await hook(change("Edit", { file_path: beside }), project)).toMatchObject(silent);
  expect(await hook(change("Read", { file_path: path }), project)).toMatchObject(silent);
});

test("a guard of another project does nothing here", async () => {
  const shop = repository("shop");
  approve({ ...push, projects: ["github.com/acme/api"] });
  expect(await hook(bash("git push", shop))).toMatchObject(silent);
  approve({ ...push, projects: ["github.com/acme/api", "github.com/acme/shop"] });
  expect((await hook(bash("git push", shop))).out).toContain('"ask"');
  const web = join(shop, "web");
  mkdirSync(web);
  approve({ ...push, projects: [`github.com/acme/shop\n${web}`] });
  expect(await hook(bash("git push", shop))).toMatchObject(silent);
  expect((await hook(bash("git push", web))).out).toContain('"ask"');
});

test("a short name of git counts as what it stands for", async () => {
  const shop = repository("shop");
  const config = '[alias]\n\tpu = push\n\tup = "!git fetch && git pu"\n\tst = status -sb\n';
  writeFileSync(join(home, ".gitconfig"), config);
  approve(push);
  const asked = async (command: string): Promise<boolean> =>
    (await hook(bash(command, shop), { HOME: home })).out.includes('"ask"');
  expect(await asked("git pu origin x")).toBe(true);
  expect(await asked("git -C . up")).toBe(true);
  expect(await asked("git -c alias.p='push --force' p")).toBe(true);
  expect(await asked("git -c alias.p=status -c alias.P='push --force' p")).toBe(true);
  expect(await asked("git -c alias.push=status push")).toBe(true);
  expect(await asked("git st && git commit -m pu")).toBe(false);
});

/** A repository with a remote, on a branch. */
function repository(name: string, branch = "main"): string {
  const folder = join(home, name);
  mkdirSync(join(folder, ".git"), { recursive: true });
  const url = `git@github.com:acme/${name}.git`;
  writeFileSync(join(folder, ".git", "config"), `[remote "origin"]\n\turl = ${url}\n`);
  writeFileSync(join(folder, ".git", "HEAD"), `ref: refs/heads/${branch}\n`);
  return folder;
}
const isAsked = async (payload: unknown, env = {}): Promise<boolean> =>
  (await hook(payload, env)).out.includes('"ask"');

test("a guard holds where a command acts, from wherever it is run", async () => {
  const shop = repository("shop");
  const docs = repository("docs");
  approve({ ...push, projects: ["github.com/acme/shop"] });
  for (const command of [
    "git -C shop push",
    "cd shop && git push origin main",
    "pushd shop; git push; popd",
    `git --git-dir=${shop}/.git push`,
    "cd ~/shop && git push",
    "cd docs && cd ../shop && git push",
    "cd shop; cd $(git rev-parse --show-toplevel) && git push",
    'sh -c "cd shop && git push"',
  ])
    expect([command, await isAsked(bash(command, home), { HOME: home })]).toEqual([command, true]);
  symlinkSync(shop, join(home, "link"));
  expect(await isAsked(bash("git -C link push", home))).toBe(true);
  for (const command of [
    `git -C ${docs} push`,
    "cd ../docs && git push",
    "cd ..; git -C docs push",
  ])
    expect([command, await isAsked(bash(command, shop))]).toEqual([command, false]);
  for (const command of [
    "cd .. && git push",
    "cd /tmp && git push",
    "cd ../docs; cd - && git push",
  ])
    expect([command, await isAsked(bash(command, shop))]).toEqual([command, true]);
});

test("a push or a commit without a branch is held against the one that is checked out", async () => {
  const form = {
    type: "run",
    commands: [
      ["git", "push"],
      ["git", "commit"],
    ],
    near: ["main"],
  } as const;
  approve({ ...push, form });
  const main = repository("on-main");
  const topic = repository("on-topic", "topic");
  for (const command of ["git push", "git push -u origin HEAD", "git commit -m x"]) {
    expect([command, await isAsked(bash(command, main))]).toEqual([command, true]);
    expect([command, await isAsked(bash(command, topic))]).toEqual([command, false]);
  }
  expect(await isAsked(bash("git checkout main && git push", topic))).toBe(true);
  expect(await isAsked(bash("git switch -c next && git push -u origin HEAD", main))).toBe(false);
});

test("a path is what it leads to, for tools and for commands", async () => {
  const shop = repository("shop");
  mkdirSync(join(shop, "db", "migrations"), { recursive: true });
  symlinkSync(join("db", "migrations"), join(shop, "mg"));
  symlinkSync(shop, join(home, "link"));
  mkdirSync(join(shop, "real"));
  symlinkSync("real", join(shop, "vendor"));
  const written = (path: string): ActiveGuard => ({
    ...push,
    projects: ["github.com/acme/shop"],
    form: { type: "write", path, deletes: false },
  });
  approve(written("db/migrations"), written("vendor"));
  const edit = (path: string): object => ({
    ...bash(""),
    cwd: shop,
    tool_name: "Edit",
    tool_input: { file_path: path },
  });
  for (const path of ["mg/1.sql", "real/x.c", "db/migrations/new/2.sql", "../link/mg/1.sql"])
    expect([path, await isAsked(edit(path))]).toEqual([path, true]);
  expect(await isAsked(edit("db/mg.sql"))).toBe(false);
  for (const command of ["echo x > mg/1.sql", "cp a mg/", "rm -rf db", "sed -i s/a/b/ real/x.c"])
    expect([command, await isAsked(bash(command, shop))]).toEqual([command, true]);
  expect(await isAsked(bash("cat mg/1.sql > /tmp/x", shop))).toBe(false);
  expect(await isAsked(bash("rm -rf dist", shop))).toBe(false);
});

test("a long command is read to its end, and what is too long is held against its words", async () => {
  approve(push);
  const padding = `cat > big.txt <<'END'\n${"word ".repeat(40_000)}\nEND\n`;
  expect(await isAsked(bash(`${padding}git push`))).toBe(true);
  expect(await isAsked(bash(`${padding}git status`))).toBe(false);
  expect(await isAsked(bash(`${"true;".repeat(5_000)}git push`))).toBe(true);
  expect(await isAsked(bash(`${padding.repeat(2)}git push`))).toBe(true);
});

test.each([
  ["git push origin main", true],
  ["Set-Location api; git push", true],
  ["Invoke-Expression 'git push'", true],
  ["Remove-Item -Recurse -Force .\\migrations\\2024", true],
  ["Set-Content -Path .\\migrations\\7.sql -Value 'x'", true],
  ["Get-Content .\\migrations\\7.sql", false],
  ["Write-Output 'git push'", false],
])("PowerShell is read as a shell: %s", async (command, isCaught) => {
  approve(push, { ...push, id: 4, form: { type: "write", path: "migrations", deletes: false } });
  expect(await isAsked({ ...bash(command), tool_name: "PowerShell" })).toBe(isCaught);
});

test.each([
  ["half a file", '{"v":1,"guards":[{"id":'],
  ["nothing", ""],
  ["another version", '{"v":2,"guards":[]}'],
  ["a list", "[]"],
  ["no list of guards", '{"v":1,"guards":{"0":1}}'],
  ["brackets without end", "[".repeat(200_000)],
  ["more guards than there can be", `{"v":1,"guards":[${"1,".repeat(200)}1]}`],
  ["more than is read", " ".repeat(guardFileLimits.bytesMax + 1)],
  ["bytes", "\u0000\uffff\u0007"],
])("%s in the place of guards: silence, and one line in the log", async (_, text) => {
  writeFileSync(join(home, "guards.json"), text);
  const { out, notes } = await hook(bash("git push"));
  expect(out).toBe("");
  expect(notes).toHaveLength(1);
});

test.each([
  ["a folder", (path: string) => mkdirSync(path)],
  ["a pipe", (path: string) => Bun.spawnSync(["mkfifo", path])],
  ["a device", (path: string) => symlinkSync("/dev/zero", path)],
])("%s in the place of guards is not read", async (_, make) => {
  make(join(home, "guards.json"));
  const { out, notes, wasRead } = await hook(bash("git push"));
  expect({ out, wasRead }).toEqual({ out: "", wasRead: false });
  expect(notes).toEqual([{ event: "guard.file", problem: "not a file" }]);
});

test("guards that make no sense are left out, and the others hold", async () => {
  const odd = [
    { ...push, decision: "allow" },
    { ...push, form: { type: "run", commands: [[]], near: [] } },
    { ...push, form: { type: "write", path: "/", deletes: false } },
    { ...push, form: { type: "write", path: ".", deletes: false } },
    { ...push, words: "x".repeat(10_000) },
    { ...push, projects: "all" },
    { ...push, form: { type: "constructor" } },
    null,
  ];
  writeFileSync(join(home, "guards.json"), JSON.stringify({ v: 1, guards: odd }));
  expect(await hook(bash("git push"))).toMatchObject(silent);
  writeFileSync(join(home, "guards.json"), JSON.stringify({ v: 1, guards: [...odd, push] }));
  expect((await hook(bash("git push"))).out).toContain("guard 3");
});

test.each([
  ["no JSON", "git push"],
  ["a list", "[]"],
  ["no tool", { cwd: "/x" }],
  ["a command that is none", { ...bash("x"), tool_input: { command: 7 } }],
  ["another event", { ...bash("git push"), hook_event_name: "PostToolUse" }],
  ["another agent's", { ...bash("git push"), cursor_version: "1.7" }],
])("a payload that is %s is let pass", async (_, payload) => {
  approve(push);
  expect(await hook(payload)).toMatchObject(silent);
});

test("it is off where its user switched hooks off", async () => {
  approve(push);
  expect(await hook(bash("git push"), { CONTINUITY_OFF: "1" })).toMatchObject(silent);
});
