import { expect, test } from "bun:test";
import { shortIdOf, type NodeDraft } from "#domain";
import { isoTime } from "#kit";
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

test("a memory is shown with the relation and the other memory of each link", async () => {
  using cli = openTestCli();
  const a = insert(cli);
  const b = insert(cli, { uri: "mem://user/entities/pool", l0: "The pool has ten connections" });
  cli.server.t.store.nodes.relate(b.id, a.id, "elaborates", 1);
  const shown = await cli.run(["show", uri]);
  expect(shown.out).toContain("← elaborates");
  expect(shown.out).toContain("The pool has ten connections");
});

test.each(["#shown", "shown", "of --json"] as const)("review takes an id %s", async (form) => {
  using cli = openTestCli();
  for (let n = 0; n < 40; n += 1) insert(cli, { uri: `${uri}-${n}`, l0: `Thing ${n}` });
  const { id } = insert(cli, { l0: "One that waits", status: "pending", origin: "agent" });
  const short = shortIdOf(id);
  expect(short).not.toBe(`#${id}`);
  const forms = { "#shown": short, shown: short.slice(1), "of --json": `${id}` };
  const given = forms[form];
  expect((await cli.run(["review", "accept", given])).out).toBe("Accepted: One that waits\n");
});

test("review lists what waits, accepts and rejects", async () => {
  using cli = openTestCli();
  expect((await cli.run(["review"])).out).toBe("No pending memories.\n");
  const a = insert(cli, { status: "pending", origin: "agent" });
  const b = insert(cli, { uri: "mem://user/entities/x", l0: "Another", status: "pending" });
  expect((await cli.run(["review"])).out).toContain(
    `${shortIdOf(a.id)}  The database listens on 5544`,
  );
  expect((await cli.run(["review", "accept", shortIdOf(a.id)])).out).toBe(
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

test("a number that is a step and a memory undoes neither, and says how to name each", async () => {
  using cli = openTestCli();
  const { store } = cli.server.t;
  insert(cli, { uri, l0: "The kiln is hot" });
  const id = store.nodes.byUri(uri)?.id ?? 0;
  for (let n = store.history.latest(id)?.id ?? 0; n < id; n += 1)
    await cli.run(["edit", `#${id}`, `The kiln has ${n} doors`]);
  await cli.run(["edit", `#${id}`, "The kiln is cold"]);
  const refused = await cli.run(["undo", `${id}`]);
  expect(refused).toMatchObject({ status: 2, out: "" });
  expect(refused.err).toBe(
    `error: ${id} is a step and the memory #${id}; \`continuity undo --step ${id}\` or \`continuity undo '#${id}'\`\n`,
  );
  expect(store.nodes.byId(id)?.l0).toBe("The kiln is cold");
  expect((await cli.run(["undo", `#${id}`])).out).toStartWith("As it was: ");
  expect(store.nodes.byId(id)?.l0).not.toBe("The kiln is cold");
  expect((await cli.run(["undo", "--step", "1", `${id}`])).status).toBe(2);
});

test("undo --list shows the last steps, and the number of one undoes it as a whole", async () => {
  using cli = openTestCli();
  expect((await cli.run(["undo", "--list"])).out).toBe("No changes yet.\n");
  const { store, clock } = cli.server.t;
  for (const n of [1, 2]) insert(cli, { uri: `${uri}-${n}`, l0: `Thing ${n}` });
  const job = { atMs: clock.nowMs() + 1, action: "edit", by: "turn:s:4", reason: "said" } as const;
  for (const n of [1, 2])
    store.nodes.update(store.nodes.byUri(`${uri}-${n}`)?.id ?? 0, { l0: `Stuff ${n}` }, job);
  await cli.run(["pin", `${uri}-1`]);
  const steps = await cli.run(["undo", "--list"]);
  expect(steps.out).toMatch(/edited 2 +Stuff 2 +session s, turn 4\n/);
  const listed = await cli.run(["undo", "--list", "--limit", "2", "--json"]);
  const { items } = JSON.parse(listed.out) as { items: { id: number; by: string }[] };
  expect(items).toHaveLength(2);
  const undone = await cli.run(["undo", "--step", `${items[1]?.id}`]);
  expect(undone.out).toContain("Thing 2");
  expect(undone.out).toContain("1 memory changed since, left as it is");
  for (const args of [["0"], ["1", "--list"], ["--limit", "3"], ["9", "--to", "2"], ["--memory"]])
    expect((await cli.run(["undo", ...args])).status).toBe(2);
  expect((await cli.run(["undo", "99999"])).err).toBe(
    "error: No change has the number 99999; `continuity undo --list` shows them\n",
  );
});

test("restore --as-of shows what would change, asks, and one undo takes all of it back", async () => {
  using cli = openTestCli();
  const { store, clock } = cli.server.t;
  insert(cli);
  clock.advance(60_000);
  const then = isoTime(clock.nowMs());
  clock.advance(60_000);
  await cli.run(["edit", uri, "The database listens on 6000"]);
  insert(cli, { uri: `${uri}-new`, l0: "The kiln is electric" });
  clock.advance(60_000);
  const look = await cli.run(["restore", "--as-of", then, "--all", "--dry-run"]);
  expect(look).toMatchObject({ status: 0, needs: ["read"] });
  expect(look.out).toContain("2 memories would change");
  expect(look.out).toContain("- The database listens on 6000 (active)");
  expect(look.out).toContain("+ The database listens on 5544 (active)");
  expect(look.out).toContain("not known then: retracted");
  expect(store.nodes.byUri(uri)?.l0).toBe("The database listens on 6000");
  const unasked = await cli.run(["restore", "--as-of", then, "--all"]);
  expect(unasked).toMatchObject({ status: 2 });
  const done = await cli.run(["restore", "--as-of", then, "--all", "--yes"]);
  expect(done.out).toContain("2 memories restored as of");
  expect(store.nodes.byUri(uri)?.l0).toBe("The database listens on 5544");
  expect(store.nodes.byUri(`${uri}-new`)?.status).toBe("retracted");
  clock.advance(60_000);
  await cli.run(["undo"]);
  expect(store.nodes.byUri(uri)?.l0).toBe("The database listens on 6000");
  expect(store.nodes.byUri(`${uri}-new`)?.status).toBe("active");
  const same = await cli.run(["restore", "--as-of", "0d", "--all"]);
  expect(same.out).toMatch(/^Nothing has changed since /);
});

test("restore --as-of names what it is for, and nothing more than one thing", async () => {
  using cli = openTestCli();
  for (const args of [
    ["--as-of", "7d"],
    ["--as-of", "7d", "--all", "--project", "api"],
    ["--as-of", "7d", uri, "--all"],
    ["--as-of", "soon", "--all"],
    ["--all"],
    ["--project", "api"],
    ["--dry-run"],
  ])
    expect((await cli.run(["restore", ...args])).status).toBe(2);
  expect((await cli.run(["restore", "--as-of", "2030-01-01", "--all"])).err).toBe(
    "error: That time has not come yet; name one in the past\n",
  );
});
