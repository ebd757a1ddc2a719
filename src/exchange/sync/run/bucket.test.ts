/**
 * The S3 carrier against a server in a process of its own. `CONTINUITY_TEST_S3` may hold the path of `versitygw`
 * (github.com/versity/versitygw), a stricter server than the one that the tests bring.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBucket } from "./bucket.ts";
import { CarrierFailure, type Carrier } from "./carrier.ts";
import { checkCarrier, checkLife } from "../../../../test/support/sync/carriers.ts";

const folder = mkdtempSync(join(tmpdir(), "continuity-s3-"));
const secret = "S3RVER";
const keys = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: secret };

interface Server {
  readonly port: number;
  readonly kill: () => Promise<void>;
}

const gateway = process.env["CONTINUITY_TEST_S3"] ?? "";

const start = async (port = 0): Promise<Server> =>
  gateway === "" ? startBundled(port) : startGateway(port === 0 ? await freePort() : port);

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => void probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function startGateway(port: number): Promise<Server> {
  const buckets = join(folder, "buckets");
  mkdirSync(join(buckets, "memory"), { recursive: true });
  const access = ["--access", keys.AWS_ACCESS_KEY_ID, "--secret", secret];
  const child = Bun.spawn([gateway, ...access, "--port", `127.0.0.1:${port}`, "posix", buckets], {
    stdout: "ignore",
    stderr: "inherit",
  });
  const isUp = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  while (child.exitCode === null && !(await isUp()));
  return {
    port,
    kill: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

async function startBundled(port: number): Promise<Server> {
  const up = Promise.withResolvers<number>();
  const child = Bun.spawn(
    [
      process.execPath,
      join(import.meta.dir, "../../../../test/support/sync/s3-server.ts"),
      folder,
      `${port}`,
    ],
    { stderr: "inherit", ipc: (taken: number) => up.resolve(taken) },
  );
  return {
    port: await up.promise,
    kill: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

let server: Server;
beforeAll(async () => {
  server = await start();
});
afterAll(async () => {
  await server.kill();
  rmSync(folder, { recursive: true, force: true });
});

const at = (place: string, access: Readonly<Record<string, string>> = keys): Carrier =>
  openBucket({ url: `s3://${place}?endpoint=http://127.0.0.1:${server.port}`, access });

const failure = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CarrierFailure)) throw new Error(`no clear failure: ${String(error)}`);
  expect(error.message).not.toContain("\n");
  expect(error.message).not.toContain("Signature=");
  expect(error.next).not.toBe("");
  return error.message;
};

test("a bucket carries", () => checkCarrier(() => at("memory/some/where")));
test("without a prefix, and beside what is not ours", async () => {
  await at("memory/other").put("log/aa/00000001.age", new Uint8Array(1));
  const carrier = at("memory");
  await carrier.put("log/aa/00000002.age", new Uint8Array(1));
  expect(await carrier.list("log/", "")).toEqual(["log/aa/00000002.age"]);
});

test.each([1, 3])("a life of devices over a bucket ends in the same (%p)", (seed) =>
  checkLife(() => at(`memory/life${seed}`), seed),
);

test("wrong keys, no keys, no bucket: a line that names no secret", async () => {
  const wrong = at("memory/x", { ...keys, AWS_ACCESS_KEY_ID: "AKIDSTRANGER" });
  const refused = [wrong.list("", ""), wrong.get("a"), wrong.put("a", new Uint8Array(1))];
  for (const said of await Promise.all(refused.map(failure))) {
    expect(said).toMatch(/credentials/);
    expect(said).not.toContain("STRANGER");
  }
  expect(await failure(at("nothing/x").list("", ""))).toContain("there is no bucket nothing");
  expect(await failure(at("nothing/x").get("a"))).toContain("there is no bucket nothing");
  const path = join(folder, "credentials");
  const none = { AWS_SHARED_CREDENTIALS_FILE: path, AWS_PROFILE: "memory" };
  expect(await failure((async () => at("memory", none))())).toContain("no credentials");
  writeFileSync(
    path,
    `[default]\naws_access_key_id = A\naws_secret_access_key = B\n\n[memory]\n` +
      `aws_access_key_id = S3RVER\naws_secret_access_key = ${secret}\n`,
  );
  expect(await at("memory/file", none).list("", "")).toEqual([]);
  const address = openBucket.bind(null, { url: "s3://key:word@memory/x", access: keys });
  const said = await failure((async () => address())());
  expect(said).not.toContain("word");
});

test("a server that is killed in mid-write: one line, nothing half, and it goes on later", async () => {
  const carrier = at("memory/killed");
  await carrier.put("log/aa/00000001.age", new Uint8Array([1]));
  // This server says that it has a file before its bytes are there, so they are waited for.
  for (let looks = 0; looks < 500; looks += 1)
    if ((await carrier.get("log/aa/00000001.age"))?.length === 1) break;
  const large = new Uint8Array(48 * 1_048_576);
  const writing = failure(carrier.put("log/aa/00000002.age", large));
  const { port } = server;
  await server.kill();
  expect(await writing).toContain("cannot be reached");
  expect(await failure(carrier.list("log/", ""))).toContain("cannot be reached");
  server = await start(port);
  expect(await carrier.get("log/aa/00000001.age")).toEqual(new Uint8Array([1]));
  expect(await carrier.get("log/aa/00000002.age")).toBeNull();
  expect(await carrier.put("log/aa/00000002.age", large)).toBe("created");
});

/** Answers that no server here gives by itself. */
function answering(status: number, code: string): Disposable & { readonly carrier: Carrier } {
  const fake = Bun.serve({
    port: 0,
    fetch: ({ method }) =>
      method === "HEAD"
        ? new Response(null, { status: 404 })
        : new Response(`<Error><Code>${code}</Code><Message>so</Message></Error>`, { status }),
  });
  const url = `s3://memory?endpoint=http://127.0.0.1:${fake.port}`;
  return {
    carrier: openBucket({ url, access: keys }),
    [Symbol.dispose]: () => void fake.stop(true),
  };
}

test.each([
  [507, "XMinioStorageFull", "is full"],
  [403, "QuotaExceeded", "is full"],
  [403, "SignatureDoesNotMatch", "does not accept the credentials"],
  [403, "AccessDenied", "may not use the bucket"],
  [500, "InternalError", "500 InternalError so"],
])("a store that answers %p %s", async (status, code, words) => {
  using fake = answering(status, code);
  expect(await failure(fake.carrier.put("a", new Uint8Array(1)))).toContain(words);
});

test("an account that is not there is no empty bucket", async () => {
  using fake = answering(404, "XAdminUserNotFound");
  expect(await failure(fake.carrier.get("space.json"))).toContain(
    "does not accept the credentials",
  );
});

test("a store that sees to it itself that nothing is overwritten", async () => {
  using fake = answering(412, "PreconditionFailed");
  expect(await fake.carrier.put("a", new Uint8Array(1))).toBe("exists");
});
