/** The worker as the daemon uses it: accept batches, do due work in slices, say what is left. */
import type { HookEnvelope, HookReply } from "#domain";
import { acceptBatch, type AcceptDeps, type Via } from "./accept.ts";
import { createHiddenRegister } from "./hidden.ts";
import { runNextJob } from "./jobs.ts";
import { index, remember, type Remembered } from "./remember.ts";
import { runUpkeep } from "./upkeep.ts";
import type { Candidate } from "#domain";

export type WorkerDeps = Omit<AcceptDeps, "hidden">;

export interface Worker {
  /** Commits a batch together and answers in order. Throws when nothing of it was committed. */
  readonly accept: (envelopes: readonly HookEnvelope[], via: Via) => readonly HookReply[];
  /** Runs due jobs for about `sliceMs`. Returns when to come back in ms: 0 = more is due, null = nothing waits. */
  readonly work: (sliceMs: number) => number | null;
  /** Jobs that are due or running. */
  readonly pendingJobs: () => number;
  /** Dedup and merge for memories that people add by hand; inside the caller's transaction. */
  readonly remember: (candidate: Candidate, by: string) => Remembered;
  /** Fills vectors that are missing (a new embedder, an interrupted write). Returns how many. */
  readonly embedMissing: () => number;
}

const embedBatch = 500;

export function createWorker(deps: WorkerDeps): Worker {
  const acceptDeps: AcceptDeps = { ...deps, hidden: createHiddenRegister() };
  return {
    accept: (envelopes, via) => acceptBatch(acceptDeps, envelopes, via),
    work: (sliceMs) => work(deps, sliceMs),
    pendingJobs: () => deps.store.jobs.pending(deps.clock.nowMs()),
    remember: (candidate, by) => remember(deps, candidate, by),
    embedMissing: () => embedMissing(deps),
  };
}

function work(deps: WorkerDeps, sliceMs: number): number | null {
  const startMs = performance.now();
  while (performance.now() - startMs < sliceMs) {
    if (runNextJob(deps)) continue;
    const nowMs = deps.clock.nowMs();
    const upkeepAtMs = runUpkeep(deps);
    const nextJobMs = deps.store.jobs.nextRunAfterMs();
    return Math.max(1, Math.min(upkeepAtMs, nextJobMs ?? upkeepAtMs) - nowMs);
  }
  return 0;
}

function embedMissing(deps: WorkerDeps): number {
  const missing = deps.store.vectors.missing(deps.embedder.identity.id, embedBatch);
  for (const node of deps.store.nodes.byIds(missing.map(({ id }) => id))) index(deps, node);
  return missing.length;
}
