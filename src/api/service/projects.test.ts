import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { openTestService, testNowMs, type TestService } from "../../../test/support/service.ts";
import { ownProject } from "#domain";
import { migrations } from "../../store/preflight.ts";

const shop = "git/acme/shop";
const web = "git/acme/web";

function opened(): TestService {
  const t = openTestService();
  const session = (sessionId: string, project: string, cwd: string): void =>
    void t.store.sessions.upsert({
      sessionId,
      project,
      projectName: project.split("/").at(-1) ?? "",
      cwd,
      atMs: testNowMs,
    });
  session("s1", shop, "/work/shop/api");
  session("s2", shop, "/work/shop/web/pages");
  session("s3", web, "/work/web");
  t.add({ uri: "mem://user/entities/a", l0: "A", project: shop, sourceSession: "s1" });
  t.add({ uri: "mem://user/entities/b", l0: "B", project: shop, sourceSession: "s2" });
  t.add({ uri: "mem://user/entities/c", l0: "C", project: web, sourceSession: "s3" });
  t.add({ uri: "mem://user/entities/hand", l0: "By hand", project: shop });
  return t;
}

const projectOf = (t: TestService, name: string) =>
  t.store.nodes.byUri(`mem://user/entities/${name}`)?.project;
const names = (t: TestService) =>
  Object.fromEntries(t.service.projects().items.map(({ key, name }) => [key, name]));

test("a project is told with how much there is of it and where its sessions ran", () => {
  using t = opened();
  const told = t.service.project("shop");
  expect(told.ok && told.value).toMatchObject({ key: shop, memories: 3, sessions: 2 });
  expect(told.ok && told.value.folders.map(({ folder }) => folder).toSorted()).toEqual([
    "/work/shop/api",
    "/work/shop/web/pages",
  ]);
});

test("a name that a person gave stays when the next session brings the folder's own", () => {
  using t = opened();
  t.service.renameProject(shop, "Storefront");
  expect(names(t)[shop]).toBe("Storefront");
  const said = { key: shop, name: "shop", root: "/work/shop", branch: null };
  expect(ownProject(t.store.projects.rules(), said, "/work/shop").name).toBe("Storefront");
  expect(t.store.sessions.byId("s1")?.projectName).toBe("Storefront");
});

test("a merged project is gone, all of it is the other's, and so is what comes; histories too", () => {
  using t = opened();
  expect(t.service.mergeProjects({ project: web, into: shop }).ok).toBe(true);
  expect(Object.keys(names(t))).toEqual([shop]);
  expect(projectOf(t, "c")).toBe(shop);
  expect(t.store.sessions.byId("s3")).toMatchObject({ project: shop, projectName: "shop" });
  const said = { key: web, name: "web", root: "/work/web", branch: null };
  expect(ownProject(t.store.projects.rules(), said, "/work/web").key).toBe(shop);
  const id = t.store.nodes.byUri("mem://user/entities/c")?.id ?? 0;
  expect(t.store.nodes.revisions(id).map(({ fields }) => fields.project)).toEqual([shop]);
  // A search by the old key finds the new one.
  const found = t.service.search({
    q: "C",
    mode: "find",
    format: "index",
    kind: ["memory"],
    limit: 5,
    sort: "relevance",
    home: web,
    nowMs: testNowMs,
  });
  expect(found.ok && found.value.projects).toEqual([shop]);
});

test("a merge is taken apart: what each had is its own again, and what came since stays", () => {
  using t = opened();
  t.store.places.put(web, { root: "/work/web", isTrusted: true }, testNowMs);
  t.store.places.addCommits(web, ["both", "own"], testNowMs);
  t.store.places.addCommits(shop, ["both"], testNowMs);
  t.service.renameProject(web, "Web");
  const count = (key: string) => t.store.nodes.count({ projects: [key] });
  expect([count(shop), count(web)]).toEqual([3, 1]);
  t.service.mergeProjects({ project: web, into: shop });
  expect([count(shop), count(web)]).toEqual([4, 0]);
  t.add({ uri: "mem://user/entities/later", l0: "Later", project: shop });
  const back = t.service.unmergeProjects();
  expect(back.ok && back.value).toMatchObject({ key: web, name: "Web", memories: 1, sessions: 1 });
  expect(["a", "c", "later"].map((name) => projectOf(t, name))).toEqual([shop, web, shop]);
  expect(t.store.places.in("/work/web")).toBe(web);
  expect([shop, web].map((key) => t.store.places.commits(key))).toEqual([
    ["both"],
    ["both", "own"],
  ]);
  const said = { key: web, name: "web", root: "/work/web", branch: null };
  expect(ownProject(t.store.projects.rules(), said, "/work/web")).toMatchObject({
    key: web,
    name: "Web",
  });
  const id = t.store.nodes.byUri("mem://user/entities/c")?.id ?? 0;
  expect(t.store.nodes.revisions(id).map(({ fields }) => fields.project)).toEqual([web]);
  expect(t.service.unmergeProjects()).toEqual({ ok: false, error: { type: "project.no-merge" } });
});

test("a merge of merges is taken apart step by step", () => {
  using t = opened();
  const api = "git/acme/api";
  t.service.mergeProjects({ project: web, into: shop });
  t.service.mergeProjects({ project: shop, into: api, into_name: "api" });
  expect(Object.keys(names(t))).toEqual([api]);
  t.service.unmergeProjects();
  t.service.unmergeProjects();
  expect(["a", "c"].map((name) => projectOf(t, name))).toEqual([shop, web]);
  expect(t.store.projects.rules().merged).toEqual({});
});

test("what makes no sense is refused, and nothing changes", () => {
  using t = opened();
  const before = names(t);
  expect(t.service.mergeProjects({ project: shop, into: shop }).ok).toBe(false);
  expect(t.service.mergeProjects({ project: shop, into: "git/nowhere" }).ok).toBe(false);
  expect(t.service.renameProject("git/nowhere", "x").ok).toBe(false);
  expect(t.readOnly.renameProject(shop, "x").ok).toBe(false);
  expect(names(t)).toEqual(before);
});

test("every table with a project is known to merging", () => {
  const db = new Database(":memory:");
  for (const { sql } of migrations) db.run(sql);
  const tables = db
    .query<{ name: string }, []>(
      `SELECT t.name FROM sqlite_schema t, pragma_table_info(t.name) c
        WHERE t.type = 'table' AND c.name = 'project' ORDER BY t.name`,
    )
    .all();
  expect(tables.map(({ name }) => name)).toEqual([
    "checkpoints",
    "mem_nodes",
    "observations",
    "project_commits",
    "project_places",
    "sessions",
    "team_items",
    "team_rules",
    "team_shares",
    "team_trusted",
    "tool_guards",
  ]);
});
