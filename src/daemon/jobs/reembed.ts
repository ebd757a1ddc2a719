/**
 * Gives every leaf a vector of the embedder in use, in the background: after a change of embedder all of them, else
 * those that an interrupted write or a server that was away left without. Search by words carries on meanwhile, and
 * what has its vector already is found by it. Vectors of other embedders are dropped when all is done.
 */
import { embeddedText, type RemoteEmbedder } from "#domain";
import type { WorkerContext } from "../context.ts";

export type Reembedder = ReturnType<typeof createReembedder>;

interface Leaf {
  readonly id: number;
  readonly l0: string;
  /** The text to embed (see `embeddedText`). */
  readonly text: string;
}

/** Leaves looked at and embedded per slice: some ten milliseconds. */
const lookedMax = 2_000;
const embeddedMax = 200;
/** Texts per request: servers take more, but the first answer shall come soon. */
const remoteBatch = 32;
const droppedMax = 2_000;

export function createReembedder(deps: WorkerContext) {
  const walk = createWalk(deps);
  const { remote } = deps.embedder;
  const lane = remote === undefined ? createOwnLane(deps, walk) : createLane(deps, walk, remote);
  return {
    ...lane,
    /** Null when every leaf has been looked at. */
    progress: () => {
      if (walk.isDone()) return null;
      const { nodes } = deps.store;
      const leaves = nodes.count({}) + nodes.count({ archive: true });
      return { embedded: deps.vectors.size(), leaves };
    },
  };
}

interface Lane {
  /** One slice. Returns when to come back in ms: 0 = there is more to do now, null = nothing is waiting. */
  readonly step: () => number | null;
  /** Looks at everything again, at once where no server has to be asked. Returns how many leaves it embedded. */
  readonly all: () => number;
  /** Throws away the answers that are still on their way. */
  readonly stop: () => void;
}

type Walk = ReturnType<typeof createWalk>;

/** Goes through all leaves in order of id, then through the vectors that are no longer needed. */
function createWalk({ store, embedder }: WorkerContext) {
  const { id: identity } = embedder.identity;
  let afterId = 0;
  let stage: "leaves" | "others" | "done" = "leaves";
  let hasChanged = false;
  const dropOthers = (): void => {
    const dropped = store.repeatable(() => store.vectors.dropOthers(identity, droppedMax));
    if (dropped === 0) stage = "done";
  };
  return {
    isDone: () => stage === "done",
    restart: () => {
      afterId = 0;
      stage = "leaves";
    },
    /** The next leaves without a vector, at most `limit`; `pass` goes on behind them. */
    look: (limit: number): { readonly leaves: readonly Leaf[]; readonly pass: () => void } => {
      if (stage !== "leaves") return { leaves: [], pass: dropOthers };
      const { leaves, lastId } = store.vectors.missing(identity, afterId, lookedMax);
      const some = leaves.slice(0, limit);
      const next = leaves.length > limit ? (some.at(-1)?.id ?? null) : lastId;
      return {
        leaves: some,
        pass: () => {
          hasChanged ||= some.length > 0;
          if (next === null) stage = hasChanged ? "others" : "done";
          else afterId = next;
        },
      };
    },
  };
}

function keep(deps: WorkerContext, { id }: Leaf, vector: Float32Array | null): void {
  // An empty one says that the embedder knows none of the words, so that it is not asked again.
  deps.store.vectors.put(id, deps.embedder.identity.id, vector ?? new Float32Array(0));
  if (vector !== null) deps.vectors.put(id, vector);
}

function createOwnLane(deps: WorkerContext, walk: Walk): Lane {
  let embedded = 0;
  const step = (): number | null => {
    if (walk.isDone()) return null;
    const { leaves, pass } = walk.look(embeddedMax);
    if (leaves.length > 0)
      deps.store.repeatable(() => {
        for (const leaf of leaves) keep(deps, leaf, deps.embedder.embed(leaf.text));
      });
    embedded += leaves.length;
    pass();
    return 0;
  };
  const all = (): number => {
    walk.restart();
    const before = embedded;
    while (step() !== null);
    return embedded - before;
  };
  return { step, all, stop: () => undefined };
}

/** With a server: one request at a time, what was written lately first. */
function createLane(deps: WorkerContext, walk: Walk, remote: RemoteEmbedder): Lane {
  let isAsking = false;
  let isStopped = false;
  remote.onOwed?.(deps.onDue);
  const finish = (leaves: readonly Leaf[], vectors: readonly Float32Array[]): void => {
    const now = new Map(deps.store.nodes.byIds(leaves.map(({ id }) => id)).map((n) => [n.id, n]));
    deps.store.repeatable(() => {
      for (const [i, leaf] of leaves.entries()) {
        const node = now.get(leaf.id);
        const isSame = node?.l0 === leaf.l0 && node.status !== "retracted";
        // A memory that was reworded meanwhile has been noted as owed again.
        if (isSame) keep(deps, leaf, vectors[i] ?? null);
      }
    });
  };
  const ask = async (leaves: readonly Leaf[], pass: () => void): Promise<void> => {
    const answered = await remote.documents(leaves.map(({ text }) => text));
    isAsking = false;
    if (isStopped) return;
    if (answered.ok) {
      finish(leaves, answered.value);
      pass();
    } else deps.log.write("warn", "embed.failed", { reason: answered.error.slice(0, 200) });
    deps.onDue();
  };
  const step = (): number | null => {
    if (isAsking || isStopped) return null;
    const restingMs = remote.restingMs();
    if (restingMs > 0) return restingMs;
    const owed = deps.store.nodes.byIds(remote.owed(remoteBatch)).map((node) => ({
      id: node.id,
      l0: node.l0,
      text: embeddedText(node.l0, node.aliases, node.maker),
    }));
    if (owed.length > 0) {
      isAsking = true;
      void ask(owed, () => remote.settle(owed.map(({ id }) => id)));
      return null;
    }
    if (walk.isDone()) return null;
    const { leaves, pass } = walk.look(remoteBatch);
    if (leaves.length === 0) {
      pass();
      return 0;
    }
    isAsking = true;
    void ask(leaves, pass);
    return null;
  };
  const all = (): number => {
    walk.restart();
    return 0;
  };
  return { step, all, stop: () => void (isStopped = true) };
}
