/** Members of a team as roles of PostgreSQL: each logs in by himself, and sees what the rows of `members` give him. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import { asked, openClient, postgresPlace, type Access } from "./postgres-client.ts";

interface Keeper {
  /** Of whoever owns the tables. */
  readonly url: string;
  readonly access: Access;
  readonly space: string;
}

const rounds = 4_096;
const roleOf = ({ space }: Keeper, member: string): string =>
  `continuity_${space.slice(0, 12)}_${member}`;

/** What the server keeps of a password (RFC 5802), made here so that no log of its statements holds the password. */
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
  { url, access }: Pick<Keeper, "url" | "access">,
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
export const changePassword = (
  place: Pick<Keeper, "url" | "access">,
  password: string,
): Promise<void> =>
  statements(place, (tx) => tx.unsafe(`ALTER ROLE CURRENT_USER PASSWORD '${keptOf(password)}'`));
