/**
 * kill -9 under load: hooks of several sessions at once, a daemon that is killed at seeded moments, and the same
 * sessions again without kills. What is left in both homes must be the same. Linux only: finds processes through
 * /proc.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { msPerHour } from "#kit";
import { binary, eventually, kill, openProgram, type Program } from "./program.ts";
import { createDice, type Dice } from "./random.ts";
import { soakSession, type SoakSession } from "./soak-sessions.ts";

export interface SoakOptions {
  readonly seed: number;
  readonly kills: number;
  readonly streams: number;
  /** Event time of the first event; part of what a seed reproduces. */
  readonly baseMs: number;
}

export interface SoakReport {
  readonly seed: number;
  readonly kills: Readonly<Record<KillMoment, number>>;
  readonly sessions: number;
  readonly hooks: number;
  /** Events by the way they came in the killed home. */
  readonly via: Readonly<Record<string, number>>;
  /** Jobs that a kill cut off and that ran again. */
  readonly repeatedJobs: number;
  readonly memories: number;
  readonly seconds: number;
  /** The differences between the two homes, and what neither should have; empty when all is well. */
  readonly faults: readonly string[];
}

/** Starting: not listening yet. Draining: just up, with a spool to bring in. Working: some time later. */
const moments = ["starting", "draining", "working", "working"] as const;
type KillMoment = (typeof moments)[number];

/** Runs both homes. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const startedMs = performance.now();
  const folder = mkdtempSync(join(tmpdir(), "continuity-soak-"));
  const places = Array.from({ length: options.streams }, (_, stream) =>
    projectFolder(folder, `stream-${stream}`),
  );
  const sessionAt = (stream: number, index: number): SoakSession =>
    soakSession({ ...options, stream, index, cwd: places[stream] ?? folder });
  try {
    await using killed = openProgram();
    const { counts, kills } = await runKilled(killed, options, sessionAt);
    await using reference = openProgram();
    const hooks = await Promise.all(
      counts.map(async (count, stream) => {
        let sent = 0;
        for (let index = 0; index < count; index += 1)
          sent += await play(reference, sessionAt(stream, index));
        return sent;
      }),
    );
    await reference.flush();
    const expected = remains(reference);
    const found = remains(killed);
    return {
      seed: options.seed,
      kills,
      sessions: sum(counts),
      hooks: sum(hooks),
      via: viaOf(killed),
      repeatedJobs: repeatedJobsOf(killed),
      memories: found.get("memories")?.length ?? 0,
      seconds: Math.round((performance.now() - startedMs) / 100) / 10,
      faults: [...leftovers(killed), ...differences(expected, found)],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

function projectFolder(folder: string, name: string): string {
  const root = join(folder, name);
  mkdirSync(join(root, ".git"), { recursive: true });
  writeFileSync(join(root, ".git", "HEAD"), "ref: refs/heads/main\n");
  return root;
}

/** Sends the events of a session; resolves to how many. `pauseMs` is thought for before each. */
async function play(
  program: Program,
  session: SoakSession,
  pauseMs: () => number = () => 0,
): Promise<number> {
  let sent = 0;
  for (const step of session.steps) {
    await Bun.sleep(pauseMs());
    const outputs = await Promise.all(
      step.map(({ hook, payload, atMs }) => program.hook(hook, payload, { atMs })),
    );
    for (const output of outputs) if (output !== "") JSON.parse(output);
    sent += step.length;
  }
  return sent;
}

/** Without a pause the hooks alone would take the whole machine, and few daemons would live to see a socket. */
const thinkMsMax = 80;

async function runKilled(
  program: Program,
  options: SoakOptions,
  sessionAt: (stream: number, index: number) => SoakSession,
): Promise<{
  readonly counts: readonly number[];
  readonly kills: Record<KillMoment, number>;
}> {
  const over = new AbortController();
  const stream = async (at: number): Promise<number> => {
    let index = 0;
    const dice = createDice(options.seed, 77, at);
    while (!over.signal.aborted) {
      await play(program, sessionAt(at, index), () => dice.next() * thinkMsMax);
      index += 1;
    }
    return index;
  };
  const streams = Array.from({ length: options.streams }, (_, at) => stream(at));
  const kills = await killAll(program, options).finally(() => over.abort());
  const counts = await Promise.all(streams);
  await program.flush();
  return { counts, kills };
}

/** Kills until enough were hit. Which moment, and how long after it, is the seed's choice. */
async function killAll(
  program: Program,
  { seed, kills }: SoakOptions,
): Promise<Record<KillMoment, number>> {
  const dice = createDice(seed, 99);
  const hits = { starting: 0, draining: 0, working: 0 };
  for (let done = 0; done < kills;) {
    const moment = dice.pick(moments);
    await waitFor(program, moment, dice);
    // All of them, since a hook may just have started another.
    if (program.daemons().filter(kill).length === 0) continue;
    hits[moment] += 1;
    done += 1;
  }
  return hits;
}

const startingMsMax = 150;
const drainingMsMax = 80;
const workingMsMax = 900;
/** Hooks that find a daemon just being started leave it alone for seconds; if that one was killed, we step in. */
const patienceMs = 1_000;

/** Half of the starts are left to the hooks. */
async function waitFor(program: Program, moment: KillMoment, dice: Dice): Promise<void> {
  const isByHand = dice.chance(0.5);
  const delayMs =
    dice.next() *
    { starting: startingMsMax, draining: drainingMsMax, working: workingMsMax }[moment];
  if (moment === "starting") {
    serve(program);
  } else {
    if (isByHand) serve(program);
    let patientUntilMs = performance.now() + patienceMs;
    await eventually("a daemon that listens", () => {
      if (isListening(program)) return true;
      if (performance.now() < patientUntilMs) return false;
      patientUntilMs += patienceMs;
      serve(program);
      return false;
    });
  }
  if (moment === "working")
    // On a loaded machine hooks may go on spooling; then this is one more kill while draining.
    await eventually("an empty spool", () => spooledIn(program).length === 0, patienceMs).catch(
      () => undefined,
    );
  await Bun.sleep(delayMs);
}

/** The record of a daemon that was killed is still there. */
function isListening({ paths }: Program): boolean {
  try {
    const record: unknown = JSON.parse(readFileSync(paths.daemonJson, "utf8"));
    const { pid } = record as { readonly pid: number };
    return existsSync(`/proc/${pid}/exe`);
  } catch {
    return false; // No daemon has listened yet.
  }
}

/** A daemon as a person starts it. */
function serve(program: Program): void {
  Bun.spawn([binary, "serve", "--port", "0"], {
    cwd: program.folder,
    env: program.env,
    stdio: ["ignore", "ignore", "ignore"],
  }).unref();
}

/** `leftovers` lists what neither home should have after a flush. */
function leftovers(program: Program): readonly string[] {
  using db = program.database();
  const open = db
    .query<{ key: string; state: string; reason: string | null }, []>(
      "SELECT key, state, reason FROM jobs WHERE state <> 'done' LIMIT 20",
    )
    .all()
    .map(({ key, state, reason }) => `job ${key} is ${state}: ${reason ?? ""}`);
  const integrity = db
    .query<{ integrity_check: string }, []>("PRAGMA integrity_check")
    .all()
    .map((row) => row.integrity_check)
    .filter((line) => line !== "ok");
  const spooled = spooledIn(program).map((name) => `spool/${name} is left`);
  return [...open, ...integrity, ...spooled];
}

/** `spooledIn` lists the files that wait, are half-written or were set aside. */
const spooledIn = ({ paths }: Program): readonly string[] =>
  readdirSync(paths.spool, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(?:json|tmp)$/.test(name),
  );

const viaOf = (program: Program): Readonly<Record<string, number>> => {
  using db = program.database();
  return Object.fromEntries(
    db
      .query<{ via: string; n: number }, []>("SELECT via, count(*) AS n FROM events GROUP BY via")
      .all()
      .map(({ via, n }) => [via, n]),
  );
};

const repeatedJobsOf = (program: Program): number => {
  using db = program.database();
  return (
    db.query<{ n: number }, []>("SELECT count(*) AS n FROM jobs WHERE leases > 1").get()?.n ?? 0
  );
};

/** Consolidation looks when it is due, so what it made by itself depends on the hour. */
const isMemory = `n.node_type = 'leaf' AND n.category <> 'sessions' AND NOT EXISTS
  (SELECT 1 FROM mem_revisions own WHERE own.node_id = n.id AND own.action = 'create' AND own.made_by = 'system')`;

/** Everything that must not depend on when the daemon was killed. Ids and the time of receipt do. */
const questions: Readonly<Record<string, string>> = {
  events: "SELECT session_id, hook, content_hash, anonymous, at_ms FROM events",
  sessions:
    "SELECT session_id, project, status, title, first_prompt, started_at, ended_at, last_event_at, compact_summary FROM sessions",
  turns:
    "SELECT session_id, n, prompt_id, status, started_at, ended_at, tool_count, prompt, answer FROM turns",
  "tool uses":
    "SELECT session_id, turn, tool_use_id, tool, target, outcome, text, at_ms FROM tool_uses",
  // A turn that is judged late finds what came after it, and becomes a memory of its own that has ended, where in
  // time it
  // would have been a step in the history of one. What holds, what was ever said, and how often, is the same.
  memories: `SELECT project, category, status, origin, maker, l0_abstract, importance FROM mem_nodes n
     WHERE ${isMemory} AND status = 'active'`,
  said: `SELECT DISTINCT n.project, r.l0_abstract FROM mem_revisions r JOIN mem_nodes n ON n.id = r.node_id WHERE ${isMemory}`,
  evidence: `SELECT project, sum(evidence_count) FROM mem_nodes n WHERE ${isMemory} GROUP BY project`,
  archive:
    // Not how much an exchange weighs: that depends on which others were there when it was looked at.
    "SELECT uri, l0_abstract, expires_at, created_at FROM mem_nodes WHERE node_type = 'leaf' AND category = 'sessions'",
  observations: "SELECT session_id, turn, type, at_ms, title, narrative FROM observations",
  checkpoints: "SELECT session_id, n, at_ms, made_at, is_current FROM checkpoints",
  summaries: "SELECT session_id, l0, fields FROM checkpoints WHERE is_current = 1",
  jobs: "SELECT key, kind, state FROM jobs WHERE key NOT LIKE '%:idle:%'",
};

function remains(program: Program): ReadonlyMap<string, readonly string[]> {
  using db = program.database();
  return new Map(
    Object.entries(questions).map(([name, sql]) => [
      name,
      db
        .query(sql)
        .values()
        .map((row) => JSON.stringify(row))
        .toSorted(),
    ]),
  );
}

const faultsPerKindMax = 5;

/** `differences` lists what only one of the two homes has. */
const differences = (
  expected: ReadonlyMap<string, readonly string[]>,
  found: ReadonlyMap<string, readonly string[]>,
): readonly string[] =>
  [...expected].flatMap(([kind, rows]) => {
    const wrong = unequal(rows, found.get(kind) ?? []);
    const shown = wrong.slice(0, faultsPerKindMax).map((fault) => `${kind}: ${fault}`);
    return wrong.length > shown.length ? shown.concat(`${kind}: ${wrong.length} in all`) : shown;
  });

/** Rows that one list has more often than the other. */
function unequal(expected: readonly string[], found: readonly string[]): readonly string[] {
  const surplus = new Map<string, number>();
  for (const row of found) surplus.set(row, (surplus.get(row) ?? 0) + 1);
  for (const row of expected) surplus.set(row, (surplus.get(row) ?? 0) - 1);
  return [...surplus]
    .filter(([, count]) => count !== 0)
    .map(([row, count]) => `${count > 0 ? "not expected" : "lost"}: ${row}`);
}

/** A base for event times: young enough that nothing counts as silent for a day. */
export const soakBaseMs = (nowMs: number): number => nowMs - 14 * msPerHour;
