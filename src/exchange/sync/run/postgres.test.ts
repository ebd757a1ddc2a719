/** The PostgreSQL carrier against a real server. */
import { SQL } from "bun";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { accessFor, openCarrier, shownUrl, splitAddress, watchSpace } from "./open.ts";
import { type Carrier, CarrierFailure, channelOf } from "./carrier.ts";
import { checkCarrier, checkLife } from "../../../../test/support/sync/carriers.ts";
import {
  postgresFolder,
  type PostgresServer,
  startPostgres,
  superPassword,
  whyNoPostgres,
} from "../../../../test/support/sync/postgres-server.ts";

setDefaultTimeout(60_000);

let server: PostgresServer;
let keeper: SQL;
const isHere = postgresFolder !== null;
const onServer = test.if(isHere);
test.if(!isHere)(whyNoPostgres, () => undefined);

const connect = (): SQL => new SQL(server.url(), { password: superPassword, max: 1 });
beforeAll(async () => {
  if (!isHere) return;
  server = await startPostgres();
  keeper = connect();
});
afterAll(async () => {
  if (isHere) await server.stop();
});

const folder = "/nowhere";
const at = (space: string, url = server.url(), password = superPassword): Promise<Carrier> =>
  openCarrier({ url: `${url}?space=${space}`, access: { PGPASSWORD: password }, folder });

const failure = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CarrierFailure)) throw new Error(`no clear failure: ${String(error)}`);
  expect(error.message).not.toContain("\n");
  expect(error.next).not.toBe("");
  return error.message;
};

onServer("the first ones come at once, and the tables are made once", async () => {
  const all = await Promise.all(Array.from({ length: 4 }, (_, n) => at(`first${n}`)));
  expect(await Promise.all(all.map((one) => one.put("a", new Uint8Array([1]))))).toEqual(
    all.map(() => "created"),
  );
  for (const one of all) await one[Symbol.asyncDispose]();
});

onServer("a database carries, and spaces do not see each other", async () => {
  await (await at("other")).put("log/aa/00000001.age", new Uint8Array(1));
  await checkCarrier(() => at("mine"));
});

onServer("a life of devices over a database ends in the same", () =>
  checkLife(() => at("life"), 3),
);

onServer(
  "what comes after some names, in one answer, in parts, from their folders only",
  async () => {
    const carrier = await at("ahead");
    const large = new Uint8Array(9 * 1_048_576).fill(7);
    for (const n of [1, 2, 3]) await carrier.put(`log/aa/0000000${n}.age`, large);
    await carrier.put("log/bb/00000001.age", new Uint8Array([1]));
    await carrier.put("log/ba/00000001.age", new Uint8Array([1]));
    await carrier.put("devices/aa.age", new Uint8Array([1]));
    const names = async (...after: string[]): Promise<readonly string[]> =>
      ((await carrier.ahead?.(after)) ?? []).map(({ name }) => name);
    expect(await names("log/aa/00000000.age", "log/bb/00000000.age")).toEqual([
      "log/aa/00000001.age",
    ]);
    expect(await names("log/aa/00000002.age", "log/bb/00000000.age")).toEqual([
      "log/aa/00000003.age",
      "log/bb/00000001.age",
    ]);
    expect(await names("log/aa/00000003.age", "log/bb/00000001.age")).toEqual([]);
    const [third] = (await carrier.ahead?.(["log/aa/00000002.age"])) ?? [];
    expect(third?.bytes).toEqual(large);
  },
);

onServer("others hear that something was written, and only who knows the space", async () => {
  const url = `${server.url()}?space=told`;
  const access = { PGPASSWORD: superPassword };
  let heard = 0;
  const news = Promise.withResolvers<void>();
  const watch = (device: string, onNews: () => void): ReturnType<typeof watchSpace> =>
    watchSpace({ url, access }, device, onNews);
  const own = await watch("aa", () => (heard += 1));
  const others = await watch("bb", news.resolve);
  const carrier = await at("told");
  await carrier.put("log/aa/00000001.age", new Uint8Array([1]));
  await news.promise;
  expect(heard).toBe(0);
  expect(channelOf("told")).not.toContain("told");
  await own?.();
  await others?.();
  expect(await watchSpace({ url: "s3://x", access: {} }, "aa", news.resolve)).toBeNull();
  const wrong = { url, access: { PGPASSWORD: "no" } };
  expect(await failure(watchSpace(wrong, "aa", news.resolve))).toContain("does not let");
});

onServer(
  "a wrong password, no database, no right, no server: a line that names no secret",
  async () => {
    const said = await failure(at("x", server.url(), "wrong-word"));
    expect(said).toContain("does not let keeper in");
    expect(said).not.toContain("word");
    expect(await failure(at("x", server.url({ database: "none" })))).toContain("no database none");
    await keeper`CREATE ROLE guest LOGIN PASSWORD 'guest-word'`.simple();
    const guest = await at("x", server.url({ user: "guest" }), "guest-word");
    expect(await failure(guest.put("space.json", new Uint8Array([1])))).toContain("no right");
    expect(await failure(at("x", "postgres://keeper@127.0.0.1:1/postgres"))).toContain("reached");
    const url = `${server.url()}?sslmode=require`;
    expect(
      await failure(openCarrier({ url, access: { PGPASSWORD: superPassword }, folder })),
    ).toContain("no safe connection");
    const odd = ["postgres://", "postgres://host/db", "postgres://me:a/b@host/db"];
    for (const one of [...odd, "postgres://me@host/db?sslmode=maybe"])
      expect(await failure(openCarrier({ url: one, access: {}, folder }))).not.toContain("a/b");
  },
);

onServer("a role without rights in the tables reads and writes nothing", async () => {
  await (await at("closed")).put("space.json", new Uint8Array([1]));
  await keeper`CREATE ROLE stranger LOGIN PASSWORD 'stranger-word'`.simple();
  const stranger = new SQL(server.url({ user: "stranger" }), { password: "stranger-word", max: 1 });
  const tries = {
    "SELECT * FROM continuity.objects": 0,
    "SELECT * FROM continuity.members": 0,
    "TABLE continuity.objects_1": "refused",
    "INSERT INTO continuity.objects VALUES ('closed', 'b', '')": "refused",
    "INSERT INTO continuity.members VALUES ('closed', 'stranger', 'aa')": "refused",
    "UPDATE continuity.objects SET name = 'b'": "refused",
    "DELETE FROM continuity.objects": "refused",
  };
  for (const [statement, wanted] of Object.entries(tries)) {
    const got = await stranger.unsafe(statement).then(
      (rows: unknown[]) => rows.length,
      () => "refused",
    );
    expect([statement, got]).toEqual([statement, wanted]);
  }
  await stranger.close();
});

onServer(
  "a read-only server, and one whose disk is full: one line, and it goes on later",
  async () => {
    const carrier = await at("full");
    await keeper`ALTER DATABASE postgres SET default_transaction_read_only = on`.simple();
    const replica = await at("full");
    expect(await failure(replica.put("a", new Uint8Array([1])))).toContain("read-only");
    expect(await replica.get("a")).toBeNull();
    await keeper`SET default_transaction_read_only = off`.simple();
    await keeper`ALTER DATABASE postgres RESET default_transaction_read_only`.simple();
    await keeper`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`.simple();
    await keeper`CREATE TRIGGER full_disk BEFORE INSERT ON continuity.objects
    FOR EACH ROW EXECUTE FUNCTION full_disk()`.simple();
    expect(await failure(carrier.put("a", new Uint8Array([1])))).toContain("is full");
    await keeper`DROP TRIGGER full_disk ON continuity.objects`.simple();
    expect(await carrier.put("a", new Uint8Array([1]))).toBe("created");
  },
);

onServer("tables of a newer version are left alone", async () => {
  await keeper`INSERT INTO continuity.version (n) VALUES (99)`;
  expect(await failure(at("x"))).toContain("newer version");
  await keeper`DELETE FROM continuity.version WHERE n = 99`;
});

onServer(
  "a server that is killed in mid-write: one line, nothing half, and it goes on later",
  async () => {
    const carrier = await at("killed");
    await carrier.put("log/aa/00000001.age", new Uint8Array([1]));
    const large = new Uint8Array(12 * 1_048_576);
    const writing = failure(carrier.put("log/aa/00000002.age", large));
    await server.kill();
    expect(await writing).toContain("cannot be reached");
    expect(await failure(carrier.list("log/", ""))).toContain("cannot be reached");
    await server.start();
    keeper = connect();
    const later = await at("killed");
    expect(await later.list("log/", "")).toEqual(["log/aa/00000001.age"]);
    expect(await later.put("log/aa/00000002.age", large)).toBe("created");
    // The one from before goes on, too.
    expect((await carrier.get("log/aa/00000002.age"))?.length).toBe(large.length);
  },
);

test("a password leaves the address, and is not shown", () => {
  const given = "postgresql://me:p%40ss@host/db?space=a";
  expect(splitAddress(given, {})).toEqual({
    url: "postgresql://me@host/db?space=a",
    access: { PGPASSWORD: "p@ss" },
  });
  expect(splitAddress("postgres://me@host/db?password=pass", {})).toEqual({
    url: "postgres://me@host/db",
    access: { PGPASSWORD: "pass" },
  });
  expect(splitAddress("postgres://me@host/db", { PGPASSWORD: "env", PGHOST: "other" })).toEqual({
    url: "postgres://me@host/db",
    access: { PGPASSWORD: "env" },
  });
  expect(accessFor("s3://b", { PGPASSWORD: "env" })).toEqual({});
  expect(shownUrl(given)).not.toContain("p%40ss");
  expect(shownUrl("postgres://me@host/db?password=pass&space=a")).toBe(
    "postgres://me@host/db?password=…&space=a",
  );
});
