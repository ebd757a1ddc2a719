/**
 * A long event that no daemon took in time goes to a process of its own, which gates and spools it while the client
 * goes on: reading a pasted megabyte for secrets takes longer than a prompt may wait.
 *
 * The text goes through a pipe and never through a file: it has not passed the gate yet.
 */
import type { HookEnvelope } from "#domain";
import { parseEnvelope } from "./envelope.ts";
import { textsOf } from "./gate-envelope.ts";
import { captureLimits, isRecord, parseJson } from "./limits.ts";

/** Events on their way to a courier. */
export interface Carried {
  readonly envelopes: readonly HookEnvelope[];
  /** When they came, by the system's clock: the order in the spool. */
  readonly arrivalMs: number;
  /** A daemon is there and may still commit them: it is asked once more before they are spooled. */
  readonly isSlow: boolean;
}

/** Arguments of a courier's command line. */
const courierWords: readonly string[] = ["hook", "courier"];

/** True when gating these events would keep the client waiting. */
export function isLong(envelopes: readonly HookEnvelope[]): boolean {
  const chars = envelopes
    .flatMap(({ payload }) => textsOf(payload))
    .reduce((sum, text) => sum + text.length, 0);
  return chars > captureLimits.gatedInHookCharsMax;
}

/** Hands events to a detached process. False when none could be started: the caller has them still. */
export async function sendCourier(
  command: readonly string[],
  {
    env,
    root,
  }: { readonly env: Readonly<Record<string, string | undefined>>; readonly root: string },
  carried: Carried,
): Promise<boolean> {
  try {
    const child = Bun.spawn([...command, ...courierWords], {
      env: { ...env, CONTINUITY_HOME: root },
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    child.unref();
    await child.stdin.write(JSON.stringify(carried));
    await child.stdin.end();
    return true;
  } catch {
    return false;
  }
}

/** Parses a courier's input; null when no hook wrote it. */
export function parseCarried(text: string): Carried | null {
  const value = parseJson(text);
  if (!isRecord(value) || !Array.isArray(value["envelopes"])) return null;
  const list: readonly unknown[] = value["envelopes"];
  const envelopes = list.map(parseEnvelope).filter((envelope) => envelope !== null);
  const { arrivalMs } = value;
  if (typeof arrivalMs !== "number" || envelopes.length !== list.length) return null;
  return { envelopes, arrivalMs, isSlow: value["isSlow"] === true };
}
