/** A machine that lives for a day: the address and the key of a space in its environment, and nothing else. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { contextOf, eventually, openProgram, type Program } from "../support/program.ts";

setDefaultTimeout(120_000);

const run = async (
  program: Program,
  args: readonly string[],
  more: { readonly cwd?: string } = {},
): Promise<string> => {
  const ran = await program.run(args, more);
  if (ran.status !== 0) throw new Error(`${args.join(" ")}: ${ran.err}${ran.out}`);
  return ran.out;
};

const start = (cwd: string) => ({
  session_id: "5e55a0a0-0000-4000-8000-000000000001",
  cwd,
  hook_event_name: "SessionStart",
  source: "startup",
});

test("the first session has the memories; a home that has a memory already is not attached", async () => {
  await using a = openProgram();
  const shared = join(a.folder, "shared");
  mkdirSync(shared);
  const url = `file://${shared}`;
  const heron = a.project("heron");
  await run(a, ["sync", "init", url]);
  await run(a, ["remember", "The Heron service listens on port 7071"], { cwd: heron });
  await run(a, ["sync", "now"]);
  const { key } = JSON.parse(await run(a, ["sync", "key", "--json"])) as { readonly key: string };
  const env = { CONTINUITY_SYNC_URL: url, CONTINUITY_SYNC_KEY: key };

  await using b = openProgram();
  const first = await b.hook("start", start(b.project("heron")), { env });
  // Within a second, or nothing is said; then the next session has it.
  if (first !== "") expect(contextOf(first)).toContain("The Heron service listens on port 7071");
  await eventually("the space is joined", () => existsSync(join(b.paths.sync, "last.json")));
  const next = await b.hook("start", { ...start(b.project("heron")), session_id: "s-2" });
  expect(contextOf(next)).toContain("The Heron service listens on port 7071");
  expect(await run(b, ["sync", "devices"])).toContain("this");
  // Ended by its user, it stays ended, whatever the environment says.
  await run(b, ["sync", "off"]);
  await b.stopDaemon();
  await b.hook("start", { ...start(b.project("heron")), session_id: "s-3" }, { env });
  await b.flush();
  expect((await b.run(["sync", "status"])).err).toContain("does not sync");

  await using c = openProgram();
  await run(c, ["remember", "The Stork account is private"]);
  await c.stopDaemon();
  await c.hook("start", start(c.project("heron")), { env });
  await c.flush();
  expect(existsSync(c.paths.sync)).toBe(false);
});

test("a space that cannot be reached holds the first session up no longer than that", async () => {
  await using b = openProgram();
  const env = {
    CONTINUITY_SYNC_URL: `file://${b.folder}/nowhere`,
    CONTINUITY_SYNC_KEY: "AGE-SECRET-KEY-1",
  };
  const began = await b.hook("start", start(b.project("heron")), { env });
  // A busy machine may miss the start's deadline: then nothing is said, and the session is recorded all the same.
  expect(began === "" || contextOf(began).includes("no memories yet")).toBe(true);
  await b.flush();
  using db = b.database();
  expect(db.query("SELECT count(*) AS n FROM sessions").get()).toEqual({ n: 1 });
});
