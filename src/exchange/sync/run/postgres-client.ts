/** A PostgreSQL address, the runtime's client for it, and what its failures mean to a person. */
import { SQL } from "bun";
import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import { CarrierFailure, decoded, inTime } from "./carrier.ts";

export type Access = Readonly<Record<string, string>>;

/** A database, as people write it, with what its address does not hold. */
export interface CarrierAddress {
  readonly url: string;
  readonly access: Access;
}

export interface PostgresPlace {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** The name under which the database keeps the objects of one space. */
  readonly space: string;
  readonly mode: (typeof modes)[number];
  readonly ca: string | null;
  readonly binding: "disable" | "prefer" | "require";
}

const connectSeconds = 15;
const modes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;
const bindings = ["disable", "prefer", "require"] as const;

/** Everything is said by the address: PGHOST, PGDATABASE and such of a shell belong to other work. */
export function postgresPlace(address: string, access: Access): PostgresPlace {
  const url = URL.parse(address) ?? new URL("postgres:///");
  const host = url.searchParams.get("host") ?? url.hostname;
  const user = decoded(url.username);
  const space = url.searchParams.get("space") ?? "main";
  if ([host, user].includes("") || !/^[\w.-]{1,64}$/.test(space))
    throw new CarrierFailure(
      "this address names no PostgreSQL database",
      "write postgres://user@host/database, with %40 for @ and %2F for / inside a name or password",
    );
  return {
    host: host.replaceAll(/^\[|\]$/g, ""),
    port: Number(url.port || 5432),
    user,
    password: passwordOf(url) || (access["PGPASSWORD"] ?? ""),
    database: decoded(url.pathname.slice(1)) || user,
    space,
    ...safetyOf(url),
  };
}

function safetyOf({ searchParams }: URL) {
  const mode = searchParams.get("sslmode") ?? "prefer";
  const binding = searchParams.get("channel_binding") ?? "prefer";
  if (isOneOf(modes, mode) && isOneOf(bindings, binding))
    return { mode, ca: searchParams.get("sslrootcert"), binding };
  throw new CarrierFailure(
    "the address asks for an unknown kind of TLS connection",
    `write one of sslmode=${modes.join(", ")}; channel_binding=${bindings.join(", ")}`,
  );
}

const isOneOf = <One extends string>(all: readonly One[], given: string): given is One =>
  (all as readonly string[]).includes(given);

const passwordOf = (url: URL): string =>
  decoded(url.password) || (url.searchParams.get("password") ?? "");

/** The address without its password, and the password; as it was where it cannot be read. */
export function withoutPassword(address: string): {
  readonly url: string;
  readonly password: string | null;
} {
  const url = URL.parse(address);
  const password = url === null ? "" : passwordOf(url);
  if (url === null || password === "") return { url: address, password: null };
  url.password = "";
  url.searchParams.delete("password");
  return { url: url.href, password };
}

/** Opens no connection yet: the first statement does. Statements have no names, so that a pooler may stand between. */
export const openClient = (place: PostgresPlace, connections: number): SQL =>
  new SQL({
    url: `postgres://localhost/?sslmode=${place.mode}`,
    adapter: "postgres",
    hostname: place.host,
    port: place.port,
    username: place.user,
    password: place.password,
    database: place.database,
    channelBinding: place.mode === "disable" ? "disable" : place.binding,
    ...(place.ca === null ? {} : { tls: { ca: Bun.file(place.ca) } }),
    max: connections,
    prepare: false,
    connectionTimeout: connectSeconds,
  });

/** One statement or transaction; a server that says nothing more is given up. */
export async function asked<Value>(
  place: PostgresPlace,
  work: () => PromiseLike<Value>,
): Promise<Value> {
  try {
    return await inTime(work, () => unreachable(place, "it does not answer"));
  } catch (error) {
    throw failureOf(place, error);
  }
}

const unreachable = ({ host }: PostgresPlace, why: string): CarrierFailure =>
  new CarrierFailure(
    `the PostgreSQL server at ${host} cannot be reached: ${why}`,
    "nothing is lost; sync goes on when it answers",
  );

interface Thrown {
  readonly code?: string;
  /** The server's SQLSTATE. */
  readonly errno?: unknown;
  readonly message?: string;
}

/** Empty where no server spoke. */
export const stateOf = (error: unknown): string => {
  const { errno } = error as Thrown;
  return typeof errno === "string" ? errno : "";
};

type Row = readonly [
  states: RegExp,
  message: (place: PostgresPlace) => string,
  next: string,
  isRefused?: true,
];

/** By the server's SQLSTATE. */
const known: readonly Row[] = [
  [
    /^28/,
    ({ host, user }) => `the PostgreSQL server at ${host} does not let ${user} in`,
    "run the command again with the right password in PGPASSWORD, or ask who keeps the server",
    true,
  ],
  [
    /^3D000/,
    ({ host, database }) => `there is no database ${database} at ${host}`,
    "create it, or check the address",
  ],
  [
    /^42501/,
    ({ database, user }) => `${user} has no right to do this in the database ${database}`,
    "take the role that made the tables; it needs CREATE on the database at first, and CREATEROLE to invite",
    true,
  ],
  [
    /^53100/,
    ({ host }) => `the disk of the PostgreSQL server at ${host} is full`,
    "make room on it; nothing is lost, and sync goes on then",
  ],
  [
    /^25006/,
    ({ host }) => `the PostgreSQL server at ${host} is read-only now`,
    "it may be a replica, or out of space; nothing is lost, and sync goes on when it can be written",
  ],
  [
    /^53300/,
    ({ host }) => `the PostgreSQL server at ${host} has no connection left`,
    "nothing is lost, and sync goes on later; a pooler such as PgBouncer helps if this stays so",
  ],
];

function failureOf(place: PostgresPlace, error: unknown): CarrierFailure {
  if (error instanceof CarrierFailure) return error;
  const { code = "", message = "" } = error as Thrown;
  const state = stateOf(error);
  const row = known.find(([states]) => states.test(state));
  if (row !== undefined) return new CarrierFailure(row[1](place), row[2], row[3]);
  const words = message.split("\n")[0]?.slice(0, 200) ?? "";
  if (/^(?:57P|08)/.test(state)) return unreachable(place, words);
  if (state === "" && /TLS|CERT|CHANNEL_BINDING|SIGNATURE|ISSUER|ALTNAME|ENOENT/.test(code))
    return new CarrierFailure(
      `there is no safe connection to the PostgreSQL server at ${place.host}: ${words}`,
      "check sslmode, sslrootcert and channel_binding in the address",
    );
  if (state === "") return unreachable(place, words || code);
  return new CarrierFailure(
    `the PostgreSQL server at ${place.host} failed: ${state} ${words}`,
    "nothing is lost; try again later",
  );
}

// Members of a team as roles of PostgreSQL: each logs in by himself, and sees what the rows of `members` give him.

interface Keeper {
  /** The address and access of the tables' owner. */
  readonly url: string;
  readonly access: Access;
  readonly space: string;
}

const rounds = 4_096;
const roleOf = ({ space }: Keeper, member: string): string =>
  `continuity_${space.slice(0, 12)}_${member}`;

/** `keptOf` makes the server's form of a password (RFC 5802), so that no log of its statements holds the password. */
function keptOf(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, rounds, 32, "sha256");
  const of = (key: Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
  const stored = createHash("sha256").update(of(salted, "Client Key")).digest();
  const parts = [salt, stored, of(salted, "Server Key")].map((part) => part.toString("base64"));
  return `SCRAM-SHA-256$${rounds}:${parts[0]}$${parts[1]}:${parts[2]}`;
}

export const newPassword = (): string => randomBytes(24).toString("hex");

async function statements(
  { url, access }: Keeper,
  work: (tx: Bun.SQL) => Promise<unknown>,
): Promise<void> {
  const place = postgresPlace(url, access);
  const sql = openClient(place, 1);
  try {
    await asked(place, () => sql.begin(work));
  } finally {
    await sql.close({ timeout: 1 });
  }
}

/** The address that the member uses, and his password. */
export async function addRole(
  keeper: Keeper,
  member: string,
): Promise<{ readonly url: string; readonly password: string }> {
  const role = roleOf(keeper, member);
  const password = newPassword();
  await statements(keeper, async (tx) => {
    await tx.unsafe(`CREATE ROLE ${role} LOGIN PASSWORD '${keptOf(password)}'`);
    const [can] =
      await tx`SELECT has_database_privilege(${role}, current_database(), 'CONNECT') AS yes,
      quote_ident(current_database()) AS name`;
    const { yes, name } = can as { readonly yes: boolean; readonly name: string };
    if (!yes) await tx.unsafe(`GRANT CONNECT ON DATABASE ${name} TO ${role}`);
    await tx`INSERT INTO continuity.members (space, role, writer) VALUES (${keeper.space}, ${role}, ${member})`;
  });
  const url = new URL(keeper.url);
  url.username = role;
  return { url: url.href, password };
}

/** From then on the role reads and writes nothing, on connections that are open too. Can be repeated. */
export async function dropRole(keeper: Keeper, member: string): Promise<void> {
  const role = roleOf(keeper, member);
  await statements(keeper, async (tx) => {
    await tx`DELETE FROM continuity.members WHERE space = ${keeper.space} AND writer = ${member}`;
    const there =
      await tx`SELECT quote_ident(current_database()) AS name FROM pg_roles WHERE rolname = ${role}`;
    const [found] = there as readonly { readonly name: string }[];
    if (found === undefined) return;
    await tx.unsafe(`REVOKE ALL ON DATABASE ${found.name} FROM ${role}`);
    await tx.unsafe(`DROP ROLE ${role}`);
  });
}

/** Whoever has seen the old password, in an invitation or elsewhere, cannot use it any more. */
export const changePassword = (place: Keeper, password: string): Promise<void> =>
  statements(place, (tx) => tx.unsafe(`ALTER ROLE CURRENT_USER PASSWORD '${keptOf(password)}'`));
