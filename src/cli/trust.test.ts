import { expect, test } from "bun:test";
import type { NodeDraft } from "#domain";
import { openTestCli, type TestCli } from "../../test/support/cli.ts";

const uri = "mem://user/entities/db";

function insert({ server }: TestCli, over: Partial<NodeDraft> = {}) {
  const { store, clock } = server.t;
  return store.nodes.insert(
    {
      uri,
      category: "entities",
      project: null,
      l0: "The database listens on 5544",
      origin: "user",
      maker: "signal",
      ...over,
    },
    { atMs: clock.nowMs(), action: "create", by: "test", reason: "said so" },
  );
}

test("undo takes back the last change and says which, and fails when there is none", async () => {
  using cli = openTestCli();
  const none = await cli.run(["undo"]);
  expect(none).toMatchObject({ status: 1, out: "" });
  expect(none.err).toBe("error: There is no change to undo\n");
  cli.server.t.add({ uri: "mem://user/entities/kiln", l0: "The kiln is hot" });
  await cli.run(["pin", "mem://user/entities/kiln"]);
  const undone = await cli.run(["undo"]);
  expect(undone).toMatchObject({ status: 0, err: "" });
  expect(undone.out).toMatch(/^Undone \(.*\): The kiln is hot\nmem:\/\/user\/entities\/kiln {2}/);
});

test("edit changes what it is told to, and revert takes it back", async () => {
  using cli = openTestCli();
  insert(cli);
  const edited = await cli.run([
    "edit",
    uri,
    "The database",
    "listens on 5545",
    "--importance",
    "5",
    "--tag",
    "db",
  ]);
  expect(edited).toMatchObject({
    status: 0,
    needs: ["write"],
    out: `Changed: The database listens on 5545\n${uri}\n`,
  });
  const { store } = cli.server.t;
  expect(store.nodes.byUri(uri)).toMatchObject({ importance: 5, tags: ["db"] });
  const diff = await cli.run(["diff", uri]);
  expect(diff.out).toContain("5544");
  expect(diff.out).toContain("5545");
  expect(diff.out).toContain("importance  3 → 5");
  const reverted = await cli.run(["revert", uri]);
  expect(reverted.out).toContain("As it was: The database listens on 5544");
  expect(store.nodes.byUri(uri)).toMatchObject({ importance: 3, tags: [] });
  const [first] = store.nodes.revisions(store.nodes.byUri(uri)?.id ?? 0);
  expect((await cli.run(["revert", uri, "--to", `${first?.id}`])).status).toBe(0);
  expect((await cli.run(["history", uri])).out).toContain(`${first?.id}  `);
});

test("an overview is set, and removed by an empty one", async () => {
  using cli = openTestCli();
  insert(cli);
  await cli.run(["edit", uri, "--overview", "One\ntwo"]);
  expect(cli.server.t.store.nodes.byUri(uri)?.l1).toBe("One\ntwo");
  await cli.run(["edit", uri, "--overview", ""]);
  expect(cli.server.t.store.nodes.byUri(uri)?.l1).toBeNull();
});

test("how the user likes to work can be corrected by hand", async () => {
  using cli = openTestCli();
  const profile = "mem://user/profile/communication";
  insert(cli, { uri: profile, category: "profile", l0: "Likes long answers", origin: "agent" });
  await cli.run(["edit", profile, "Likes short answers"]);
  expect((await cli.run(["profile"])).out).toContain("Likes short answers");
});

test("pin and unpin", async () => {
  using cli = openTestCli();
  insert(cli);
  expect((await cli.run(["pin", uri])).out).toStartWith("Pinned: ");
  expect(cli.server.t.store.nodes.byUri(uri)?.pinned).toBe(true);
  expect((await cli.run(["pin", uri, "--off"])).out).toStartWith("Unpinned: ");
  expect(cli.server.t.store.nodes.byUri(uri)?.pinned).toBe(false);
});

test("links shows relation, weight and the other memory", async () => {
  using cli = openTestCli();
  const a = insert(cli);
  expect((await cli.run(["links", uri])).out).toBe("No links.\n");
  const b = insert(cli, { uri: "mem://user/entities/pool", l0: "The pool has ten connections" });
  cli.server.t.store.nodes.relate(b.id, a.id, "elaborates", 1);
  const shown = await cli.run(["links", uri]);
  expect(shown.out).toContain("← elaborates");
  expect(shown.out).toContain("The pool has ten connections");
});

test("review lists what waits, accepts and rejects", async () => {
  using cli = openTestCli();
  expect((await cli.run(["review"])).out).toBe("No pending memories.\n");
  const a = insert(cli, { status: "pending", origin: "agent" });
  const b = insert(cli, { uri: "mem://user/entities/x", l0: "Another", status: "pending" });
  expect((await cli.run(["review"])).out).toContain(`${a.id}  The database listens on 5544`);
  expect((await cli.run(["review", "accept", `${a.id}`])).out).toBe(
    "Accepted: The database listens on 5544\n",
  );
  expect((await cli.run(["review", "reject", "--all"])).out).toBe(
    "Rejected: Another\n1 decided.\n",
  );
  const { nodes } = cli.server.t.store;
  expect([nodes.byId(a.id)?.status, nodes.byId(b.id)?.status]).toEqual(["active", "retracted"]);
});

test("timeline shows what happened around a memory", async () => {
  using cli = openTestCli();
  insert(cli);
  const shown = await cli.run(["timeline", uri]);
  expect(shown).toMatchObject({ status: 0, err: "" });
  expect(shown.out).toContain("The database listens on 5544");
});

test.each([
  ["edit", uri],
  ["edit", uri, "--importance", "9"],
  ["diff", uri, "--from", "last"],
  ["revert", uri, "--to", "-1"],
  ["review", "accept"],
  ["review", "accept", "x"],
  ["review", "burn"],
  ["timeline", "--limit", "many"],
])("%p: what makes no sense is misuse, in one line", async (...argv) => {
  using cli = openTestCli();
  insert(cli);
  const ran = await cli.run(argv.map(String));
  expect(ran.status).toBe(2);
  expect(ran.out).toBe("");
  expect(ran.err.trim().split("\n").length).toBeLessThanOrEqual(2);
});

test.each(["edit", "pin", "diff", "revert", "links"])(
  "%s of a memory that is not there says so",
  async (command) => {
    using cli = openTestCli();
    const ran = await cli.run([
      command,
      "mem://user/entities/none",
      ...(command === "edit" ? ["x"] : []),
    ]);
    expect(ran.status).toBe(1);
    expect(ran.err).toContain("continuity find");
  },
);
