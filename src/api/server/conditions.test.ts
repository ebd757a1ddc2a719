/** Entity tags: changes that somebody else was faster with. */
import { expect, test } from "bun:test";
import { openTestServer, type TestServer } from "../../../test/support/server.ts";

const uri = "mem://user/entities/a";

const opened = (): TestServer => {
  const server = openTestServer();
  server.t.add({ uri, l0: "A is a service" });
  return server;
};

const patch = async (server: TestServer, tag: string | null, body: unknown): Promise<Response> =>
  server.socket(`/api/nodes?uri=${uri}`, {
    method: "PATCH",
    headers: tag === null ? {} : { "if-match": tag },
    body: JSON.stringify(body),
  });

test("refusals and writes carry no tag", async () => {
  using server = opened();
  expect((await server.socket("/api/nodes?uri=mem://user/x")).headers.get("etag")).toBeNull();
  expect((await patch(server, null, { importance: 5 })).headers.get("etag")).toBeNull();
});

test("a change with the tag of what was read goes through once; the slower one is told", async () => {
  using server = opened();
  const tag = (await server.socket(`/api/nodes?uri=${uri}`)).headers.get("etag") ?? "";
  // Being used in between is no change.
  await server.socket(`/api/nodes?uri=${uri}&use=1`);
  expect((await patch(server, tag, { l0: "A is a database" })).status).toBe(200);
  const slower = await patch(server, tag, { l0: "A is a queue" });
  expect([slower.status, await slower.json()]).toMatchObject([
    412,
    { error: { type: "memory.changed" } },
  ]);
  expect(server.t.store.nodes.byUri(uri)?.l0).toBe("A is a database");
});

test("the id of a revision is a condition as well, a star is none, and nonsense is refused", async () => {
  using server = opened();
  const { revision } = (await (await server.socket(`/api/nodes?uri=${uri}`)).json()) as {
    readonly revision: number;
  };
  expect((await patch(server, `"r${revision}"`, { importance: 4 })).status).toBe(200);
  expect((await patch(server, `"r${revision}"`, { importance: 5 })).status).toBe(412);
  expect((await patch(server, "*", { importance: 5 })).status).toBe(200);
  for (const tag of ['"abc"', "r", '"r1x!"', "r99999999999999999999"])
    expect((await patch(server, tag, { importance: 1 })).status, tag).toBe(400);
  const revert = async (tag: string): Promise<number> =>
    (
      await server.socket("/api/nodes/revert", {
        method: "POST",
        headers: { "if-match": tag },
        body: JSON.stringify({ uri }),
      })
    ).status;
  expect(await revert(`"r${revision}"`)).toBe(412);
  expect(await revert("*")).toBe(200);
});
