/** Judges each hook by what it really did: when it fired last, in the last session too, and how long it took. Pure. */
import { hookNames, type HookName } from "#domain";
import { isoTime } from "#kit";
import { counted, failed, fine, skipped, warned, type Check } from "./check.ts";
import type { Facts, HookFacts } from "./facts.ts";

/** A prompt that waits longer for its hook than this is felt. */
const slowMs: Readonly<Record<HookName, number>> = {
  start: 1_500,
  submit: 250,
  tool: 250,
  stop: 250,
  subagent: 250,
  compact: 250,
  end: 250,
};

/** What every session with a prompt fires; the others need a tool, a subagent or a compaction. */
const always: ReadonlySet<HookName> = new Set(["start", "submit", "stop"]);

export interface Latency {
  readonly lastMs: number | null;
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
}

export const hookChecks = (facts: Facts): readonly Check[] =>
  hookNames.map((hook) => hookCheck(facts, hook));

function hookCheck(facts: Facts, hook: HookName): Check {
  const id = `hook-${hook}`;
  const seen = facts.store.hooks.find((one) => one.hook === hook) ?? null;
  const { lastSession } = facts.store;
  if (facts.store.state === "unusable") return skipped(id, "cannot read the database");
  if (lastSession === null) return unseen(id, always.has(hook));
  const fired = lastSession.fired.get(hook) ?? 0;
  const isDue = isDueIn(lastSession, hook);
  if (fired === 0 && isDue)
    return failed(id, {
      detail: `did not fire in the last session${seen === null ? "" : ` (last seen ${isoTime(seen.lastMs)})`}`,
      fix: "run `continuity install`, then restart Claude Code to load the hooks",
    });
  if (seen === null) return skipped(id, "not triggered yet");
  return judged(id, seen, { hook, fired });
}

/** A session under way may be in the middle of its first turn. */
function isDueIn(session: NonNullable<Facts["store"]["lastSession"]>, hook: HookName): boolean {
  if (hook === "end") return false;
  if (hook === "start") return true;
  return always.has(hook) && session.isEnded && (session.fired.get("submit") ?? 0) > 0;
}

const unseen = (id: string, isExpected: boolean): Check =>
  isExpected
    ? warned(id, {
        detail: "not seen yet",
        fix: "start a new session of Claude Code, send a prompt, then run `continuity doctor` again",
      })
    : skipped(id, "not seen yet");

function judged(
  id: string,
  seen: HookFacts,
  { hook, fired }: { readonly hook: HookName; readonly fired: number },
): Check {
  const { medianMs, p95Ms } = latencyOf(seen);
  const where =
    fired === 0 ? "not in the last session" : `${counted(fired, "time")} in the last session`;
  const speed = medianMs === null ? "latency not known yet" : `${medianMs} ms (95 %: ${p95Ms} ms)`;
  const detail = `last ${isoTime(seen.lastMs)}, ${where}, ${speed}`;
  if (p95Ms === null || p95Ms <= slowMs[hook]) return fine(id, detail);
  return warned(id, {
    detail: `slow: ${detail}`,
    fix: "the machine may be overloaded; `continuity status --log` names hooks that found the daemon too slow",
  });
}

/** Of the latencies at hand: the last one, the median and the 95th percentile, in ms. */
export function latencyOf({ latenciesMs }: Pick<HookFacts, "latenciesMs">): Latency {
  const sorted = latenciesMs.toSorted((a, b) => a - b);
  const at = (share: number): number | null =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
  return { lastMs: latenciesMs[0] ?? null, medianMs: at(0.5), p95Ms: at(0.95) };
}
