/** Projects without a remote whose folder is renamed or moved: real repositories, made with git. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { historyAt, projectOf } from "#hooks";
import { openTestWorker } from "../../../test/support/worker.ts";

let root = "";
beforeEach(() => void (root = realpathSync(mkdtempSync(`${tmpdir()}/moved-`))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const git = (folder: string, ...args: readonly string[]): void =>
  void execFileSync("git", ["-C", `${root}/${folder}`, ...args], {
    stdio: "ignore",
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: root,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "dev",
      GIT_AUTHOR_EMAIL: "dev@example.test",
      GIT_COMMITTER_NAME: "dev",
      GIT_COMMITTER_EMAIL: "dev@example.test",
    },
  });
const repository = (folder: string): void => {
  mkdirSync(`${root}/${folder}`, { recursive: true });
  git(folder, "init", "-q", "-b", "main");
  git(folder, "commit", "-q", "--allow-empty", "-m", folder);
};

function opened() {
  const app = openTestWorker({ projectOf: (cwd) => projectOf(cwd), historyAt });
  let sessions = 0;
  const place = (folder: string) => {
    sessions += 1;
    return { session_id: `in-${sessions}`, cwd: `${root}/${folder}` };
  };
  return Object.assign(app, {
    start: (folder: string): string =>
      app.send("start", "SessionStart", { ...place(folder), source: "startup" }),
    say: (folder: string, prompt: string): void =>
      void app.send("submit", "UserPromptSubmit", {
        ...place(folder),
        prompt,
        prompt_id: `p-${sessions}`,
      }),
    knows: (text: string): void => {
      const key = app.store.sessions.byId(`in-${sessions}`)?.project ?? null;
      app.remember(text, { category: "preferences", project: key });
    },
  });
}

const fact = "The kiln ramps at 3 degrees per minute";

test.each(["kiln", "elsewhere/lone"])("a renamed repository keeps its memories: %s", (to) => {
  using app = opened();
  repository("lone");
  app.start("lone");
  app.knows(fact);
  mkdirSync(`${root}/elsewhere`);
  renameSync(`${root}/lone`, `${root}/${to}`);
  expect(app.start(to)).toContain("3 degrees");
  expect(app.store.projects.facts().map(({ name }) => name)).toEqual([to.split("/").at(-1) ?? ""]);
});

test("a first commit after the first session, and sessions without a start, are enough", () => {
  using app = opened();
  mkdirSync(`${root}/lone`);
  git("lone", "init", "-q", "-b", "main");
  app.say("lone", "Fire up the kiln.");
  git("lone", "commit", "-q", "--allow-empty", "-m", "first");
  app.send("stop", "Stop", { session_id: "in-1", cwd: `${root}/lone` });
  app.knows(fact);
  renameSync(`${root}/lone`, `${root}/kiln`);
  expect(app.start("kiln")).toContain("3 degrees");
});

test("a copy beside the old folder, and another repository, get nothing", () => {
  using app = opened();
  repository("lone");
  app.start("lone");
  app.knows(fact);
  cpSync(`${root}/lone`, `${root}/copy`, { recursive: true });
  repository("other");
  expect(app.start("copy")).not.toContain("3 degrees");
  rmSync(`${root}/lone`, { recursive: true });
  expect(app.start("other")).not.toContain("3 degrees");
});

test("a repository that is given a remote later stays one project", () => {
  using app = opened();
  repository("lone");
  app.start("lone");
  app.knows(fact);
  git("lone", "remote", "add", "origin", "https://github.com/acme/lone.git");
  expect(app.start("lone")).toContain("3 degrees");
  expect(app.store.projects.facts().map(({ key }) => key)).toEqual(["github.com/acme/lone"]);
});

test("another repository with a remote, where one without lay, gets nothing of it", () => {
  using app = opened();
  repository("lone");
  app.start("lone");
  app.knows(fact);
  rmSync(`${root}/lone`, { recursive: true });
  repository("second");
  renameSync(`${root}/second`, `${root}/lone`);
  git("lone", "remote", "add", "origin", "https://github.com/acme/other.git");
  expect(app.start("lone")).not.toContain("3 degrees");
});

test.each(["made", "plain"])(
  "a folder without commits keeps its memories under a new name: %s",
  (kind) => {
    using app = opened();
    mkdirSync(`${root}/${kind}`);
    if (kind === "made") git(kind, "init", "-q");
    app.start(kind);
    app.knows(fact);
    renameSync(`${root}/${kind}`, `${root}/other name`);
    const [first, second] = [1, 2].map((n) => startOf(app, "other name", n));
    expect(first?.context).toContain("3 degrees");
    expect(first?.message).toContain(`${root}/${kind}`);
    expect(first?.message).toContain("project move --undo");
    expect(second?.context).toContain("3 degrees");
    expect(second?.message ?? "").not.toContain("project move");
    app.store.projects.unmerge();
    expect(startOf(app, "other name", 3)?.context).not.toContain("3 degrees");
  },
);

test("a new folder beside one that is gone is given nothing and told nothing", () => {
  using app = opened();
  mkdirSync(`${root}/first`);
  app.start("first");
  app.knows(fact);
  rmSync(`${root}/first`, { recursive: true });
  mkdirSync(`${root}/second`);
  const reply = startOf(app, "second", 1);
  expect(reply?.context).not.toContain("3 degrees");
  expect(reply?.message).toBeUndefined();
});

test("a project with a remote that was never started in moves, known by its commits", () => {
  using app = opened();
  repository("lone");
  git("lone", "remote", "add", "origin", "https://github.com/acme/lone.git");
  app.say("lone", "Fire up the kiln.");
  app.send("stop", "Stop", { session_id: "in-1", cwd: `${root}/lone` });
  app.knows(fact);
  renameSync(`${root}/lone`, `${root}/kiln`);
  expect(app.start("kiln")).toContain("3 degrees");
});

test("a plain folder that was copied and deleted is told of once, with the command that joins them", () => {
  using app = opened();
  mkdirSync(`${root}/a b/kiln`, { recursive: true });
  app.start("a b/kiln");
  app.knows(fact);
  mkdirSync(`${root}/b`);
  cpSync(`${root}/a b/kiln`, `${root}/b/kiln`, { recursive: true });
  rmSync(`${root}/a b`, { recursive: true });
  const [first, second] = [1, 2].map((n) => startOf(app, "b/kiln", n));
  expect(first?.message).toContain(`project move '${root}/a b/kiln' .`);
  expect(second?.message).toBeUndefined();
});

/** The reply to a start whose notices are read. */
const startOf = (app: ReturnType<typeof opened>, folder: string, n: number) =>
  app.worker.accept(
    [
      {
        v: 1,
        hook: "start",
        clientEvent: "SessionStart",
        key: `moved-${n}`,
        contentHash: `moved-${n}`,
        anonymous: false,
        atMs: app.startMs,
        replayed: true,
        gated: false,
        payload: { session_id: `moved-${n}`, cwd: `${root}/${folder}`, source: "startup" },
      },
    ],
    "socket",
  )[0];

test.each([true, false])(
  "a renamed folder keeps its memories, and what lies at its old path gets none (repository: %p)",
  (isRepository) => {
    using app = opened();
    const make = (folder: string): void =>
      isRepository ? repository(folder) : mkdirSync(`${root}/${folder}`);
    make("lone");
    app.start("lone");
    app.knows(fact);
    renameSync(`${root}/lone`, `${root}/kiln`);
    make("second");
    renameSync(`${root}/second`, `${root}/lone`);
    expect(app.start("kiln")).toContain("3 degrees");
    expect(app.start("lone")).not.toContain("3 degrees");
    app.knows("The second lone listens on port 9051");
    expect(app.start("lone")).toContain("9051");
    expect(app.start("kiln")).not.toContain("9051");
  },
);

test("a folder where something was remembered before any session is known after a rename", () => {
  using app = opened();
  repository("lone");
  const key = projectOf(`${root}/lone`)?.key ?? "";
  app.worker.noteFolder(key, `${root}/lone`);
  app.remember(fact, { category: "preferences", project: key });
  expect(app.store.admin.projectNames()).toContainEqual({ key, name: "lone" });
  renameSync(`${root}/lone`, `${root}/kiln`);
  expect(app.start("kiln")).toContain("3 degrees");
});

test("what is remembered first in the new folder does not part it from the old one", () => {
  using app = opened();
  repository("lone");
  app.start("lone");
  app.knows(fact);
  renameSync(`${root}/lone`, `${root}/kiln`);
  const key = projectOf(`${root}/kiln`)?.key ?? "";
  app.worker.noteFolder(key, `${root}/kiln`);
  app.remember("The kiln door is 40 cm wide", { category: "preferences", project: key });
  expect(app.start("kiln")).toContain("3 degrees");
});

test.each(["copied", "made anew"])(
  "two projects that a person joined stay one where the first folder is %s",
  (how) => {
    using app = opened();
    mkdirSync(`${root}/lone`);
    mkdirSync(`${root}/kiln`);
    app.start("lone");
    app.start("kiln");
    app.knows(fact);
    const [from, into] = ["lone", "kiln"].map((name) => projectOf(`${root}/${name}`));
    app.store.projects.merge(from?.key ?? "", { key: into?.key ?? "", name: "kiln" }, 0, true);
    if (how === "copied") cpSync(`${root}/lone`, `${root}/copy`, { recursive: true });
    else mkdirSync(`${root}/copy`);
    rmSync(`${root}/lone`, { recursive: true });
    renameSync(`${root}/copy`, `${root}/lone`);
    expect(app.start("lone")).toContain("3 degrees");
    expect(app.store.projects.facts()).toHaveLength(1);
    app.store.projects.unmerge();
    expect(app.start("lone")).not.toContain("3 degrees");
  },
);
