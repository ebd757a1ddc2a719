/**
 * One status line, from stdin to exit. On the path of every redraw of the client, so it imports as little as a hook
 * does, never starts a daemon, and whatever happens prints one short line and ends with 0.
 */
import { type Json, msPerMinute, parseJson, recordOf, systemClock } from "#kit";
import { homePaths, type HomePaths, homeRoot } from "#domain";
import { daemonTarget } from "./socket.ts";
import { type HookProcess, isHookSwitchedOff } from "./hook.ts";

/** The client redraws every 300 ms at most; what takes longer is not worth the wait. */
const answerMs = 150;

/** Prints the line. Resolves to the exit status, which is always 0; never rejects. */
export async function runStatusLine(hook: HookProcess): Promise<0> {
  try {
    await hook.print(`${await lineFor(hook)}\n`);
  } catch {
    // A line that cannot be drawn is the last thing that may disturb a session.
  }
  return 0;
}

async function lineFor({ env, readStdin }: HookProcess): Promise<string> {
  if (isHookSwitchedOff(env)) return "continuity: off in this shell";
  const root = homeRoot(env);
  if (root === null) return "continuity: ! no home folder is known";
  const paths = homePaths(root);
  const input = await readStdin();
  const asked = parseInput(input.type === "text" ? input.text : "");
  const target = await daemonTarget(paths, answerMs);
  if (target.type === "away") return renderWaiting(await waitingEvents(paths));
  if (target.type === "unusable")
    return "continuity: ! cannot reach the daemon; see `continuity doctor`";
  return ask(`${target.origin}/api/statusline?${queryOf(asked)}`, target.init);
}

/** Counts the events that have waited for longer than a daemon takes to start; the disk is asked only without one. */
async function waitingEvents({ spool }: HomePaths): Promise<number> {
  const { readdirSync, statSync } = await import("node:fs");
  const beforeMs = systemClock.nowMs() - msPerMinute;
  try {
    return readdirSync(spool)
      .filter((name) => name.endsWith(".json"))
      .filter((name) => statSync(`${spool}/${name}`).ctimeMs < beforeMs).length;
  } catch {
    return 0; // No spool yet, or a file that was taken in meanwhile.
  }
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

// Reads the client's message to its status line, and words the daemon's answer in one line. Pure.

interface Asked {
  readonly sessionId: string;
  readonly cwd: string | null;
  readonly ageMs: number | null;
}

/** Reads the client's document; of one that makes no sense, an unknown session. */
export function parseInput(text: string): Asked {
  const given = recordOf(parseJson(text));
  const { session_id: session, cwd } = given;
  const { total_duration_ms: ageMs } = recordOf(given["cost"]);
  const { current_dir: current } = recordOf(given["workspace"]);
  const folder = typeof current === "string" ? current : cwd;
  const isSession = typeof session === "string" && /^[\w.:-]{1,128}$/.test(session);
  return {
    sessionId: isSession ? session : "none",
    cwd: typeof folder === "string" && folder !== "" && folder.length <= 4_096 ? folder : null,
    ageMs: typeof ageMs === "number" && ageMs >= 0 ? Math.round(ageMs) : null,
  };
}

export function renderAnswer(text: string): string {
  const answer = recordOf(parseJson(text));
  const { surfaced, trouble } = answer;
  const parts = [
    typeof surfaced === "number" && surfaced > 0
      ? `${surfaced} ${surfaced === 1 ? "memory" : "memories"}`
      : "on",
    ...tokensPart(recordOf(answer["tokens"])),
  ];
  if (trouble === "paused") return "continuity: paused (`continuity pause --off`)";
  if (trouble === "switched off here") return "continuity: switched off here";
  const warning =
    typeof trouble === "string" ? [`! ${plain(trouble)}; see \`continuity doctor\``] : [];
  return `continuity: ${[...parts, ...warning].join(" · ")}`;
}

const tokensPart = ({ today, per_day: limit }: Json): readonly string[] =>
  typeof today === "number" && typeof limit === "number"
    ? [`${short(today)} of ${short(limit)} tokens`]
    : [];

/** The line while no daemon runs, which is nothing to worry about unless events wait for one. */
export const renderWaiting = (events: number): string =>
  events === 0
    ? "continuity: idle"
    : `continuity: ! ${events} ${events === 1 ? "event waits" : "events wait"}; see \`continuity doctor\``;

/** Nothing that a terminal would take for a command. */
const plain = (text: string): string => text.replaceAll(/[^\w ,.:;()-]/g, "").slice(0, 80);

/** `950`, `12k`, `1.2M`. */
function short(count: number): string {
  if (count < 1_000) return `${count}`;
  if (count < 1_000_000) return `${Math.round(count / 1_000)}k`;
  return `${Math.round(count / 100_000) / 10}M`;
}
