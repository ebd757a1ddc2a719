/**
 * The real client in a real terminal: a tmux server of its own, keys in, screen out. Waits for conditions, never
 * for a time.
 * Tests only.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "./program.ts";
import { environmentOf } from "./real-client.ts";

/** Null when tmux is there, or could be had; else why not. */
export function missingTerminal(): string | null {
  if (hasTmux()) return null;
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return "tmux is not installed";
  const apt = (...args: readonly string[]) =>
    spawnSync("apt-get", [...args, "--yes", "--quiet"], { timeout: 120_000 }).status === 0;
  // A machine that nobody has set up knows no packages yet.
  if (!apt("install", "tmux") && apt("update")) apt("install", "tmux");
  return hasTmux() ? null : "tmux could not be installed";
}

const hasTmux = (): boolean => spawnSync("tmux", ["-V"]).status === 0;

export interface TerminalRun {
  /** Path of the client. */
  readonly client: string;
  readonly home: string;
  readonly project: string;
  readonly apiUrl: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Terminal extends AsyncDisposable {
  readonly screen: () => string;
  /** Types a line and sends it once it stands on the screen. */
  readonly say: (line: string) => Promise<void>;
  /** A key by tmux's name, such as `Escape`. */
  readonly press: (key: string) => void;
  /** Waits until the screen shows a text. */
  readonly shows: (text: string) => Promise<void>;
  /** Leaves the client as a user does, and waits until it is gone. */
  readonly leave: () => Promise<void>;
}

/** Answers what the client would ask at its first start, and trusts the project. Call before anything else writes there. */
export function settle(home: string, projects: readonly string[]): void {
  const path = join(home, ".claude.json");
  const known: unknown = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
  const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
  const settled = {
    ...(known as object),
    hasCompletedOnboarding: true,
    theme: "dark",
    bypassPermissionsModeAccepted: true,
    customApiKeyResponses: { approved: ["not-a-key"], rejected: [] },
    projects: Object.fromEntries(projects.map((project) => [project, trusted])),
  };
  writeFileSync(path, JSON.stringify(settled));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // Gone: kill is the only call here.
  }
}

/** The line that the client shows below its prompt when it is ready for one. */
const ready = "bypass permissions on";
let terminals = 0;

/** Starts the client and waits until it takes a prompt. */
export async function openTerminal(run: TerminalRun): Promise<Terminal> {
  const socket = join(run.home, `tmux-${(terminals += 1)}`);
  const tmux = (...args: readonly string[]): string =>
    spawnSync("tmux", ["-S", socket, ...args], { encoding: "utf8" }).stdout ?? "";
  const env = { ...environmentOf(run), TERM: "xterm-256color", ...run.env };
  const command = [
    "env",
    "-i",
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
    run.client,
    "--permission-mode",
    "bypassPermissions",
    ...(run.args ?? []),
  ];
  const shell = command.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(" ");
  tmux("-f", "/dev/null", "new-session", "-d", "-x", "160", "-y", "50", "-c", run.project, shell);
  const screen = (): string => tmux("capture-pane", "-p", "-t", "0");
  const shows = async (text: string): Promise<void> => {
    await eventually(`"${text}" on the screen`, () => screen().includes(text)).catch((error) => {
      throw new Error(`${String(error)}\n${screen().replaceAll(/\n{2,}/g, "\n")}`);
    });
  };
  const terminal: Terminal = {
    screen,
    shows,
    press: (key) => void tmux("send-keys", "-t", "0", key),
    say: async (line) => {
      tmux("send-keys", "-t", "0", "-l", line);
      await shows(line.slice(0, 60));
      tmux("send-keys", "-t", "0", "Enter");
    },
    leave: async () => {
      await terminal.say("/exit");
      await eventually("the client is gone", () => tmux("list-panes") === "");
    },
    [Symbol.asyncDispose]: async () => {
      const pid = Number(tmux("list-panes", "-F", "#{pane_pid}"));
      tmux("kill-server");
      // The client still runs its last hooks, which would start a daemon that nobody stops.
      await eventually("the client has ended", () => pid === 0 || !isAlive(pid));
    },
  };
  await shows(ready);
  return terminal;
}
