/** A team over a real PostgreSQL: who reads and writes what, in the database itself and by keys. */
import { SQL } from "bun";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { CarrierFailure } from "./carrier.ts";
import {
  createTeam,
  inviteMember,
  joinTeam,
  leaveTeam,
  membersOf,
  removeMember,
  syncTeam,
  type TeamPort,
  type TeamState,
} from "./hub.ts";
import { openPostgres } from "./postgres.ts";
import {
  postgresFolder,
  startPostgres,
  superPassword,
  whyNoPostgres,
  type PostgresServer,
} from "../../../../test/support/sync/postgres-server.ts";
import { SpaceFailure } from "./membership.ts";

setDefaultTimeout(60_000);
const isHere = postgresFolder !== null;
const onServer = test.if(isHere);
test.if(!isHere)(whyNoPostgres, () => undefined);

let server: PostgresServer;
let keeper: SQL;
beforeAll(async () => {
  if (!isHere) return;
  server = await startPostgres();
  keeper = new SQL(server.url(), { password: superPassword, max: 1 });
  // The maker of a team is no superuser.
  await keeper`CREATE ROLE lead LOGIN CREATEROLE PASSWORD 'lead-word'`.simple();
  await keeper`CREATE DATABASE teams OWNER lead`.simple();
});
afterAll(async () => {
  if (isHere) await server.stop();
});

const project = { key: "git:example.org/heron", name: "heron" };
const random = {
  hex: (chars: number): string =>
    Buffer.from(crypto.getRandomValues(new Uint8Array(chars)))
      .toString("hex")
      .slice(0, chars),
};

/** A home: its state as it is kept, what it shares, and what arrived. */
function home() {
  const kept: { state: TeamState | null } = { state: null };
  const shared: string[] = [];
  const got: string[] = [];
  const port: TeamPort = {
    since: async (_, cursor, limit) => ({
      items: shared.slice(cursor, cursor + limit).map((l0) => ({ l0 })),
      cursor: Math.min(shared.length, cursor + limit),
      more: false,
    }),
    accept: async ({ name }, key, items) => {
      expect(key).toBe(project.key);
      for (const item of items) got.push(`${name}: ${(item as { readonly l0: string }).l0}`);
    },
    withdraw: async (member) => void got.push(`gone: ${member.length}`),
  };
  const save = (state: TeamState): void => void (kept.state = structuredClone(state));
  const state = (): TeamState => kept.state ?? expect.unreachable("no team");
  return {
    shared,
    got,
    save,
    state,
    sync: () => syncTeam(state(), port, save),
    invite: (name: string) => inviteMember(state(), { name, random }, save),
    join: (text: string) =>
      joinTeam(text, { known: kept.state === null ? [] : [kept.state], nowMs: 2 }, save),
    members: async () =>
      (await membersOf(state(), save)).map(({ name, state: is }) => `${name} ${is}`),
    remove: (name: string) => removeMember(state(), name, save),
    leave: () => leaveTeam(state(), save),
  };
}
type Home = ReturnType<typeof home>;

async function teamOf(...names: readonly string[]): Promise<readonly [Home, ...Home[]]> {
  const lead = home();
  const url = server.url({ user: "lead", database: "teams" }).replace("@", ":lead-word@");
  await createTeam({ url, env: {}, project, name: "Lea", nowMs: 1, random }, lead.save);
  const others: Home[] = [];
  for (const name of names) {
    const one = home();
    await one.join(await lead.invite(name));
    others.push(one);
  }
  return [lead, ...others];
}

const failure = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof CarrierFailure || error instanceof SpaceFailure) return error.message;
  throw new Error(`no clear failure: ${String(error)}`);
};

/** Logged in as the role of a member. */
const asRole = ({ state }: Home): SQL =>
  new SQL(state().url.replace(/\?.*/, ""), {
    password: state().access["PGPASSWORD"] ?? "",
    max: 1,
  });

onServer(
  "what a role may see is found by an index, however many teams a database holds",
  async () => {
    const [, ann] = await teamOf("Ann");
    const url = server.url({ user: "lead", database: "teams" }).replace("@", ":lead-word@");
    const lead = new SQL(url, { max: 1 });
    await lead`INSERT INTO continuity.members (space, role, writer)
    SELECT 'space' || n, ('role' || n)::name, 'w' FROM generate_series(1, 20000) n`;
    await lead`ANALYZE continuity.members`;
    const sql = asRole(ann ?? expect.unreachable("no member"));
    const plan =
      await sql`EXPLAIN SELECT name FROM continuity.objects WHERE space = 'x' AND name > 'log/'`;
    const text = (plan as readonly Record<string, string>[])
      .map((row) => row["QUERY PLAN"] ?? "")
      .join("\n");
    expect(text).toContain("members_of_role");
    expect(text).not.toContain("Seq Scan on members");
    await lead`DELETE FROM continuity.members WHERE writer = 'w'`;
    await Promise.all([sql.close(), lead.close()]);
  },
);

onServer("what one shares arrives at the others with the name that he was invited by", async () => {
  const [lead, ann, bob] = await teamOf("Ann", "Bob");
  lead.shared.push("Heron listens on 7071");
  ann?.shared.push(...Array.from({ length: 450 }, (_, n) => `fact ${n}`));
  for (const one of [lead, ann, bob, lead]) await one?.sync();
  expect(bob?.got).toHaveLength(451);
  expect(bob?.got).toContain("Lea: Heron listens on 7071");
  expect(lead.got[449]).toBe("Ann: fact 449");
  expect(ann?.got).toEqual(["Lea: Heron listens on 7071"]);
  const again = await bob?.sync();
  expect(again).toEqual({ received: 0, sent: 0, problems: [] });
  expect(await ann?.members()).toEqual(["Ann here", "Bob here", "Lea here"].toSorted(byIdOf(ann)));
});

/** Members are listed in the order of their ids. */
const byIdOf = (one: Home | undefined) => {
  const order = (one?.state().devices ?? []).map(({ name }) => name);
  const at = (line: string): number => order.indexOf(line.split(" ")[0] ?? "");
  return (a: string, b: string): number => at(a) - at(b);
};

onServer("an invitation is good once, for one, and holds no key that admits others", async () => {
  const [lead] = await teamOf();
  const text = await lead.invite("Ann");
  expect(text).toMatch(/^continuity-team-[\w-]+$/);
  const ann = home();
  await ann.join(text);
  expect(await failure(home().join(text))).toContain("was used already");
  await ann.join(text);
  expect(await failure(home().join(text.slice(0, -9)))).toContain("no invitation");
  expect(await failure(home().join("hello"))).toContain("no invitation");
  expect(await failure(ann.invite("Eve"))).toContain("only the person who made the team");
  expect(JSON.stringify(lead.state())).not.toContain(text);
  const late = await lead.invite("Late");
  await lead.remove("Late");
  expect(await failure(home().join(late))).toContain("withdrawn");
  expect(await failure(lead.invite("Ann"))).toContain("already");
});

onServer("a role reads and writes its team's rows only, and only in its own name", async () => {
  const [lead, ann] = await teamOf("Ann");
  const [other] = await teamOf("Zoe");
  if (ann === undefined) return;
  lead.shared.push("ours");
  other.shared.push("theirs");
  await lead.sync();
  await other.sync();
  const sql = asRole(ann);
  const { space, device } = ann.state();
  const tried = (statement: string): Promise<number | string> =>
    sql.unsafe(statement).then(
      (rows: { readonly count: number }) => rows.count,
      (error: { readonly errno: string }) => error.errno,
    );
  const spaces = await sql`SELECT DISTINCT space FROM continuity.objects`;
  expect([...spaces]).toEqual([{ space }]);
  const foreign = other.state().space;
  const add = (name: string, of = space): string =>
    `INSERT INTO continuity.objects VALUES ('${of}', '${name}', '')`;
  expect(await tried(add(`log/${device}/00000001.age`))).toBe(1);
  const refused = [
    add(`log/${lead.state().device}/00000009.age`),
    add(`log/${device}/00000001.age`, foreign),
    add("keys/0002.age"),
    add("members/00000000.age"),
    add("invitations/00000000.age"),
    add(`left/${lead.state().device}.age`),
    "UPDATE continuity.objects SET bytes = ''",
    "DELETE FROM continuity.objects",
    "TRUNCATE continuity.objects",
    ...Array.from({ length: 16 }, (_, n) => `SELECT * FROM continuity.objects_${n}`),
    `INSERT INTO continuity.members VALUES ('${foreign}', current_user, '${device}')`,
    `DELETE FROM continuity.members`,
    "ALTER TABLE continuity.objects DISABLE ROW LEVEL SECURITY",
    "CREATE TABLE continuity.mine (a int)",
    "SET ROLE lead",
  ];
  for (const statement of refused)
    expect([statement, await tried(statement)]).toEqual([statement, "42501"]);
  expect(await tried(`SELECT * FROM continuity.objects WHERE space = '${foreign}'`)).toBe(0);
  expect(await tried("SELECT * FROM continuity.members")).toBe(1);
  await keeper`CREATE ROLE nobody_here LOGIN PASSWORD 'nobody-word'`.simple();
  const nobody = new SQL(server.url({ user: "nobody_here", database: "teams" }), {
    password: "nobody-word",
    max: 1,
  });
  expect(await nobody`SELECT * FROM continuity.objects`).toHaveLength(0);
  expect(
    await failure(openPostgres({ url: ann.state().url, access: { PGPASSWORD: "no" } })),
  ).toContain("does not let");
  await nobody.close();
  await sql.close();
});

onServer(
  "a member who was removed reads and writes nothing, and has no key for what comes",
  async () => {
    const [lead, ann, bob] = await teamOf("Ann", "Bob");
    if (ann === undefined || bob === undefined) return;
    bob.shared.push("before");
    for (const one of [bob, lead, ann]) await one.sync();
    const sql = asRole(bob);
    expect((await sql`SELECT name FROM continuity.objects`).length).toBeGreaterThan(3);
    await lead.remove("Bob");
    // A connection that is open still has lost its role.
    const left = await sql`SELECT name FROM continuity.objects`.then(
      (rows: readonly unknown[]) => rows.length,
      () => "refused",
    );
    expect(left).toBe("refused");
    await sql.close();
    expect(await failure(bob.sync())).toContain("does not let");
    lead.shared.push("after");
    await lead.sync();
    await ann.sync();
    expect(ann.got).toEqual(["Bob: before", "Lea: after", "gone: 8"].toSorted(byFirst(ann)));
    expect(await lead.members()).toContain("Bob removed");
    // Even with all rows, the keys of his time do not open what was written later.
    const rows = await keeperRows(lead.state().space);
    const { decrypt } = await import("./segment.ts");
    const { epochs, own } = bob.state();
    const keys = [...epochs.map(({ identity }) => identity), own.identity, bob.state().guest];
    const late = rows.filter(({ name }) => /^keys\/0002|^log\/.*/.test(name));
    const opened = await Promise.all(late.map(({ bytes }) => decrypt(bytes, keys)));
    expect(opened.filter((plain) => plain !== null)).toHaveLength(1);
    for (const { bytes } of rows) expect(Buffer.from(bytes).includes("before")).toBe(false);
  },
);

/** Arrivals keep their order between members; the removal comes last. */
const byFirst =
  ({ got }: Home) =>
  (a: string, b: string): number =>
    got.indexOf(a) - got.indexOf(b);

async function keeperRows(
  space: string,
): Promise<readonly { readonly name: string; readonly bytes: Uint8Array }[]> {
  const sql = new SQL(server.url({ database: "teams" }), { password: superPassword, max: 1 });
  const rows = await sql`SELECT name, bytes FROM continuity.objects WHERE space = ${space}`;
  await sql.close();
  return [...rows] as never;
}

onServer("who leaves is seen to have left, and his password opens nothing", async () => {
  const [lead, ann] = await teamOf("Ann");
  if (ann === undefined) return;
  ann.shared.push("mine");
  await ann.sync();
  await lead.sync();
  const before = ann.state();
  await ann.leave();
  await lead.sync();
  expect(lead.got).toEqual(["Ann: mine", "gone: 8"]);
  expect(await lead.members()).toContain("Ann left");
  expect(await failure(openPostgres(before))).toContain("does not let");
});

onServer("rows that somebody changed, moved or forged change nothing", async () => {
  const [lead, ann] = await teamOf("Ann");
  if (ann === undefined) return;
  lead.shared.push("true");
  await lead.sync();
  const { space, device } = lead.state();
  const sql = new SQL(server.url({ database: "teams" }), { password: superPassword, max: 1 });
  await sql`UPDATE continuity.objects SET bytes = set_byte(bytes, 250, (get_byte(bytes, 250) + 1) % 256)
    WHERE space = ${space} AND name LIKE ${`log/${device}/%`}`;
  const member =
    await sql`SELECT bytes FROM continuity.objects WHERE space = ${space} AND name LIKE 'members/%'`;
  await sql`INSERT INTO continuity.objects VALUES (${space}, 'members/12345678.age', ${member[0].bytes})`;
  await sql`INSERT INTO continuity.objects VALUES (${space}, ${`left/${device}.age`}, ${member[0].bytes})`;
  await sql.close();
  const done = await ann.sync();
  expect(done.problems).toHaveLength(1);
  expect(ann.got).toEqual([]);
  expect((await ann.members()).toSorted()).toEqual(["Ann here", "Lea here"]);
});

onServer("a change of the password that a crash cut off is ended at the next sync", async () => {
  const [lead, ann, bob] = await teamOf("Ann", "Bob");
  for (const one of [ann, bob]) {
    if (one === undefined) return;
    const { access } = one.state();
    // Noted, and not done; done, and not noted.
    if (one === ann) one.save({ ...one.state(), nextPassword: "0123456789abcdef" });
    else
      one.save({
        ...one.state(),
        access: { PGPASSWORD: "old" },
        nextPassword: access["PGPASSWORD"] ?? "",
      });
    await one.sync();
    expect(one.state().nextPassword).toBeNull();
    await one.sync();
  }
  expect(await lead.members()).toHaveLength(3);
});
