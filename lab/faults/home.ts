/** A home with something of everything in it, and what must be there again after whatever was done to it. */
import { Database } from "bun:sqlite";
import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, kill, openProgram, type Program } from "../../test/support/program.ts";

const things = { 9107: "plotter", 9108: "mixer", 9109: "kiln" } as const;
export const ports = ["9107", "9108", "9109"] as const;
export const prompts = ["p-1", "p-2"] as const;

export const say = (
  program: Program,
  prompt_id: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> =>
  program.hook(
    "submit",
    {
      session_id: "s-1",
      cwd: "/home/dev/deskly",
      hook_event_name: "UserPromptSubmit",
      prompt: `please look at the crane of ${prompt_id}`,
      prompt_id,
    },
    { env },
  );

/** Throws when the program does not say that it is remembered. */
export async function keep(program: Program, port: (typeof ports)[number]): Promise<void> {
  const said = await program.run(["remember", `the ${things[port]} listens on port ${port}`]);
  if (said.status !== 0) throw new Error(said.err);
}

export async function killDaemons(program: Program): Promise<void> {
  for (const pid of program.daemons()) kill(pid);
  await eventually("no daemon", () => program.daemons().length === 0);
  for (const name of ["daemon.sock", "daemon.json"])
    rmSync(join(program.paths.root, name), { force: true });
}

/**
 * Writes a home to a folder: two memories in a backup and in the database, one since, in the log of a database whose
 * daemon was killed; a prompt that was processed, and one in the spool.
 */
export async function writeHome(to: string): Promise<void> {
  await using program = openProgram();
  await program.up();
  writeFileSync(join(program.paths.root, "config.toml"), "[capture]\nboring = []\n");
  await keep(program, ports[0]);
  await keep(program, ports[1]);
  const made = await program.run(["backup"]);
  if (made.status !== 0) throw new Error(made.err);
  // The database holds these, the log what comes after.
  await program.stopDaemon();
  await program.up();
  await say(program, "p-1");
  await program.flush();
  await keep(program, ports[2]);
  await killDaemons(program);
  await say(program, "p-2", { CONTINUITY_AUTOSTART: "false" });
  cpSync(program.paths.root, to, { recursive: true });
  rmSync(join(to, "daemon.mutex"), { force: true });
  const names = readdirSync(to);
  for (const name of ["continuity.db", "continuity.db-wal", "config.toml", "token"])
    if (!names.includes(name)) throw new Error(`the home has no ${name}`);
  if (spooled(to) === null) throw new Error("the home has nothing in its spool");
}

/** The first event that waits, below the home; null = none. */
export function spooled(root: string): string | null {
  const name = readdirSync(join(root, "spool")).find((one) => one.endsWith(".json"));
  return name === undefined ? null : join("spool", name);
}

/** A home of one's own that is a copy. */
export function copyOf(template: string): Program {
  const program = openProgram();
  cpSync(template, program.paths.root, { recursive: true });
  return program;
}

/** `missingIn` lists what is missing or not whole in a database that nobody writes; null = nothing. */
export function missingIn(
  path: string,
  wanted: { readonly ports: readonly string[]; readonly prompts: readonly string[] },
): string | null {
  if (!existsSync(path)) return "there is no database";
  try {
    using db = new Database(path, { readonly: true });
    const texts = (query: string): string => JSON.stringify(db.query(query).all());
    const integrity = texts("PRAGMA integrity_check");
    if (!integrity.includes('"ok"')) return `integrity: ${integrity.slice(0, 200)}`;
    const nodes = texts("SELECT l0_abstract FROM mem_nodes WHERE status = 'active'");
    const port = wanted.ports.find((one) => !nodes.includes(`port ${one}`));
    if (port !== undefined) return `acknowledged and gone: ${port}`;
    const turns = texts("SELECT prompt_id FROM turns");
    const lost = wanted.prompts.find((one) => turns.split(`"${one}"`).length !== 2);
    return lost === undefined ? null : `not there once: ${lost}`;
  } catch (error) {
    return `cannot be read: ${String(error).slice(0, 200)}`;
  }
}
