/** Guards over the API: made of words, inert until approved, and what the hook is told of them. */
import { expect, test } from "bun:test";
import { openTestServer, type TestServer } from "../../../test/support/server.ts";
import { openTestService } from "../../../test/support/service.ts";
import { createService } from "./service.ts";

const post = async (server: TestServer, path: string, body: object): Promise<Response> =>
  server.socket(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

const json = async (answer: Response | Promise<Response>): Promise<unknown> =>
  (await answer).json();

test("a guard does nothing until it is approved, and nothing once it is removed", async () => {
  using server = openTestServer();
  const { service } = server.t;
  const made = await json(post(server, "/api/guards", { words: "never push to main" }));
  expect(made).toMatchObject({
    id: 1,
    state: "offered",
    decision: "ask",
    tool: "Bash",
    checks: "running git push, with main",
    said: 0,
  });
  expect(service.activeGuards()).toEqual([]);
  const test = { command: "git push origin main", cwd: "/p" };
  expect(await json(post(server, "/api/guards/test", test))).toMatchObject({
    guard: { id: 1, state: "offered" },
  });
  await post(server, "/api/guards/1", { action: "approve", decision: "deny" });
  expect(service.activeGuards()).toMatchObject([
    { id: 1, decision: "deny", words: "never push to main", projects: null },
  ]);
  expect(await json(post(server, "/api/guards/1", { action: "remove" }))).toMatchObject({
    state: "removed",
  });
  expect(service.activeGuards()).toEqual([]);
  expect(await json(server.socket("/api/guards"))).toEqual({ items: [] });
  expect((await post(server, "/api/guards/1", { action: "approve" })).status).toBe(404);
});

test("words that cannot be checked make no guard, and say so", async () => {
  using server = openTestServer();
  const refused = await post(server, "/api/guards", { words: "you are too verbose" });
  expect(refused.status).toBe(422);
  expect(await json(refused)).toMatchObject({ error: { type: "guard.unclear" } });
  expect((await post(server, "/api/guards/7", { action: "approve" })).status).toBe(404);
});

test("the same words make one guard; a secret in them is not kept", async () => {
  using server = openTestServer();
  await post(server, "/api/guards", { words: "never use npm" });
  const again = await json(post(server, "/api/guards", { words: "don't ever use npm" }));
  expect(again).toMatchObject({ id: 1, words: "don't ever use npm" });
  const secret = `ghp_${"a1B2".repeat(9)}`;
  await post(server, "/api/guards", { words: `never use sudo, token ${secret}` });
  expect(JSON.stringify(server.t.store.guards.list())).not.toContain(secret);
});

test("a guard of a project holds there, in what was merged into it, and nowhere else", async () => {
  using server = openTestServer();
  const { service, store } = server.t;
  const [here, there] = ["github.com/a/api", "github.com/a/old"];
  await post(server, "/api/guards", { words: "never use npm", project: there });
  await post(server, "/api/guards/1", { action: "approve" });
  store.projects.merge(there, { key: here, name: "api" }, 0);
  expect(service.activeGuards()).toMatchObject([{ projects: [here, there] }]);
  store.projects.part(here, "/w/shop/web", 0);
  const web = store.projects.rules().folders[0]?.project ?? "";
  await post(server, "/api/guards", { words: "never use yarn", project: web });
  await post(server, "/api/guards/2", { action: "approve" });
  expect(service.activeGuards()[1]).toMatchObject({ projects: [web, `${here}\n/w/shop/web`] });
  const asked = async (project: string | null) =>
    json(post(server, "/api/guards/test", { command: "npm i", cwd: "/p", project }));
  expect(await asked(there)).toMatchObject({ guard: { id: 1 } });
  expect(await asked("github.com/b/b")).toEqual({ guard: null });
  expect(await asked(null)).toEqual({ guard: null });
});

test("a deed is tried where it acts, by what the disk tells, as the hook does", () => {
  using t = openTestService();
  const shop = "github.com/a/shop";
  const service = createService({
    ...t.deps,
    guardPlaces: () => ({
      env: {},
      realPath: (path) => path.replace("/p/link", "/p/migrations"),
      gitAliasOf: () => null,
      branchOf: (folder) => (folder === "/other" ? "main" : "x"),
      isHeldIn: ({ projects }, folder) =>
        projects === null || (folder.startsWith("/shop") && projects.includes(shop)),
    }),
  });
  t.store.sessions.upsert({
    sessionId: "s",
    project: shop,
    projectName: "shop",
    cwd: "/shop",
    atMs: 1,
  });
  const add = (words: string, project: string | null) =>
    service.addGuard({ words, project, decision: "ask", nowMs: 1 });
  add("never touch the migrations folder", null);
  add("never commit to main", null);
  add("never use npm", shop);
  const against = (deed: { readonly command?: string; readonly path?: string }, cwd = "/p") => {
    const answer = service.testGuards({ ...deed, cwd, project: null });
    return answer.ok ? (answer.value.guard?.words ?? null) : "failed";
  };
  expect(against({ path: "link/001.sql" })).toBe("never touch the migrations folder");
  expect(against({ path: "lib/001.sql" })).toBeNull();
  expect(against({ command: "git -C /other commit -m x" })).toBe("never commit to main");
  expect(against({ command: "git commit -m x" })).toBeNull();
  expect(against({ command: "npm i" })).toBeNull();
  expect(against({ command: "cd /shop/web && npm i" })).toBe("never use npm");
});
