/** Tests whose memories are given to a folder that says it is a known project: real repositories, made with git. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { historyAt, projectOf } from "#hooks";
import { openTestWorker } from "../../../test/support/worker.ts";

const url = "git@github.com:clienta/app.git";
const secret = "The acquisition of Halvorsen closes in March";
const ask = "when does the acquisition of Halvorsen close?";
let root = "";

const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync("git", ["-C", `${root}/${folder}`, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
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
const commit = (folder: string, name: string): void => {
  writeFileSync(`${root}/${folder}/${name}`, name);
  git(folder, "add", ".");
  git(folder, "commit", "-qm", name);
};
const claim = (folder: string): void => void git(folder, "remote", "set-url", "origin", url);
/** A clone of `from` that says where it came from as everybody's does. */
const clone = (from: string, to: string, ...options: readonly string[]): void => {
  git(".", "clone", "-q", ...options, `file://${root}/${from}`, to);
  claim(to);
};
const forge = (folder: string): void => {
  mkdirSync(`${root}/${folder}/.git`, { recursive: true });
  writeFileSync(`${root}/${folder}/.git/HEAD`, "ref: refs/heads/main\n");
  writeFileSync(`${root}/${folder}/.git/config`, `[remote "origin"]\n\turl = ${url}\n`);
};

beforeAll(() => {
  root = realpathSync(mkdtempSync(`${tmpdir()}/places-`));
  mkdirSync(`${root}/origin`);
  git("origin", "init", "-q", "-b", "main");
  for (const name of ["a", "b", "c"]) commit("origin", name);
  clone("origin", "first");
  clone("origin", "second");
  clone("origin", "mine");
  commit("mine", "unpushed");
  git("mine", "gc", "-q");
  git("first", "worktree", "add", "-q", "../tree");
  mkdirSync(`${root}/first/src/deep`, { recursive: true });
  commit("origin", "d");
  clone("origin", "later");
  clone("origin", "shallow", "--depth", "1");
  forge("forged");
  forge("other");
  git("other", "init", "-q", "-b", "main");
  commit("other", "x");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function opened() {
  const app = openTestWorker({ projectOf: (cwd) => projectOf(cwd), historyAt });
  let sessions = 0;
  return Object.assign(app, {
    /** Gives the texts of a new session in the folder at its start and at a prompt. */
    told: (folder: string): string => {
      sessions += 1;
      const place = { session_id: `in-${sessions}`, cwd: `${root}/${folder}` };
      const start = app.send("start", "SessionStart", { ...place, source: "startup" });
      const submit = { ...place, prompt: ask, prompt_id: `p-${sessions}` };
      return start + app.send("submit", "UserPromptSubmit", submit);
    },
  });
}

/** The project is known from the first clone, with something that no other project has. */
function known() {
  const app = opened();
  app.told("first");
  app.remember(secret, { project: "github.com/clienta/app" });
  app.remember("Answer in English", { project: null, category: "preferences" });
  return app;
}

test.each(["first", "first/src/deep", "tree", "second", "mine", "later"])(
  "no question is asked in a folder, a worktree or a clone: %s",
  (folder) => {
    using app = known();
    expect(app.told(folder)).toContain("Halvorsen");
  },
);

test("a clone is known by a commit that only the other one names, whichever comes first", () => {
  using app = opened();
  app.told("mine");
  app.remember(secret, { project: "github.com/clienta/app" });
  expect(app.told("second")).toContain("Halvorsen");
});

test.each(["forged", "other"])("a claimed remote alone gets global memories: %s", (folder) => {
  using app = known();
  for (let n = 0; n < 2; n += 1) {
    const told = app.told(folder);
    expect(told).toContain("Answer in English");
    expect(told).not.toContain("Halvorsen");
  }
  // It is captured under the key all the same, and the real one goes on.
  expect(app.store.sessions.byId("in-2")?.project).toBe("github.com/clienta/app");
  expect(app.told("first")).toContain("Halvorsen");
});

test("a pointer or a link to a repository that does not know the folder proves nothing", () => {
  mkdirSync(`${root}/pointed`);
  writeFileSync(`${root}/pointed/.git`, "gitdir: ../first/.git\n");
  mkdirSync(`${root}/treed`);
  writeFileSync(`${root}/treed/.git`, "gitdir: ../first/.git/worktrees/tree\n");
  mkdirSync(`${root}/linked`);
  symlinkSync("../first/.git", `${root}/linked/.git`);
  forge("borrowed");
  symlinkSync("../../first/.git/objects", `${root}/borrowed/.git/objects`);
  symlinkSync("../../first/.git/packed-refs", `${root}/borrowed/.git/packed-refs`);
  symlinkSync("../../first/.git/logs", `${root}/borrowed/.git/logs`);
  using app = known();
  for (const folder of ["pointed", "treed", "linked", "borrowed"])
    expect(app.told(folder)).not.toContain("Halvorsen");
});

test("the user is told at the start, once a session, and can trust the folder", () => {
  using app = known();
  const start = (folder: string) =>
    app.worker.accept(
      [
        {
          v: 1,
          hook: "start",
          clientEvent: "SessionStart",
          key: `start-${folder}-${app.store.places.of("github.com/clienta/app", "").length}`,
          contentHash: "h",
          anonymous: false,
          atMs: app.startMs,
          replayed: true,
          gated: false,
          payload: { session_id: `at-${folder}`, cwd: `${root}/${folder}`, source: "startup" },
        },
      ],
      "socket",
    )[0];
  expect(start("first")?.message ?? "").not.toContain("trust");
  expect(start("forged")?.message).toContain("run `/opt/continuity project trust` in it");
  app.store.places.put(
    "github.com/clienta/app",
    { root: `${root}/forged`, isTrusted: true },
    app.startMs,
  );
  expect(app.told("forged")).toContain("Halvorsen");
});

test("what an import knows of other folders is not given to the first one that claims the remote", () => {
  using app = opened();
  app.remember(secret, { project: "github.com/clienta/app" });
  const session = { project: "github.com/clienta/app", projectName: "app", atMs: app.startMs };
  app.store.sessions.upsert({ ...session, sessionId: "imported", cwd: `${root}/first/src` });
  for (let n = 0; n < 2; n += 1) expect(app.told("forged")).not.toContain("Halvorsen");
  expect(app.told("later")).toContain("Halvorsen");
});

test("a shallow clone of a commit that was not fetched is doubtful until it is", () => {
  using app = known();
  expect(app.told("shallow")).not.toContain("Halvorsen");
  git("first", "fetch", "-q", `file://${root}/origin`);
  expect(app.told("shallow")).toContain("Halvorsen");
});

test("the history is read in less than two milliseconds, with 5,000 commits to know", () => {
  using app = known();
  const ids = Array.from({ length: 5_000 }, (_, n) => n.toString(16).padStart(40, "0"));
  app.store.places.addCommits("github.com/clienta/app", ids, app.startMs);
  const asked = app.store.places.commits("github.com/clienta/app");
  expect(asked.length).toBeLessThanOrEqual(32);
  const times = Array.from({ length: 30 }, () => {
    const before = Bun.nanoseconds();
    historyAt(`${root}/mine`)?.hasAny(asked);
    return (Bun.nanoseconds() - before) / 1e6;
  }).toSorted((a, b) => a - b);
  expect(times[15]).toBeLessThan(2);
});
