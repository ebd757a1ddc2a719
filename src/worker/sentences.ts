/**
 * Puts the sentences of version 0.1 into the archive, once: what rules made of mere statements, and was not used,
 * pinned or edited. Every move is a revision. In slices; one that is cut short goes on where it was, since what has
 * moved is no memory any more.
 */
import {
  type MemoryNode,
  saveSentences,
  sentencesState,
  type SentencesState,
  shownStatuses,
  type Store,
} from "#domain";
import type { ClockDep } from "#kit";
import { isRuleSentence, sentenceUri } from "#memory";
import { isTouched } from "./touched.ts";

interface SentencesDeps extends ClockDep {
  readonly store: Store;
}

const idsPerRead = 100;
const sliceMs = 8;

/** Notes which leaves were there before this version: called before anything new comes. */
export function markSentences(store: Store): void {
  if (sentencesState(store) !== null) return;
  const upTo = lastLeaf(store);
  const isDone = upTo === 0;
  saveSentences(store, { upTo, moved: 0, captured: 0, isDone, isTold: isDone });
}

function lastLeaf({ nodes }: Store): number {
  for (let last = 0; ;) {
    const next = nodes.leafIds(last, 10_000, shownStatuses).at(-1);
    if (next === undefined) return last;
    last = next;
  }
}

export function* archiveSentences(deps: SentencesDeps): Generator<void, string> {
  const { store } = deps;
  let afterId = 0;
  for (;;) {
    // Read anew each time: the user may have restored them meanwhile.
    const state = sentencesState(store);
    if (state === null || state.isDone) return `${state?.moved ?? 0} in the archive`;
    const from = afterId;
    afterId = store.repeatable(() => slice(deps, state, from));
    yield;
  }
}

/** Moves what it finds in some milliseconds, and returns the last leaf it looked at. */
function slice(deps: SentencesDeps, state: SentencesState, from: number): number {
  const { store } = deps;
  const startedMs = performance.now();
  let { moved, captured } = state;
  let afterId = from;
  const ids = store.nodes.leafIds(from, idsPerRead, shownStatuses).filter((id) => id <= state.upTo);
  for (const node of store.nodes.byIds(ids)) {
    if (isSentence(store, node)) {
      putAway(deps, node);
      moved += 1;
      captured += node.maker === "stop" ? 1 : 0;
    }
    afterId = node.id;
    if (performance.now() - startedMs >= sliceMs) break;
  }
  const isDone = ids.length === 0;
  saveSentences(store, { ...state, moved, captured, isDone, isTold: isDone && moved === 0 });
  return afterId;
}

function isSentence(store: Store, node: MemoryNode): boolean {
  // Most are told apart without their history.
  if (!["stop", "import"].includes(node.maker)) return false;
  const by = store.history.page(node.id, { order: "oldest", afterId: null, limit: 1 })[0]?.by ?? "";
  return isRuleSentence(node, by) && !isTouched(store, node);
}

function putAway({ store, clock }: SentencesDeps, node: MemoryNode): void {
  const session = node.sourceSession ?? node.evidence[0]?.sessionId ?? null;
  const isKnown = session !== null && store.sessions.byId(session) !== null;
  store.nodes.update(
    node.id,
    { category: "sessions", uri: sentenceUri(isKnown ? session : null, node.id) },
    {
      atMs: clock.nowMs(),
      action: "archive",
      by: "system",
      reason: "a sentence of version 0.1, moved to the archive",
    },
  );
}
