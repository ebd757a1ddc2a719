/**
 * Faults under the built program.
 *
 *   npm run faults [-- --every N]   fails each call that changes a file of the home, one per life (or each N-th), with
 *                                   shim.c under the program; fills small disks; then damages files, restores from
 *                                   every kind of backup, kills, and looks what is left
 *   npm run faults -- --damage-only   all but the calls
 *
 * Each life: a prompt without a daemon, a daemon, a prompt, a memory, kill -9, and a daemon on a sound disk. What the
 * program acknowledged must be there, and the database whole.
 */
import {
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binary, eventually, kill, openProgram, type Program } from "../../test/support/program.ts";
import { numberOption } from "../options.ts";
import { damages } from "./damage.ts";
import { drills } from "./drill.ts";
import { full } from "./full.ts";
import { writeHome } from "./home.ts";
import { spoiled } from "./spoil.ts";

const every = numberOption("every", 1, 1);
const most = numberOption("most", 10_000, 1);

const folder = mkdtempSync(join(tmpdir(), "continuity-faults-"));
const shim = join(folder, "shim.so");
const built = Bun.spawnSync(
  ["cc", "-O1", "-shared", "-fPIC", "-w", "-o", shim, join(import.meta.dir, "shim.c"), "-ldl"],
  { stdout: "ignore", stderr: "pipe" },
);
if (process.platform !== "linux" || built.exitCode !== 0) {
  console.error("faults: needs Linux and a C compiler (cc)");
  process.exit(2);
}
const errors = { EIO: 5, ENOSPC: 28 } as const;

/** The calls so far, the one that fails, and how: shared with the shim. */
function writeState(path: string, fails: number, code: number): void {
  const file = openSync(path, "w");
  writeSync(
    file,
    new Uint8Array(
      new BigInt64Array(512).fill(0n, 3).with(1, BigInt(fails)).with(2, BigInt(code)).buffer,
    ),
  );
  closeSync(file);
}
const callsIn = (path: string): number =>
  Number(new BigInt64Array(new Uint8Array(readFileSync(path)).buffer)[0]);

interface Life {
  readonly calls: number;
  readonly fault: string | null;
}

const prompt = (n: number) => ({
  session_id: "s-1",
  cwd: "/home/dev/deskly",
  hook_event_name: "UserPromptSubmit",
  prompt: `please look at the plotter number ${n}`,
  prompt_id: `p-${n}`,
});

/** Plays the life with its n-th call failing; 0 only counts. */
async function live(template: string, n: number, code: number): Promise<Life> {
  await using program = openProgram();
  const state = join(program.folder, "state");
  writeState(state, n, code);
  cpSync(template, program.paths.root, { recursive: true });
  const env = { LD_PRELOAD: shim, FAULTS_STATE: state, FAULTS_ROOT: program.paths.root };
  await program.hook("submit", prompt(1), { env });
  // The hook starts a daemon that has no shim under it.
  for (let tries = 0; tries < 50 && program.daemons().length === 0; tries += 1) await Bun.sleep(20);
  for (const pid of program.daemons()) kill(pid);
  await eventually("no daemon", () => program.daemons().length === 0);
  rmSync(program.paths.socket, { force: true });
  const spooled = callsIn(state);
  const daemon = Bun.spawn([binary, "serve"], {
    env: { ...program.env, ...env },
    cwd: program.folder,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  for (let tries = 0; tries < 150 && !existsSync(program.paths.socket); tries += 1)
    await Bun.sleep(20);
  await program.hook("submit", prompt(2), { env });
  const said = await program.run(["remember", "the mixer listens on port 9108"]);
  daemon.kill("SIGKILL");
  await daemon.exited;
  for (const pid of program.daemons()) kill(pid);
  const calls = callsIn(state);
  await program.flush();
  const fault = look(program, {
    prompts: n > 0 && n <= spooled ? ["p-2"] : ["p-1", "p-2"],
    memories: said.status === 0 ? ["9107", "9108"] : ["9107"],
  });
  return { calls, fault };
}

interface Wanted {
  readonly prompts: readonly string[];
  readonly memories: readonly string[];
}

function look(program: Program, { prompts, memories }: Wanted): string | null {
  using db = program.database();
  const texts = (query: string): string => JSON.stringify(db.query(query).all());
  const integrity = texts("PRAGMA integrity_check");
  if (!integrity.includes('"ok"')) return `integrity: ${integrity}`;
  const turns = texts("SELECT prompt_id FROM turns");
  for (const one of prompts) if (!turns.includes(`"${one}"`)) return `accepted and gone: ${one}`;
  const nodes = texts("SELECT l0_abstract FROM mem_nodes WHERE status = 'active'");
  for (const one of memories) if (!nodes.includes(one)) return `acknowledged and gone: ${one}`;
  return null;
}

let faults = 0;
const tell = (what: string, fault: string | null): void => {
  if (fault === null) return;
  faults += 1;
  console.log(`${what}: ${fault}`);
};

async function sweep(template: string): Promise<void> {
  for (const [name, code] of Object.entries(errors)) {
    const startedMs = performance.now();
    const { calls, fault } = await live(template, 0, code);
    tell("without a fault", fault);
    let next = every === 1 ? 1 : every;
    let played = 0;
    const worker = async (): Promise<void> => {
      while (next <= Math.min(calls, most)) {
        const n = next;
        next += every;
        const what = `${name} at call ${n} of ${calls}`;
        try {
          tell(what, (await live(template, n, code)).fault);
        } catch (error) {
          tell(what, String(error).slice(0, 300));
        }
        played += 1;
      }
    };
    await Promise.all([worker(), worker()]);
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0);
    console.log(
      `${name}: ${played} lives, each ${every === 1 ? "" : `${every}th `}of ${calls} calls, ${seconds} s`,
    );
  }
}

async function prepare(): Promise<string> {
  await using program = openProgram();
  await program.up();
  const said = await program.run(["remember", "the plotter listens on port 9107"]);
  if (said.status !== 0) throw new Error(said.err);
  await program.stopDaemon();
  const template = join(folder, "home");
  for (const name of ["daemon.sock", "daemon.json", "daemon.lock"])
    rmSync(join(program.paths.root, name), { force: true });
  cpSync(program.paths.root, template, { recursive: true });
  return template;
}

/** Room for so many pages more than the home takes: from none to enough for all that is said. */
const pagesMost = 120;

async function fillDisks(template: string): Promise<void> {
  let played = 0;
  for (let pages = 0; pages <= pagesMost; pages += every) {
    const what = `a disk with room for ${pages} pages`;
    const fault = await full(template, pages).catch((error: unknown) =>
      String(error).slice(0, 300),
    );
    if (fault === "") return console.log("a full disk: not played, no file system can be mounted");
    tell(what, fault);
    played += 1;
  }
  console.log(`a full disk: ${played} lives, room for 0 to ${pagesMost} pages`);
}

/** Plays each one on a home of its own. */
async function playEach(
  template: string,
  all: readonly { readonly name: string; readonly run: (home: string) => Promise<string | null> }[],
): Promise<void> {
  for (const { name, run } of all) {
    const startedMs = performance.now();
    try {
      tell(name, await run(template));
    } catch (error) {
      tell(name, String(error).slice(0, 300));
    }
    console.log(`${name}: ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
  }
}

try {
  const isShort = process.argv.includes("--damage-only");
  if (!isShort) await sweep(await prepare());
  const home = join(folder, "whole");
  await writeHome(home);
  await fillDisks(home);
  if (every === 1 || isShort) await playEach(home, [...spoiled, ...drills, ...damages]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${faults} faults`);
process.exit(faults === 0 ? 0 : 1);
