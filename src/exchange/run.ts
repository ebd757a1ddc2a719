/**
 * The engine of an import: takes steps from a reader, hands items over in batches that a hook can wait for, and counts.
 * Reading goes on while a batch is being taken. Must not know sources, sockets or terminals.
 */
import type { ImportOutcome, ImportReport, ImportSource } from "#domain";
import type { Taken } from "./apply.ts";
import { itemsMax } from "./items.ts";
import type { ReadPlan, ReadStep } from "./source.ts";

interface Progress {
  readonly done: number;
  readonly total: number | null;
  readonly unit: "bytes" | "records";
  readonly elapsedMs: number;
}

export interface ImportRun {
  readonly source: ImportSource;
  readonly dryRun: boolean;
  /** Hands a batch over; rejects when the daemon cannot be reached or cannot write. */
  readonly send: (items: readonly string[]) => Promise<Taken>;
  readonly elapsedMs: () => number;
  readonly onProgress: (progress: Progress) => void;
  readonly isInterrupted: () => boolean;
}

/** A request is held several times over while it is read: as bytes, as text, as values. */
const batchBytesMax = 300_000;
/** The time for which a batch may keep hooks waiting, ms: a third of their shortest deadline. */
const batchTargetMs = 35;
const batchItemsFirst = 8;

export async function runImport(run: ImportRun, plan: ReadPlan): Promise<ImportReport> {
  const { total, unit } = plan;
  const tally = createTally();
  const sender = createSender(run, tally.add);
  let done = 0;
  try {
    for await (const step of plan.steps) {
      if (step.type === "progress") done += step.done;
      else if (step.type === "left") tally.leave(step);
      else await sender.put(JSON.stringify(step.item));
      run.onProgress({ done, total, unit, elapsedMs: run.elapsedMs() });
      if (run.isInterrupted()) break;
    }
    await sender.finish();
  } finally {
    plan.close();
  }
  return {
    source: run.source,
    dry_run: run.dryRun,
    ...tally.report(),
    elapsed_ms: Math.round(run.elapsedMs()),
  };
}

/**
 * Batches that wait behind the one under way, so that neither side stands still while the other is slow for a moment.
 */
const waitingMax = 3;

/** One batch under way, in order; some ready behind it, one being filled. */
function createSender(run: ImportRun, onOutcome: (outcome: ImportOutcome) => void) {
  let batch: string[] = [];
  let bytes = 0;
  let limit = batchItemsFirst;
  const underWay: Promise<void>[] = [];
  const send = async (items: readonly string[]): Promise<void> => {
    const { outcomes, tookMs } = await run.send(items);
    const fitting = (items.length * batchTargetMs) / Math.max(1, tookMs);
    limit = Math.max(1, Math.min(itemsMax, Math.round((limit + fitting) / 2)));
    for (const outcome of outcomes) onOutcome(outcome);
  };
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    const items = batch;
    batch = [];
    bytes = 0;
    const before = underWay.at(-1) ?? Promise.resolve();
    const mine = before.then(() => send(items));
    // The caller that awaits the batch gets the error; until then it is no unhandled rejection.
    mine.catch(() => undefined);
    underWay.push(mine);
    if (underWay.length > waitingMax) await underWay.shift();
  };
  return {
    put: async (item: string): Promise<void> => {
      const length = Buffer.byteLength(item);
      if (batch.length > 0 && bytes + length > batchBytesMax) await flush();
      batch.push(item);
      bytes += length;
      if (batch.length >= limit) await flush();
    },
    finish: async (): Promise<void> => {
      await flush();
      await Promise.all(underWay);
    },
  };
}

/** Reasons told apart in a report; no source has as many. */
const reasonsMax = 50;

function createTally() {
  const counts = { created: 0, merged: 0, skipped: 0, refused: 0 };
  const memories = { created: 0, merged: 0, skipped: 0 };
  const reasons = new Map<string, number>();
  const because = (reason: string, count: number): void => {
    const name = reasons.has(reason) || reasons.size < reasonsMax ? reason : "other reasons";
    if (name !== "") reasons.set(name, (reasons.get(name) ?? 0) + count);
  };
  return {
    add: (outcome: ImportOutcome): void => {
      memories.created += outcome.memories.created;
      memories.merged += outcome.memories.merged;
      memories.skipped += outcome.memories.skipped;
      if (!outcome.counted) return;
      counts[outcome.outcome] += 1;
      because(outcome.reason, 1);
    },
    leave: ({ outcome, reason, count }: ReadStep & { type: "left" }): void => {
      counts[outcome] += count;
      because(reason, count);
    },
    report: () => ({
      read: counts.created + counts.merged + counts.skipped + counts.refused,
      ...counts,
      reasons: Object.fromEntries([...reasons].toSorted(([a], [b]) => a.localeCompare(b))),
      memories,
    }),
  };
}
