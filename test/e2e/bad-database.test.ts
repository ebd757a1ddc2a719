/**
 * A database that cannot be used: people are told in one line what it is and what to do, hooks go on in silence,
 * the file stays as it is, and what hooks accepted meanwhile is there once it is mended.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { openProgram, type Program, type RunOptions } from "../support/program.ts";

const root = mkdtempSync(join(tmpdir(), "continuity-bad-"));
const goodPath = join(root, "good.db");
const pageBytes = 4_096;
const services = ["amber", "basil", "cedar", "delta", "ember", "fjord", "grove", "heron", "ivory"];
let good = Buffer.alloc(0);
/** Page of the table of memories. */
let memoriesPage = 0;

/** One per home: a session stays with the project that it began in. */
const sessionIn = (program: Program) => ({
  session_id: `s-${basename(program.folder)}`,
  transcript_path: "/nowhere/s.jsonl",
  cwd: program.folder,
});

const submit = async (
  program: Program,
  prompt: string,
  prompt_id: string,
  options: RunOptions = {},
) =>
  program.run(["hook", "submit"], {
    ...options,
    input: JSON.stringify({
      ...sessionIn(program),
      hook_event_name: "UserPromptSubmit",
      prompt,
      prompt_id,
    }),
  });

const quiet = { status: 0, out: "", err: "" };

beforeAll(async () => {
  await using program = openProgram();
  for (const [at, name] of services.entries())
    await submit(
      program,
      `remember that the ${name} service listens on port ${4_000 + at * 7}`,
      name,
    );
  await program.flush();
  await program.stopDaemon();
  good = readFileSync(program.paths.database);
  writeFileSync(goodPath, good);
  using db = program.database();
  memoriesPage = Number(
    db.query("SELECT rootpage FROM sqlite_schema WHERE name = 'mem_nodes'").values()[0]?.[0],
  );
});
const mounted: string[] = [];
afterAll(() => {
  for (const folder of mounted) Bun.spawnSync(["umount", folder]);
  rmSync(root, { recursive: true, force: true });
});

interface Fault {
  readonly name: string;
  readonly spoil: (path: string) => void;
  /** The message for a person. */
  readonly says: RegExp;
}

const damaged = (change: (bytes: Buffer) => void) => (path: string) => {
  const bytes = Buffer.from(good);
  change(bytes);
  writeFileSync(path, bytes);
};

const faults: readonly Fault[] = [
  {
    name: "bytes that are no database",
    spoil: (path) => writeFileSync(path, Buffer.alloc(20_000, "not a database at all ")),
    says: /is corrupt \(not a SQLite database\) and was not modified; move it away/,
  },
  {
    name: "a file cut short",
    spoil: (path) => writeFileSync(path, good.subarray(0, Math.floor(good.length * 0.6))),
    says: /is corrupt \(.*malformed\) and was not modified; move it away/,
  },
  {
    name: "a damaged first page",
    spoil: damaged((bytes) => bytes.fill(0xa5, 100, pageBytes)),
    says: /is corrupt \(.*malformed\) and was not modified; move it away/,
  },
  {
    name: "a damaged page in the middle, which shows only when it is read",
    spoil: damaged((bytes) =>
      bytes.fill(0xa5, (memoriesPage - 1) * pageBytes, memoriesPage * pageBytes),
    ),
    says: /is corrupt \(.*malformed\) and was not modified; move it away/,
  },
  {
    name: "a newer version's database",
    spoil: (path) => {
      writeFileSync(path, good);
      const db = new Database(path);
      db.run("PRAGMA user_version = 999");
      db.run("PRAGMA wal_checkpoint(TRUNCATE)");
      db.close();
    },
    says: /was written by a newer version \(schema 999, this one knows \d+\) and was not modified; install the newer version/,
  },
  {
    name: "a folder in its place",
    spoil: (path) => mkdirSync(join(path, "inside"), { recursive: true }),
    says: /cannot be used: a folder is in its place; check its permissions/,
  },
];

const reading = [["status"], ["find", "port"], ["list"]];
const writing = [
  ["remember", "the kiln burns at 900 degrees"],
  ["flush", "--timeout", "5s"],
];

/** One line on stderr, nothing on stdout, status 1. */
async function expectRefusal(
  program: Program,
  args: readonly string[],
  says: RegExp,
): Promise<void> {
  const ran = await program.run(args);
  expect({ args, status: ran.status, out: ran.out }).toEqual({ args, status: 1, out: "" });
  expect(ran.err).toMatch(/^error: [^\n]+\n$/);
  expect(ran.err).toMatch(says);
}

const contents = (path: string): string | Buffer =>
  statSync(path).isDirectory() ? readdirSync(path).join() : readFileSync(path);

describe.each(faults.map((fault) => [fault.name, fault] as const))("%s", (_, fault) => {
  let program: Program;
  let database = "";
  let before: string | Buffer = "";
  beforeAll(() => {
    program = openProgram();
    database = program.paths.database;
    mkdirSync(program.paths.root, { mode: 0o700 });
    fault.spoil(database);
    before = contents(database);
  });
  afterAll(async () => program[Symbol.asyncDispose]());

  test("people are told what it is and what to do", async () => {
    // Every command opens the file by one of two ways: each way at each fault, and each command at one of them.
    const at = faults.indexOf(fault);
    for (const some of [reading, writing])
      await expectRefusal(program, some[at % some.length] ?? [], fault.says);
    await expectRefusal(program, ["serve"], fault.says);
  });

  test("hooks go on in silence and keep their events", async () => {
    const common = sessionIn(program);
    expect(
      await program.hook("start", {
        ...common,
        hook_event_name: "SessionStart",
        source: "startup",
      }),
    ).toBe("");
    expect(await submit(program, "remember that the quay crane lifts 40 tons", "p-1")).toEqual(
      quiet,
    );
    expect(
      await program.hook("stop", {
        ...common,
        hook_event_name: "Stop",
        prompt_id: "p-1",
        stop_hook_active: false,
        last_assistant_message: "Noted.",
      }),
    ).toBe("");
  });

  test("the file is as it was", () => {
    expect(contents(database)).toEqual(before);
    expect(existsSync(`${database}-journal`)).toBe(false);
  });

  test("once it is mended, everything is there: at once, and both old and new", async () => {
    rmSync(database, { recursive: true });
    cpSync(goodPath, database);
    await program.flush();
    for (const [query, told] of [
      ["quay crane", "lifts 40 tons"],
      ["heron service", "4049"],
    ] as const)
      expect((await program.run(["find", "--all-projects", query])).out).toContain(told);
    expect(waiting(program)).toEqual([]);
    expect(program.log()).not.toContain("spool.set-aside");
  });
});

const isRoot = process.getuid?.() === 0;

/** A small file system of its own; null where this process may not mount one. */
function mountSmall(name: string, megabytes: number): string | null {
  if (process.platform !== "linux" || !isRoot) return null;
  const folder = join(root, name);
  mkdirSync(folder);
  const size = `size=${megabytes}m`;
  const { exitCode } = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", size, "tmpfs", folder]);
  if (exitCode !== 0) return null;
  mounted.push(folder);
  return folder;
}

/** Events of the spool: beside them lie keys, the note of what was lost, and the reserve. */
const waiting = (program: Program): readonly string[] =>
  readdirSync(program.paths.spool).filter((name) => !["keys", "lost", "reserve"].includes(name));

/** Takes all the room there is. */
function fill(folder: string): void {
  try {
    for (let at = 0; ; at += 1)
      writeFileSync(join(folder, `filler-${at}`), Buffer.alloc(pageBytes, 1));
  } catch {
    // Full.
  }
}

const makeRoom = (folder: string): void => {
  for (const name of readdirSync(folder))
    if (name.startsWith("filler-")) rmSync(join(folder, name));
};

const smallDisk = mountSmall("small", 3);
const story = " and this is a long story".repeat(400);

test.skipIf(smallDisk === null)(
  "a full disk: what is known can be read, what is new is refused clearly, nothing is half-written",
  async () => {
    const folder = smallDisk ?? "";
    // A second attempt begins as the first did.
    makeRoom(folder);
    rmSync(join(folder, "home"), { recursive: true, force: true });
    await using program = openProgram({ CONTINUITY_HOME: join(folder, "home") });
    expect(await submit(program, "remember that the plotter listens on port 9107", "p-1")).toEqual(
      quiet,
    );
    await program.flush();
    fill(folder);
    const isKeptOrTold = async (at: number): Promise<void> => {
      const ran = await submit(program, `remember that reel ${at} is worn${story}`, `q-${at}`);
      expect(ran).toMatchObject({ status: 0, err: "" });
      if (ran.out !== "")
        expect(ran.out).toStartWith('{"systemMessage":"Continuity could not keep');
    };
    for (let at = 0; at < 3; at += 1) await isKeptOrTold(at);
    // Until the reserve is used up, and the log as far as it had grown, there is room.
    rmSync(join(folder, "home", "spool", "reserve"));
    fill(folder);
    let refused: Awaited<ReturnType<Program["run"]>> | null = null;
    for (let at = 0; at < 60 && refused === null; at += 1) {
      const ran = await program.run(["remember", `kiln ${at} is hot${story}`]);
      if (ran.status !== 0) refused = ran;
    }
    expect(refused).toMatchObject({ status: 1, out: "" });
    expect(refused?.err).toMatch(
      /^error: [^\n]+ cannot be used: database or disk is full; check [^\n]* free disk space[^\n]*\n$/,
    );
    expect((await program.run(["find", "plotter"])).out).toContain("9107");
    await program.stopDaemon();
    fill(folder);
    for (let at = 3; at < 6; at += 1) await isKeptOrTold(at);
    expect((await program.run(["find", "plotter"])).out).toContain("9107");

    makeRoom(folder);
    expect(await submit(program, "remember that the lamp is dimmed at 22:10", "p-2")).toEqual(
      quiet,
    );
    await program.flush();
    expect((await program.run(["find", "lamp dimmed"])).out).toContain("22:10");
    expect(waiting(program)).toEqual([]);
    expect(readdirSync(program.paths.root).filter((name) => /\.\d+$/.test(name))).toEqual([]);
    using db = program.database();
    expect(db.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
  },
  60_000,
);

test.skipIf(process.platform === "win32")(
  "a limit on the size of files, which is a full disk for the database but not for the spool",
  async () => {
    await using program = openProgram();
    // In blocks of 512 bytes, so 10 KB: enough for events, not for a database.
    const through = ["sh", "-c", 'ulimit -f 20; exec "$@"', "sh"];
    expect(
      await submit(program, "remember that the plotter listens on port 9107", "p-1", { through }),
    ).toEqual(quiet);
    const refused = await program.run(["serve"], { through });
    expect({ status: refused.status, out: refused.out }).toEqual({ status: 1, out: "" });
    expect(refused.err).toMatch(/^error: the daemon cannot start: [^\n]*cannot be used: [^\n]+\n$/);
    await program.flush();
    expect((await program.run(["find", "plotter"])).out).toContain("9107");
  },
  60_000,
);

const readOnlyDisk = mountSmall("read-only", 8);

test.skipIf(readOnlyDisk === null)(
  "a home on a disk that is mounted read-only: hooks take nothing, what is known can be read, people are told, and nothing changes",
  async () => {
    const folder = readOnlyDisk ?? "";
    const home = join(folder, "home");
    mkdirSync(home, { mode: 0o700 });
    cpSync(goodPath, join(home, "continuity.db"));
    const remounted = Bun.spawnSync(["mount", "-o", "remount,ro", folder]);
    expect(remounted.exitCode).toBe(0);
    await using program = openProgram({ CONTINUITY_HOME: home });
    expect(await submit(program, "remember that the quay crane lifts 40 tons", "p-1")).toEqual(
      quiet,
    );
    for (const args of writing)
      await expectRefusal(
        program,
        args,
        /cannot be written: its file system is read-only; .*set CONTINUITY_HOME/,
      );
    await expectRefusal(program, ["serve"], /the daemon cannot start: .*(?:read-only|readonly)/i);
    await expectRefusal(program, ["backup"], /EROFS: read-only file system/);
    for (const args of reading)
      expect(await program.run(args)).toMatchObject({ status: 0, err: "" });
    expect((await program.run(["find", "--all-projects", "heron service"])).out).toContain("4049");
    for (const args of [
      ["backup", join(program.folder, "copy.db")],
      ["export", join(program.folder, "export")],
    ])
      expect(await program.run(args)).toMatchObject({ status: 0, err: "" });
    const told = await program.run(["status"]);
    expect(told.out).toContain(`warning ${home} cannot be written: nothing is captured`);
    const fresh = { env: { CONTINUITY_HOME: join(folder, "none") } };
    const status = await program.run(["status"], fresh);
    expect(status.out).toContain(`warning ${folder} cannot be written: nothing is captured`);
    expect(readdirSync(home)).toEqual(["continuity.db"]);
    expect(readFileSync(join(home, "continuity.db"))).toEqual(good);
  },
  60_000,
);

test("a home that is a file: hooks are silent, people are told in one line, and the file stays", async () => {
  await using program = openProgram();
  const home = join(program.folder, "taken");
  writeFileSync(home, "mine");
  await using lost = openProgram({ CONTINUITY_HOME: home });
  expect(await submit(lost, "remember that the quay crane lifts 40 tons", "p-1")).toEqual(quiet);
  for (const args of reading)
    await expectRefusal(lost, args, /taken cannot be read: ENOTDIR.*; set CONTINUITY_HOME/);
  for (const args of writing)
    await expectRefusal(
      lost,
      args,
      /taken cannot be written: it is a file and not a folder; .*set CONTINUITY_HOME/,
    );
  expect(readFileSync(home, "utf8")).toBe("mine");
});
