/**
 * Brings spooled events into the store, in order of arrival, each exactly once: a file is removed after its commit,
 * and an event that was committed but not removed is recognised by its key.
 *
 * A file that cannot be read is set aside. An event that cannot be applied is set aside only when others can: if
 * nothing can be applied the fault is not the event's (disk full, database away), and everything waits.
 */
import { errorMessage, letOthersIn } from "#kit";
import {
  adoptLeftovers,
  readSpooled,
  removeSpooled,
  setAside,
  spooledNames,
  sweepKeys,
  lostNoteHead,
  lostNotePath,
  reserveFile,
} from "#hooks";
import type { HomePaths, HookEnvelope } from "#domain";
import { randomBytes } from "node:crypto";
import { renameSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import type { Accept, DaemonContext } from "../process/app.ts";

type DrainContext = Pick<DaemonContext, "clock" | "log" | "paths">;

interface Waiting {
  readonly name: string;
  readonly envelope: HookEnvelope;
}

export const drainLimits = {
  /** A batch holds the event loop; after each of them others get their turn. */
  filesPerBatch: 50,
  attemptsMax: 3,
  backOffMs: 1_000,
  backOffMsMax: 60_000,
  /** A hook that is still writing after this is dead. */
  leftoverMs: 10_000,
} as const;

export function createDrainer(context: DrainContext, accept: Accept) {
  const { paths, clock, log } = context;
  const attempts = new Map<string, number>();
  let backOffMs = 0;
  let retryAtMs = 0;
  let tidyAtMs = 0;
  /** Not at every event: a drain stands before each commit. */
  const tidy = (): void => {
    const nowMs = clock.nowMs();
    if (nowMs < tidyAtMs) return;
    tidyAtMs = nowMs + drainLimits.leftoverMs;
    const times = { nowMs, youngerThanMs: drainLimits.leftoverMs };
    // First of all: the disk may fill up while events still wait.
    keepReserve(paths);
    adoptLeftovers(paths, times);
    if (spooledNames(paths).length === 0) sweepKeys(paths, times);
  };
  /** One by one, after a batch failed. Resolves to how many went in. */
  const applySingly = async (batch: readonly Waiting[]): Promise<number> => {
    let applied = 0;
    for (const item of batch)
      if (await apply(context, accept, [item])) applied += 1;
      else attempts.set(item.name, (attempts.get(item.name) ?? 0) + 1);
    if (applied > 0) setAsideHopeless(context, attempts);
    return applied;
  };
  const drain = async (): Promise<number> => {
    if (clock.nowMs() < retryAtMs) return 0;
    let total = 0;
    for (;;) {
      const batch = nextBatch(context);
      if (batch.length === 0) break;
      const whole = await apply(context, accept, batch);
      const applied = whole ? batch.length : await applySingly(batch);
      total += applied;
      await letOthersIn();
      if (applied === batch.length) continue;
      // Something is left that does not go in now.
      backOffMs = Math.min(
        Math.max(backOffMs * 2, drainLimits.backOffMs),
        drainLimits.backOffMsMax,
      );
      retryAtMs = clock.nowMs() + backOffMs;
      return total;
    }
    backOffMs = 0;
    attempts.clear();
    return total;
  };
  return {
    /** Empties the spool as far as it goes. Resolves to how many events were brought in. Never rejects. */
    drain: async (): Promise<number> => {
      try {
        tidy();
        return await drain();
      } catch (error) {
        log.write("error", "spool.drain-failed", { error: errorMessage(error) });
        return 0;
      }
    },
    waiting: (): number => spooledNames(paths).length,
  };
}

/** The oldest readable events; what cannot be read is set aside on the way. */
function nextBatch({ paths, log }: DrainContext): readonly Waiting[] {
  const batch: Waiting[] = [];
  for (const name of spooledNames(paths)) {
    const envelope = readSpooled(paths, name);
    if (envelope !== null) batch.push({ name, envelope });
    else {
      log.write("warn", "spool.set-aside", { why: "unreadable" });
      setAside(paths, name);
    }
    if (batch.length === drainLimits.filesPerBatch) break;
  }
  return batch;
}

async function apply(
  { paths, log }: DrainContext,
  accept: Accept,
  batch: readonly Waiting[],
): Promise<boolean> {
  try {
    await accept(
      batch.map(({ envelope }) => envelope),
      "spool",
    );
  } catch (error) {
    log.write("warn", "spool.not-applied", { events: batch.length, error: errorMessage(error) });
    return false;
  }
  for (const { name, envelope } of batch) removeSpooled(paths, name, envelope);
  return true;
}

function setAsideHopeless({ paths, log }: DrainContext, attempts: Map<string, number>): void {
  for (const [name, count] of attempts) {
    if (count < drainLimits.attemptsMax) continue;
    log.write("error", "spool.set-aside", { why: "refused" });
    setAside(paths, name);
    attempts.delete(name);
  }
}

/** Room for some hundred events, and for the log that the database needs to take them in. */
const reserveBytesMax = 8 * 1_024 * 1_024;
/** Less holds too few events to be worth its place. */
const reserveBytesMin = 256 * 1_024;
/** Share of the free space: on a small disk the reserve must not be what fills it. */
const reserveShare = 1 / 8;

/** Lays both down, or lays down again what was given up once there is room. Never throws. */
function keepReserve(paths: HomePaths): void {
  try {
    if (sizeOf(lostNotePath(paths)) === 0)
      writeFileSync(lostNotePath(paths), lostNoteHead, { mode: 0o600 });
  } catch {
    // Not ours to write, or no room; the next tidying tries again.
  }
  const temporary = `${reserveFile(paths)}.new`;
  try {
    const size = sizeOf(reserveFile(paths));
    const { bavail, bsize } = statfsSync(paths.spool);
    const wanted = Math.min(reserveBytesMax, Math.floor((bavail * bsize + size) * reserveShare));
    // Free space changes all the time; only a reserve that was given up, or grew too small, is laid anew.
    if (wanted < reserveBytesMin || size >= wanted / 2) return;
    // Nothing that a file system could store in less room than it takes.
    writeFileSync(temporary, randomBytes(wanted), { mode: 0o600 });
    renameSync(temporary, reserveFile(paths));
  } catch {
    // As above, or the system does not tell what is free.
    rmSync(temporary, { force: true });
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
