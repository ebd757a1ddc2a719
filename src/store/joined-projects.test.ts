/** Projects that earlier versions had told apart by the case of a remote become one when the store is opened. */
import { expect, test } from "bun:test";
import { heirOf, ownProject } from "#domain";
import { cause, draft, openOk, tempFolder } from "../../test/support/store.ts";

const upper = "github.com/Acme/Repo";
const lower = "github.com/acme/repo";
const cased = "git.acme.test/Acme/Repo";

/** A store as version 0.1 left it: one memory and one session for each key. */
function stored(path: string, keys: readonly string[], given: string | null = null): void {
  using store = openOk(path);
  for (const [n, project] of keys.entries()) {
    const projectName = project.split("/").at(-1) ?? "";
    store.sessions.upsert({ sessionId: `s${n}`, project, projectName, atMs: 1_000 + n });
    const l0 = `Fact ${n} of ${project}`;
    store.nodes.insert(draft({ uri: `mem://user/entities/e${n}`, l0, project }), cause());
  }
  if (given !== null) store.projects.rename(keys[0] ?? "", given);
}

const projectsIn = (path: string) => {
  using store = openOk(path);
  return store.projects.facts().map(({ key, name, memories, sessions }) => {
    return { key, name, memories, sessions };
  });
};

test("two spellings are one project with the memories and sessions of both", () => {
  using folder = tempFolder();
  stored(folder.database, [upper, lower, cased]);
  const joined = [
    { key: cased, name: "Repo", memories: 1, sessions: 1 },
    { key: lower, name: "repo", memories: 2, sessions: 2 },
  ];
  expect(projectsIn(folder.database)).toEqual(joined);
  expect(projectsIn(folder.database)).toEqual(joined);
});

test("one spelling keeps its name, also the one that a person gave", () => {
  using folder = tempFolder();
  stored(folder.database, [upper, "gitlab.com/Acme/Web"], "Storefront");
  expect(projectsIn(folder.database).map(({ key, name }) => [key, name])).toEqual([
    [lower, "Storefront"],
    ["gitlab.com/acme/web", "Web"],
  ]);
});

test("what comes with the old spelling finds the project, also one that a person had merged", () => {
  using folder = tempFolder();
  stored(folder.database, [upper, cased]);
  using store = openOk(folder.database);
  const said = { key: upper, name: "Repo", root: "/r", branch: null };
  expect(ownProject(store.projects.rules(), said, "/r").key).toBe(lower);
  store.projects.merge(lower, { key: cased, name: "web" }, 0);
  expect(heirOf(store.projects.rules().merged, upper)).toBe(cased);
  expect(heirOf(store.projects.rules().merged, "github.com/ACME/repo")).toBe(cased);
});
