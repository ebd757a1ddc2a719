/**
 * One status line, from stdin to exit. On the path of every redraw of the client, so it imports as little as a hook
 * does, never starts a daemon, and whatever happens prints one short line and ends with 0.
 */
import { homePaths, homeRoot, type HomePaths } from "#domain";
import { daemonTarget } from "../hand-over.ts";
import { isHookSwitchedOff } from "../hook.ts";
import type { Input } from "../stdin.ts";
import { parseInput, renderAnswer, renderWaiting, type Asked } from "./render.ts";

export interface StatusLineDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readStdin: () => Promise<Input>;
  /** Writes to stdout. */
  readonly print: (text: string) => Promise<unknown>;
  /** Events that wait in the spool, asked only when no daemon is there. */
  readonly waiting: (paths: HomePaths) => Promise<number>;
}

/** The client redraws every 300 ms at most; what takes longer is not worth the wait. */
const answerMs = 150;

/** Prints the line. Resolves to the exit status, which is always 0; never rejects. */
export async function runStatusLine(deps: StatusLineDeps): Promise<0> {
  try {
    await deps.print(`${await lineFor(deps)}\n`);
  } catch {
    // A line that cannot be drawn is the last thing that may disturb a session.
  }
  return 0;
}

async function lineFor(deps: StatusLineDeps): Promise<string> {
  if (isHookSwitchedOff(deps.env)) return "continuity: off in this shell";
  const root = homeRoot(deps.env);
  if (root === null) return "continuity: ! no home folder is known";
  const paths = homePaths(root);
  const input = await deps.readStdin();
  const asked = parseInput(input.type === "text" ? input.text : "");
  const target = await daemonTarget(paths, answerMs);
  if (target.type === "away") return renderWaiting(await deps.waiting(paths));
  if (target.type === "unusable")
    return "continuity: ! cannot reach the daemon; see `continuity doctor`";
  return ask(`${target.origin}/api/statusline?${queryOf(asked)}`, target.init);
}

async function ask(url: string, init: RequestInit): Promise<string> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(answerMs) });
    return response.ok ? renderAnswer(await response.text()) : "continuity: on";
  } catch {
    return "continuity: ! the daemon does not answer; see `continuity doctor`";
  }
}

function queryOf({ sessionId, cwd, ageMs }: Asked): string {
  const words = [
    `session=${encodeURIComponent(sessionId)}`,
    ...(cwd === null ? [] : [`cwd=${encodeURIComponent(cwd)}`]),
    ...(ageMs === null ? [] : [`age_ms=${ageMs}`]),
  ];
  return words.join("&");
}
