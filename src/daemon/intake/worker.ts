/** The worker as the daemon uses it: accept batches, do due work in slices, say what is left. */
import type {
  Anchor,
  Candidate,
  ConsolidationAsk,
  ConsolidationSlice,
  HookEnvelope,
  HookReply,
  MemoryNode,
} from "#domain";
import { acceptBatch } from "./accept.ts";
import { anchorsNow } from "../jobs/anchors.ts";
import { consolidateSlice } from "../jobs/consolidate.ts";
import { noteDelivered } from "./delivery.ts";
import { createPrivateTextRegister } from "./private-texts.ts";
import { runNextJob } from "../jobs/jobs.ts";
import { rehearsalOf } from "../inject/rehearsal.ts";
import { noteFolder } from "./moved.ts";
import { createReembedder, type Reembedder } from "../jobs/reembed.ts";
import { queueBackfill } from "../model/plan.ts";
import { keepDueIn } from "./announce.ts";
import { createRefiner, type Refiner } from "../model/refiner.ts";
import { index, remember, type Remembered } from "../jobs/remember.ts";
import { createTurnWatch, upkeepTasks, watchEveryMs } from "../jobs/upkeep.ts";
import { createUpkeep, type Upkeep } from "../jobs/upkeep-schedule.ts";
import type { WorkerContext, WorkerParts } from "../context.ts";
import type { Via } from "../process/app.ts";
import { createLatencyBook } from "./latencies.ts";

export type Worker = ReturnType<typeof createWorker>;

/** The context of a worker over what the application gives; exported for tests. */
export const workerContext = (parts: WorkerParts): WorkerContext => ({
  ...parts,
  hidden: createPrivateTextRegister(parts.privateWords),
  latencies: createLatencyBook(parts.clock, parts.store),
  llm: parts.llm ?? (() => null),
  onDue: parts.onDue ?? (() => undefined),
  onStep: parts.onStep ?? (() => undefined),
});

export function createWorker(parts: WorkerParts) {
  const deps = workerContext(parts);
  const refiner = createRefiner(deps);
  const reembedder = createReembedder(deps);
  const upkeep = createUpkeep(deps, upkeepTasks(deps), () => performance.now());
  const watchTurns = createTurnWatch(deps);
  return {
    /** Commits a batch together and answers in order. Throws when nothing of it was committed. */
    accept: (envelopes: readonly HookEnvelope[], via: Via): readonly HookReply[] => {
      upkeep.touch();
      return acceptBatch(deps, envelopes, via);
    },
    /**
     * Runs due jobs for about `sliceMs`, and starts those that ask a model without waiting for them. Returns when to
     * come back in ms: 0 = more is due, null = nothing waits.
     */
    work: (sliceMs: number): Promise<number | null> =>
      work({ ...deps, refiner, reembedder, upkeep, watchTurns }, sliceMs),
    delivered: (keys: readonly string[]): void => noteDelivered(deps, keys),
    /** Steps that run what a prompt runs and keep nothing, so that the first real one finds everything loaded. */
    rehearsal: (): readonly (() => void)[] => rehearsalOf(deps),
    /** Makes what waits for a session's silence due now: a flush is to leave nothing unprocessed. */
    runDueNow: (): void => {
      deps.latencies.write();
      // A flush waits for what was accepted, not for upkeep.
      upkeep.touch();
      deps.store.jobs.expedite("quiet", deps.clock.nowMs());
    },
    /** An import is under way: upkeep waits until it has been over for some minutes. */
    holdUpkeep: upkeep.hold,
    /** Queues questions about imported sessions for a slice of time. */
    backfill: (sliceMs: number) => queueBackfill(deps.store, sliceMs, deps.clock.nowMs()),
    /** Resolves when no model is being asked. */
    settled: (): Promise<void> => refiner.settled(),
    /** Writes the latencies of hooks that were measured and not stored yet. */
    noteLatencies: deps.latencies.write,
    /** Asks no more models and lets go of the store; jobs under way run again in the next process. */
    stop: (): void => {
      deps.latencies.write();
      upkeep.stop();
      reembedder.stop();
      refiner.stop();
    },
    pendingJobs: (): number => deps.store.jobs.pending(deps.clock.nowMs()),
    /** Dedup and merge for memories that people add by hand; inside the caller's transaction. */
    remember: (candidate: Candidate, by: string): Remembered => remember(deps, candidate, by),
    /** Notes where a project without a remote lies. */
    noteFolder: (key: string, root: string): void => {
      const line = noteFolder(deps, key, root, deps.clock.nowMs());
      if (line !== null) keepDueIn(deps, key, line);
    },
    /** Makes one of memories that say the same, for a slice of time. */
    consolidate: (ask: ConsolidationAsk): ConsolidationSlice => consolidateSlice(deps, ask),
    /** A memory's anchors in a working tree now; `holds`: as of what stands there. Null outside a repository. */
    anchorsNow: (
      node: MemoryNode,
      ask: { readonly folder: string; readonly holds: boolean },
    ): Promise<readonly Anchor[] | null> => anchorsNow(deps, node, ask),
    /** Makes the vector of a node whose text was edited by the user. */
    index: (node: MemoryNode): void => index(deps, node),
    /** Fills vectors that are missing, all at once. Returns how many. `work` does the same in slices. */
    embedMissing: reembedder.all,
    /** The progress of that; null when nothing is missing. */
    embedding: reembedder.progress,
  };
}

async function work(
  deps: WorkerContext & {
    readonly refiner: Refiner;
    readonly reembedder: Reembedder;
    readonly upkeep: Upkeep;
    readonly watchTurns: () => void;
  },
  sliceMs: number,
): Promise<number | null> {
  const startMs = performance.now();
  while (performance.now() - startMs < sliceMs) {
    if (await runNextJob(deps)) continue;
    deps.refiner.start();
    const upkeepMs = deps.upkeep.step();
    if (upkeepMs === 0) continue;
    deps.watchTurns();
    // Upkeep may have found something to do.
    if (await runNextJob(deps)) continue;
    const embedMs = deps.reembedder.step();
    if (embedMs === 0) continue;
    const nowMs = deps.clock.nowMs();
    const nextJobMs = (deps.store.jobs.nextDueMs(nowMs) ?? nowMs + watchEveryMs) - nowMs;
    return Math.max(1, Math.min(upkeepMs, watchEveryMs, nextJobMs, embedMs ?? watchEveryMs));
  }
  return 0;
}
