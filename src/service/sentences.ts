/**
 * Sentences that moved to the archive: all of them brought back, a slice at a time, and the mark that the user was
 * told.
 */
import type { SentencesRestoredJson } from "#api";
import {
  isSentence,
  type MemoryNode,
  saveSentences,
  sentencesState,
  shownStatuses,
  type StoreDep,
} from "#domain";
import { err, ok, type ClockDep, type Result } from "#kit";
import type { ServiceError } from "./errors.ts";
import { placeIn } from "./place.ts";

export interface SentencesApi {
  /**
   * Makes archived sentences memories again, for about 50 ms; `after`: `next` of the answer before, 0 = the beginning.
   */
  readonly restoreSentences: (after: number) => Result<SentencesRestoredJson, ServiceError>;
  /** A person was told that they moved. */
  readonly sentencesTold: () => Result<{ readonly told: true }, ServiceError>;
}

type Deps = ClockDep & StoreDep & { readonly writable: boolean };

/** Short, because hooks wait meanwhile. */
const sliceMs = 50;
const idsPerRead = 200;

export const createSentencesApi = (deps: Deps): SentencesApi => ({
  restoreSentences: (after) => {
    if (!deps.writable) return err({ type: "service.read-only" });
    return ok(deps.store.transaction(() => restore(deps, after)));
  },
  sentencesTold: () => {
    if (!deps.writable) return err({ type: "service.read-only" });
    const state = sentencesState(deps.store);
    if (state?.isDone === true) saveSentences(deps.store, { ...state, isTold: true });
    return ok({ told: true });
  },
});

function restore({ store, clock }: Deps, after: number): SentencesRestoredJson {
  const startedMs = performance.now();
  let afterId = after;
  let restored = 0;
  let captured = 0;
  let next: number | null = null;
  for (let isOver = false; !isOver;) {
    const ids = store.nodes.leafIds(afterId, idsPerRead, shownStatuses);
    if (ids.length === 0) break;
    for (const { id } of store.nodes.headsByIds(ids).filter(({ uri }) => isSentence(uri))) {
      const node = bringBack({ store, clock }, id);
      restored += node === null ? 0 : 1;
      captured += node?.maker === "stop" ? 1 : 0;
    }
    afterId = ids.at(-1) ?? afterId;
    isOver = performance.now() - startedMs >= sliceMs;
    if (isOver) next = afterId;
  }
  const state = sentencesState(store) ?? { upTo: 0, moved: 0, captured: 0, round: 1 };
  saveSentences(store, {
    upTo: state.upTo,
    // Notes of other programs that went to the archive as they came are among those that come back.
    moved: Math.max(0, state.moved - restored),
    captured: Math.max(0, state.captured - captured),
    // A user who restores them wants no more of them to go.
    isDone: true,
    isTold: true,
    round: state.round,
  });
  return { restored, next };
}

/** As it was before it was put away; null when that is not known. */
function bringBack({ store, clock }: Pick<Deps, "clock" | "store">, id: number): MemoryNode | null {
  const node = store.nodes.byId(id);
  const before = store.nodes.revisions(id).findLast(({ fields }) => fields.category !== "sessions");
  const category = before?.fields.category ?? null;
  if (node === null || before === undefined || category === null) return null;
  const isFree = store.nodes.byUri(before.fields.uri) === null;
  return store.nodes.update(
    id,
    {
      category,
      uri: isFree
        ? before.fields.uri
        : placeIn({ store }, { ...node, uri: before.fields.uri }, category),
    },
    { atMs: clock.nowMs(), action: "archive", by: "user", reason: "restored by the user" },
  );
}
