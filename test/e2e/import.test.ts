/** `continuity import` with the built program: a home, a daemon, files on disk; killed, run again, asked about. */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { buildClaudeMem, claudeMemSessions, closeClaudeMem } from "../support/import/claude-mem.ts";
import { writeTranscripts } from "../support/import/transcripts.ts";
import { binary, eventually, openProgram, type Program } from "../support/program.ts";

setDefaultTimeout(60_000);
afterAll(closeClaudeMem);

const now = String(Date.parse("2026-03-01T12:00:00Z"));

interface Report {
  readonly read: number;
  readonly created: number;
  readonly merged: number;
  readonly skipped: number;
  readonly refused: number;
  readonly reasons: Readonly<Record<string, number>>;
}

async function imported(
  program: Program,
  from: string,
  ...rest: readonly string[]
): Promise<Report> {
  const ran = await program.run(["import", "--from", from, ...rest, "--json"]);
  if (ran.status !== 0) throw new Error(ran.err);
  const report = JSON.parse(ran.out) as Report;
  expect(report.read).toBe(report.created + report.merged + report.skipped + report.refused);
  return report;
}

const bytesOf = (path: string): string =>
  createHash("sha256").update(readFileSync(path)).digest("hex");
describe("claude-mem", () => {
  test("is imported from where it keeps its database, which stays as it is", async () => {
    await using program = openProgram();
    const folder = join(program.folder, ".claude-mem");
    mkdirSync(folder);
    const { path, records } = buildClaudeMem(join(folder, "claude-mem.db"), 9);
    const before = [bytesOf(path), readdirSync(folder)];

    const trial = await imported(program, "claude-mem", "--dry-run");
    expect(existsSync(program.paths.database)).toBe(false);

    const first = await imported(program, "claude-mem");
    expect(first.read).toBe(records);
    expect(first).toMatchObject({
      created: trial.created,
      merged: trial.merged,
      skipped: trial.skipped,
    });

    const second = await imported(program, "claude-mem");
    expect(second).toMatchObject({ read: records, created: 0, merged: 0 });
    expect([bytesOf(path), readdirSync(folder)]).toEqual(before);

    const found = await program.run(["find", "how long is a place on deck held", "--json"]);
    expect(found.out).toContain("Seat reservations expire after twelve minutes");
    const session = await program.run(["sessions", claudeMemSessions[0]]);
    expect(session.out).toContain("The timetable drops the last sailing");
  });

  test("is found in the folder that is named", async () => {
    await using program = openProgram();
    const { records } = buildClaudeMem(join(program.folder, "claude-mem.db"), 9);
    const ran = await program.run(["import", "--from", "claude-mem", program.folder, "--dry-run"]);
    expect(ran.out).toContain(`${records} records of claude-mem: `);
  });

  test("says where it looked and what to give where it is not in its usual place", async () => {
    await using program = openProgram();
    const ran = await program.run(["import", "--from", "claude-mem"]);
    expect(ran).toMatchObject({ status: 1, out: "" });
    expect(ran.err).toBe(
      `error: nothing of claude-mem was found: there is no ${join(program.folder, ".claude-mem")}; ` +
        "if it lies elsewhere, run `continuity import --from claude-mem PATH`\n",
    );
    expect(existsSync(program.paths.root)).toBe(false);
  });

  test("prints what became of it for people", async () => {
    await using program = openProgram();
    const { path } = buildClaudeMem(join(program.folder, "old.db"), 3);
    const ran = await program.run(["import", "--from", "claude-mem", path]);
    expect(ran.err).toBe("");
    expect(ran.out).toMatch(
      /^\d+ records of claude-mem: \d+ new(?:, \d+ merged)?(?:, \d+ skipped)?\n/,
    );
    expect(ran.out).toContain("  1 × routine\n");
  });
});

describe("claude-code", () => {
  test("killed again and again, then run to its end, leaves what one run leaves, while hooks are answered", async () => {
    await using whole = openProgram({ CONTINUITY_NOW: now });
    const folder = join(whole.folder, ".claude", "projects");
    mkdirSync(folder, { recursive: true });
    writeTranscripts({
      folder,
      seed: 4,
      bytes: 800_000,
      outputBytes: 500,
      projects: 4,
      startMs: Number(now) - 60 * 86_400_000,
    });
    const first = await imported(whole, "claude-code");
    expect(first.created).toBeGreaterThan(30);
    expect(await imported(whole, "claude-code")).toMatchObject({
      created: 0,
      merged: 0,
      read: first.read,
    });

    await using broken = openProgram({ CONTINUITY_NOW: now });
    await broken.up();
    let kills = 0;
    for (let run = 0; run < 6; run += 1) {
      const child = Bun.spawn([binary, "import", "--from", "claude-code", folder], {
        env: broken.env,
        stdout: "ignore",
        stderr: "ignore",
      });
      const ended = await Promise.race([
        child.exited.then(() => true),
        Bun.sleep(60 + run * 40).then(() => false),
      ]);
      if (ended) break;
      child.kill("SIGKILL");
      // Twice the daemon goes with it.
      if (run % 3 === 2) for (const pid of broken.daemons()) process.kill(pid, "SIGKILL");
      await child.exited;
      kills += 1;
      const answer = await broken.hook("tool", {
        session_id: "live",
        cwd: broken.folder,
        hook_event_name: "PostToolUse",
        tool_name: "Bash",
        tool_input: { command: `echo ${run}` },
        tool_use_id: `t${run}`,
      });
      expect(answer).toMatch(/^(?:\{\})?\s*$/);
    }
    expect(kills).toBeGreaterThan(1);
    await imported(broken, "claude-code", folder);
    await broken.flush();
    {
      using database = broken.database();
      expect(
        database.query("SELECT count(*) AS n FROM turns WHERE session_id <> 'live'").get(),
      ).toEqual({ n: countOf(whole, "turns") });
    }
    expect(contentOf(broken)).toEqual(contentOf(whole));
  });
});

test("interrupted by Ctrl-C it says so, keeps what it took, and goes on when asked again", async () => {
  await using program = openProgram({ CONTINUITY_NOW: now });
  const folder = join(program.folder, "projects");
  mkdirSync(folder);
  writeTranscripts({ folder, seed: 9, bytes: 700_000, outputBytes: 200, projects: 2 });
  await program.up();
  const child = Bun.spawn([binary, "import", "--from", "claude-code", folder], {
    env: program.env,
    stdout: "pipe",
    stderr: "pipe",
  });
  await eventually("some turns are there", () => countOf(program, "turns") > 5);
  child.kill("SIGINT");
  const said = await new Response(child.stderr).text();
  const status = await child.exited;
  const taken = countOf(program, "turns");
  // On a quick machine it may have been done by then.
  if (status !== 0)
    expect([status, said]).toEqual([
      1,
      expect.stringMatching(
        /^error: the import was interrupted after \d+ records; imported records are kept; run it again to resume\n$/,
      ) as string,
    ]);
  const rest = await imported(program, "claude-code", folder);
  expect(rest.skipped).toBeGreaterThanOrEqual(taken);
  expect(await imported(program, "claude-code", folder)).toMatchObject({ created: 0 });
});

const countOf = (program: Program, table: string): number => {
  using database = program.database();
  return (database.query(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
};

/** Memories and sessions but the one that was captured meanwhile. */
function contentOf(program: Program): unknown {
  using database = program.database();
  return [
    database
      .query(
        "SELECT uri, l0_abstract, status, created_at, evidence_count FROM mem_nodes WHERE uri NOT LIKE 'mem://sessions/live%' ORDER BY uri",
      )
      .all(),
    database
      .query(
        "SELECT session_id, status, started_at, ended_at, title FROM sessions WHERE session_id <> 'live' ORDER BY 1",
      )
      .all(),
    database
      .query(
        "SELECT session_id, n, prompt, answer FROM turns WHERE session_id <> 'live' ORDER BY 1, 2",
      )
      .all(),
    database
      .query(
        "SELECT session_id, l0, fields FROM checkpoints WHERE session_id <> 'live' ORDER BY 1, n",
      )
      .all(),
  ];
}

const asImported = (lines: string): string =>
  lines.replaceAll('"origin":"user"', '"origin":"import"');

test("an export imported into an empty home exports the same bytes but for whose word it was", async () => {
  await using one = openProgram({ CONTINUITY_NOW: now });
  await imported(one, "claude-mem", buildClaudeMem(join(one.folder, "mem.db"), 9).path);
  await one.run(["remember", "the harbour master answers on channel 12"]);
  await one.flush();
  const out = join(one.folder, "out");
  expect((await one.run(["export", out])).status).toBe(0);
  const lines = readFileSync(join(out, "continuity.jsonl"), "utf8");

  await using two = openProgram({ CONTINUITY_NOW: now });
  expect(await imported(two, "continuity", out)).toMatchObject({ refused: 0, skipped: 0 });
  const again = await two.run(["export", "-"]);
  // A file proves nobody's word.
  expect(again.out).toBe(asImported(lines));

  await using three = openProgram({ CONTINUITY_NOW: now });
  const piped = await three.run(["import", "--from", "continuity", "-"], { input: lines });
  expect(piped.status).toBe(0);
  expect((await three.run(["export", "-"])).out).toBe(asImported(lines));
  expect((await three.run(["find", "which radio channel for the harbour master"])).out).toContain(
    "channel 12",
  );
});

test("an MCP memory is imported and found", async () => {
  await using program = openProgram();
  const path = join(program.folder, "memory.jsonl");
  writeFileSync(
    path,
    '{"type":"entity","name":"Mara_Lind","entityType":"person","observations":["owns the tide service"]}{"type":"rel',
  );
  expect(await imported(program, "mcp-memory", path)).toMatchObject({ created: 2, refused: 1 });
  expect((await program.run(["find", "who is responsible for tides"])).out).toContain("Mara Lind");
});

describe("what cannot be imported", () => {
  // Each of these and more from every source: src/exchange/hostile.test.ts.
  const things: readonly (readonly [string, (path: string) => void])[] = [
    [
      "claude-mem",
      (path) => {
        buildClaudeMem(path, 5);
        truncateSync(path, 20_000);
      },
    ],
    ["claude-mem", () => undefined],
    ["claude-code", (path) => void mkdirSync(path, { recursive: true })],
    ["mcp-memory", (path) => void Bun.spawnSync(["mkfifo", path])],
    ["continuity", (path) => writeFileSync(path, Buffer.alloc(50_000, 0xc3))],
  ];
  test("is named in one line, with status 1, and no home comes of it", async () => {
    await using program = openProgram();
    for (const [index, [from, make]] of things.entries()) {
      const path = join(program.folder, `thing-${index}`);
      make(path);
      const ran = await program.run(["import", "--from", from, path]);
      expect(ran.status).toBe(1);
      expect(ran.err).toMatch(/^error: [^\n]+\n$/);
      // Nothing was: whoever runs it again gets the same answer.
      expect(ran.err).not.toContain("what was imported");
      expect(ran.out).toBe("");
    }
    expect(existsSync(program.paths.database)).toBe(false);
    expect(program.daemons()).toEqual([]);
  });

  test("is asked for with status 2 when no source is named", async () => {
    await using program = openProgram();
    for (const args of [["import"], ["import", "--from", "notion"]]) {
      const ran = await program.run(args);
      expect(ran.status).toBe(2);
      expect(ran.err).toMatch(/^error: [^\n]+\n$/);
    }
  });
});
