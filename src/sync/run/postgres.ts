/** `postgres://user@host/database?space=name`: rows that are written once, in what speaks PostgreSQL's protocol. */
import { isObjectName, namesMax, objectBytesMax, type Carrier } from "./carrier.ts";
import { channelOf } from "./channel.ts";
import {
  asked,
  openClient,
  postgresPlace,
  type Access,
  type PostgresPlace,
} from "./postgres-client.ts";
import { prepareSchema } from "./postgres-schema.ts";

type Client = ReturnType<typeof openClient>;

const connections = 2;
/** Of one answer of `ahead`; at least one object. */
const answerBytesMax = 16 * 1_048_576;
const answerObjectsMax = 2_000;
/** After every character of a name. */
const last = "~";

/** The tables are there when this returns. */
export async function openPostgres({
  url,
  access,
}: {
  readonly url: string;
  readonly access: Access;
}): Promise<Carrier> {
  const place = postgresPlace(url, access);
  const sql = openClient(place, connections);
  const close = (): Promise<void> => sql.close({ timeout: 1 });
  try {
    await prepareSchema(sql, place);
  } catch (error) {
    await close();
    throw error;
  }
  return { ...rowsOf(sql, place), close };
}

function rowsOf(sql: Client, place: PostgresPlace): Omit<Carrier, "close"> {
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
      // Where there is no NOTIFY, others look now and then.
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
