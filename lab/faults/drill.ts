/** The restore drill: from every kind of backup, on the same machine and on another, everything that it held is back. */
import { Database } from "bun:sqlite";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, openProgram, type Program } from "../../test/support/program.ts";
import { copyOf, killDaemons, missingIn, ports } from "./home.ts";

interface Drill {
  readonly name: string;
  readonly run: (template: string) => Promise<string | null>;
}

async function done(program: Program, ...args: readonly string[]): Promise<void> {
  const { status, err } = await program.run(args);
  if (status !== 0) throw new Error(`${args.join(" ")}: ${err}`);
}

const newestIn = (program: Program, name: RegExp): string => {
  const found = readdirSync(program.paths.backups)
    .filter((one) => name.test(one))
    .toSorted();
  const newest = found.at(-1);
  if (newest === undefined) throw new Error("there is no backup");
  return join(program.paths.backups, newest);
};

/** All that was remembered, and only what the daemon had processed by then. */
async function look(program: Program, turns: readonly string[]): Promise<string | null> {
  await program.flush();
  await program.stopDaemon();
  return missingIn(program.paths.database, { ports, prompts: turns });
}

type Make = (program: Program) => Promise<string>;

/** From a backup: over the home it was made of, whose database is gone, and in a new home. */
const restored = (name: string, make: Make): readonly Drill[] => [
  {
    name: `restore of ${name} over a home without a database`,
    run: async (template) => {
      await using program = copyOf(template);
      const backup = await make(program);
      await program.stopDaemon();
      for (const end of ["", "-wal", "-shm"])
        rmSync(`${program.paths.database}${end}`, { force: true });
      await done(program, "restore", backup, "--yes");
      return await look(program, ["p-1"]);
    },
  },
  {
    name: `restore of ${name} in a new home`,
    run: async (template) => {
      await using program = copyOf(template);
      await using other = openProgram();
      const backup = await make(program);
      mkdirSync(other.paths.root, { mode: 0o700 });
      const carried = join(other.folder, "carried.db");
      cpSync(backup, carried);
      await done(other, "restore", carried, "--yes");
      return await look(other, ["p-1"]);
    },
  },
];

const byHand: Make = async (program) => {
  await program.flush();
  await done(program, "backup");
  return newestIn(program, /^continuity-\w+\.db$/);
};

const elsewhere: Make = async (program) => {
  await program.flush();
  const path = join(program.folder, "usb.db");
  await done(program, "backup", path);
  return path;
};

/** The daemon's own, which is due once the home was looked after for an hour. */
const byDaemon: Make = async (program) => {
  await program.flush();
  await program.stopDaemon();
  rmSync(program.paths.backups, { recursive: true, force: true });
  {
    using db = new Database(program.paths.database);
    db.run("INSERT OR REPLACE INTO meta (name, value) VALUES ('upkeep.first', ?)", [
      `${Date.now() - 3_600_000}`,
    ]);
    db.run("DELETE FROM meta WHERE name LIKE 'upkeep.%backup%'");
  }
  await program.up();
  const made = /^continuity-\w+\.db$/;
  const isThere = (): boolean => {
    try {
      return readdirSync(program.paths.backups).some((name) => made.test(name));
    } catch {
      return false;
    }
  };
  await eventually("a backup by the daemon", isThere, 60_000);
  return newestIn(program, made);
};

export const drills: readonly Drill[] = [
  ...restored("a backup by hand", byHand),
  ...restored("a backup to another place", elsewhere),
  ...restored("the daemon's own backup", byDaemon),
  {
    name: "an export imported in a new home",
    run: async (template) => {
      await using program = copyOf(template);
      await using other = openProgram();
      await program.flush();
      const folder = join(other.folder, "all");
      await done(program, "export", folder);
      await done(other, "import", "--from", "continuity", folder);
      return await look(other, ["p-1"]);
    },
  },
  {
    name: "restore of the backup before an upgrade",
    run: async () => {
      await using program = openProgram();
      mkdirSync(program.paths.root, { mode: 0o700 });
      const packed = readFileSync(join(import.meta.dir, "../../src/store/home-d9689840.db.gz"));
      writeFileSync(program.paths.database, Bun.gunzipSync(packed));
      await program.flush();
      await program.stopDaemon();
      for (const end of ["", "-wal", "-shm"])
        rmSync(`${program.paths.database}${end}`, { force: true });
      await done(program, "restore", newestIn(program, /\.db$/), "--yes");
      await program.flush();
      await program.stopDaemon();
      return missingIn(program.paths.database, { ports: ["6432"], prompts: ["p1", "p2"] });
    },
  },
  {
    name: "restore of a database that a restore put aside",
    run: async (template) => {
      await using program = copyOf(template);
      await program.flush();
      await done(program, "restore", "latest", "--yes");
      await program.stopDaemon();
      await done(program, "restore", newestIn(program, /^(?!continuity-).*\.db$/), "--yes");
      return await look(program, ["p-1", "p-2"]);
    },
  },
  {
    name: "copied files of a home whose daemon was killed",
    run: async (template) => {
      await using program = copyOf(template);
      await killDaemons(program);
      return await look(program, ["p-1", "p-2"]);
    },
  },
];
