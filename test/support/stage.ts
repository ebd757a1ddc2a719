/**
 * A user's machine with the program installed and the real client on it: what the client does on one side, what was
 * captured and injected on the other. Tests only; `npm test` builds the program first.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { startFakeAnthropic, type FakeAnthropic, type Script } from "./fake-anthropic.ts";
import { binary, openProgram, type Program } from "./program.ts";
import { settle } from "./terminal.ts";

export interface Stage extends AsyncDisposable {
  readonly program: Program;
  readonly home: string;
  /** A git repository. */
  readonly project: string;
  readonly api: FakeAnthropic;
  /** For the client: our home, and the program on PATH. */
  readonly env: Readonly<Record<string, string>>;
  /** Everything that is known of the sessions, one line each, the sessions numbered in order of their start. */
  readonly story: () => readonly string[];
  /** Ids of the sessions in order of their start. */
  readonly sessions: () => readonly string[];
  /** Counts how often each hook was taken in. */
  readonly events: () => Readonly<Record<string, number>>;
}

export interface StageOptions {
  readonly script: Script;
  /** Puts hooks and MCP server into the user's settings. Default true. */
  readonly install?: boolean;
  /** Setting for prompts that no terminal sends, once it is installed. Default: as a person's. */
  readonly headless?: "archive" | "full";
}

export async function openStage({
  script,
  install = true,
  headless = "full",
}: StageOptions): Promise<Stage> {
  const program = openProgram();
  const home = program.folder;
  const project = join(home, "shop");
  mkdirSync(join(home, ".claude"), { recursive: true });
  mkdirSync(project);
  git(project, "init", "--quiet", "--initial-branch=main");
  writeFileSync(join(project, "package.json"), '{"name": "shop"}\n');
  git(project, "add", ".");
  git(project, "commit", "--quiet", "-m", "Begin");
  settle(home, [project, `${project}-2`]);
  if (install) {
    await program.run(["config", "set", "capture.headless", headless]);
    const installed = await program.run(["install"]);
    if (installed.status !== 0) throw new Error(installed.out + installed.err);
  }
  const api = startFakeAnthropic({ script });
  const path = `${dirname(binary)}${delimiter}${process.env["PATH"] ?? ""}`;
  const { CONTINUITY_HOME = "", CONTINUITY_PORT = "" } = program.env;
  return {
    program,
    home,
    project,
    api,
    env: { CONTINUITY_HOME, CONTINUITY_PORT, PATH: path },
    story: () => storyOf(program),
    sessions: () => sessionsOf(program).map((session) => `${session["session_id"]}`),
    events: () => eventsOf(program),
    [Symbol.asyncDispose]: async () => {
      await api.stop();
      await program[Symbol.asyncDispose]();
    },
  };
}

/** Runs git as nobody in particular. Throws when it fails. */
export function git(folder: string, ...args: readonly string[]): void {
  const who = ["-c", "user.name=Dev", "-c", "user.email=dev@example.com"];
  const ran = spawnSync("git", [...who, ...args], { cwd: folder, encoding: "utf8" });
  if (ran.status !== 0) throw new Error(ran.stderr);
}

type Row = Readonly<Record<string, string | number | null>>;

/** Rows of a query; none before the daemon has made the database. */
function rowsOf(program: Program, sql: string, ...values: readonly string[]): readonly Row[] {
  if (!existsSync(program.paths.database)) return [];
  using db = program.database();
  const isMade = db.query("SELECT 1 FROM sqlite_master WHERE name = 'events'").get() !== null;
  return isMade ? (db.query(sql).all(...values) as readonly Row[]) : [];
}

const sessionsOf = (program: Program): readonly Row[] =>
  rowsOf(program, "SELECT * FROM sessions ORDER BY started_at, rowid");

function storyOf(program: Program): readonly string[] {
  const linesOf = (sql: string, ...values: readonly string[]): readonly string[] =>
    rowsOf(program, sql, ...values).map(({ line }) => `${line}`);
  const sessions = sessionsOf(program);
  return sessions.flatMap((session, at) => {
    const id = `${session["session_id"]}`;
    const parent = sessions.findIndex((other) => other["session_id"] === session["parent_session"]);
    const injected = linesOf(
      "SELECT '  ' || channel || ' ' || cause || ' injected' AS line FROM injections WHERE session_id = ? AND text <> '' ORDER BY id",
      id,
    );
    const turns = linesOf(
      `SELECT line FROM (
         SELECT n, 0 AS seq, '  turn ' || n || ' ' || status || ': ' || prompt AS line FROM turns WHERE session_id = ?1
         UNION ALL SELECT turn, seq, '    ' || tool || ' ' || outcome FROM tool_uses WHERE session_id = ?1
       ) ORDER BY n, seq`,
      id,
    );
    const head = `session ${at + 1}${parent === -1 ? "" : ` of ${parent + 1}`}: ${session["status"]}`;
    return [head].concat(injected, turns);
  });
}

function eventsOf(program: Program): Readonly<Record<string, number>> {
  const rows = rowsOf(
    program,
    "SELECT hook, count(*) AS n FROM events GROUP BY hook ORDER BY hook",
  );
  return Object.fromEntries(rows.map(({ hook, n }) => [`${hook}`, Number(n)]));
}
