/** The pause switch: a file in the home folder, so that hooks can ask it while the daemon is away. */
import { existsSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import type { HomePaths } from "#domain";
import { msPerDay, readText, writeWhole } from "#kit";

/**
 * Written by `continuity pause`: epoch ms until when nothing is captured; empty = until `pause --off`. Dated when the
 * pause began.
 */
export const pauseFile = (paths: HomePaths): string => `${paths.root}/paused`;

/** One failed `stat` when nothing is paused. An unreadable time counts as paused: the wish was clear. */
export function isPaused(paths: HomePaths, nowMs: number): boolean {
  const pause = latestPause(paths);
  return pause !== null && nowMs < pause.toMs;
}

interface Pause {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The pause that the switch tells of: it goes on, or its time is over. */
function latestPause(paths: HomePaths): Pause | null {
  const file = pauseFile(paths);
  if (!existsSync(file)) return null;
  const until = readText(file)?.trim() ?? "";
  return {
    fromMs: Math.round(statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0),
    toMs: /^\d+$/.test(until) ? Number(until) : Number.POSITIVE_INFINITY,
  };
}

/** Begins a pause, or gives the one that goes on another end; `untilMs` null = until it is ended. */
export function startPause(paths: HomePaths, nowMs: number, untilMs: number | null): void {
  const before = latestPause(paths);
  const goesOn = before !== null && nowMs < before.toMs;
  if (before !== null && !goesOn) keepPause(paths, before);
  const began = (goesOn ? before.fromMs : nowMs) / 1_000;
  const fresh = `${pauseFile(paths)}.new`;
  writeFileSync(fresh, untilMs === null ? "" : `${untilMs}`, { mode: 0o600 });
  utimesSync(fresh, began, began);
  renameSync(fresh, pauseFile(paths));
}

export function endPause(paths: HomePaths, nowMs: number): void {
  const pause = latestPause(paths);
  if (pause === null) return;
  keepPause(paths, { ...pause, toMs: Math.min(pause.toMs, nowMs) });
  rmSync(pauseFile(paths), { force: true });
}

/** Pauses that are over, one a line: its beginning and its end, epoch ms. */
const pausesFile = (paths: HomePaths): string => `${paths.root}/pauses`;
/** Clients delete transcripts after 30 days by default. */
const pauseAgeMaxMs = 365 * msPerDay;
const pausesMax = 1_000;

const keptPauses = (paths: HomePaths): readonly Pause[] =>
  [...(readText(pausesFile(paths)) ?? "").matchAll(/^(\d+) (\d+)$/gm)].map(([, from, to]) => ({
    fromMs: Number(from),
    toMs: Number(to),
  }));

function keepPause(paths: HomePaths, pause: Pause): void {
  const kept = keptPauses(paths).filter(({ toMs }) => pause.toMs - toMs < pauseAgeMaxMs);
  const lines = [...kept, pause].slice(-pausesMax).map(({ fromMs, toMs }) => `${fromMs} ${toMs}\n`);
  writeWhole(pausesFile(paths), lines.join(""));
}

/** True when capture was paused for a part of a time, epoch ms. */
type WasPaused = (fromMs: number | null, toMs: number | null) => boolean;

/** Reads when capture was paused: what was said then stays out, wherever it is read again. */
export function readPauses(paths: HomePaths): WasPaused {
  const pauses = [...keptPauses(paths), latestPause(paths) ?? []].flat();
  return (fromMs, toMs) =>
    fromMs !== null &&
    pauses.some((pause) => fromMs < pause.toMs && (toMs ?? fromMs) >= pause.fromMs);
}
