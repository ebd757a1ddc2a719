/** A PostgreSQL server for tests, on a socket of 127.0.0.1, where `initdb` is installed. */
import { Glob, SQL } from "bun";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

/**
 * `programs` is the folder of an installed PostgreSQL; null where there is none.
 * `CONTINUITY_TEST_POSTGRES` names its folder of programs.
 */
function programs(): string | null {
  const given = [process.env["CONTINUITY_TEST_POSTGRES"] ?? ""];
  const path = (process.env["PATH"] ?? "").split(delimiter);
  const usual = [...new Glob("/usr/lib/postgresql/*/bin/initdb").scanSync({ absolute: true })];
  const all = [
    ...given,
    ...path,
    ...usual
      .toSorted()
      .toReversed()
      .map((file) => dirname(file)),
  ];
  return all.find((folder) => folder !== "" && existsSync(join(folder, "initdb"))) ?? null;
}

export const postgresFolder = programs();
export const whyNoPostgres =
  "no PostgreSQL here: put initdb on the PATH, or its folder into CONTINUITY_TEST_POSTGRES";

export interface PostgresServer {
  readonly port: number;
  /** The address of the superuser; `database` and `user` as given. */
  readonly url: (of?: { readonly user?: string; readonly database?: string }) => string;
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const superuser = "keeper";
export const superPassword = "keeper-word";

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** PostgreSQL runs as no superuser of the machine. */
function run(command: readonly string[]): Bun.Subprocess<"ignore", "ignore", "pipe"> {
  const isRoot = process.getuid?.() === 0;
  const asOther = isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
  return Bun.spawn([...asOther, ...command], {
    cwd: "/",
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
}

/** Its data is lost with the machine, not with the process: it is killed and started again. */
export async function startPostgres(): Promise<PostgresServer> {
  const bin = postgresFolder;
  if (bin === null) throw new Error(whyNoPostgres);
  const folder = mkdtempSync(
    join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "continuity-pg-"),
  );
  chmodSync(folder, 0o777);
  const data = join(folder, "data");
  const word = join(folder, "word");
  writeFileSync(word, superPassword);
  const how = ["--auth=scram-sha-256", "--no-sync", "-E", "UTF8", "--locale=C"];
  const made = run([join(bin, "initdb"), "-D", data, "-U", superuser, `--pwfile=${word}`, ...how]);
  if ((await made.exited) !== 0) throw new Error(await new Response(made.stderr).text());
  const port = await freePort();
  let child: ReturnType<typeof run> | null = null;
  const url: PostgresServer["url"] = ({ user = superuser, database = "postgres" } = {}) =>
    `postgres://${user}@127.0.0.1:${port}/${database}`;
  const start = async (): Promise<void> => {
    const settings = [
      "fsync=off",
      "listen_addresses=127.0.0.1",
      `unix_socket_directories=${folder}`,
    ];
    const given = settings.flatMap((one) => ["-c", one]);
    for (let tries = 0; tries < 10_000; tries += 1) {
      // After a kill the rest of the old server may take a moment to end.
      if (child === null || child.exitCode !== null || child.signalCode !== null)
        child = run([join(bin, "postgres"), "-D", data, "-p", `${port}`, ...given]);
      const asking = new SQL(url(), { password: superPassword, max: 1 });
      const isUp = await asking`SELECT 1`.then(
        () => true,
        () => false,
      );
      await asking.close();
      if (isUp) return;
    }
    throw new Error("PostgreSQL did not start");
  };
  const kill = async (): Promise<void> => {
    child?.kill("SIGKILL");
    await child?.exited;
  };
  await start();
  return {
    port,
    url,
    kill,
    start,
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
