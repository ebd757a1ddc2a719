/** The worker as the daemon uses it: accept batches, do due work in slices, say what is left. */
import type { Anchor, Candidate, HookEnvelope, HookReply, MemoryNode } from "#domain";
import { msPerMinute } from "#kit";
import { acceptBatch, type Via } from "./accept.ts";
import { anchorsNow } from "../jobs/anchors.ts";
import {
  consolidateSlice,
  type ConsolidationAsk,
  type ConsolidationSlice,
} from "../jobs/consolidate.ts";
import { noteDelivered } from "./delivery.ts";
import { createPrivateTextRegister } from "./private-texts.ts";
import { runNextJob } from "../jobs/jobs.ts";
import { rehearsePrompt } from "../inject/inject.ts";
import { noteFolder } from "./moved.ts";
import { createReembedder, type EmbeddingProgress, type Reembedder } from "../jobs/reembed.ts";
import { queueBackfill } from "../model/plan.ts";
import { keepDueIn } from "./announce.ts";
import { createRefiner, type Refiner } from "../model/refiner.ts";
import { index, remember, type Remembered } from "../jobs/remember.ts";
import { upkeepTasks, watchOpenTurns } from "../jobs/upkeep.ts";
import { createUpkeep, type Upkeep } from "../jobs/upkeep-schedule.ts";
import type { WorkerContext, WorkerParts } from "../context.ts";
import { createLatencyBook } from "./latencies.ts";

export interface Worker {
  /** Commits a batch together and answers in order. Throws when nothing of it was committed. */
  readonly accept: (envelopes: readonly HookEnvelope[], via: Via) => readonly HookReply[];
  /** Notes that the client has the answers to these events. */
  readonly delivered: (keys: readonly string[]) => void;
  /**
   * Runs due jobs for about `sliceMs`, and starts those that ask a model without waiting for them. Returns when to come
   * back in ms: 0 = more is due, null = nothing waits.
   */
  readonly work: (sliceMs: number) => Promise<number | null>;
  /** Makes what waits for a session's silence due now: a flush is to leave nothing unprocessed. */
  readonly runDueNow: () => void;
  /** Reads what a prompt reads and keeps nothing, so that the first real one finds everything loaded. */
  readonly rehearse: () => void;
  /** An import is under way: upkeep waits until it has been over for some minutes. */
  readonly holdUpkeep: () => void;
  /** Queues questions about imported sessions for a slice of time. */
  readonly backfill: (sliceMs: number) => ReturnType<typeof queueBackfill>;
  /** Writes the latencies of hooks that were measured and not stored yet. */
  readonly noteLatencies: () => void;
  /** Resolves when no model is being asked. */
  readonly settled: () => Promise<void>;
  /** Asks no more models and lets go of the store; jobs under way run again in the next process. */
  readonly stop: () => void;
  /** Jobs that are due or running. */
  readonly pendingJobs: () => number;
  /** Dedup and merge for memories that people add by hand; inside the caller's transaction. */
  readonly remember: (candidate: Candidate, by: string) => Remembered;
  /** Notes where a project without a remote lies. */
  readonly noteFolder: (project: string, root: string) => void;
  /** Makes one of memories that say the same, for a slice of time. */
  readonly consolidate: (ask: ConsolidationAsk) => ConsolidationSlice;
  /** A memory's anchors in a working tree now; `holds`: as of what stands there. Null outside a repository. */
  readonly anchorsNow: (
    node: MemoryNode,
    ask: { readonly folder: string; readonly holds: boolean },
  ) => Promise<readonly Anchor[] | null>;
  /** Makes the vector of a node whose text was edited by the user. */
  readonly index: (node: MemoryNode) => void;
  /** Fills vectors that are missing, all at once. Returns how many. `work` does the same in slices. */
  readonly embedMissing: () => number;
  /** How far that is; null when nothing is missing. */
  readonly embedding: () => EmbeddingProgress | null;
}

/** How often open turns are looked at for an interrupt that no hook reported. */
const watchEveryMs = msPerMinute;

/** The context of a worker over what the application gives; exported for tests. */
export const workerContext = (parts: WorkerParts): WorkerContext => ({
  ...parts,
  hidden: createPrivateTextRegister(parts.privateWords),
  latencies: createLatencyBook(parts),
  llm: parts.llm ?? (() => null),
  onDue: parts.onDue ?? (() => undefined),
  onStep: parts.onStep ?? (() => undefined),
});

export function createWorker(parts: WorkerParts): Worker {
  const deps = workerContext(parts);
  const refiner = createRefiner(deps);
  const reembedder = createReembedder(deps);
  const upkeep = createUpkeep(deps, upkeepTasks(deps), () => performance.now());
  return {
    accept: (envelopes, via) => {
      upkeep.touch();
      return acceptBatch(deps, envelopes, via);
    },
    work: (sliceMs) => work({ ...deps, refiner, reembedder, upkeep }, sliceMs),
    delivered: (keys) => noteDelivered(deps, keys),
    rehearse: () => rehearsePrompt(deps),
    runDueNow: () => {
      deps.latencies.write();
      // A flush waits for what was accepted, not for upkeep.
      upkeep.touch();
      deps.store.jobs.expedite("quiet", deps.clock.nowMs());
    },
    holdUpkeep: upkeep.hold,
    backfill: (sliceMs) => queueBackfill(deps.store, sliceMs, deps.clock.nowMs()),
    settled: () => refiner.settled(),
    noteLatencies: deps.latencies.write,
    stop: () => {
      deps.latencies.write();
      upkeep.stop();
      reembedder.stop();
      refiner.stop();
    },
    pendingJobs: () => deps.store.jobs.pending(deps.clock.nowMs()),
    remember: (candidate, by) => remember(deps, candidate, by),
    noteFolder: (key, root) => {
      const line = noteFolder(deps, key, root, deps.clock.nowMs());
      if (line !== null) keepDueIn(deps, key, line);
    },
    consolidate: (ask) => consolidateSlice(deps, ask),
    anchorsNow: (node, ask) => anchorsNow(deps, node, ask),
    index: (node) => index(deps, node),
    embedMissing: reembedder.all,
    embedding: reembedder.progress,
  };
}

async function work(
  deps: WorkerContext & {
    readonly refiner: Refiner;
    readonly reembedder: Reembedder;
    readonly upkeep: Upkeep;
  },
  sliceMs: number,
): Promise<number | null> {
  const startMs = performance.now();
  while (performance.now() - startMs < sliceMs) {
    if (await runNextJob(deps)) continue;
    deps.refiner.start();
    const upkeepMs = deps.upkeep.step();
    if (upkeepMs === 0) continue;
    watchOpenTurns(deps);
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
