/**
 * One seeded run: hooks of several sessions, a daemon that dies and comes back, a disk that fails, a model that may not
 * answer, forgetting in between; over the product's own spool, intake, drain, store, worker, budget and lock. After
 * each step `invariants.ts` looks at what the disk holds.
 */
import { Database } from "bun:sqlite";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spooledNames } from "#hooks";
import {
  defaultSettings,
  homePaths,
  type HookEnvelope,
  type HookName,
  type MemoryNode,
} from "#domain";
import { createVectorIndex, loadEmbeddedModel } from "#embed";
import { sha256, silentLog, stoppedClock } from "#kit";
import { createFinder } from "#memory";
import { createGate } from "#privacy";
import { openStore } from "#store";
import { createWorker } from "#daemon";
import { bareParts } from "../../test/support/worker-parts.ts";
import { spoolEnvelope } from "../../src/hooks/spool.ts";
import { createDrainer } from "../../src/daemon/intake/drain.ts";
import { createIntake, createSerial } from "../../src/daemon/intake/intake.ts";
import { acquireLock } from "../../src/daemon/process/lock.ts";
import { createDice, type Dice } from "../../test/support/random.ts";
import { llmOver } from "../../test/support/scripted-provider.ts";
import { cutPower, disk, Killed, wipe } from "./disk.ts";
import { check, checkEnd, halfWay } from "./invariants.ts";
import { createModel } from "./model.ts";

/** An event that a hook was given. */
export interface Sent {
  readonly seq: number;
  readonly mark: string;
  readonly sessionId: string;
  readonly envelope: HookEnvelope;
  /** The hook was told that it is safe: by the daemon, or by the spool. */
  accepted: boolean;
}

export interface World {
  readonly seed: number;
  readonly dice: Dice;
  readonly paths: ReturnType<typeof homePaths>;
  readonly clock: ReturnType<typeof stoppedClock>;
  readonly sent: Sent[];
  /** Texts whose forgetting began; a crash may have come before the end. */
  readonly begun: string[];
  /** Texts that were forgotten and cleaned away. */
  readonly forgotten: string[];
  readonly model: ReturnType<typeof createModel>;
  readonly settings: typeof defaultSettings;
  /** The log of events, line by line: two runs of one seed have the same. */
  readonly trace: string[];
  daemon: Daemon | null;
  crashes: number;
  jumped: boolean;
  outOfOrder: boolean;
}

type Daemon = ReturnType<typeof startDaemon>;

export class Violation extends Error {
  override readonly name = "Violation";
}

export interface Played {
  readonly violation: string | null;
  readonly trace: readonly string[];
}

const startMs = Date.parse("2026-03-02T09:00:00Z");
const loaded = loadEmbeddedModel();
const project = {
  key: "github.com/deskly/deskly",
  name: "deskly",
  root: "/home/dev/deskly",
  branch: "main",
};

function startDaemon(world: World) {
  const { paths, clock, dice, settings } = world;
  const pid = 4_100_000 + world.crashes;
  const lock = acquireLock(paths, { pid, startedAt: "simulated" });
  if (!lock.ok) throw new Error(`the lock: ${lock.error.type}`);
  const life = { alive: true };
  disk.life = life;
  const random = {
    hex: (chars: number) =>
      Array.from({ length: chars }, () => dice.below(16).toString(16)).join(""),
  };
  const opened = openStore(paths.database, {
    mode: "readwrite",
    clock,
    random,
    networkAt: () => null,
  });
  if (!opened.ok || !loaded.ok) {
    lock.value.release();
    throw opened.ok || life.alive
      ? new Error(`not opened: ${JSON.stringify(opened)}`)
      : new Killed();
  }
  const store = opened.value;
  const embedder = loaded.value;
  const vectors = createVectorIndex(embedder.identity.dimension);
  for (const { nodeId, components } of store.vectors.components(embedder.identity.id))
    vectors.putComponents(nodeId, components);
  const finder = createFinder({
    lexical: store.lexical,
    vectors,
    embedder,
    nodes: store.nodes,
    sessions: store.sessions,
    weights: defaultSettings.retrieval,
  });
  const llm = llmOver(world.model.provider(life), {
    ledger: store.ledger,
    settings: () => settings.llm,
    clock,
  });
  const worker = createWorker({
    ...bareParts,
    store,
    embedder,
    vectors,
    clock,
    finder,
    gate: createGate({ redact: [] }),
    settings: () => settings,
    llm: () => llm,
    projectOf: () => project,
    transcripts: { read: async () => null },
  });
  const accept = async (envelopes: readonly HookEnvelope[], via: "http" | "socket" | "spool") =>
    worker.accept(envelopes, via);
  const { drain } = createDrainer({ paths, clock, log: silentLog }, accept);
  const intake = createIntake(silentLog, accept, drain, createSerial());
  const daemon = { life, store, worker, vectors, intake, drain, lock: lock.value };
  try {
    store.jobs.releaseAll();
  } catch (error) {
    close(daemon);
    throw error;
  }
  return daemon;
}

const close = ({
  life,
  store,
  worker,
  lock,
}: Pick<Daemon, "life" | "lock" | "store" | "worker">): void => {
  try {
    worker.stop();
  } catch {
    // Dead: it writes no latencies any more.
  }
  life.alive = false;
  store[Symbol.dispose]();
  lock.release();
};

/** The process is gone, and the files are as it left them; with the power gone too, as the disk had them. */
function bury(world: World, power: boolean): void {
  const { database } = world.paths;
  world.crashes += 1;
  world.outOfOrder = true;
  if (world.daemon !== null) {
    const files = [database, `${database}-wal`].filter((path) => existsSync(path));
    const kept = files.map((path) => [path, readFileSync(path)] as const);
    world.daemon.life.alive = false;
    close(world.daemon);
    world.daemon = null;
    for (const path of [`${database}-wal`, `${database}-shm`]) rmSync(path, { force: true });
    for (const [path, bytes] of kept) writeFileSync(path, bytes);
  }
  disk.life = { alive: true };
  disk.armed = null;
  if (power) cutPower(world.dice);
  world.trace.push(power ? "power cut" : "killed");
}

/** Does something as the daemon; a fault is its own business, death is noticed here. */
async function asDaemon(world: World, work: (daemon: Daemon) => Promise<void>): Promise<void> {
  try {
    world.daemon ??= startDaemon(world);
    disk.life = world.daemon.life;
    await work(world.daemon);
  } catch (error) {
    if (error instanceof Violation) throw error;
    world.trace.push(`failed: ${String(error).slice(0, 60)}`);
  }
  if (!disk.life.alive) bury(world, world.dice.chance(0.4));
}

const nouns = ["billing service", "cache service", "search service", "mail service"];

function draft(world: World): Sent {
  const { dice, clock, sent } = world;
  const seq = sent.length;
  const mark = `${dice.word()}${seq}`;
  const sessionId = `s-${dice.below(3)}`;
  const fact = `the ${dice.pick(nouns)} listens on port ${3_000 + dice.below(6_000)}, see ${mark}`;
  const [hook, clientEvent, payload] = dice.pick<
    readonly [HookName, string, Readonly<Record<string, unknown>>]
  >([
    ["submit", "UserPromptSubmit", { prompt: `remember that ${fact}`, prompt_id: mark }],
    [
      "submit",
      "UserPromptSubmit",
      { prompt: `please look at ${mark}, the export is off by an hour`, prompt_id: mark },
    ],
    [
      "stop",
      "Stop",
      {
        last_assistant_message: `Root cause: ${fact}`,
        stop_hook_active: false,
        prompt_id: promptOf(sent, sessionId),
      },
    ],
    [
      "tool",
      "PostToolUse",
      {
        tool_name: "Edit",
        tool_input: { file_path: `/home/dev/deskly/src/${mark}.ts` },
        tool_response: "ok",
        tool_use_id: mark,
      },
    ],
    ["compact", "PreCompact", { trigger: "manual" }],
    ["end", "SessionEnd", { reason: mark }],
  ]);
  const full = {
    session_id: sessionId,
    cwd: project.root,
    hook_event_name: clientEvent,
    ...payload,
  };
  const contentHash = sha256(JSON.stringify(full));
  const key = sha256(`${contentHash}${seq}`).slice(0, 32);
  const envelope = {
    v: 1,
    hook,
    clientEvent,
    key,
    contentHash,
    anonymous: false,
    atMs: clock.nowMs(),
    replayed: true,
    gated: false,
    project,
    payload: full,
  } as const;
  return { seq, mark, sessionId, envelope, accepted: false };
}

const promptOf = (sent: readonly Sent[], sessionId: string): unknown =>
  sent.findLast((one) => one.sessionId === sessionId && one.envelope.hook === "submit")?.mark ??
  "none";

/** A hook: the daemon first, the spool when that does not take it. */
async function hook(world: World, one: Sent, isAway: boolean): Promise<void> {
  let taken = false;
  if (!isAway)
    await asDaemon(world, async ({ intake, life }) => {
      await intake.take([one.envelope], "socket");
      taken = life.alive;
    });
  if (!taken) {
    const own = { alive: true };
    const { life } = disk;
    disk.life = own;
    const order = { arrivalMs: world.clock.nowMs(), position: one.seq % 1_000 };
    const outcome = spoolEnvelope(world.paths, one.envelope, order).type;
    world.trace.push(`spool ${outcome}`);
    if (outcome === "unwritable") world.outOfOrder = true;
    taken = own.alive && (outcome === "spooled" || outcome === "duplicate");
    disk.life = life;
  }
  one.accepted ||= taken;
  world.trace.push(`${one.envelope.hook} ${one.mark} ${taken ? "accepted" : "lost"}`);
}

async function work({ worker }: Daemon): Promise<void> {
  await worker.work(60_000);
  await worker.settled();
}

async function forget(world: World): Promise<void> {
  await asDaemon(world, async ({ store, vectors, drain, life }) => {
    await drain();
    // Waiting events are refused when they are read; until then its text is there.
    if (spooledNames(world.paths).length + halfWay(world.paths).length > 0) return;
    const nodes = store.nodes
      .list({ projects: null }, "uri", { limit: 100 })
      .filter(({ nodeType, category }) => nodeType === "leaf" && category !== "sessions");
    if (nodes.length === 0) return;
    const node = world.dice.pick(nodes);
    const texts = textsOf(node);
    world.begun.push(node.l0);
    store.nodes.forget([node.id], texts, world.clock.nowMs());
    vectors.remove(node.id);
    store.admin.purge();
    if (!life.alive) return;
    disk.removed.clear();
    world.forgotten.push(node.l0);
    world.trace.push(`forgot ${node.l0}`);
  });
}

const textsOf = ({ l0, l1, l2, evidence }: MemoryNode): readonly string[] =>
  [l0, l1, l2, ...evidence.map(({ quote }) => quote)].filter(
    (text): text is string => text !== null && text !== "",
  );

/** A second daemon is told that there is one, and leaves. */
function second({ daemon, paths }: World): void {
  if (daemon === null) return;
  const lock = acquireLock(paths, { pid: 4_000_000, startedAt: "another" });
  if (lock.ok) throw new Violation("one writer: a second daemon got the lock");
}

async function step(world: World): Promise<void> {
  const { dice, clock, begun, sent } = world;
  if (dice.chance(0.3)) {
    const fault = dice.pick(["crash", "crash", "ENOSPC", "EIO"] as const);
    disk.armed = { fault, left: 1 + dice.below(dice.pick([4, 20, 60, 200])) };
    world.outOfOrder = true;
  }
  const kind = dice.below(100);
  if (kind < 55) {
    // A client may tell the same event twice. Who says again what was forgotten says something new.
    const again = sent.filter(
      ({ envelope }) => !begun.some((text) => JSON.stringify(envelope).includes(text)),
    );
    const old = again.length > 0 && dice.chance(0.1) ? dice.pick(again) : null;
    if (old === null) sent.push(draft(world));
    await hook(world, old ?? sent.at(-1)!, dice.chance(0.3));
  } else if (kind < 75) await asDaemon(world, work);
  else if (kind < 83) clock.advance(dice.pick([1_000, 61_000, 700_000, 4_000_000]));
  else if (kind < 86 && world.jumped) clock.advance(dice.pick([-1, 1]) * 10 * 365 * 86_400_000);
  else if (kind < 90) await forget(world);
  else if (kind < 93) world.model.mood = dice.pick(["well", "well", "away", "limited", "garbled"]);
  else if (kind < 96) bury(world, dice.chance(0.5));
  else second(world);
  clock.advance(1_000);
  disk.armed = null;
  world.trace.push(`${kind} ${disk.struck}`);
}

/** The disk is whole again and the model well: all that was accepted must now become what it should. */
async function settle(world: World): Promise<void> {
  world.model.mood = "well";
  disk.armed = null;
  let left = "";
  for (let round = 0; round < 40; round += 1) {
    await asDaemon(world, async (daemon) => {
      await daemon.drain();
      daemon.worker.runDueNow();
      await work(daemon);
      const pending = daemon.store.jobs.pending(world.clock.nowMs());
      const waiting = spooledNames(world.paths).length;
      left = pending + waiting === 0 ? "" : `${pending} jobs, ${waiting} events`;
    });
    if (left === "" && round > 1) return;
    world.clock.advance(61_000);
  }
  throw new Violation(`work that never ends: ${left}`);
}

/** Plays one seed in a folder of its own. */
export async function play(seed: number, folder: string, steps: number): Promise<Played> {
  const root = join(folder, `seed-${seed}`);
  const dice = createDice(seed);
  const paths = homePaths(root);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  wipe(`${paths.database}-wal`, dice);
  const world: World = {
    seed,
    dice,
    paths,
    clock: stoppedClock(startMs),
    sent: [],
    begun: [],
    forgotten: [],
    model: createModel(dice),
    settings: {
      ...defaultSettings,
      llm: { ...defaultSettings.llm, tokensPerDay: 40_000, tokensPerSession: 16_000 },
    },
    trace: [],
    daemon: null,
    crashes: 0,
    jumped: dice.chance(0.15),
    outOfOrder: false,
  };
  const strays: string[] = [];
  const stray = (error: unknown): void => {
    if (!(error instanceof Killed)) strays.push(String(error));
  };
  process.on("unhandledRejection", stray);
  // The work done in one slice depends on this clock: counting calls, it says the same in every run.
  const now = performance.now.bind(performance);
  let calls = 0;
  performance.now = () => (calls += 1);
  let violation: string | null = null;
  try {
    for (let n = 0; n < steps; n += 1) {
      await step(world);
      look(world, check);
    }
    await settle(world);
    look(world, check);
    look(world, checkEnd);
    await Bun.sleep(0);
    if (strays.length > 0) throw new Violation(`nobody caught: ${strays[0]}`);
  } catch (error) {
    violation =
      error instanceof Violation ? error.message : `broke: ${String((error as Error).stack)}`;
  } finally {
    process.off("unhandledRejection", stray);
    performance.now = now;
    if (world.daemon !== null) close(world.daemon);
    rmSync(root, { recursive: true, force: true });
  }
  return { violation, trace: world.trace };
}

/** Reads with a connection of its own, which changes nothing. */
function look(world: World, judge: (world: World, db: Database) => string | null): void {
  if (world.daemon === null || !existsSync(world.paths.database)) return;
  const db = new Database(world.paths.database, { readonly: true });
  try {
    const fault = judge(world, db);
    if (fault !== null) throw new Violation(fault);
  } finally {
    db.close();
  }
}
