/**
 * Puts what earlier versions had guessed into the archive, once: memories that no writer of today would make, and that
 * were not used, pinned or edited. Every move is a revision. In slices; one that is cut short goes on where it was,
 * since what has moved is no memory any more.
 */
import {
  type Category,
  type MemoryNode,
  saveSentences,
  sentencesState,
  type SentencesState,
  shownStatuses,
  type Store,
} from "#domain";
import { isoDate, type ClockDep } from "#kit";
import { freshLeafUri, placeOfGuess, sentenceUri } from "#memory";
import { isTouched } from "./touched.ts";

interface SentencesDeps extends ClockDep {
  readonly store: Store;
}

const idsPerRead = 100;
const sliceMs = 8;

/** Round of rules that have looked: 2 = every guesser is gone. */
const roundNow = 2;

/** Notes which leaves were there before this version: called before anything new comes. */
export function markSentences(store: Store): void {
  const before = sentencesState(store);
  if (before?.round === roundNow) return;
  const upTo = lastLeaf(store);
  const { moved = 0, captured = 0, isTold = true } = before ?? {};
  saveSentences(store, { upTo, moved, captured, isDone: upTo === 0, isTold, round: roundNow });
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
    const place = placeOf(store, node);
    if (place === "archive") {
      putAway(deps, node);
      moved += 1;
      captured += node.maker === "stop" ? 1 : 0;
    } else if (place !== null) file(deps, node, place);
    afterId = node.id;
    if (performance.now() - startedMs >= sliceMs) break;
  }
  const isTold = state.isTold && moved === state.moved;
  saveSentences(store, { ...state, moved, captured, isDone: ids.length === 0, isTold });
  return afterId;
}

function placeOf(store: Store, node: MemoryNode): ReturnType<typeof placeOfGuess> {
  // Most are told apart without their history.
  if (node.maker === "manual" || node.maker === "precompact") return null;
  const by = store.history.page(node.id, { order: "oldest", afterId: null, limit: 1 })[0]?.by ?? "";
  const place = placeOfGuess(node, by);
  return place !== null && isTouched(store, node) ? null : place;
}

/** A fact that stood among the rules. */
function file({ store, clock }: SentencesDeps, node: MemoryNode, category: Category): void {
  const { project } = node;
  const place = {
    category,
    slug: node.uri.slice(node.uri.lastIndexOf("/") + 1),
    project,
    projectName: project?.split(/[/:]/).at(-1) ?? null,
    date: isoDate(node.validFrom ?? node.createdAt),
  };
  const tags = node.tags.filter((tag) => tag !== "rule");
  store.nodes.update(
    node.id,
    { category, uri: freshLeafUri(place, store.nodes.byUri), tags },
    { atMs: clock.nowMs(), action: "edit", by: "system", reason: "orders no rule" },
  );
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
      reason: "guessed by an earlier version, moved to the archive",
    },
  );
}
