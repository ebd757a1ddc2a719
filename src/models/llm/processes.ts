/**
 * Ends a child process with everything that it started. The client gives its own children groups of their own, so a
 * group is not enough: descendants are looked up, and on Linux also every process with the call's mark in its
 * environment (a process whose parent died is no longer a descendant).
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { readText } from "#kit";

/** New processes may appear while others are being killed; three rounds leave none that does not fork on purpose. */
const roundsMax = 3;

/**
 * Kills `root`, its group and its descendants, and who else carries `mark` in the environment. Never throws. Returns
 * whom it killed: they may take a moment to be gone (see untilGone).
 */
export function killTree(root: number, mark: string): readonly number[] {
  if (process.platform === "win32") {
    spawnSync("taskkill", ["/pid", String(root), "/t", "/f"], { windowsHide: true });
    return [root];
  }
  const killed = new Set([root]);
  // Stopped first: while it is walked, the tree must not grow.
  send(-root, "SIGSTOP");
  for (let round = 0; round < roundsMax; round += 1) {
    const found = new Set([...descendantsOf(root), ...markedWith(mark)]);
    if (round > 0 && [...found].every((pid) => killed.has(pid))) break;
    for (const pid of [-root, root, ...found]) send(pid, "SIGKILL");
    for (const pid of found) killed.add(pid);
  }
  return [...killed];
}

/**
 * The same for a process that has ended: its number may belong to another process by now, so only its group is asked,
 * and only where marks cannot be read.
 */
export function killLeftBy(root: number, mark: string): readonly number[] {
  if (process.platform === "win32") return [];
  const found = process.platform === "linux" ? markedWith(mark) : [-root];
  for (const pid of found) send(pid, "SIGKILL");
  return found.filter((pid) => pid > 0);
}

const goneMsMax = 1_000;
const goneStepMs = 5;

/** Waits until processes that were killed are gone, a second at most: the kernel takes its time. */
export async function untilGone(pids: readonly number[]): Promise<void> {
  for (let waitedMs = 0; waitedMs < goneMsMax && pids.some(isRunning); waitedMs += goneStepMs)
    await Bun.sleep(goneStepMs);
}

/** Exists, and is more than an exit status that was not fetched. */
function isRunning(pid: number): boolean {
  if (process.platform === "linux") return /^[^XZ]/.test(afterName(readProc(pid, "stat")));
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // No such process, or another user's by now.
  }
}

/** Processes of this user that carry the mark (`NAME=value`); none where the system does not tell. */
const markedWith = (mark: string): readonly number[] =>
  visibleProcesses().filter((pid) => readProc(pid, "environ").split("\0").includes(mark));

/** Value of a variable in a process's environment; null when it has none or the system does not tell. */
export function variableOf(pid: number, name: string): string | null {
  const entry = readProc(pid, "environ")
    .split("\0")
    .find((one) => one.startsWith(`${name}=`));
  return entry?.slice(name.length + 1) ?? null;
}

/** All other processes, of which this user can read some. Linux only. */
export const visibleProcesses = (): readonly number[] =>
  process.platform === "linux" ? numbersIn("/proc").filter((pid) => pid !== process.pid) : [];

export const isThere = (pid: number): boolean => existsSync(`/proc/${pid}`);

/** Parent of a process; null when it is gone. */
export const parentOf = (pid: number): number | null =>
  processTable().find(([child]) => child === pid)?.[1] ?? null;

function descendantsOf(root: number): readonly number[] {
  const table = processTable();
  const found = [root];
  // Grows while it is walked: children are appended behind their parents.
  for (const parent of found)
    for (const [pid, above] of table) if (above === parent && !found.includes(pid)) found.push(pid);
  return found.slice(1);
}

type ProcessTable = readonly (readonly [pid: number, parent: number])[];

function processTable(): ProcessTable {
  if (process.platform === "linux")
    return numbersIn("/proc").map((pid) => [pid, parentInStat(readProc(pid, "stat"))]);
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  return (stdout ?? "").split("\n").flatMap((line) => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number);
    return pid !== undefined && parent !== undefined && pid > 0 ? [[pid, parent] as const] : [];
  });
}

/** `123 (a name (of any kind)) S 45 …`: the second field after the last parenthesis. */
const parentInStat = (stat: string): number => Number(afterName(stat).split(" ")[1] ?? 0);

const afterName = (stat: string): string => stat.slice(stat.lastIndexOf(")") + 2);

const numbersIn = (folder: string): readonly number[] =>
  readdirSync(folder)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** Empty for a process that is gone or another user's. */
const readProc = (pid: number, file: string): string => readText(`/proc/${pid}/${file}`) ?? "";

function send(pid: number, signal: "SIGSTOP" | "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already: kill is the only call here.
  }
}
