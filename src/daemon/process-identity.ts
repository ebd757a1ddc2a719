/**
 * Which process is meant by a pid. A pid alone is not enough: it may be recycled, or belong to a process that is dead
 * and not yet reaped. Pid and start time together name one process of this boot.
 */
import { readFileSync } from "node:fs";

export interface ProcessIdentity {
  readonly pid: number;
  /** Start time as the system tells it; opaque, only compared. Empty where the system does not tell. */
  readonly startedAt: string;
}

export const ownIdentity = (): ProcessIdentity => ({
  pid: process.pid,
  startedAt: startTimeOf(process.pid) ?? "",
});

/** True while this very process runs; a zombie does not. */
export const isAlive = (identity: ProcessIdentity): boolean =>
  Number.isInteger(identity.pid) &&
  identity.pid > 0 &&
  startTimeOf(identity.pid) === identity.startedAt;

/** The start time of a running process; null when there is none, or only its unreaped remains. */
export function startTimeOf(pid: number): string | null {
  if (process.platform === "linux") return startTimeFromProc(pid);
  return process.platform === "win32" ? startTimeUnknown(pid) : startTimeFromPs(pid);
}

/** Field 22 of /proc/PID/stat, in ticks since boot; the boot's own id makes it unique across restarts. */
function startTimeFromProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses, which may itself contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = "Z"] = fields;
    const ticks = fields[19];
    if (ticks === undefined || state === "Z" || state === "X") return null;
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8)}:${ticks}`;
  } catch {
    return null; // No such process.
  }
}

/** macOS: the state and start time that `ps` prints, in seconds. */
function startTimeFromPs(pid: number): string | null {
  const { stdout } = Bun.spawnSync(["ps", "-o", "stat=,lstart=", "-p", String(pid)], {
    env: { PATH: "/bin:/usr/bin", LC_ALL: "C", TZ: "UTC" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [state = "", ...started] = stdout.toString().trim().split(/\s+/);
  return state === "" || state.startsWith("Z") ? null : started.join(" ");
}

/** Windows tells no start time without a native call: there only the pid counts. */
function startTimeUnknown(pid: number): string | null {
  try {
    process.kill(pid, 0);
    return "";
  } catch {
    return null;
  }
}
