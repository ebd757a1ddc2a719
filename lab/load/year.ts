/**
 * A year of a developer's days under a stopped clock, in this process: sessions of invented developers with noise of
 * their own, upkeep in the hours between, a forget now and then. What is on the disk and in memory is looked at monthly.
 */
import { Database } from "bun:sqlite";
import { heapStats } from "bun:jsc";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDice, type Dice } from "../../test/support/random.ts";
import { openTestWorker, type TestWorker } from "../../test/support/worker.ts";
import { readVoice, type VoiceSession } from "../train/voice.ts";
import { diskMb } from "./process-figures.ts";

export interface Month {
  readonly day: number;
  readonly turns: number;
  readonly memories: number;
  readonly diskMb: number;
  /** After a collection. */
  readonly heapMb: number;
  readonly descriptors: number;
}

export interface YearReport {
  readonly months: readonly Month[];
  readonly faults: readonly string[];
}

const msPerDay = 86_400_000;
const sessionsPerDay = 3;
const turnsMax = 12;
const voices = join(import.meta.dir, "..", "train", "voices");

/** Lives through so many days; `everyDays` is the distance of two looks. */
export async function liveYear(
  days: number,
  seed: number,
  everyDays = 30,
  onMonth: (month: Month) => void = () => undefined,
): Promise<YearReport> {
  // In memory where the system has room for files there.
  const folder = mkdtempSync(
    join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "continuity-year-"),
  );
  const dice = createDice(seed);
  const sessions = readdirSync(voices)
    .filter((name) => name.endsWith(".voice"))
    .toSorted()
    .flatMap((name) => readVoice(join(voices, name)).sessions);
  const months: Month[] = [];
  let turns = 0;
  try {
    using t = openTestWorker({ folder });
    for (let day = 1; day <= days; day += 1) {
      for (let n = 0; n < sessionsPerDay; n += 1)
        turns += await playSession(t, dice, {
          session: dice.pick(sessions),
          name: `s-${day}-${n}`,
        });
      await night(t, dice);
      if (day % everyDays !== 0 && day !== days) continue;
      months.push(look(t, { folder, day, turns }));
      onMonth(months.at(-1)!);
    }
    return { months, faults: faultsOf(join(folder, "continuity.db"), turns) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resolves to its turns. */
async function playSession(
  t: TestWorker,
  dice: Dice,
  { session, name }: { readonly session: VoiceSession; readonly name: string },
): Promise<number> {
  const common = { session_id: name, cwd: "/home/dev/deskly" };
  const send = (hook: Parameters<TestWorker["send"]>[0], event: string, payload: object): void => {
    t.clock.advance(20_000);
    t.send(hook, event, { ...common, ...payload }, { atMs: t.clock.nowMs() });
  };
  send("start", "SessionStart", { source: "startup" });
  const turns = session.turns.slice(0, turnsMax);
  for (const [at, turn] of turns.entries()) {
    const prompt_id = `${name}-${at}`;
    send("submit", "UserPromptSubmit", { prompt: `${turn.prompt} ${dice.word()}`, prompt_id });
    for (const [n, tool] of turn.tools.entries())
      send("tool", "PostToolUse", {
        prompt_id,
        tool_name: "Bash",
        tool_input: { command: tool },
        tool_response: { stdout: dice.word(), stderr: "", interrupted: false },
        tool_use_id: `${prompt_id}-${n}`,
      });
    send("stop", "Stop", {
      prompt_id,
      stop_hook_active: false,
      last_assistant_message: `${turn.answer} ${dice.word()}`,
    });
  }
  send("end", "SessionEnd", { reason: "exit" });
  await t.settle();
  return turns.length;
}

/** Hours without a prompt, in which upkeep runs; then it is the next day. */
async function night(t: TestWorker, dice: Dice): Promise<void> {
  const endMs = (Math.floor((t.clock.nowMs() - t.startMs) / msPerDay) + 1) * msPerDay + t.startMs;
  for (let hour = 0; hour < 8; hour += 1) {
    t.clock.advance(Math.max(0, (endMs - t.clock.nowMs()) / (8 - hour)));
    while ((await t.worker.work(1_000)) === 0);
    await t.worker.settled();
  }
  if (!dice.chance(0.05)) return;
  const memories = t.memories().filter(({ category }) => category !== "sessions");
  if (memories.length === 0) return;
  const { id, l0 } = dice.pick(memories);
  t.store.nodes.forget([id], [l0], t.clock.nowMs());
  t.deps.vectors.remove(id);
}

function look(
  t: TestWorker,
  { folder, day, turns }: { readonly folder: string; readonly day: number; readonly turns: number },
): Month {
  Bun.gc(true);
  const descriptors = process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
  const heapMb = heapStats().heapSize / 1_000_000;
  const memories = t.store.nodes.leafIds(0, 1_000_000, ["active"]).length;
  return { day, turns, memories, diskMb: diskMb(folder), heapMb, descriptors };
}

function faultsOf(path: string, turns: number): readonly string[] {
  const faults: string[] = [];
  const db = new Database(path, { readonly: true });
  const one = (sql: string): unknown => Object.values(db.query(sql).get() ?? {})[0];
  const whole = one("PRAGMA integrity_check");
  if (whole !== "ok") faults.push(`integrity: ${String(whole)}`);
  const kept = Number(one("SELECT count(*) FROM turns"));
  if (kept !== turns) faults.push(`${turns} turns were told, ${kept} are there`);
  const twice = Number(
    one(`SELECT count(*) FROM (SELECT 1 FROM mem_nodes WHERE slot IS NOT NULL AND status = 'active'
          AND node_type = 'leaf' GROUP BY project, slot HAVING count(*) > 1)`),
  );
  if (twice > 0) faults.push(`${twice} slots with two current values`);
  const waiting = Number(one("SELECT count(*) FROM jobs WHERE state IN ('queued', 'leased')"));
  if (waiting > 0) faults.push(`${waiting} jobs that never ran`);
  db.close();
  return faults;
}
