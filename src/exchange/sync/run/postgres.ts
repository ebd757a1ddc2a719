/** `postgres://user@host/database?space=name`: rows that are written once, in what speaks PostgreSQL's protocol. */
import {
  isObjectName,
  namesMax,
  objectBytesMax,
  type Carrier,
  CarrierFailure,
  channelOf,
} from "./carrier.ts";
import {
  asked,
  openClient,
  postgresPlace,
  type CarrierAddress,
  type PostgresPlace,
  stateOf,
} from "./postgres-client.ts";
import type { SQL } from "bun";

type Client = ReturnType<typeof openClient>;

const connections = 2;
/** The limits of one answer of `ahead`; at least one object. */
const answerBytesMax = 16 * 1_048_576;
const answerObjectsMax = 2_000;
/** After every character of a name. */
const last = "~";

/** The tables are there when this returns. */
export async function openPostgres({ url, access }: CarrierAddress): Promise<Carrier> {
  const place = postgresPlace(url, access);
  const sql = openClient(place, connections);
  const close = (): Promise<void> => sql.close({ timeout: 1 });
  try {
    await prepareSchema(sql, place);
  } catch (error) {
    await close();
    throw error;
  }
  return { ...rowsOf(sql, place), [Symbol.asyncDispose]: close };
}

function rowsOf(sql: Client, place: PostgresPlace): Omit<Carrier, typeof Symbol.asyncDispose> {
  const { space } = place;
  const ask = async <Row>(work: () => PromiseLike<unknown>): Promise<readonly Row[]> =>
    (await asked(place, work)) as readonly Row[];
  return {
    list: async (prefix, after) => {
      const rows = await ask<{ readonly name: string }>(
        () => sql`SELECT name FROM continuity.objects WHERE space = ${space} AND name >= ${prefix}
          AND name < ${prefix + last} AND name > ${after} ORDER BY name LIMIT ${namesMax}`,
      );
      return rows.map(({ name }) => name).filter(isObjectName);
    },
    get: async (name) => {
      const [row] = await ask<{ readonly bytes: Uint8Array }>(
        () => sql`SELECT bytes FROM continuity.objects WHERE space = ${space} AND name = ${name}
          AND octet_length(bytes) <= ${objectBytesMax}`,
      );
      return row === undefined ? null : new Uint8Array(row.bytes);
    },
    put: async (name, bytes) => {
      const made = await ask(
        () => sql`INSERT INTO continuity.objects (space, name, bytes) VALUES (${space}, ${name}, ${bytes})
          ON CONFLICT DO NOTHING RETURNING name`,
      );
      if (made.length === 0) return "exists";
      // Without NOTIFY, others look now and then.
      if (name.startsWith("log/"))
        await Promise.resolve(sql.notify(channelOf(space), name)).catch(() => undefined);
      return "created";
    },
    ahead: async (names) => {
      const rows = await ask<{ readonly name: string; readonly bytes: Uint8Array }>(
        () => sql`SELECT name, bytes FROM (
            SELECT o.name, o.bytes, octet_length(o.bytes) AS size,
              sum(octet_length(o.bytes)::bigint) OVER (ORDER BY o.name) AS total
            FROM unnest(${sql.array([...names], "TEXT")}::text[]) AS a (after)
            CROSS JOIN LATERAL (
              SELECT p.name, p.bytes FROM continuity.objects p
              WHERE p.space = ${space} AND p.name > a.after COLLATE "C"
                AND p.name < (regexp_replace(a.after, '[^/]*$', '') || ${last}) COLLATE "C"
              ORDER BY p.name LIMIT 100) o
            ORDER BY o.name LIMIT ${answerObjectsMax}) found
          WHERE (total <= ${answerBytesMax} OR total = size) AND size <= ${objectBytesMax} ORDER BY name`,
      );
      return rows.map(({ name, bytes }) => ({ name, bytes: new Uint8Array(bytes) }));
    },
  };
}

// The tables in PostgreSQL, made and brought up to date by whoever opens them first.

const partitions = 16;

/**
 * Each is run once, whole or not at all. A space is in one partition. What is stored does not compress. A member (see
 * `hub.ts`) reads the objects of his spaces, and adds those that bear his own name; who owns the tables does all.
 */
const migrations: readonly ((isPlain: boolean) => readonly string[])[] = [
  (isPlain) => [
    `CREATE TABLE continuity.objects (space text NOT NULL, name text COLLATE "C" NOT NULL, bytes bytea NOT NULL,
       at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (space, name))${isPlain ? "" : " PARTITION BY HASH (space)"}`,
    ...(isPlain
      ? []
      : [
          "ALTER TABLE continuity.objects ALTER COLUMN bytes SET STORAGE EXTERNAL",
          ...Array.from(
            { length: partitions },
            (_, n) => `CREATE TABLE continuity.objects_${n} PARTITION OF continuity.objects
              FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${n})`,
          ),
        ]),
  ],
  () => [
    `CREATE TABLE continuity.members (space text NOT NULL, role name NOT NULL, writer text NOT NULL,
       PRIMARY KEY (space, role))`,
    // The policies ask by role.
    "CREATE INDEX members_of_role ON continuity.members (role)",
    "ALTER TABLE continuity.members ENABLE ROW LEVEL SECURITY",
    "ALTER TABLE continuity.objects ENABLE ROW LEVEL SECURITY",
    "CREATE POLICY own_rows ON continuity.members FOR SELECT USING (role = current_user)",
    `CREATE POLICY members_read ON continuity.objects FOR SELECT
       USING (space IN (SELECT m.space FROM continuity.members m WHERE m.role = current_user))`,
    `CREATE POLICY members_add ON continuity.objects FOR INSERT WITH CHECK (EXISTS (
       SELECT FROM continuity.members m WHERE m.role = current_user AND m.space = objects.space
         AND (objects.name LIKE 'log/' || m.writer || '/%'
           OR objects.name IN ('members/' || m.writer || '.age', 'left/' || m.writer || '.age'))))`,
    // The rights of a role are decided by the rows alone: a right for each would be a list as long as the team.
    "GRANT USAGE ON SCHEMA continuity TO PUBLIC",
    "GRANT SELECT ON continuity.version, continuity.members TO PUBLIC",
    "GRANT SELECT, INSERT ON continuity.objects TO PUBLIC",
  ],
];

/** One for all, so that two machines that start at once do not both make the tables. */
const lockKey = 1_668_247_156;

/** A role that may only use the tables finds them ready, or says what to do. */
async function prepareSchema(sql: SQL, place: PostgresPlace): Promise<void> {
  const found = await asked(place, () => versionOf(sql));
  if (found > migrations.length)
    throw new CarrierFailure(
      "a newer version of continuity keeps this database",
      "upgrade continuity on this machine",
    );
  if (found < migrations.length) await asked(place, () => migrate(sql));
}

/** 0 = there are no tables. */
async function versionOf(sql: SQL): Promise<number> {
  try {
    const [row] = await sql`SELECT coalesce(max(n), 0)::int AS n FROM continuity.version`;
    return (row as { readonly n: number }).n;
  } catch (error) {
    if (/^(?:42P01|3F000)$/.test(stateOf(error))) return 0;
    throw error;
  }
}

async function migrate(sql: SQL): Promise<void> {
  const [about] = await sql`SELECT version() AS name`;
  // CockroachDB splits tables by itself, and locks by its own transactions.
  const isPlain = (about as { readonly name: string }).name.startsWith("Cockroach");
  await sql.begin(async (tx) => {
    if (!isPlain) await tx`SELECT pg_advisory_xact_lock(${lockKey})`;
    await tx.unsafe("CREATE SCHEMA IF NOT EXISTS continuity");
    await tx.unsafe(
      "CREATE TABLE IF NOT EXISTS continuity.version (n int PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())",
    );
    for (let n = await versionOf(tx); n < migrations.length; n += 1) {
      for (const statement of migrations[n]?.(isPlain) ?? []) await tx.unsafe(statement);
      await tx`INSERT INTO continuity.version (n) VALUES (${n + 1})`;
    }
  });
}
